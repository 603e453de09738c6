"""Check the surroundings of a database file: the SQLite library, the disk and permissions."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from replay.store.findings import Finding, fault, ok, warning
from replay.store.sqlite.sqlite_library import REPAIRED, sqlite3

SCARCE: Final = 8_000_000
"""With fewer bytes free than this the next moves may not be stored."""
AMPLE: Final = 64_000_000
"""So many bytes should be free beside a copy of the database."""
LONG: Final = 64_000_000
"""A write-ahead log of more bytes than this could not be taken into the database for a while."""
SUFFIXES: Final = ("", "-wal", "-shm")
READ_BY_OTHERS: Final = 0o004
WRITTEN_BY_OTHERS: Final = 0o002


def library() -> Finding:
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


def around(path: Path) -> Iterator[Finding]:
    """Look at the log beside a database, the disk it is on, and who may open it."""
    yield _log(path)
    yield _room(path)
    yield _privacy(path)


def _log(path: Path) -> Finding:
    beside = Path(f"{path}-wal")
    size = beside.stat().st_size if beside.exists() else 0
    if size <= LONG:
        return ok("log", f"{_megabytes(size)} in the write-ahead log")
    return warning(
        "log",
        f"{_megabytes(size)} in the write-ahead log, which somebody who reads keeps from shrinking",
        "end programs that have had the database open for long, other database browsers first",
    )


def _room(path: Path) -> Finding:
    free, size = shutil.disk_usage(path.parent).free, path.stat().st_size
    told = f"{_megabytes(free)} free on the disk, for a database of {_megabytes(size)}"
    if free < SCARCE:
        return fault("disk", told, "make room now: the next moves may not be stored")
    if free < AMPLE + size:
        return warning("disk", told, "make room soon, for more matches and for a backup")
    return ok("disk", told)


def _privacy(path: Path) -> Finding:
    if not os.access(path, os.R_OK | os.W_OK) or not os.access(path.parent, os.W_OK | os.X_OK):
        return warning(
            "access",
            "you cannot write to the database or to its folder",
            f"give yourself both, if you are to write: {path}",
        )
    files = [Path(f"{path}{suffix}") for suffix in SUFFIXES]
    modes = [each.stat().st_mode for each in files if each.exists()]
    others = READ_BY_OTHERS | WRITTEN_BY_OTHERS
    if os.name != "posix" or not any(mode & others for mode in modes):
        return ok("access", "others on this computer cannot open the database")
    written = any(mode & WRITTEN_BY_OTHERS for mode in modes)
    return warning(
        "access",
        f"everybody on this computer may {'change' if written else 'read'} the database, "
        "what is sealed in it included",
        f"chmod o-rwx {' '.join(str(each) for each in files if each.exists())}",
    )


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"
