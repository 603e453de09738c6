"""Read and verify archives: the lines of an untrusted file, one by one, within limits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any, BinaryIO, Final

import msgspec
from msgspec import Struct

from replay.book import Book
from replay.errors import BadLine, PlybookError
from replay.formats.archive.model import (
    FORMAT,
    FORMER,
    VERSION,
    ArchiveHead,
    ArchiveOpening,
    EndLine,
    EventLine,
    FactsLine,
    Line,
    MatchLine,
    NoteLine,
    PersonLine,
)
from replay.formats.archive.section import BadPart, Section, read_header
from replay.formats.import_bounds import UNBOUNDED, Bounds, Tally
from replay.formats.reader_warning import ReaderWarning, Warnings
from replay.referee.verification import Verified, verify_match
from replay.store import temporary_store, validation
from replay.store.hash_chain import header_hash
from replay.store.sql.store import Store
from replay.store.types import NewStream, Stream

MAX_LINE: Final = 2**24
"""The longest line, in bytes. Events have a few hundred; the closing has as many per match."""
MAX_ARCHIVE: Final = 2**26
"""The largest archive, in bytes: more than a hundred thousand events."""

OPENING: Final = msgspec.json.Decoder(ArchiveOpening)
LINE: Final[msgspec.json.Decoder[Line]] = msgspec.json.Decoder(Line)


def read_lines(file: BinaryIO) -> Iterator[tuple[int, Line]]:
    """Yield the lines of an archive after its opening, each with its number from 1.

    Raises `BadLine` for the first malformed line. Never holds more than one line.
    """
    size = 0
    for number, text in _split(file):
        size += len(text)
        if len(text) > MAX_LINE:
            raise BadLine(number, f"this line is longer than {MAX_LINE} bytes")
        if size > MAX_ARCHIVE:
            raise BadLine(number, f"an archive has at most {MAX_ARCHIVE} bytes")
        if number == 1:
            _check_opening(text)
        else:
            yield number, _decode(LINE, number, text)


def _split(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while text := file.readline(MAX_LINE + 1):
        number += 1
        yield number, text
    if not number:
        raise BadLine(1, "the file is empty")


def _check_opening(text: bytes) -> None:
    opening = _decode(OPENING, 1, text)
    if opening.format != FORMAT:
        raise BadLine(1, f"{opening.format!r} is not a valid format; use {FORMAT!r}")
    if not FORMER <= opening.version <= VERSION:
        known = f"versions {FORMER} to {VERSION}"
        raise BadLine(1, f"the archive is of version {opening.version}; this Plybook reads {known}")


def _decode(decoder: msgspec.json.Decoder[Any], number: int, text: bytes) -> Any:
    try:
        return decoder.decode(text)
    except UnicodeDecodeError:
        raise BadLine(number, "this is not UTF-8") from None
    except RecursionError:
        raise BadLine(number, "this is nested too deeply") from None
    except msgspec.DecodeError as error:
        raise BadLine(number, f"this is not a line of an archive: {error}") from None


class Archive(Struct, frozen=True):
    """A consistent archive: its matches, in a temporary store. Close it after use.

    `places` maps a version of a match to its line; version 0 is the match's first line.
    `warnings` say what was cleaned of the names, tags and notes; their `record` counts the matches.
    """

    store: Store
    matches: tuple[Stream, ...]
    places: dict[tuple[str, int], int]
    warnings: tuple[ReaderWarning, ...] = ()

    def line(self, stream: Stream, version: int | None) -> int:
        """Return the line of a version of a match; a version shared by a fork is in its parent."""
        while version and version <= (stream.fork_version or 0) and stream.parent is not None:
            stream = self.store.stream(stream.parent)
        return self.places[stream.public_id, version or 0]

    def close(self) -> None:
        """Delete the temporary store."""
        self.store.close()


def read_archive(file: BinaryIO, bounds: Bounds = UNBOUNDED) -> Archive:
    """Read an archive. Raises `BadLine` for the first line that is corrupt or beyond the limits.

    The rules of the games are not checked here.
    """
    with ExitStack() as opened:
        reader, number = _Reader(Tally(bounds), opened.enter_context(closing(temporary_store()))), 1
        for number, line in read_lines(file):
            try:
                reader.take(number, line)
            except BadLine:
                raise
            except (BadPart, PlybookError) as error:
                raise BadLine(number, str(error)) from None
        if not reader.closed:
            raise BadLine(number + 1, "the archive ends without its last line: it was cut off")
        opened.pop_all()
    return Archive(reader.store, tuple(reader.made), reader.places, tuple(reader.warnings))


class _Reader:
    """Reads line after line, and stores each match once it is complete."""

    def __init__(self, tally: Tally, store: Store) -> None:
        self._tally = tally
        self._depths: dict[str, int] = {}
        self._by_id: dict[str, Stream] = {}
        self.store = store
        self.made: list[Stream] = []
        self.places: dict[tuple[str, int], int] = {}
        self.closed = False
        self._heads: list[ArchiveHead] = []
        self._section: Section | None = None
        self.warnings: list[ReaderWarning] = []

    def take(self, number: int, line: Line) -> None:
        """Check a line and add its content. Raises `BadPart`, or `BadLine` for an earlier line."""
        if self.closed:
            raise BadPart("this comes after the end of the archive")
        match line:
            case MatchLine():
                self._store()
                self._section = self._begun(line)
                self._place(self._section, 0, number)
            case FactsLine():
                self._current().add_facts(line, number)
            case PersonLine():
                self._current().add_person(line)
            case NoteLine():
                self._current().add_note(line, number)
            case EventLine():
                section = self._current()
                _check_bound(self._tally.add_event())
                section.add_event(line)
                self._place(section, section.version, number)
            case EndLine():
                self._store()
                self._check_end(number, line)
                self.closed = True

    def _place(self, section: Section, version: int, number: int) -> None:
        self.places[section.new.public_id, version] = number

    def _begun(self, line: MatchLine) -> Section:
        header = read_header(bytes(line.header))
        if header.id in self._by_id:
            raise BadPart(f"the match {header.id} appears twice")
        fork = header.fork
        if fork and not 0 <= fork.ply <= fork.version:
            raise BadPart(f"a fork at version {fork.version} cannot share {fork.ply} plies")
        parent = self._made(fork.match) if fork else None
        depth = self._depths[header.id] = self._depths[parent.public_id] + 1 if parent else 0
        if depth:
            _check_bound(self._tally.add_variation(depth))
        new = NewStream(
            header.id,
            bytes(line.header),
            parent=parent.id if parent else None,
            fork_version=fork.version if fork else None,
            fork_ply=fork.ply if fork else None,
        )
        origin = header_hash(new.header, self._left_at(new, parent))
        if origin.hex() != line.hash:
            raise BadPart("the header does not match its hash")
        return Section(new, origin, Warnings(len(self.made) + 1))

    def _made(self, match: str) -> Stream:
        if match not in self._by_id:
            raise BadPart(f"the parent {match} must come before its forks")
        return self._by_id[match]

    def _left_at(self, new: NewStream, parent: Stream | None) -> bytes:
        """Return the hash of the parent at the fork."""
        if parent is None:
            return b""
        validation.check_fork(new, parent)
        fork = new.fork_version
        return self.store.read(parent.id, fork - 1, fork)[0].hash if fork else parent.origin

    def _current(self) -> Section:
        if self._section is None:
            raise BadPart("the line with the header of a match is missing")
        return self._section

    def _store(self) -> None:
        section, self._section = self._section, None
        if section is None:
            return
        try:
            self.made += self.store.create_all([section.creation()]).result()
            self._by_id[section.new.public_id] = self.made[-1]
        except PlybookError as error:
            raise BadLine(self.places[section.new.public_id, 0], str(error)) from None
        self._heads.append(section.head)
        self.warnings += section.warnings.listed()

    def _check_end(self, number: int, line: EndLine) -> None:
        for head, expected in zip(self._heads, line.heads, strict=False):
            if head != expected:
                raise BadPart(
                    f"the archive declares {expected.match} with {expected.version} versions and"
                    f" {expected.notes} notes, but contains {head.match} with {head.version} and"
                    f" {head.notes}, or other hashes"
                )
        if len(self._heads) != len(line.heads) or not self._heads:
            raise BadPart(
                f"the archive declares {len(line.heads)} matches but contains {len(self._heads)}"
            )
        if line.lines != number:
            raise BadPart(f"the archive declares {line.lines} lines but ends with line {number}")


def _check_bound(exceeded: str | None) -> None:
    if exceeded is not None:
        raise BadPart(exceeded)


def verify_archive(file: BinaryIO) -> list[Verified]:
    """Read and verify an archive, and return the verdict for each match.

    The hashes are enough for a match whose game is not installed. Raises `BadLine` for the first
    line that was changed, moved, removed or added, and for the first event that breaks the rules.
    """
    with closing(read_archive(file)) as archive:
        return list(verdicts(archive))


def verdicts(archive: Archive) -> Iterator[Verified]:
    """Referee the matches of an archive. Raises `BadLine`."""
    book = Book(archive.store)
    for stream in archive.matches:
        verdict = verify_match(book, stream, unrefereed=True, copied=True)
        if verdict.fault is not None:
            raise BadLine(archive.line(stream, verdict.version), verdict.fault)
        yield verdict
