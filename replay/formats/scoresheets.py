"""Read scoresheets: text records and PGN whose moves may be illegal, missing or uncertain.

The main line is read; variations and comments are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, cast

from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.entry import move_text
from domain.events import DASH
from domain.match import Match
from domain.names import Names
from domain.reconstruction.scoresheet import Entry, Scoresheet
from replay.errors import Usage
from replay.formats.encodings import decode_lines
from replay.formats.import_bounds import Bounds, Tally
from replay.formats.pgn.dashes import NULL_MOVES
from replay.formats.pgn.lexer import result_of
from replay.formats.pgn.model import PgnGame
from replay.formats.pgn.reading import PgnReading, pgn_groups
from replay.formats.ply.doubts import UNSURE
from replay.formats.ply.lexer import LexemeKind, RecordLexeme, SourceLine
from replay.formats.ply.model import BOUND, Record, RecordFault
from replay.formats.ply.parser import MARKS, TERMINATOR, Reading, split_glyph
from replay.formats.ply.reader import as_lines, read_lexemes, record_groups
from replay.formats.ply.referee import rejected
from replay.formats.ply.writer import write_heading
from replay.formats.text_formats import NO_HINT, Chunk, Hint, cut, format_named, format_of
from replay.store.people_chain import names_among
from replay.tags.match_tags import OF_SEAT, Tag

MAX_ENTRIES: Final = 3000
"""The most entries of a scoresheet."""
SEAT: Final = re.compile("[1-9]")
PASSED: Final = (LexemeKind.COMMENT, LexemeKind.OPEN, LexemeKind.CLOSE, LexemeKind.STRAY)
"""The kinds of lexemes that are skipped, even after the terminator."""


class WrittenScoresheet(Struct, frozen=True):
    """A scoresheet, the match that it begins with, and its tags in the order of the text.

    It begins at the line `begins` of its text. `source` is the id of its match, if it was one.
    """

    match: Match
    sheet: Scoresheet
    tags: tuple[Tag, ...] = ()
    begins: int = 0
    source: str = ""

    def writer(self, number: int) -> str:
        """Return the name of whoever kept the scoresheet with a number, if its tag has the seat."""
        tags = dict(self.tags)
        names, seat = Names(names_among(tags)), tags.get(OF_SEAT, "")
        return names.title(int(seat)) if SEAT.fullmatch(seat) else f"Scoresheet {number}"


class _Entries(Reading):
    """A scoresheet being parsed: entries are taken down, and not judged."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._entries: list[Entry] = []
        self._said = "*"
        self._depth = 0
        """How many variations are open."""

    def take(self, at: RecordLexeme) -> None:
        """Add a lexeme."""
        if at.kind not in PASSED or at.problem:
            super().take(at)
        else:
            self._last = at
            MARKS[at.kind](self, at)

    def _event(self, at: RecordLexeme) -> None:
        if self._depth:
            return
        text, _ = split_glyph(at.text)
        seat, body = move_text.split(text)
        if body in NULL_MOVES:
            text = str(move_text.SplitText(seat, DASH))
        self._entries.append(Entry(text))
        if len(self._entries) > MAX_ENTRIES:
            most = f"a scoresheet has at most {MAX_ENTRIES} entries; split the match"
            raise rejected(at, BOUND, most)

    def _glyph(self, at: RecordLexeme) -> None:
        """Pass over a glyph."""

    def _comment(self, at: RecordLexeme) -> None:
        if UNSURE.search(at.text) and self._entries and not self._depth:
            self._entries[-1] = Entry(self._entries[-1].text, unsure=True)

    def _open(self, at: RecordLexeme) -> None:
        self._depth += 1

    def _close(self, at: RecordLexeme) -> None:
        self._depth = max(0, self._depth - 1)

    def _stray(self, at: RecordLexeme) -> None:
        """Pass over a brace that closes nothing."""

    def _terminator(self, at: RecordLexeme) -> None:
        self._ended, self._said = True, at.text

    def record(self) -> Record:
        """Return the scoresheet, which takes the place of a record."""
        if not self._lines:
            self._begin(self._last)
        sheet = Scoresheet(tuple(self._entries), self._said)
        return cast("Record", WrittenScoresheet(self._match, sheet, self._head.tags))


class _PgnEntries(_Entries, PgnReading):
    """A scoresheet in PGN, whose result need not follow from the moves."""

    def _end(self, at: RecordLexeme) -> None:
        if not self._depth:
            self._ended, self._said = True, result_of(at.text) or "*"

    def record(self) -> Record:
        """Return the scoresheet; a result is also a ruling, if the game is not over by then."""
        self._start(self._last)
        if self._said != "*":
            self._entries.append(Entry(f"ruled={self._said}", implied=True))
        return super().record()


def read_pgn_scoresheets(
    game: PgnGame, lines: Iterable[SourceLine], tally: Tally, first: int
) -> Iterator[Record | list[RecordFault]]:
    """Read the scoresheets of a text in PGN, numbered from `first`."""
    return read_lexemes(pgn_groups(lines), lambda number: _PgnEntries(number, tally, game), first)


def read_scoresheets(
    source: str | bytes | Iterable[bytes], bounds: Bounds, hint: Hint = NO_HINT
) -> Iterator[WrittenScoresheet]:
    """Read the scoresheets of a text. Raises `Usage` for the first that cannot be read."""
    tally, first = Tally(bounds), 1
    for chunk in cut(as_lines(source), hint):
        for found in _read_chunk(chunk, tally, first):
            first += 1
            if isinstance(found, list):
                raise Usage(f"record {found[0].record}: {found[0].words()}")
            yield found if isinstance(found, WrittenScoresheet) else scoresheet_of(found)


def on_paper(text: str, beside: Record) -> str:
    """Return moves without tags, as on paper, as a text record of the match of another record.

    Any other text stays as it is.
    """
    words = text.split()
    if not words or words[0].startswith("[") or format_of(text.encode()):
        return text
    end = "" if TERMINATOR.fullmatch(words[-1]) else "*"
    return f"{write_heading(beside)}\n{text}\n{end}\n"


def read_scoresheet(chunk: Chunk, place: int) -> WrittenScoresheet | None:
    """Return the scoresheet at a place of a chunk, counted from 0, if it can be read."""
    found = next(islice(_read_chunk(chunk, Tally(), 1), place, None), None)
    return found if isinstance(found, WrittenScoresheet) else None


def _read_chunk(chunk: Chunk, tally: Tally, first: int) -> Iterator[Any]:
    if not chunk.form:
        return read_lexemes(record_groups(chunk), lambda number: _Entries(number, tally), first)
    form = format_named(chunk.form)
    lines = decode_lines(chunk.text, chunk.line, chunk.encoding)
    return (form.transcribe or form.read)(lines, tally, first)


def scoresheet_of(record: Record, source: str = "") -> WrittenScoresheet:
    """Return a record as a scoresheet; a match is read as its export writes it, without secrets.

    Raises `Usage` for a match with too many events.
    """
    if len(record.line.nodes) > MAX_ENTRIES:
        raise Usage(f"a scoresheet has at most {MAX_ENTRIES} entries; split the match")
    entries = [
        Entry(move_text.write(record.game, node.event), bool(getattr(node.event, "unsure", UNSET)))
        for node in record.line.nodes
    ]
    sheet = Scoresheet(tuple(entries), record.result)
    match = replace(record.match, version=0, line=())
    match = replace(match, start=replace(match.start, unjudged=False))
    return WrittenScoresheet(match, sheet, record.tags, source=source)
