"""Triggers that protect the log from changes, note which data are due, and number changes.

They work whichever program has the file open.

`INSERT OR REPLACE` deletes the row in its way without firing delete triggers. So the triggers
before an insert look for such rows themselves.
"""

from __future__ import annotations

from typing import Final

GUARDS: Final = (
    """
    CREATE TRIGGER events_append BEFORE INSERT ON events BEGIN
        SELECT RAISE(ABORT, 'an event comes at the version after the head')
        WHERE NEW.version IS NOT (SELECT head + 1 FROM streams WHERE id = NEW.stream);
        SELECT RAISE(ABORT, 'an event is not replaced')
        WHERE EXISTS (SELECT 1 FROM events WHERE pos = NEW.pos)
           OR EXISTS (SELECT 1 FROM events WHERE stream = NEW.stream AND version = NEW.version)
           OR EXISTS (SELECT 1 FROM events WHERE stream = NEW.stream AND event_id = NEW.event_id);
    END
    """,
    """
    CREATE TRIGGER events_head AFTER INSERT ON events BEGIN
        UPDATE streams SET head = NEW.version, head_hash = NEW.hash WHERE id = NEW.stream;
    END
    """,
    """
    CREATE TRIGGER events_update BEFORE UPDATE ON events BEGIN
        SELECT RAISE(ABORT, 'an event is not changed');
    END
    """,
    """
    CREATE TRIGGER events_delete BEFORE DELETE ON events
    WHEN NOT EXISTS (SELECT 1 FROM purging WHERE stream = OLD.stream) BEGIN
        SELECT RAISE(ABORT, 'an event is deleted only when its match is purged');
    END
    """,
    """
    CREATE TRIGGER sealed_insert BEFORE INSERT ON sealed
    WHEN EXISTS (SELECT 1 FROM sealed WHERE event = NEW.event) BEGIN
        SELECT RAISE(ABORT, 'what is sealed is not replaced');
    END
    """,
    """
    CREATE TRIGGER sealed_update BEFORE UPDATE ON sealed BEGIN
        SELECT RAISE(ABORT, 'what is sealed is not changed');
    END
    """,
    """
    CREATE TRIGGER sealed_delete BEFORE DELETE ON sealed
    WHEN NOT EXISTS (
        SELECT 1 FROM purging JOIN events USING (stream) WHERE events.pos = OLD.event
    ) BEGIN
        SELECT RAISE(ABORT, 'what is sealed is deleted only when its match is purged');
    END
    """,
    """
    CREATE TRIGGER streams_insert BEFORE INSERT ON streams BEGIN
        SELECT RAISE(ABORT, 'a stream is not replaced')
        WHERE EXISTS (SELECT 1 FROM streams WHERE id = NEW.id)
           OR EXISTS (SELECT 1 FROM streams WHERE kind = NEW.kind AND public_id = NEW.public_id)
           OR EXISTS (SELECT 1 FROM streams WHERE subject = NEW.subject);
        SELECT RAISE(ABORT, 'a stream begins at its origin')
        WHERE NEW.head IS NOT ifnull(NEW.fork_version, 0) OR NEW.head_hash IS NOT NEW.origin;
    END
    """,
    """
    CREATE TRIGGER streams_update BEFORE UPDATE OF
        id, public_id, kind, header, subject, parent_id, fork_version, fork_ply, origin
    ON streams BEGIN
        SELECT RAISE(ABORT, 'a stream is not changed');
    END
    """,
    """
    CREATE TRIGGER streams_head BEFORE UPDATE OF head, head_hash ON streams
    WHEN NEW.head IS NOT OLD.head + 1 OR NOT EXISTS (
        SELECT 1 FROM events
        WHERE stream = NEW.id AND version = NEW.head AND hash = NEW.head_hash
    ) BEGIN
        SELECT RAISE(ABORT, 'the head moves with an event only');
    END
    """,
    """
    CREATE TRIGGER streams_delete BEFORE DELETE ON streams
    WHEN NOT EXISTS (SELECT 1 FROM purging WHERE stream = OLD.id) BEGIN
        SELECT RAISE(ABORT, 'a stream is deleted only when it is purged');
    END
    """,
)

MADE: Final = """
    CREATE TRIGGER summaries_{when} AFTER {when} ON summaries BEGIN
        DELETE FROM summaries_due WHERE stream = NEW.stream
        AND NEW.head >= (SELECT head FROM streams WHERE id = NEW.stream);
    END
"""
INDEXED: Final = """
    CREATE TRIGGER indexed_{when} AFTER {when} ON indexed BEGIN
        DELETE FROM positions_due WHERE stream = NEW.stream;
        INSERT INTO positions_due SELECT id FROM streams
        WHERE id = NEW.stream AND head > NEW.head;
    END
"""
SEARCHABLE: Final = """
    CREATE TRIGGER searchable_{when} AFTER {when} ON searchable BEGIN
        DELETE FROM texts_due WHERE stream = NEW.stream;
        INSERT INTO texts_due SELECT subject FROM streams
        WHERE subject = NEW.stream AND head > NEW.notes;
    END
"""
SUMMARIES_DUE: Final = (
    """
    CREATE TRIGGER streams_due AFTER INSERT ON streams
    WHEN NEW.kind = 'match' AND substr(NEW.public_id, 1, 1) <> '~' BEGIN
        INSERT OR IGNORE INTO summaries_due VALUES (NEW.id);
    END
    """,
    """
    CREATE TRIGGER events_due AFTER INSERT ON events
    WHEN NEW.version > ifnull((SELECT head FROM summaries WHERE stream = NEW.stream), -1) BEGIN
        INSERT OR IGNORE INTO summaries_due SELECT id FROM streams
        WHERE id = NEW.stream AND kind = 'match' AND substr(public_id, 1, 1) <> '~';
    END
    """,
    MADE.format(when="insert"),
    MADE.format(when="update"),
)
"""A summary that comes with events is put before them, so that they find it."""

TO_INDEX: Final = (
    """
    CREATE TRIGGER streams_to_index AFTER INSERT ON streams
    WHEN NEW.kind = 'match' AND substr(NEW.public_id, 1, 1) <> '~' BEGIN
        INSERT OR IGNORE INTO positions_due VALUES (NEW.id);
        INSERT OR IGNORE INTO texts_due VALUES (NEW.id);
    END
    """,
    """
    CREATE TRIGGER events_to_index AFTER INSERT ON events BEGIN
        INSERT OR IGNORE INTO positions_due SELECT id FROM streams
        WHERE id = NEW.stream AND kind = 'match' AND substr(public_id, 1, 1) <> '~'
        AND NEW.version > ifnull((SELECT head FROM indexed WHERE stream = NEW.stream), -1);
        INSERT OR IGNORE INTO texts_due SELECT subject FROM streams
        WHERE id = NEW.stream AND kind = 'notes'
        AND NEW.version > ifnull((SELECT notes FROM searchable WHERE stream = subject), -1);
    END
    """,
    INDEXED.format(when="insert"),
    INDEXED.format(when="update"),
    SEARCHABLE.format(when="insert"),
    SEARCHABLE.format(when="update"),
    """
    CREATE TRIGGER indexed_gone AFTER DELETE ON indexed BEGIN
        INSERT OR IGNORE INTO positions_due VALUES (OLD.stream);
    END
    """,
    """
    CREATE TRIGGER searchable_gone AFTER DELETE ON searchable BEGIN
        INSERT OR IGNORE INTO texts_due VALUES (OLD.stream);
    END
    """,
)
"""An index entry that comes with events is put before them too. A match that is purged loses its
entries before its rows here."""

NEXT: Final = "(SELECT coalesce(max(number), 0) + 1 FROM changes)"
NOW: Final = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
"""Milliseconds since 1970."""
CHANGED: Final = f"UPDATE changes SET number = {NEXT}, at = {NOW}, {{what}} = {NEXT} "
NUMBERED: Final = """(SELECT entry, (SELECT max(number) FROM changes)
            + row_number() OVER (ORDER BY entry) AS next
            FROM changes WHERE root = {root} AND entry > 0) AS f"""
"""The next number for a match and for each of its variations."""
AGAIN: Final = (
    "ON CONFLICT (entry) DO UPDATE SET "
    "number = excluded.number, public = excluded.public, at = excluded.at"
)
"""Replace an existing entry: `OR REPLACE` yields to the statement that fires the trigger."""
IS_MATCH: Final = "{row}.kind = 'match' AND substr({row}.public_id, 1, 1) <> '~'"
FACT_CHANGED: Final = f"""
    CREATE TRIGGER changes_fact_{{when}} AFTER {{when}} ON facts
    WHEN {{row}}.name <> 'access.visibility'{{differs}} BEGIN
        UPDATE changes SET number = {NEXT}, at = {NOW},
            names = CASE WHEN {{row}}.name GLOB 'Seat[1-9]' THEN {NEXT} ELSE names END,
            details = CASE WHEN {{row}}.name GLOB '*.*' THEN {NEXT} ELSE details END,
            tags = CASE WHEN {{row}}.name GLOB 'Seat[1-9]' OR {{row}}.name GLOB '*.*'
                THEN tags ELSE {NEXT} END
        WHERE entry = {{row}}.stream;
    END
"""
WITHDRAWN: Final = f"""
        INSERT INTO changes (entry, number, root, id, public, at)
        SELECT -f.entry, f.next, OLD.stream, s.public_id, 1, {NOW}
        FROM {NUMBERED.format(root="OLD.stream")} JOIN streams AS s ON s.id = f.entry
        WHERE OLD.value = 'public' {AGAIN};
"""
VISIBILITY_CHANGED: Final = f"""
    CREATE TRIGGER changes_visibility_{{when}} AFTER {{when}} ON facts
    WHEN {{row}}.name = 'access.visibility'{{differs}} BEGIN{{before}}
        UPDATE changes SET number = f.next, visibility = f.next, at = {NOW},
            public = {{public}}
        FROM {NUMBERED.format(root="{row}.stream")} WHERE changes.entry = f.entry;
    END
"""
DIFFERS: Final = " AND NEW.value <> OLD.value"
BY_VALUE: Final = {"row": "NEW", "public": "NEW.value = 'public'"}
NUMBERING: Final = (
    f"""
    CREATE TRIGGER changes_stream AFTER INSERT ON streams WHEN {IS_MATCH.format(row="NEW")} BEGIN
        INSERT INTO changes (entry, number, root, public, at, opened)
        SELECT NEW.id, {NEXT}, CASE WHEN instr(NEW.header, '"kind":"variation"')
            THEN coalesce(p.root, NEW.parent_id, NEW.id) ELSE NEW.id END,
            p.public IS 1 AND instr(NEW.header, '"kind":"variation"') > 0, {NOW}, {NEXT}
        FROM (SELECT 1) LEFT JOIN changes AS p ON p.entry = NEW.parent_id;
    END
    """,
    f"""
    CREATE TRIGGER changes_event AFTER INSERT ON events BEGIN
        UPDATE changes SET number = {NEXT}, at = {NOW},
            events = CASE WHEN entry = NEW.stream THEN {NEXT} ELSE events END,
            notes = CASE WHEN entry = NEW.stream THEN notes ELSE {NEXT} END
        WHERE entry = (SELECT coalesce(subject, id) FROM streams WHERE id = NEW.stream);
    END
    """,
    FACT_CHANGED.format(when="insert", row="NEW", differs=""),
    FACT_CHANGED.format(when="update", row="NEW", differs=DIFFERS),
    FACT_CHANGED.format(when="delete", row="OLD", differs=""),
    VISIBILITY_CHANGED.format(when="insert", differs="", before="", **BY_VALUE),
    VISIBILITY_CHANGED.format(when="update", differs=DIFFERS, before=WITHDRAWN, **BY_VALUE),
    VISIBILITY_CHANGED.format(when="delete", differs="", before=WITHDRAWN, row="OLD", public="0"),
    f"""
    CREATE TRIGGER changes_trash AFTER UPDATE OF trashed ON streams
    WHEN NEW.trashed <> OLD.trashed BEGIN
        {CHANGED.format(what="trash")} WHERE entry = NEW.id;
    END
    """,
    f"""
    CREATE TRIGGER changes_purge AFTER DELETE ON streams WHEN {IS_MATCH.format(row="OLD")} BEGIN
        INSERT INTO changes (entry, number, root, id, public, at)
        SELECT -OLD.id, {NEXT}, OLD.id, OLD.public_id, EXISTS (
            SELECT 1 FROM changes WHERE entry = -OLD.id OR (entry = OLD.id AND public)
        ), {NOW} WHERE true {AGAIN};
        DELETE FROM changes WHERE entry = OLD.id;
    END
    """,
    f"""
    CREATE TRIGGER changes_notes AFTER DELETE ON streams WHEN OLD.kind = 'notes' BEGIN
        {CHANGED.format(what="notes")} WHERE entry = OLD.subject;
    END
    """,
)
"""A match gets the next number whenever anything of it changes; with its variations, if they are
seen by other people from now on. Of one that was public and is not any more, its id is left."""

ACCOUNT_SEATED: Final = f"""
    CREATE TRIGGER changes_account AFTER INSERT ON keys
    WHEN EXISTS (SELECT 1 FROM accounts WHERE digest = NEW.digest) BEGIN
        {CHANGED.format(what="seats")} WHERE entry = NEW.stream;
    END
"""
"""The feed has a change when an account gets a seat, and none when a token gets one."""
