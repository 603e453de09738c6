"""Checks of the content of a database file, while other programs may write to it."""

from __future__ import annotations

import contextlib
import functools
import re
from typing import Final

from replay.store.checks import MAX_NAMED, REINDEX, Finding, fault, name_some, ok, warning
from replay.store.sqlite import database_file, full_text
from replay.store.sqlite.sqlite_library import Connection, sqlite3

RESTORE: Final = (
    "keep a copy of the file; `plybook verify` lists the matches that are whole,  "
    "`plybook export --format archive` saves them, or go back to a backup"
)
OF_INDEX: Final = re.compile(
    "row [0-9]+ missing from index|wrong # of entries in index|non-unique entry in index|FTS5"
)
"""SQLite's complaints about an index that does not fit its table."""
GUARDS: Final = (
    *("events_append", "events_head", "events_update", "events_delete"),
    *("sealed_insert", "sealed_update", "sealed_delete"),
    *("streams_insert", "streams_update", "streams_head", "streams_delete"),
)
"""The triggers that protect the log."""
OF_LIBRARIES: Final = ("sqlite_", "_sqlite_", "texts_")
"""Names that SQLite and sqlite-utils define; the text depends on their versions."""


def check_journal(connection: Connection) -> Finding:
    """Look whether the database has a write-ahead log."""
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    if mode == "wal":
        return ok("journal", "write-ahead log")
    advice = "another program changed that; the next command that writes sets it right"
    return warning("journal", f"journal mode {mode} instead of wal: writers stop readers", advice)


def check_tables(connection: Connection) -> Finding:
    """Compare tables and indexes with a new database."""
    there = _described(connection)
    made = {name: text for name, text in _as_made().items() if name not in GUARDS}
    lacking = [name for name in made if name not in there]
    if lacking:
        return fault("tables", f"there is no {', no '.join(lacking[:MAX_NAMED])}", RESTORE)
    changed = [
        name
        for name, text in made.items()
        if there[name] != text and not name.startswith(OF_LIBRARIES)
    ]
    if changed:
        message = f"not defined as Plybook defines them: {name_some(changed)}"
        return fault("tables", message, RESTORE)
    return ok("tables", "all tables and indexes are there, as Plybook defines them")


def check_guards(connection: Connection) -> Finding:
    """Compare the triggers that protect the log with their definitions."""
    there, made = _described(connection), _as_made()
    wrong = [name for name in GUARDS if there.get(name) != made[name]]
    purging = connection.execute("SELECT count(*) FROM purging").fetchone()[0]
    if wrong or purging:
        names = ", ".join(wrong) or "the delete guards, for streams named in `purging`,"
        return fault(
            "guards",
            f"{names} {'are' if len(wrong) > 1 or not wrong else 'is'} missing or changed: "
            "the record could be changed unnoticed",
            f"{RESTORE}, and bring them into a new database",
        )
    return ok("guards", f"{len(GUARDS)} triggers guard the record")


def check_pages(connection: Connection) -> Finding:
    """Look at every page, index and constraint."""
    rows = connection.execute(f"PRAGMA integrity_check({MAX_NAMED})").fetchall()
    complaints = [row[0].strip() for row in rows]
    if complaints == ["ok"]:
        return ok("pages", "the file is whole")
    of_index = all(map(OF_INDEX.search, complaints))
    return fault("pages", one_line("; ".join(complaints)), REINDEX if of_index else RESTORE)


def check_references(connection: Connection) -> Finding:
    """Look for rows that refer to nothing."""
    rows = connection.execute("PRAGMA foreign_key_check").fetchmany(MAX_NAMED)
    if not rows:
        return ok("references", "every row refers to one that is there")
    named = ", ".join(f"{table} row {row}" for table, row, *_ in rows)
    return fault("references", f"these refer to missing rows: {named}", RESTORE)


def check_words(connection: Connection) -> Finding:
    """Compare the words of full-text search with the texts."""
    if full_text.are_words_right(connection):
        return ok("words", "search looks for the words of the texts")
    return warning("words", "search does not look for the words of its texts", REINDEX)


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


def one_line(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(text.split())
