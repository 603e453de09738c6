"""A check-up of a database file: read only, and others may write to it meanwhile."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from replay.errors import StoreError
from replay.store.findings import Finding, fault, ok, warning
from replay.store.sqlite import content_checks, database_file, environment_checks, lock
from replay.store.sqlite.connecting import checking, reading, schema_version
from replay.store.sqlite.dialect import SqliteConnection
from replay.store.sqlite.sqlite_library import ERRORS, translate_error

PATIENCE: Final = 5.0
"""Seconds to wait for a program that has the database all to itself."""
Check = Callable[[SqliteConnection], Finding]


def examine(path: Path) -> Iterator[Finding]:
    """Yield findings, the file first. A check that needs something missing is left out.

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
    """Look whose the file is, before SQLite opens it."""
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
    """Look whether the log belongs to the file: opening it with another's log would ruin it."""
    try:
        what = lock.contradiction(path)
        lost = what is None and lock.lost_log(path)
    except StoreError as error:
        return fault("identity", str(error), "look again when that program has done it")
    if what is not None:
        advice = "stop what has it open, copy all its files, and look again"
        return fault("identity", what, advice)
    if lost:
        told = "a program ended without closing it, and the log it left is gone: moves may be lost"
        return warning("identity", told, "compare it with a backup")
    return ok("identity", "the file and its log belong together")


def content(path: Path) -> Iterator[Finding]:
    """Yield findings about the content of a database of ours."""
    try:
        with contextlib.closing(reading(path, PATIENCE)) as connection:
            version = schema_version(connection)
            yield content_checks.check_schema(version)
            yield content_checks.check_journal(connection)
            if version == database_file.SCHEMA:  # other schemas are not known here
                yield _guarded("tables", content_checks.check_tables, connection, path)
                yield _guarded("guards", content_checks.check_guards, connection, path)
            with contextlib.closing(checking(path, PATIENCE)) as constrained:
                yield _guarded("pages", content_checks.check_pages, constrained, path)
            yield _guarded("references", content_checks.check_references, connection, path)
            if version == database_file.SCHEMA:
                yield _guarded("heads", content_checks.check_heads, connection, path)
                yield _guarded("segments", content_checks.check_segments, connection, path)
                yield _guarded("words", content_checks.check_words, connection, path)
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
    advice = "see to that, and look again" if again else content_checks.RESTORE
    return fault(name, content_checks.one_line(str(meant)), advice)
