"""The triggers that keep derived data right, whichever program writes.

`schema.sql` has the tables, and the triggers that depend on no other rule. This module states each
rule once: which writes make data due, which number a change in the feed gets, and which writes
count a match or its moves again. The SQL is that of SQLite; `postgres/derived.py` translates it.
The text equals that of earlier versions except for white space, so that older books need no
migration; `sqlite3 BOOK .schema` prints the text that is in a book.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from replay.store import people_chain
from replay.store.types import DOUBTFUL

NEXT: Final = "(SELECT coalesce(max(number), 0) + 1 FROM changes)"
NOW: Final = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
VISIBILITY: Final = "name = 'access.visibility'"
SEAT: Final = f"name GLOB '{people_chain.SEAT}'"
BEGUN: Final = (
    "AFTER INSERT ON streams WHEN NEW.kind = 'match' AND substr(NEW.public_id, 1, 1) <> '~'"
)
TRASHED: Final = "AFTER UPDATE OF trashed ON streams WHEN NEW.trashed <> OLD.trashed"

VIEWS: Final = Path(__file__).with_name("views.sql").read_text(encoding="utf-8")
"""The views for people who query a book."""
FACTS: Final = {"insert": "NEW", "update": "NEW", "delete": "OLD"}
"""The name of the row of `facts` in a trigger, for each kind of write."""
ADDED: Final = (("insert", "AFTER INSERT", "NEW", ""), ("delete", "BEFORE DELETE", "OLD", "-"))
"""The writes that add what a new row counts to a tally, or subtract what an old row counted."""


class Trigger(NamedTuple):
    """The statements that a write of a row calls for."""

    name: str
    event: str
    condition: str
    actions: tuple[str, ...]


def triggers() -> Iterator[Trigger]:
    """Yield all triggers of derived data."""
    return chain(_due(), _changes(), _counts(), _moves())


def statements() -> str:
    """Return the SQL of all derived views and triggers in SQLite."""
    made = (
        f"CREATE TRIGGER {name} {event}{condition and f' WHEN {condition}'} "
        f"BEGIN {' '.join(f'{each};' for each in actions)} END;"
        for name, event, condition, actions in triggers()
    )
    return "\n".join((VIEWS, MOVES_VIEW, *made))


def _trigger(name: str, when: str, *actions: str) -> Trigger:
    event, _, condition = when.partition(" WHEN ")
    return Trigger(name, event, condition, actions)


def _when(write: str, row: str, condition: str) -> str:
    """Return when a write of a fact fires its trigger; an update fires if the value changes."""
    updated = " AND NEW.value <> OLD.value" if write.lower() == "update" else ""
    return f"AFTER {write} ON facts WHEN {row}.{condition}{updated}"


def _due() -> Iterator[Trigger]:
    """Data that are derived from a log are due until they have caught up with the log."""
    for name, tables in (
        ("streams_due", ("summaries_due",)),
        ("streams_to_index", ("positions_due", "texts_due")),
    ):
        noted = (f"INSERT OR IGNORE INTO {table} VALUES (NEW.id)" for table in tables)
        yield _trigger(name, BEGUN, *noted)
    for write in ("insert", "update"):
        done = "DELETE FROM summaries_due WHERE stream = NEW.stream"
        head = "(SELECT head FROM streams WHERE id = NEW.stream)"
        after = f"AFTER {write} ON summaries"
        yield _trigger(f"summaries_{write}", after, f"{done} AND NEW.head >= {head}")
    for table, due, stream, head in (
        ("indexed", "positions_due", "id", "head"),
        ("searchable", "texts_due", "subject", "notes"),
    ):
        late = f"SELECT {stream} FROM streams WHERE {stream} = NEW.stream AND head > NEW.{head}"
        again = f"DELETE FROM {due} WHERE stream = NEW.stream", f"INSERT INTO {due} {late}"
        for write in ("insert", "update"):
            yield _trigger(f"{table}_{write}", f"AFTER {write} ON {table}", *again)
        gone = f"INSERT OR IGNORE INTO {due} VALUES (OLD.stream)"
        yield _trigger(f"{table}_gone", f"AFTER DELETE ON {table}", gone)


def _numbered(match: str, *changed: str) -> str:
    """Return the statement that gives a match the next number in the feed."""
    columns = ", ".join((f"number = {NEXT}", f"at = {NOW}", *changed))
    return f"UPDATE changes SET {columns} WHERE entry = {match}"


def _if(condition: str, column: str) -> str:
    return f"{column} = CASE WHEN {condition} THEN {NEXT} ELSE {column} END"


def _unless(condition: str, column: str) -> str:
    return f"{column} = CASE WHEN {condition} THEN {column} ELSE {NEXT} END"


def _changes() -> Iterator[Trigger]:
    """A match gets the next number in the feed whenever any part of it changes."""
    varies = 'instr(NEW.header, \'"kind":"variation"\')'
    root = f"CASE WHEN {varies} THEN coalesce(p.root, NEW.parent_id, NEW.id) ELSE NEW.id END"
    values = f"NEW.id, {NEXT}, {root}, p.public IS 1 AND {varies} > 0, {NOW}, {NEXT}"
    opened = (
        f"INSERT INTO changes (entry, number, root, public, at, opened) SELECT {values}"
        " FROM (SELECT 1) LEFT JOIN changes AS p ON p.entry = NEW.parent_id"
    )
    yield _trigger("changes_stream", BEGUN, opened)
    own = "iif(entry = NEW.stream, next, events), iif(entry = NEW.stream, notes, next)"
    row = f"SELECT next, {NOW}, {own} FROM (SELECT {NEXT} AS next)"  # asks for the number once
    match = "(SELECT coalesce(subject, id) FROM streams WHERE id = NEW.stream)"
    numbered = f"UPDATE changes SET (number, at, events, notes) = ({row}) WHERE entry = {match}"
    yield _trigger("changes_event", "AFTER INSERT ON events", numbered)
    for write, row in FACTS.items():
        seat, detail = f"{row}.{SEAT}", f"{row}.name GLOB '*.*'"
        columns = _if(seat, "names"), _if(detail, "details"), _unless(f"{seat} OR {detail}", "tags")
        other = _when(write, row, "name <> 'access.visibility'")
        yield _trigger(f"changes_fact_{write}", other, _numbered(f"{row}.stream", *columns))
        shown = (_gone(), _shown(row)) if write != "insert" else (_shown(row),)
        yield _trigger(f"changes_visibility_{write}", _when(write, row, VISIBILITY), *shown)
    yield _trigger("changes_trash", TRASHED, _numbered("NEW.id", f"trash = {NEXT}"))
    ended = "OLD.kind = 'match' AND substr(OLD.public_id, 1, 1) <> '~'"
    was_public = "SELECT 1 FROM changes WHERE entry = -OLD.id OR (entry = OLD.id AND public)"
    left = f"-OLD.id, {NEXT}, OLD.id, OLD.public_id, EXISTS ( {was_public} ), {NOW} WHERE true"
    purged = _left(left), "DELETE FROM changes WHERE entry = OLD.id"
    yield _trigger("changes_purge", f"AFTER DELETE ON streams WHEN {ended}", *purged)
    noted = "AFTER DELETE ON streams WHEN OLD.kind = 'notes'"
    yield _trigger("changes_notes", noted, _numbered("OLD.subject", f"notes = {NEXT}"))
    seated = "EXISTS (SELECT 1 FROM accounts WHERE digest = NEW.digest)"
    numbered = _numbered("NEW.stream", f"seats = {NEXT}")
    yield _trigger("changes_account", f"AFTER INSERT ON keys WHEN {seated}", numbered)


def _left(row: str) -> str:
    """Return the statement that keeps the id of a match that others can no longer see."""
    return (
        f"INSERT INTO changes (entry, number, root, id, public, at) SELECT {row}"
        " ON CONFLICT (entry) DO UPDATE SET number = excluded.number,"
        " public = excluded.public, at = excluded.at"
    )


def _family(row: str) -> str:
    """Return SQL that selects a match and its variations, each with its next number in the feed."""
    place = "(SELECT max(number) FROM changes) + row_number() OVER (ORDER BY entry) AS next"
    return f"(SELECT entry, {place} FROM changes WHERE root = {row}.stream AND entry > 0) AS f"


def _gone() -> str:
    """Return the statement for a match that was public, with its variations."""
    rows = f"{_family('OLD')} JOIN streams AS s ON s.id = f.entry WHERE OLD.value = 'public'"
    return _left(f"-f.entry, f.next, OLD.stream, s.public_id, 1, {NOW} FROM {rows}")


def _shown(row: str) -> str:
    public = "0" if row == "OLD" else "NEW.value = 'public'"
    columns = f"number = f.next, visibility = f.next, at = {NOW}, public = {public}"
    return f"UPDATE changes SET {columns} FROM {_family(row)} WHERE changes.entry = f.entry"


def _counts() -> Iterator[Trigger]:
    """Yield triggers that count each match as in `countable`, again after each change."""
    one = "game, visibility, what, value"
    for name, when, row, sign in ADDED:
        rows = f"SELECT {one}, {sign}count(*) FROM tallied WHERE stream = {row}.stream"
        added = f"ON CONFLICT ({one}) DO UPDATE SET times = times + excluded.times"
        tallied = f"INSERT INTO tallies {rows} GROUP BY {one} {added}"
        yield _trigger(f"counted_{name}", f"{when} ON counted", tallied)
    yield _dropped("tallies", "NEW.times = 0", one)
    text = "instr({}.standing, CAST('\"{}\"' AS BLOB))"
    texts = [text.format(row, word) for word in ("stood", "ranks") for row in ("NEW", "OLD")]
    changed = (
        "WHEN (NEW.game, NEW.kind, NEW.result, NEW.clause, NEW.doubtful)"
        " <> (OLD.game, OLD.kind, OLD.result, OLD.clause, OLD.doubtful)"
        " OR (NEW.result <> '*' AND (NEW.plies, NEW.turns) <> (OLD.plies, OLD.turns))"
        f" OR {' OR '.join(texts)}"
    )
    fact = f"({{0}}.{VISIBILITY} OR {{0}}.{SEAT})"
    updated = f"NEW.value <> OLD.value AND {fact.format('NEW')}"
    for name, when, match in (
        ("summaries_counted", "AFTER INSERT ON summaries", "NEW.stream"),
        ("summaries_recounted", f"AFTER UPDATE ON summaries {changed}", "NEW.stream"),
        ("summaries_uncounted", "AFTER DELETE ON summaries", "OLD.stream"),
        ("facts_counted", f"AFTER INSERT ON facts WHEN {fact.format('NEW')}", "NEW.stream"),
        ("facts_recounted", f"AFTER UPDATE ON facts WHEN {updated}", "NEW.stream"),
        ("facts_uncounted", f"AFTER DELETE ON facts WHEN {fact.format('OLD')}", "OLD.stream"),
        ("trash_counted", TRASHED, "NEW.id"),
    ):
        again = f"INSERT INTO counted SELECT * FROM countable WHERE stream = {match}"
        yield _trigger(name, when, f"DELETE FROM counted WHERE stream = {match}", again)


def _dropped(table: str, empty: str, key: str) -> Trigger:
    """Return the trigger that drops a sum that has become 0."""
    same = " AND ".join(f"{column} = NEW.{column}" for column in key.split(", "))
    when = f"AFTER UPDATE ON {table} WHEN {empty}"
    return _trigger(f"{table}_none", when, f"DELETE FROM {table} WHERE {same}")


KIND: Final = f"kind || CASE WHEN doubtful THEN '{DOUBTFUL}' ELSE '' END AS kind"
PRIVATE: Final = """
    AND NOT EXISTS (
    SELECT 1 FROM facts AS v WHERE v.name = 'access.visibility'
    AND v.value NOT IN ('unlisted', 'public')
    AND v.stream IN (s.id, (SELECT root FROM changes WHERE entry = s.id)))
"""


def _lines(steps: str, unless: str, counted: str) -> str:
    """Return SQL for the moves of some steps; the oldest line of a match represents each move."""
    return f"""
        SELECT root, key, seat, token, {KIND}, result, {counted} FROM (
            SELECT r.src AS root, p.key, p.seat, p.token, min(p.stream) AS line
            FROM {steps}
            JOIN segments AS r ON r.stream = p.stream AND r.lo = 1
            JOIN streams AS s ON s.id = p.stream
            JOIN segments AS g ON g.stream = p.stream AND p.version BETWEEN g.lo AND g.hi
            WHERE s.kind = 'match' AND NOT s.trashed {unless}
            GROUP BY p.key, g.src, p.version
        ) JOIN summaries ON summaries.stream = line
        GROUP BY root, key, seat, token, kind, doubtful, result
    """


def _countable(steps: str) -> str:
    """Return the moves of some steps with the lines that made them: all, and those not private."""
    every = _lines(steps, "", "count(DISTINCT line) AS lines, 0 AS open")
    shown = _lines(steps, PRIVATE, "0, count(DISTINCT line)")
    move = "root, key, seat, token, kind, result"
    sums = "sum(lines) AS lines, sum(open) AS open"
    return f"SELECT {move}, {sums} FROM ( {every} UNION ALL {shown} ) GROUP BY {move}"


ALL: Final = "counted_positions AS c CROSS JOIN steps AS p ON p.key = c.key"
OF_POSITION: Final = "(SELECT * FROM steps WHERE key = NEW.key) AS p"
OF_FAMILY: Final = """
    segments AS f CROSS JOIN steps AS p ON p.stream = f.stream AND f.lo = 1 AND f.src = NEW.root
    CROSS JOIN counted_positions AS c ON c.key = p.key
"""
MOVES_VIEW: Final = f"CREATE VIEW countable_moves AS {_countable(ALL)};"
RESULT: Final = "(NEW.kind, NEW.result, NEW.doubtful) <> (OLD.kind, OLD.result, OLD.doubtful)"


def _moves() -> Iterator[Trigger]:
    """The moves of counted positions are counted by family; a change counts its family again."""
    one = "key, seat, token, kind, result"
    for name, when, row, sign in ADDED:
        move = ", ".join(f"{row}.{each}" for each in one.split(", "))
        sums = "lines = lines + excluded.lines, open = open + excluded.open"
        added = f"ON CONFLICT ({one}) DO UPDATE SET {sums}"
        values = f"VALUES ({move}, {sign}{row}.lines, {sign}{row}.open)"
        tallied = f"INSERT INTO move_tallies {values} {added}"
        yield _trigger(f"counted_moves_{name}", f"{when} ON counted_moves", tallied)
    yield _dropped("move_tallies", "NEW.lines = 0 AND NEW.open = 0", one)
    counted = f"INSERT INTO counted_moves {_countable(OF_POSITION)}"
    yield _trigger("counted_positions_insert", "AFTER INSERT ON counted_positions", counted)
    yield _trigger(
        "family_recount",
        "INSTEAD OF INSERT ON family_changes WHEN EXISTS (SELECT 1 FROM counted_positions)",
        "DELETE FROM counted_moves WHERE root = NEW.root",
        f"INSERT INTO counted_moves {_countable(OF_FAMILY)}",
    )
    for name, when, match in (
        ("indexed_moves", "AFTER INSERT ON indexed WHEN true", "NEW.stream"),
        ("reindexed_moves", "AFTER UPDATE ON indexed WHEN true", "NEW.stream"),
        ("unindexed_moves", "AFTER DELETE ON indexed WHEN true", "OLD.stream"),
        ("summarised_moves", "AFTER INSERT ON summaries WHEN true", "NEW.stream"),
        ("resummarised_moves", f"AFTER UPDATE ON summaries WHEN {RESULT}", "NEW.stream"),
        ("unsummarised_moves", "AFTER DELETE ON summaries WHEN true", "OLD.stream"),
        ("trashed_moves", TRASHED, "NEW.id"),
    ):
        family = f"SELECT src FROM segments WHERE stream = {match} AND lo = 1"
        yield _trigger(name, when, f"INSERT INTO family_changes {family}")
    names = {"insert": "shown_moves", "update": "reshown_moves", "delete": "unshown_moves"}
    for write, row in FACTS.items():
        families = (
            "SELECT DISTINCT g.src FROM changes AS c JOIN segments AS g ON g.stream = c.entry"
            f" AND g.lo = 1 WHERE c.root = {row}.stream"
        )
        when = _when(write.upper(), row, VISIBILITY)
        yield _trigger(names[write], when, f"INSERT INTO family_changes {families}")
