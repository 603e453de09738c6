"""Read text records from a file, in chunks, and check them.

A text in the format of another program is read by that format. A fault ends its record; reading
continues with the next.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Final, Literal

from msgspec import Struct, structs
from msgspec.structs import replace

from domain.names import count
from domain.position import OutcomeValue
from replay import registry
from replay.formats.encodings import decode_lines
from replay.formats.import_bounds import UNBOUNDED, Bounds, Tally
from replay.formats.ply.lexer import LexemeKind, Lexer, RecordLexeme
from replay.formats.ply.model import Record, RecordFault
from replay.formats.ply.parser import Reading
from replay.formats.ply.referee import Rejected
from replay.formats.reader_warning import ReaderWarning
from replay.formats.text_formats import NO_HINT, Chunk, Hint, cut, format_named

MAX_FAULTS: Final = 20
"""The most faults of a record that are reported at once."""

NO_RECORD: Final = (
    f'the text has no record; a record begins with its game, like [Game "{registry.EXAMPLE}"]'
)
EMPTY: Final = RecordFault(1, None, 1, 1, None, None, "syntax", NO_RECORD)
"""The fault of a text without records."""


def read_records(
    source: str | bytes | Iterable[str | bytes], bounds: Bounds = UNBOUNDED, hint: Hint = NO_HINT
) -> Iterator[Record | RecordFault]:
    """Read a text as `read_with_faults` does, with the first fault of a record only."""
    for result in read_with_faults(source, bounds, hint):
        yield result if isinstance(result, Record) else result[0]


Mend = Callable[[Chunk, int, Sequence[RecordFault]], Sequence[RecordFault]]
"""Adds to the faults of a record, at a place of a chunk, the change that would mend the record."""


def read_with_faults(
    source: str | bytes | Iterable[str | bytes],
    bounds: Bounds = UNBOUNDED,
    hint: Hint = NO_HINT,
    mend: Mend | None = None,
) -> Iterator[Record | list[RecordFault]]:
    """Read a text, or its lines (an open file), with up to `MAX_FAULTS` faults of each record.

    A text without records gives one fault. The limits are for all records together.
    """
    first, tally = 1, Tally(bounds)
    for chunk in cut(as_lines(source), hint):
        for place, result in enumerate(read_chunk(chunk, tally, first)):
            first += 1
            if mend and isinstance(result, list):
                result = [*mend(chunk, place, result)]
            yield result
    if first == 1:
        yield [EMPTY]


def read_chunk(chunk: Chunk, tally: Tally, first: int = 1) -> Iterator[Record | list[RecordFault]]:
    """Read the records of a chunk, numbered from `first`; the tally adds them to its counts."""
    if chunk.form:
        form = format_named(chunk.form)
        lines = decode_lines(chunk.text, chunk.line, chunk.encoding)
        yield from form.languages.get(chunk.pieces, form.read)(lines, tally, first)
        return
    begin = partial(Reading, tally=tally, spellings=chunk.spellings)
    yield from read_lexemes(record_groups(chunk), begin, first)


def record_groups(chunk: Chunk) -> Iterator[Iterator[RecordLexeme]]:
    """Yield the lexemes of each text record of a chunk."""
    groups = groupby(Lexer(io.BytesIO(chunk.text), chunk.line), key=_RecordCount())
    return (group for _, group in groups)


def read_lexemes(
    groups: Iterable[Iterable[RecordLexeme]], begin: Callable[[int], Reading], first: int = 1
) -> Iterator[Record | list[RecordFault]]:
    """Read a record of each group, numbered from `first`; `begin` begins the reading of one."""
    for number, group in enumerate(groups, first):
        yield _read(number, group, begin(number))


class _RecordCount:
    """Numbers the records: a tag after movetext begins the next one."""

    def __init__(self) -> None:
        self._number = 0
        self._in_tags = False

    def __call__(self, lexeme: RecordLexeme) -> int:
        kind = lexeme.kind
        tag = kind is LexemeKind.TAG or kind is LexemeKind.HEADING
        if not self._number or kind is LexemeKind.HEADING or (tag and not self._in_tags):
            self._number += 1
        self._in_tags = tag
        return self._number


def _read(
    number: int, lexemes: Iterable[RecordLexeme], reading: Reading
) -> Record | list[RecordFault]:
    """Return a record, or its first faults, from one to `MAX_FAULTS` of them.

    After a move that is refused the position is unknown: later moves are checked for their form.
    """
    faults, begins = list[RecordFault](), 0
    for lexeme in lexemes:
        begins = begins or lexeme.line
        for step in (reading.begin, reading.take):
            try:
                step(lexeme)
            except Rejected as stop:
                faults.append(replace(stop.fault, record=number))
                if len(faults) == MAX_FAULTS or not reading.survives(stop.fault):
                    return faults
    try:
        record = replace(reading.record(), begins=begins)
    except Rejected as stop:
        faults.append(replace(stop.fault, record=number))
        return faults
    return faults or record


def suggest(faults: list[RecordFault], option: str) -> list[RecordFault]:
    """Return faults of which the first names the option with which the record is read."""
    first = faults[0]
    told = f"{first.message}; the game is read with {option}"
    return [replace(first, message=told), *faults[1:]]


class PassedRecord(Struct, frozen=True, omit_defaults=True):
    """A valid record. `events` counts the main line; `outcome` is `None` if it is unfinished."""

    file: str
    record: int
    ok: Literal[True]
    events: int
    outcome: dict[str, OutcomeValue] | None
    warnings: tuple[ReaderWarning, ...] = ()

    def words(self) -> str:
        """Describe the valid record in a line, and each warning in a further line."""
        ended = "" if self.outcome is None else f", ended by {self.outcome['clause']}"
        place = f"{self.file}: record {self.record}"
        told = (f"{place}: {each.words()}" for each in self.warnings)
        return "\n".join((f"{place}: ok, {count(self.events, 'event')}{ended}", *told))


class FailedRecord(Struct, frozen=True, omit_defaults=True):
    """A rejected record, with the fields of its first `RecordFault`; `more` are later faults."""

    file: str
    record: int
    ok: Literal[False]
    event: int | None
    line: int
    column: int
    text: str | None
    seat: int | None
    clause: str
    message: str
    more: tuple[RecordFault, ...] = ()

    def words(self) -> str:
        """Describe the faults of the record, each in a line."""
        first = RecordFault(**{name: getattr(self, name) for name in RecordFault.__struct_fields__})
        place = f"{self.file}: record {self.record}"
        return "\n".join(f"{place}: {fault.words()}" for fault in (first, *self.more))


def check_lines(
    lines: Iterable[bytes],
    file: str,
    bounds: Bounds = UNBOUNDED,
    hint: Hint = NO_HINT,
    mend: Mend | None = None,
) -> Iterator[PassedRecord | FailedRecord]:
    """Check the lines of a text with the name `file`, record by record."""
    # A file name that is not UTF-8 must still give valid JSON.
    name = file.encode("utf-8", "replace").decode()
    for result in read_with_faults(lines, bounds, hint, mend):
        if isinstance(result, Record):
            yield _passed(name, result)
        else:
            yield fail(name, *result)


def _passed(file: str, record: Record) -> PassedRecord:
    match = record.match
    outcome = match.state.outcome
    return PassedRecord(
        file,
        record.number,
        True,
        len(match.line),
        outcome.to_dict() if outcome else None,
        record.warnings,
    )


def fail(file: str, first: RecordFault, *more: RecordFault) -> FailedRecord:
    """Return the result of a record with these faults."""
    return FailedRecord(file=file, ok=False, **structs.asdict(first), more=more)


def as_lines(source: str | bytes | Iterable[str | bytes]) -> Iterator[bytes]:
    """Return the lines of a text as bytes."""
    if isinstance(source, str | bytes):
        source = io.BytesIO(encoded(source))
    return map(encoded, source)


def encoded(line: str | bytes) -> bytes:
    """Return a line as bytes."""
    return line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
