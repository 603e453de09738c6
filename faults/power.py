"""The disk after a power cut, computed from the journal of the shim.

A finished fsync covers all writes from before its start. A power cut may leave, drop or tear each
later write.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

HEAD: Final = struct.Struct("=IIQQ")
DATABASE, WAL, ROLLBACK, FOLDER = range(1, 5)
SUFFIXES: Final = {DATABASE: "", WAL: "-wal", ROLLBACK: "-journal"}
SECTOR: Final = 512


class Kind(IntEnum):
    """The kinds of entries, numbered as in `disk.c`."""

    CREATED = 1
    WRITTEN = 2
    TRUNCATED = 3
    SYNC_BEGUN = 4
    SYNC_DONE = 5
    UNLINKED = 6
    RENAMED = 7


class Change(NamedTuple):
    """An entry of the journal, and the position in the journal at which it is complete."""

    kind: int
    file: int
    offset: int
    data: bytes
    end: int


class Write(NamedTuple):
    """A write that no fsync has covered yet; one without data sets the length of the file."""

    offset: int
    data: bytes | None


class File:
    """The certain content of the disk, and the writes that are still on their way."""

    def __init__(self, content: bytes = b"") -> None:
        self.content = bytearray(content)
        self.pending: list[Write] = []
        self._covered = 0

    def begin_sync(self) -> None:
        self._covered = len(self.pending)

    def end_sync(self) -> None:
        for write in self.pending[: self._covered]:
            _put(self.content, write)
        del self.pending[: self._covered]
        self._covered = 0

    def cut(self, rng: Random) -> bytes:
        """Return the content after a power cut."""
        left = bytearray(self.content)
        fates = rng.choice((("whole",), ("dropped",), ("torn",), ("whole", "dropped", "torn")))
        for write in self.pending:
            match rng.choice(fates):
                case "whole":
                    _put(left, write)
                case "torn":
                    for part in _torn(write, rng):
                        _put(left, part)
        return bytes(left)


class Disk:
    """The watched files, and the renames that no fsync of the folder has covered yet."""

    def __init__(self, folder: Path, name: str) -> None:
        self._names: dict[int, list[File | None]] = {}
        for file, suffix in SUFFIXES.items():
            path = folder / f"{name}{suffix}"
            self._names[file] = [File(path.read_bytes()) if path.exists() else None]

    def apply(self, change: Change) -> None:
        if change.file == FOLDER:
            if change.kind == Kind.SYNC_DONE:
                self._names = {file: states[-1:] for file, states in self._names.items()}
            return
        states = self._names[change.file]
        file = states[-1]
        match change.kind:
            case Kind.CREATED:
                states.append(File())
            case Kind.UNLINKED:
                states.append(None)
            case Kind.RENAMED:
                raise AssertionError("a served database is not renamed")
            case _ if file is not None:
                _change(file, change)

    def cut(self, rng: Random, folder: Path, name: str) -> None:
        """Write the files as a power cut leaves them."""
        for file, states in self._names.items():
            left = rng.choice(states)
            if left is not None:
                (folder / f"{name}{SUFFIXES[file]}").write_bytes(left.cut(rng))


class Power:
    """A journal that is replayed from moment to moment, with power cuts at some of them."""

    def __init__(self, disk: Disk, journal: Path) -> None:
        self._disk = disk
        self._changes = changes(journal)
        self._next: Change | None = None

    def cut(self, place: float, folder: Path, name: str, rng: Random) -> None:
        """Write into a folder the files after a cut at a place of the journal.

        The places come in order. Shared memory is lost, so its file may hold anything.
        """
        while (change := self._next or next(self._changes, None)) is not None:
            if change.end > place:
                self._next = change
                break
            self._next = None
            self._disk.apply(change)
        self._disk.cut(rng, folder, name)
        if rng.random() < 0.3:
            (folder / f"{name}-shm").write_bytes(rng.randbytes(32768))


def changes(journal: Path) -> Iterator[Change]:
    """Yield the entries of a journal without an incomplete last one."""
    if not journal.exists():
        return
    with journal.open("rb") as file:
        end = 0
        while len(head := file.read(HEAD.size)) == HEAD.size:
            kind, number, offset, length = HEAD.unpack(head)
            data = file.read(length)
            if len(data) < length:
                return
            end += HEAD.size + length
            yield Change(kind, number, offset, data, end)


def _change(file: File, change: Change) -> None:
    match change.kind:
        case Kind.WRITTEN:
            file.pending.append(Write(change.offset, change.data))
        case Kind.TRUNCATED:
            file.pending.append(Write(change.offset, None))
        case Kind.SYNC_BEGUN:
            file.begin_sync()
        case Kind.SYNC_DONE:
            file.end_sync()


def _put(content: bytearray, write: Write) -> None:
    if write.data is None:
        del content[write.offset :]
        content.extend(bytes(write.offset - len(content)))
        return
    content.extend(bytes(max(write.offset - len(content), 0)))
    content[write.offset : write.offset + len(write.data)] = write.data


def _torn(write: Write, rng: Random) -> Iterator[Write]:
    """Yield the sectors of a write that reached the disk."""
    if write.data is None:
        return
    start, end = write.offset, write.offset + len(write.data)
    while start < end:
        after = min(start - start % SECTOR + SECTOR, end)
        if rng.random() < 0.5:
            yield Write(start, write.data[start - write.offset : after - write.offset])
        start = after
