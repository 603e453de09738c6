"""A check-up of a database file: read only, and others may write to it meanwhile."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from replay.errors import StoreError
from replay.store.findings import Finding, fault, ok, warning
from replay.store.sqlite import database_file, derived, environment_checks, lock, queries
from replay.store.sqlite.connections import checking, reading
from replay.store.sqlite.sqlite_library import ERRORS, Connection, sqlite3, translate_error
from replay.store.sqlite.triggers import GUARDS

PATIENCE: Final = 5.0
"""Seconds to wait for a program that has the database all to itself."""
SHOWN: Final = 3
"""So many complaints of one kind are quoted."""

RESTORE: Final = (
    "keep a copy of the file; `plybook verify` tells which matches are whole, "
    "`plybook export --format archive` saves them, or go back to a backup"
)
REINDEX: Final = "`plybook reindex` makes it again from the events"
OF_INDEX: Final = re.compile(
    "row [0-9]+ missing from index|wrong # of entries in index|non-unique entry in index|FTS5"
)
"""What SQLite says of an index that is not as its table is."""
OF_LIBRARIES: Final = ("sqlite_", "_sqlite_", "texts_")
"""Names of what SQLite and sqlite-utils define, each version in words of its own."""
Check = Callable[[Connection], Finding]


def examine(path: Path) -> Iterator[Finding]:
    """Yield what is found, the file first; what hangs on something that is not there is left out.

    Nothing is raised for any file, and nothing is changed.
    """
    found = _ours(path)
    yield found
    yield environment_checks.library()
    if found.verdict != "ok":
        return
    path = path.resolve()
    found = _together(path)
    yield found
    if found.verdict != "ok":
        return
    yield from content(path)
    yield from environment_checks.around(path)


def _ours(path: Path) -> Finding:
    """Look whose the file is. SQLite does not see it before."""
    try:
        head = database_file.first_bytes(path)
        if head is None:
            return _none_yet(path)
        database_file.check_ours(path, head)
    except StoreError as error:
        return fault("file", str(error), "name the database with --db, or move this file away")
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle
        reason = getattr(error, "strerror", None) or error
        return fault("file", f"{path} cannot be read: {reason}", "see who may open it")
    return ok("file", f"{path} is a database of Plybook")


def _none_yet(path: Path) -> Finding:
    told = f"there is no database {path} yet"
    if not path.parent.is_dir():
        return warning("file", f"{told}, nor its folder", "make the folder, or name another file")
    return warning("file", told, "the first command that stores a match makes it")


def _together(path: Path) -> Finding:
    """Look whether the log is that of the file. To open a file with another's log would ruin it."""
    what = lock.contradiction(path)
    if what is not None:
        advice = "stop what has it open, copy all its files, and look again"
        return fault("identity", what, advice)
    if lock.lost_log(path):
        told = "a program ended without closing it, and the log it left is gone: moves may be lost"
        return warning("identity", told, "compare it with a backup")
    return ok("identity", "the file and its log belong together")


def content(path: Path) -> Iterator[Finding]:
    """Yield what is found in a database of ours."""
    try:
        with contextlib.closing(reading(path, PATIENCE)) as connection:
            version = queries.schema_version(connection)
            yield _schema(version)
            yield _journal(connection)
            if version == database_file.SCHEMA:  # what others have in theirs is not known here
                yield _guarded("tables", _tables, connection, path)
                yield _guarded("guards", _guards, connection, path)
            with contextlib.closing(checking(path, PATIENCE)) as constrained:
                yield _guarded("pages", _pages, constrained, path)
            yield _guarded("references", _references, connection, path)
            if version == database_file.SCHEMA:
                yield _guarded("heads", _heads, connection, path)
                yield _guarded("segments", _segments, connection, path)
                yield _guarded("words", _words, connection, path)
    except ERRORS as error:
        yield _failed("content", error, path)


def _guarded(name: str, check: Check, connection: Connection, path: Path) -> Finding:
    try:
        return check(connection)
    except ERRORS as error:
        return _failed(name, error, path)


def _failed(name: str, error: Exception, path: Path) -> Finding:
    meant = translate_error(error, path)
    advice = "see to that, and look again" if isinstance(meant, StoreError) else RESTORE
    return fault(name, _line(str(meant)), advice)


def _schema(version: int) -> Finding:
    known = f"schema {version}; this Plybook knows {database_file.SCHEMA}"
    if version > database_file.SCHEMA:
        return fault("schema", known, "use the newer Plybook that wrote it")
    if version < database_file.SCHEMA:
        return warning("schema", known, "back it up; the next command brings it up to date")
    return ok("schema", f"schema {version}")


def _journal(connection: Connection) -> Finding:
    mode = str(connection.execute("PRAGMA journal_mode").fetchone()[0], "utf-8", "replace")
    if mode == "wal":
        return ok("journal", "write-ahead log")
    advice = "another program changed that; the next command that writes sets it right"
    return warning("journal", f"journal mode {mode} instead of wal: writers stop readers", advice)


def _tables(connection: Connection) -> Finding:
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


def _guards(connection: Connection) -> Finding:
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


def _pages(connection: Connection) -> Finding:
    rows = connection.execute(f"PRAGMA integrity_check({SHOWN})").fetchall()
    complaints = [str(row[0], "utf-8", "replace").strip() for row in rows]
    if complaints == ["ok"]:
        return ok("pages", "the file is whole")
    of_index = all(map(OF_INDEX.search, complaints))
    return fault("pages", _line("; ".join(complaints)), REINDEX if of_index else RESTORE)


def _references(connection: Connection) -> Finding:
    rows = connection.execute("PRAGMA foreign_key_check").fetchmany(SHOWN)
    if not rows:
        return ok("references", "every row refers to one that is there")
    named = ", ".join(f"{str(table, 'utf-8', 'replace')} row {row}" for table, row, *_ in rows)
    return fault("references", f"these refer to what is not there: {named}", RESTORE)


def _heads(connection: Connection) -> Finding:
    wrong = derived.wrong_heads(connection)
    if not wrong:
        return ok("heads", "the head of every match is its last event")
    told = f"the head is not the last event of {', '.join(wrong[:SHOWN])}"
    return fault("heads", f"{told}{_more(len(wrong))}", RESTORE)


def _segments(connection: Connection) -> Finding:
    wrong = derived.wrong_segments(connection)
    if not wrong:
        return ok("segments", "every fork reads the events that it shares")
    named = ", ".join(map(str, wrong[:SHOWN]))
    told = f"other events are read than there should be in stream {named}{_more(len(wrong))}"
    return fault("segments", told, REINDEX)


def _words(connection: Connection) -> Finding:
    if derived.are_words_right(connection):
        return ok("words", "search looks for the words of the texts")
    return warning("words", "search does not look for the words of its texts", REINDEX)


def _more(number: int) -> str:
    return f" and {number - SHOWN} more" if number > SHOWN else ""


def _described(connection: Connection) -> dict[str, str]:
    """Return what a database describes itself by: names of tables, indexes, triggers; their SQL."""
    rows = connection.execute("SELECT name, ifnull(sql, '') FROM sqlite_master").fetchall()
    return {
        str(name, "utf-8", "replace"): _line(str(text, "utf-8", "replace")) for name, text in rows
    }


@functools.cache
def _as_made() -> dict[str, str]:
    """Return the description of a new database."""
    from replay.store.sqlite import migrations  # imports sqlite-utils, which takes its time

    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        new.text_factory = bytes
        new.execute("BEGIN")
        migrations.migrate(new)
        return _described(new)


@functools.cache
def _texts() -> dict[str, str]:
    return {text.split()[2]: text for text in map(_line, GUARDS)}


def _line(text: str) -> str:
    return " ".join(text.split())
