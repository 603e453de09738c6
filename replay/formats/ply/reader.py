"""Read text records from a file, in chunks, and check them.

Text formats of games, like PGN, are read line by line as text records. A fault ends its record;
reading continues with the next.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import Final, Literal, NamedTuple

from msgspec import Struct, structs
from msgspec.structs import replace

from domain.names import count
from domain.notation import TextFormat
from domain.position import OutcomeValue
from replay import registry
from replay.formats.import_bounds import UNBOUNDED, Bounds, Tally
from replay.formats.ply.lexer import GAME_LINE, TAG_LINE, LexemeKind, Lexer, RecordLexeme
from replay.formats.ply.model import Record, RecordFault
from replay.formats.ply.parser import Reading
from replay.formats.ply.referee import Rejected
from replay.formats.reader_warning import ReaderWarning

MAX_FAULTS: Final = 20
"""The most faults of a record that are reported at once."""

SIZE: Final = 64 * 1024
"""The size in bytes from which a chunk ends at the next record."""

TAG: Final = re.compile(rb"[ \t]*\[[ \t]*[A-Za-z]")
HEADING: Final = re.compile(rb'[ \t]*\[[ \t]*Game[ \t"]')
COMMENT: Final = re.compile(rb"\{|(?<![^ \t(){}]);")
"""The beginning of a comment: a brace, or a semicolon for the rest of the line."""
NO_RECORD: Final = (
    f'the text has no record; a record begins with its game, like [Game "{registry.EXAMPLE}"]'
)
EMPTY: Final = RecordFault(1, None, 1, 1, None, None, "syntax", NO_RECORD)
"""The fault of a text without records."""
MARK: Final = b"\xef\xbb\xbf"
"""A byte order mark."""


class Chunk(NamedTuple):
    """Whole records: the text from the line with this number on."""

    text: bytes
    line: int


def cut(lines: Iterable[bytes]) -> Iterator[Chunk]:
    """Yield the chunks of a text, at least one; a format of a game becomes text records.

    A chunk ends before a Game tag that follows an empty line and is in no comment; such a tag
    always begins a record.
    """
    held: list[bytes] = []
    size, first, in_comment, after_gap = 0, 1, False, False
    for number, line in enumerate(map(encoded, as_records(lines)), 1):
        if size >= SIZE and after_gap and HEADING.match(line):
            yield Chunk(b"".join(held), first)
            held, size, first = [], 0, number
        held.append(line)
        size += len(line)
        in_comment = _ends_in_comment(line.removeprefix(MARK), in_comment)
        after_gap = not in_comment and not line.strip(b" \t\r\n")
    yield Chunk(b"".join(held), first)


def _ends_in_comment(line: bytes, in_comment: bool) -> bool:
    """Return whether a line ends in a comment, given whether it begins in one."""
    if not in_comment and TAG.match(line):
        return False
    end = 0
    while True:
        if in_comment:
            end = line.find(b"}", end) + 1
            if not end:
                return True
        begun = COMMENT.search(line, end)
        if begun is None or begun[0] == b";":
            return False
        in_comment, end = True, begun.end()


def read_records(
    source: str | bytes | Iterable[str | bytes], bounds: Bounds = UNBOUNDED
) -> Iterator[Record | RecordFault]:
    """Read a text as `read_with_faults` does, with the first fault of a record only."""
    for result in read_with_faults(source, bounds):
        yield result if isinstance(result, Record) else result[0]


def read_with_faults(
    source: str | bytes | Iterable[str | bytes], bounds: Bounds = UNBOUNDED
) -> Iterator[Record | list[RecordFault]]:
    """Read a text, or its lines (an open file), with up to `MAX_FAULTS` faults of each record.

    A text without records gives one fault. The limits are for all records together.
    """
    empty = True
    for result in read_lexemes(Lexer(as_records(source)), Tally(bounds)):
        empty = False
        yield result
    if empty:
        yield [EMPTY]


def read_lexemes(
    lexemes: Iterable[RecordLexeme], tally: Tally
) -> Iterator[Record | list[RecordFault]]:
    """Read records, numbered from 1; the tally adds them to its counts."""
    for number, group in groupby(lexemes, key=_Count()):
        yield _read(number, group, tally)


class _Count:
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


def _read(number: int, lexemes: Iterable[RecordLexeme], tally: Tally) -> Record | list[RecordFault]:
    """Return a record, or its first faults, at least one and at most `MAX_FAULTS`.

    After a move that is refused the position is unknown: later moves are checked for their form.
    """
    reading, faults = Reading(number, tally), list[RecordFault]()
    for lexeme in lexemes:
        for step in (reading.begin, reading.take):
            try:
                step(lexeme)
            except Rejected as stop:
                faults.append(replace(stop.fault, record=number))
                if len(faults) == MAX_FAULTS or not reading.survives(stop.fault):
                    return faults
    try:
        record = reading.record()
    except Rejected as stop:
        faults.append(replace(stop.fault, record=number))
        return faults
    return faults or record


class PassedRecord(Struct, frozen=True, omit_defaults=True):
    """A valid record. `events` counts the main line; `outcome` is `None` if it is unfinished."""

    file: str
    record: int
    ok: Literal[True]
    events: int
    outcome: dict[str, OutcomeValue] | None
    warnings: tuple[ReaderWarning, ...] = ()

    def words(self) -> str:
        """Describe the result in a line, and each warning in one more."""
        ended = "" if self.outcome is None else f", ended by {self.outcome['clause']}"
        place = f"{self.file}: record {self.record}"
        told = (f"{place}: {each.words()}" for each in self.warnings)
        return "\n".join((f"{place}: ok, {count(self.events, 'event')}{ended}", *told))


class FailedRecord(Struct, frozen=True, omit_defaults=True):
    """A rejected record, with the fields of its first `RecordFault`; `more` are the later ones."""

    file: str
    record: int
    ok: Literal[False]
    event: int | None
    line: int
    column: int
    token: str | None
    seat: int | None
    clause: str
    message: str
    more: tuple[RecordFault, ...] = ()

    def words(self) -> str:
        """Describe the faults, each in a line."""
        first = RecordFault(**{name: getattr(self, name) for name in RecordFault.__struct_fields__})
        place = f"{self.file}: record {self.record}"
        return "\n".join(f"{place}: {fault.words()}" for fault in (first, *self.more))


def check_lines(
    lines: Iterable[bytes], file: str, bounds: Bounds = UNBOUNDED
) -> Iterator[PassedRecord | FailedRecord]:
    """Check the lines of a text with the name `file`, record by record."""
    # A file name that is not UTF-8 must still give valid JSON.
    name = file.encode("utf-8", "replace").decode()
    for result in read_with_faults(lines, bounds):
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


def as_records(source: str | bytes | Iterable[str | bytes]) -> Iterable[str | bytes]:
    """Return the lines of a text; a format of a game becomes lines of a text record."""
    if isinstance(source, str):
        source = io.StringIO(source, newline="\n")
    elif isinstance(source, bytes):
        source = io.BytesIO(source)
    lines = iter(source)
    passed: list[str | bytes] = []
    for line in lines:
        passed.append(line)
        if line.strip():
            break
    every = chain(passed, lines)
    form = _format(passed[-1]) if passed else None
    return form.read(map(encoded, every)) if form else every


def _format(first: str | bytes) -> TextFormat | None:
    """Return the format of a file that begins with a line; `None` for a text record."""
    line = encoded(first).removeprefix(MARK).lstrip()
    text = line.decode(errors="replace")
    if GAME_LINE.match(text) or not TAG_LINE.match(text):
        return None
    return next((one for one in text_formats() if line.startswith(one.begins)), None)


def text_formats() -> Iterator[TextFormat]:
    """Yield the text formats of all games."""
    for game in registry.games().values():
        yield from game.formats


def encoded(line: str | bytes) -> bytes:
    """Return a line as bytes."""
    return line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
