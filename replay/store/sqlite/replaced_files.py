"""Remember which files a store has open, to notice when others take their place.

SQLite continues to write to files that were renamed, replaced or deleted, without an error. Its
commits are lost then as soon as the last program closes them.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from replay.errors import FileChanged, StoreError

DATABASE: Final = ""
LOG: Final = "-wal"
INDEX: Final = "-shm"
FILES: Final = {
    DATABASE: "the database file",
    LOG: "its write-ahead log",
    INDEX: "the index of its write-ahead log",
}
"""The files of a database by their suffix, with their names for people."""


NOBODY: Final = (0, 0)
"""Device and inode of no file."""


class Files:
    """The files of an open store by device and inode. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._paths = {suffix: f"{path}{suffix}" for suffix in FILES}
        # A database that is gone already is not found again.
        self._known = {DATABASE: identify(path) or NOBODY, LOG: None, INDEX: None}
        self._message = ""
        self._gate = threading.Lock()

    def note(self) -> None:
        """Remember the log and its index. A connection of this store must have them open."""
        for suffix in (LOG, INDEX):
            self._known[suffix] = self._known[suffix] or identify(self._path, suffix)

    def check(self) -> None:
        """Raise `FileChanged` if a file was replaced, now or at an earlier check.

        The database stays closed: only a new start can find the files that belong together.
        """
        if self._message or not self._are_there():
            for suffix, known in self._known.items():
                if known is not None and (now := identify(self._path, suffix)) != known:
                    self._stop(suffix, "replaced" if now else "removed")
            self.check_known()

    def _are_there(self) -> bool:
        """Return whether no known file has changed; this is cheaper than to find a changed file."""
        try:
            for suffix, known in self._known.items():
                if known is not None:
                    found = os.stat(self._paths[suffix])
                    if (found.st_dev, found.st_ino) != known:
                        return False
        except OSError:
            return False
        return True

    def check_known(self) -> None:
        """Raise `FileChanged` if a check has found a change before. Cheaper than `check`."""
        if self._message:
            raise FileChanged(self._message)

    def has(self, suffixes: Iterable[str]) -> bool:
        """Return whether each file is either the opened file or missing."""
        return all(identify(self._path, each) in (self._known[each], None) for each in suffixes)

    def inodes(self) -> tuple[int, int, int]:
        """Return the inodes of database, log and index; 0 for an unknown inode."""
        database, log, index = ((self._known[each] or NOBODY)[1] for each in FILES)
        return database, log, index

    def _stop(self, suffix: str, what: str) -> None:
        with self._gate:
            if self._message:
                return
            self._message = (
                f"{self._path}: {FILES[suffix]} was {what} while it was in use; nothing more is "
                "read or stored until this program is started again (`plybook doctor` says more)"
            )
        logging.getLogger(__name__).critical("%s", self._message)


def identify(path: Path, suffix: str = DATABASE) -> tuple[int, int] | None:
    """Return device and inode of a file, or `None` if it is missing.

    The file is not opened, because closing it would release the locks that SQLite has on it.
    Raises `StoreError` if the folder does not answer.
    """
    try:
        found = os.stat(f"{path}{suffix}")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        reason = "its folder cannot be read"
        raise StoreError(f"{path}: {reason} ({error.strerror})", reason) from error
    return found.st_dev, found.st_ino


def size(path: Path, suffix: str) -> int:
    """Return the size of a file of a database, 0 if it is missing."""
    try:
        return os.stat(f"{path}{suffix}").st_size
    except OSError:
        return 0
