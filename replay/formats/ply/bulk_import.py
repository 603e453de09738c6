"""Import many text records in one pass: several processes referee them, this one stores them.

Each record is stored whole and durably before its result is reported. A record that the book
already has is found by its digest, so an interrupted import can simply be repeated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct, structs

from replay.book import Book
from replay.book_file import open_book
from replay.formats.import_bounds import Bounds, Tally
from replay.formats.mending import Mender
from replay.formats.ply import continuation
from replay.formats.ply.importer import fact_of, find_imported, prepare
from replay.formats.ply.model import Record, RecordFault
from replay.formats.ply.reader import EMPTY, read_chunk
from replay.formats.reader_warning import ReaderWarning
from replay.formats.text_formats import NO_HINT, Chunk, Hint, cut
from replay.processes import ProcessPool
from replay.store.types import Creation

MANY: Final = 256 * 1024
"""From this many bytes of text on, several processes referee the records."""
MAX_WAITING: Final = 50_000
"""The events that may wait to be stored, in one transaction at most.

Their positions lie all over the index, so transactions of fewer events would each write most of it.
"""


class ImportResult(Struct, frozen=True):
    """The result for a record of a file: its match, or its faults.

    The match is `known` if it was imported before, and `continued` if it began like this record.
    `variations` counts the stored variations, `left_out` the variations that were left out.
    """

    file: str
    record: int
    match: str | None = None
    known: bool = False
    continued: bool = False
    variations: int = 0
    left_out: int = 0
    faults: tuple[RecordFault, ...] = ()
    warnings: tuple[ReaderWarning, ...] = ()


class PreparedRecord(Struct, frozen=True):
    """A valid record, the fact by which it is found again, and what the store has to create.

    A `paired` record has a match of the same pairing in the book.
    """

    number: int
    fact: str
    match: str
    known: bool = False
    paired: bool = False
    creations: Sequence[Creation] = ()
    variations: int = 0
    left_out: int = 0
    warnings: tuple[ReaderWarning, ...] = ()

    @property
    def events(self) -> int:
        """The number of events to be stored."""
        return sum(len(each.events) for each in self.creations)


class PreparedChunk(Struct, frozen=True):
    """The records of a chunk, numbered from 1, and the counts of variations and events read.

    `faults` has the faults of each invalid record.
    """

    records: list[PreparedRecord]
    faults: list[tuple[RecordFault, ...]]
    variations: int
    events: int


Found = PreparedRecord | tuple[RecordFault, ...]
"""A valid record, or the faults of an invalid one."""
ReadRecords = Callable[[], Mapping[int, Record]]
DECODER: Final = msgspec.msgpack.Decoder(PreparedChunk)


class _FileChunk(NamedTuple):
    """A chunk of a file; the last one ends the file."""

    file: str
    chunk: Chunk
    last: bool


class _Stored(NamedTuple):
    """A result that is certain once the future is done, and the number of its events."""

    result: ImportResult
    events: int = 0
    future: Future[Any] | None = None


class BulkImport:
    """Imports text records into a book. With `again`, even records that it already has.

    If an unfinished match begins like a record, the record continues that match. `followed` are the
    matches of a watched file, by the number of their record. The limits are for each text.
    """

    def __init__(
        self,
        book: Book,
        bounds: Bounds,
        *,
        again: bool = False,
        followed: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        self._book = book
        self._bounds = bounds
        self._again = again
        self._followed = followed
        shared = book.store.shared_location
        self._workers = ProcessPool[Chunk, bytes](
            partial(_prepare, book, bounds.depth, again),
            partial(_prepare_apart, shared, bounds.depth, again) if shared else None,
            MANY,
        )
        self._mend = Mender()
        self._jobs: deque[_FileChunk] = deque()
        self._tally = Tally(bounds)
        self._records = 0
        """The number of records of the current text so far."""
        self._made: dict[str, str] = {}
        """The matches made by this import, by the facts of their records."""
        self._here = set[str]()
        """The matches of this import so far: no two of its records are the same match."""
        self._storing: deque[_Stored] = deque()
        self._waiting = 0

    def __enter__(self) -> BulkImport:
        return self

    def __exit__(self, *error: object) -> None:
        self._workers.close()

    def add(
        self, file: str, lines: Iterable[bytes], hint: Hint = NO_HINT
    ) -> Iterator[ImportResult]:
        """Import the records of a text, and yield results that are certain by now, in order."""
        chunks = cut(lines, hint._replace(file=file))
        chunk = next(chunks)
        for later in chunks:
            yield from self._put(_FileChunk(file, chunk, last=False))
            chunk = later
        yield from self._put(_FileChunk(file, chunk, last=True))

    def finish(self) -> Iterator[ImportResult]:
        """Yield the results of all records that were added."""
        for prepared in self._workers.rest():
            yield from self._take(prepared)
        yield from self._certain(-1)

    def _put(self, job: _FileChunk) -> Iterator[ImportResult]:
        self._jobs.append(job)
        for prepared in self._workers.put(job.chunk, len(job.chunk.text)):
            yield from self._take(prepared)

    def _take(self, encoded: bytes) -> Iterator[ImportResult]:
        job, prepared = self._jobs.popleft(), DECODER.decode(encoded)
        if not self._tally.take(prepared.variations, prepared.events):
            # The chunk exceeds the limits: reading it again shows where.
            prepared = _prepare_within(self._book, job.chunk, self._tally, self._again)
        found: list[Found] = [*prepared.records, *prepared.faults]
        self._here.update(each.match for each in prepared.records if each.known)
        read = cache(partial(_records_of, job.chunk))
        for each in sorted(found, key=_number):
            if isinstance(each, tuple):
                each = tuple(self._mend(job.chunk, _number(each) - 1, each))
            self._storing.append(self._store(job.file, each, read))
            yield from self._certain(MAX_WAITING)
        self._records += len(found)
        if job.last:
            if not self._records:
                self._storing.append(_Stored(ImportResult(job.file, 1, faults=(EMPTY,))))
            self._tally, self._records = Tally(self._bounds), 0

    def _store(self, file: str, found: Found, read: ReadRecords) -> _Stored:
        number = self._records + _number(found)
        if isinstance(found, tuple):
            faults = tuple(structs.replace(each, record=number) for each in found)
            return _Stored(ImportResult(file, number, faults=faults))
        warnings = tuple(structs.replace(each, record=number) for each in found.warnings)
        made = found.match if found.known else self._made.get(found.fact)
        if made is not None and not self._again:
            return _Stored(ImportResult(file, number, made, known=True, warnings=warnings))
        if not self._again and found.paired:
            record = structs.replace(read()[found.number], number=number)
            if result := self._go_on(file, record):
                return _Stored(result)
            alike = continuation.begins_alike(self._book, record, others=self._here)
            warnings = continuation.with_warning(record, alike).warnings
        self._made[found.fact] = found.match
        self._here.add(found.match)
        self._waiting += found.events
        return _Stored(
            ImportResult(
                file,
                number,
                found.match,
                variations=found.variations,
                left_out=found.left_out,
                warnings=warnings,
            ),
            found.events,
            self._book.store.create_all(found.creations),
        )

    def _go_on(self, file: str, record: Record) -> ImportResult | None:
        """Go on in the match that begins like a record, if there is one."""
        followed, number = self._followed.get(record.number), record.number
        this = continuation.find_continuation(
            self._book, record, others=self._here, followed=followed
        )
        if this is None:
            return None
        match = continuation.go_on(self._book, record, this).id
        self._here.add(match)
        warnings = continuation.with_warning(record, this.warning(record)).warnings
        same = this.ahead > 0
        return ImportResult(file, number, match, same, continued=not same, warnings=warnings)

    def _certain(self, most: int) -> Iterator[ImportResult]:
        """Yield certain results; wait for some if more than `most` events are pending."""
        while self._storing:
            result, events, future = self._storing[0]
            if future is not None:
                if not future.done() and self._waiting <= most:
                    return
                future.result()
            self._waiting -= events
            self._storing.popleft()
            yield result


def _records_of(chunk: Chunk) -> dict[int, Record]:
    """Read the valid records of a chunk again, by number."""
    results = read_chunk(chunk, Tally())
    return {each.number: each for each in results if isinstance(each, Record)}


def _number(found: Found) -> int:
    return found[0].record if isinstance(found, tuple) else found.number


def _prepare_apart(location: Path | str, depth: int, again: bool, chunk: Chunk) -> bytes:
    with open_book(location) as book:
        return _prepare(book, depth, again, chunk)


def _prepare(book: Book, depth: int, again: bool, chunk: Chunk) -> bytes:
    """Return the encoded `PreparedChunk`; the limits of a whole text are checked later."""
    tally = Tally(Bounds(depth=depth))
    return msgspec.msgpack.encode(_prepare_within(book, chunk, tally, again))


def _prepare_within(book: Book, chunk: Chunk, tally: Tally, again: bool) -> PreparedChunk:
    records, faults = list[PreparedRecord](), list[tuple[RecordFault, ...]]()
    for result in read_chunk(chunk, tally):
        if isinstance(result, Record):
            records.append(_prepare_record(book, result, again))
        else:
            faults.append(tuple(result))
    return PreparedChunk(records, faults, tally.variations, tally.events)


def _prepare_record(book: Book, record: Record, again: bool) -> PreparedRecord:
    fact = fact_of(record)
    known = None if again else find_imported(book, fact)
    if known is not None:
        return PreparedRecord(
            record.number, fact, known.public_id, known=True, warnings=record.warnings
        )
    new = prepare(book, record, {fact: ""})
    return PreparedRecord(
        record.number,
        fact,
        new.line.header.id,
        paired=next(continuation.find_alike(book, record), None) is not None,
        creations=new.creations,
        variations=new.variations,
        left_out=new.left_out,
        warnings=record.warnings,
    )
