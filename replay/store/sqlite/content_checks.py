"""Checks of what is in a database file, over a connection that others may write beside."""

from __future__ import annotations

import contextlib
import functools
import re
from typing import Final

from replay.store.findings import Finding, fault, ok, warning
from replay.store.sql import derived
from replay.store.sqlite import database_file, full_text
from replay.store.sqlite.dialect import SqliteConnection
from replay.store.sqlite.sqlite_library import Connection, sqlite3
from replay.store.sqlite.triggers import GUARDS

SHOWN: Final = 3
"""The number of complaints of one kind that are quoted."""
RESTORE: Final = (
    "keep a copy of the file; `plybook verify` tells which matches are whole, "
    "`plybook export --format archive` saves them, or go back to a backup"
)
REINDEX: Final = "`plybook reindex` makes it again from the events"
OF_INDEX: Final = re.compile(
    "row [0-9]+ missing from index|wrong # of entries in index|non-unique entry in index|FTS5"
)
"""SQLite's complaints about an index that does not fit its table."""
OF_LIBRARIES: Final = ("sqlite_", "_sqlite_", "texts_")
"""Names of what SQLite and sqlite-utils define; the text depends on their versions."""


def check_schema(version: int) -> Finding:
    """Compare the number of migrations with what this Plybook knows."""
    known = f"schema {version}; this Plybook knows {database_file.SCHEMA}"
    if version > database_file.SCHEMA:
        return fault("schema", known, "use the newer Plybook that wrote it")
    if version < database_file.SCHEMA:
        return warning("schema", known, "back it up; the next command brings it up to date")
    return ok("schema", f"schema {version}")


def check_journal(connection: Connection) -> Finding:
    """Look whether the database has a write-ahead log."""
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    if mode == "wal":
        return ok("journal", "write-ahead log")
    advice = "another program changed that; the next command that writes sets it right"
    return warning("journal", f"journal mode {mode} instead of wal: writers stop readers", advice)


def check_tables(connection: Connection) -> Finding:
    """Compare tables and indexes with those of a new database."""
    there = _described(connection)
    made = {name: text for name, text in _as_made().items() if name not in _texts()}
    lacking = [name for name in made if name not in there]
    if lacking:
        return fault("tables", f"there is no {', no '.join(lacking[:SHOWN])}", RESTORE)
    changed = [
        name
        for name, text in made.items()
        if there[name] != text and not name.startswith(OF_LIBRARIES)
    ]
    if changed:
        names = ", ".join(changed[:SHOWN]) + _more(len(changed))
        return fault("tables", f"not defined as Plybook defines them: {names}", RESTORE)
    return ok("tables", "all tables and indexes are there, as Plybook defines them")


def check_guards(connection: Connection) -> Finding:
    """Compare the triggers that protect the log with what they should be."""
    there = _described(connection)
    wrong = [name for name, text in _texts().items() if there.get(name) != text]
    purging = connection.execute("SELECT count(*) FROM purging").fetchone()[0]
    if wrong or purging:
        names = ", ".join(wrong) or "the delete guards, for streams named in `purging`,"
        return fault(
            "guards",
            f"{names} {'are' if len(wrong) > 1 or not wrong else 'is'} missing or changed: "
            "what is recorded could be changed unnoticed",
            f"{RESTORE}, and bring them into a new database",
        )
    return ok("guards", f"{len(GUARDS)} triggers keep what is recorded from being changed")


def check_pages(connection: Connection) -> Finding:
    """Look at every page, index and constraint."""
    rows = connection.execute(f"PRAGMA integrity_check({SHOWN})").fetchall()
    complaints = [row[0].strip() for row in rows]
    if complaints == ["ok"]:
        return ok("pages", "the file is whole")
    of_index = all(map(OF_INDEX.search, complaints))
    return fault("pages", one_line("; ".join(complaints)), REINDEX if of_index else RESTORE)


def check_references(connection: Connection) -> Finding:
    """Look for rows that refer to nothing."""
    rows = connection.execute("PRAGMA foreign_key_check").fetchmany(SHOWN)
    if not rows:
        return ok("references", "every row refers to one that is there")
    named = ", ".join(f"{table} row {row}" for table, row, *_ in rows)
    return fault("references", f"these refer to what is not there: {named}", RESTORE)


def check_heads(connection: SqliteConnection) -> Finding:
    """Compare the head of every match with its last event."""
    wrong = derived.wrong_heads(connection)
    if not wrong:
        return ok("heads", "the head of every match is its last event")
    told = f"the head is not the last event of {', '.join(wrong[:SHOWN])}"
    return fault("heads", f"{told}{_more(len(wrong))}", RESTORE)


def check_segments(connection: SqliteConnection) -> Finding:
    """Compare what forks read with what they share."""
    wrong = derived.wrong_segments(connection)
    if not wrong:
        return ok("segments", "every fork reads the events that it shares")
    named = ", ".join(map(str, wrong[:SHOWN]))
    told = f"other events are read than there should be in stream {named}{_more(len(wrong))}"
    return fault("segments", told, REINDEX)


def check_words(connection: Connection) -> Finding:
    """Compare the words of full-text search with the texts."""
    if full_text.are_words_right(connection):
        return ok("words", "search looks for the words of the texts")
    return warning("words", "search does not look for the words of its texts", REINDEX)


def _more(number: int) -> str:
    return f" and {number - SHOWN} more" if number > SHOWN else ""


def _described(connection: Connection) -> dict[str, str]:
    """Return the SQL of tables, indexes and triggers by name."""
    rows = connection.execute("SELECT name, ifnull(sql, '') FROM sqlite_master").fetchall()
    return {name: one_line(sql) for name, sql in rows}


@functools.cache
def _as_made() -> dict[str, str]:
    """Return the same of a new database."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        database_file.make_tables(new)
        return _described(new)


@functools.cache
def _texts() -> dict[str, str]:
    return {text.split()[2]: text for text in map(one_line, GUARDS)}


def one_line(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(text.split())
