"""Triggers that protect the log from changes, and note the summaries that are due.

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
