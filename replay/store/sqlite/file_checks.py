"""A check-up of a database file: read only, and others may write to it meanwhile."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from replay.errors import StoreError
from replay.store.checks import (
    MAX_NAMED,
    REINDEX,
    Finding,
    check_heads,
    check_schema,
    check_segments,
    check_tallies,
    fault,
    name_some,
    ok,
    warning,
)
from replay.store.sqlite import database_file, erasure, full_text, lock
from replay.store.sqlite.connecting import checking, reading, schema_version
from replay.store.sqlite.dialect import SqliteConnection
from replay.store.sqlite.driver import (
    ERRORS,
    REPAIRED,
    Connection,
    sqlite3,
    translate_error,
)

LOCK_TIMEOUT: Final = 5.0
"""Seconds to wait for a program that has locked the database."""
MIN_FREE: Final = 8_000_000
"""With fewer free bytes than this, the next moves might not fit on the disk."""
COMFORTABLE_FREE: Final = 64_000_000
"""This many bytes should be free after making a copy of the database."""
MAX_LOG: Final = 64_000_000
"""A write-ahead log of more bytes than this could not be taken into the database for a while."""
SUFFIXES: Final = ("", "-wal", "-shm")
READ_BY_OTHERS: Final = 0o004
WRITTEN_BY_OTHERS: Final = 0o002
Check = Callable[[SqliteConnection], Finding]
RESTORE: Final = (
    "keep a copy of the file; list the undamaged matches with `plybook verify` and save them with "
    "`plybook export --format archive`, or go back to a backup"
)
OF_INDEX: Final = re.compile(
    "row [0-9]+ missing from index|wrong # of entries in index|non-unique entry in index|FTS5"
)
"""SQLite's complaints about an index that does not fit its table."""
GUARDS: Final = (
    *("events_append", "events_head", "events_update", "events_delete"),
    *("sealed_insert", "sealed_update", "sealed_delete"),
    *("streams_insert", "streams_update", "streams_head", "streams_delete"),
    *("people_append", "people_update", "people_delete", "people_texts_update"),
    *("people_head", "people_heads_insert", "people_heads_update", "people_heads_delete"),
)
"""The triggers that protect the log."""
OF_LIBRARIES: Final = ("sqlite_", "_sqlite_", "texts_")
"""Names that SQLite and sqlite-utils define; the text depends on their versions."""


def examine(path: Path) -> Iterator[Finding]:
    """Check a database file: yield findings, the file first.

    A check that needs something missing is left out.

    Raises nothing for any file, and only reads.
    """
    found = _ours(path)
    yield found
    yield _library()
    if found.verdict != "ok":
        return
    path = path.resolve()
    found = _together(path)
    yield found
    if found.verdict != "ok":
        return
    yield from content(path)
    yield from _surroundings(path)


def _ours(path: Path) -> Finding:
    """Find out which program the file belongs to, before SQLite opens it."""
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
    message = f"the database {path} does not exist yet"
    if not path.parent.is_dir():
        return warning(
            "file", f"{message}, nor does its folder", "make the folder, or name another file"
        )
    return warning("file", message, "the first command that stores a match makes it")


def _together(path: Path) -> Finding:
    """Check that the log belongs to the file: opening the file with any other log would ruin it."""
    try:
        what = lock.contradiction(path)
        lost = what is None and lock.lost_log(path)
    except StoreError as error:
        return fault("identity", str(error), "look again when that program has finished")
    if what is not None:
        advice = "stop every program that has it open, copy all its files, and look again"
        return fault("identity", what, advice)
    if lost:
        message = "a program ended without closing it, and its log is gone: moves may be lost"
        return warning("identity", message, "compare it with a backup")
    return ok("identity", "the file and its log belong together")


def content(path: Path) -> Iterator[Finding]:
    """Yield findings about the content of a file that is a database of Plybook."""
    try:
        with contextlib.closing(reading(path, LOCK_TIMEOUT)) as connection:
            version = schema_version(connection)
            yield check_schema(version, database_file.SCHEMA)
            yield check_journal(connection)
            if version == database_file.SCHEMA:  # other schemas are not known here
                yield _guarded("tables", check_tables, connection, path)
                yield _guarded("guards", check_guards, connection, path)
            with contextlib.closing(checking(path, LOCK_TIMEOUT)) as constrained:
                yield _guarded("pages", check_pages, constrained, path)
            yield _guarded("references", check_references, connection, path)
            if version == database_file.SCHEMA:
                yield _guarded(
                    "heads", functools.partial(check_heads, advice=RESTORE), connection, path
                )
                yield _guarded("segments", check_segments, connection, path)
                yield _guarded("tallies", check_tallies, connection, path)
                yield _guarded("words", check_words, connection, path)
                yield _guarded("erasures", check_erasures, connection, path)
    except ERRORS as error:
        yield _failed("content", error, path)


def _guarded(name: str, check: Check, connection: SqliteConnection, path: Path) -> Finding:
    try:
        return check(connection)
    except ERRORS as error:
        return _failed(name, error, path)


def _failed(name: str, error: Exception, path: Path) -> Finding:
    meant = translate_error(error, path)
    again = isinstance(meant, StoreError)
    advice = "repair that, and look again" if again else RESTORE
    return fault(name, one_line(str(meant)), advice)


def _library() -> Finding:
    """Look at the SQLite library of this process."""
    version, first = sqlite3.sqlite_version, ".".join(map(str, REPAIRED))
    if sqlite3.sqlite_version_info >= REPAIRED:
        return ok("sqlite", f"SQLite {version}")
    return warning(
        "sqlite",
        f"SQLite {version} can damage a database that two programs write at the same moment",
        f"install pysqlite3 0.6.1 or newer, which brings SQLite {first} or newer; until then let "
        "only one program write",
    )


def _surroundings(path: Path) -> Iterator[Finding]:
    """Look at the log of a database, at its disk, and at its permissions."""
    yield _log(path)
    yield _room(path)
    yield _privacy(path)


def _log(path: Path) -> Finding:
    beside = Path(f"{path}-wal")
    size = beside.stat().st_size if beside.exists() else 0
    if size <= MAX_LOG:
        return ok("log", f"{_megabytes(size)} in the write-ahead log")
    return warning(
        "log",
        f"{_megabytes(size)} in the write-ahead log, which a reader keeps from shrinking",
        "end programs that have had the database open for long, other database browsers first",
    )


def _room(path: Path) -> Finding:
    free, size = shutil.disk_usage(path.parent).free, path.stat().st_size
    message = f"{_megabytes(free)} free on the disk, for a database of {_megabytes(size)}"
    if free < MIN_FREE:
        return fault("disk", message, "make room now: the next moves may not be stored")
    if free < COMFORTABLE_FREE + size:
        return warning("disk", message, "make room soon, for more matches and for a backup")
    return ok("disk", message)


def _privacy(path: Path) -> Finding:
    if not os.access(path, os.R_OK | os.W_OK) or not os.access(path.parent, os.W_OK | os.X_OK):
        return warning(
            "access",
            "you cannot write to the database or to its folder",
            f"get the right to write to both, if you need it: {path}",
        )
    files = [Path(f"{path}{suffix}") for suffix in SUFFIXES]
    modes = [each.stat().st_mode for each in files if each.exists()]
    others = READ_BY_OTHERS | WRITTEN_BY_OTHERS
    if os.name != "posix" or not any(mode & others for mode in modes):
        return ok("access", "others on this computer cannot open the database")
    written = any(mode & WRITTEN_BY_OTHERS for mode in modes)
    return warning(
        "access",
        f"other users of this computer may {'change' if written else 'read'} the database, "
        "with all sealed moves",
        f"chmod o-rwx {' '.join(str(each) for each in files if each.exists())}",
    )


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"


def check_journal(connection: Connection) -> Finding:
    """Check that the database has a write-ahead log."""
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
    """Look for rows that refer to missing rows."""
    rows = connection.execute("PRAGMA foreign_key_check").fetchmany(MAX_NAMED)
    if not rows:
        return ok("references", "no row refers to a missing row")
    named = ", ".join(f"{table} row {row}" for table, row, *_ in rows)
    return fault("references", f"these rows refer to missing rows: {named}", RESTORE)


def check_words(connection: Connection) -> Finding:
    """Compare the words of full-text search with the texts."""
    if full_text.are_words_right(connection):
        return ok("words", "the search index has the words of all texts")
    return warning("words", "the search index does not have the words of all texts", REINDEX)


def check_erasures(connection: Connection) -> Finding:
    """Return since when a clean-up after erasures is due."""
    since = erasure.due_since(connection)
    if since is None:
        return ok("erasures", "nothing is to be cleaned up after erasures")
    day = datetime.fromtimestamp(since / 1000, UTC)
    message = f"erased texts may be in the file, a clean-up is due since {day:%Y-%m-%d %H:%M} UTC"
    return warning("erasures", message, "run `plybook compact`")


def _described(connection: Connection) -> dict[str, str]:
    """Return the SQL of tables, indexes and triggers by name."""
    rows = connection.execute("SELECT name, ifnull(sql, '') FROM sqlite_master").fetchall()
    return {name: one_line(sql) for name, sql in rows}


@functools.cache
def _as_made() -> dict[str, str]:
    """Return the SQL of a new database, by name."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        database_file.make_tables(new)
        return _described(new)


def one_line(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(text.split())
