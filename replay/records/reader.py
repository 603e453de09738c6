"""Text records out of a stream: each a `Record`, or the `Fault` for which it is rejected.

A fault ends its record; reading goes on with the next. A record is refereed while it is read, so
that the first fault in the text is the one told.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final

from msgspec.structs import replace

from domain.game import Game, Violation
from domain.match import LineEvent, Match, Ply, State
from replay.records.faults import Rejected, rejected
from replay.records.head import Head
from replay.records.lexer import Kind, Lexeme, Lexer
from replay.records.model import Fault, Line, Node, Record, tidy
from replay.records.referee import Cursor, contradiction

DEEPEST: Final = 200
"""How deep variations may nest: more than people write, and safe for whoever walks the tree."""

SUFFIXES: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
GLYPH: Final = re.compile(r"\$([0-9]{1,3})")
LAST_GLYPH: Final = 255
"""PGN's table of glyphs ends here."""

TERMINATOR: Final = re.compile(r"\*|=|\+[1-9]")
NO_RECORD: Final = 'there is no record here; one begins with its game, like [Game "poptrix"]'


def read_records(source: str | bytes | Iterable[str | bytes]) -> Iterator[Record | Fault]:
    """Read a text, or its lines (an open file), record by record.

    A text without any record gives one fault.
    """
    if isinstance(source, str):
        source = io.StringIO(source, newline="\n")
    elif isinstance(source, bytes):
        source = io.BytesIO(source)
    number = 0
    for number, lexemes in groupby(Lexer(source), key=_Count()):
        yield _read(number, lexemes)
    if not number:
        yield Fault(1, None, 1, 1, None, None, "syntax", NO_RECORD)


class _Count:
    """Tells which record a lexeme belongs to: a tag behind movetext begins the next."""

    def __init__(self) -> None:
        self._number = 0
        self._in_tags = False

    def __call__(self, lexeme: Lexeme) -> int:
        kind = lexeme.kind
        tag = kind is Kind.TAG or kind is Kind.HEADING
        if not self._number or kind is Kind.HEADING or (tag and not self._in_tags):
            self._number += 1
        self._in_tags = tag
        return self._number


def _read(number: int, lexemes: Iterable[Lexeme]) -> Record | Fault:
    reading = _Reading(number)
    try:
        for lexeme in lexemes:
            reading.take(lexeme)
        return reading.record()
    except Rejected as stop:
        return replace(stop.fault, record=number)


class _Draft:
    """A line being read. What belongs to its last event is gathered until the next one comes."""

    __slots__ = (
        "cursor",
        "event",
        "glyphs",
        "nodes",
        "opened",
        "remarks",
        "start",
        "turn",
        "variations",
    )

    def __init__(self, game: Game[Any], start: State, opened: Lexeme | None = None) -> None:
        self.cursor = Cursor(game, start)
        self.opened = opened
        self.nodes: list[Node] = []
        self.start: tuple[str, ...] = ()
        self.event: LineEvent | None = None
        self._clear()

    def _clear(self) -> None:
        self.glyphs: set[int] = set()
        self.remarks: list[str] = []
        self.variations: list[Line] = []

    def play(self, token: str) -> Violation | None:
        """Go on by one event, or say which rule it breaks."""
        turn = self.cursor.state.position.turn
        event = self.cursor.play(token)
        if isinstance(event, Violation):
            return event
        self._finish()
        self.event, self.turn = event, turn
        return None

    def _finish(self) -> None:
        """Put away the last event with what was said about it, or what was said before any."""
        if self.event is None:
            self.start = tuple(self.remarks)
        else:
            self.nodes.append(
                Node(
                    self.event,
                    self.turn,
                    tuple(sorted(self.glyphs)),
                    tuple(self.remarks),
                    tuple(self.variations),
                )
            )
        self._clear()

    def line(self) -> Line:
        """Return the line now that it is complete."""
        self._finish()
        return Line(tuple(self.nodes), self.start)


class _Reading:
    """One record being read, lexeme by lexeme. `take` and `record` raise `Rejected`."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._head = Head()
        self._lines: list[_Draft] = []
        """The main line and, while in a variation, those on the way to it."""
        self._plies: list[Ply] = []
        self._ended = False

    def take(self, at: Lexeme) -> None:
        """Go on by a lexeme."""
        if at.problem:
            raise rejected(at, "syntax", at.problem)
        self._last = at
        if at.kind is Kind.TAG or at.kind is Kind.HEADING:
            self._head.add(at)
            return
        if not self._lines:
            self._begin(at)
        elif self._ended:
            raise rejected(
                at, "syntax", "nothing comes after a record's terminator but the next record"
            )
        TAKE[at.kind](self, at)

    def record(self) -> Record:
        """Return the record now that its text has ended."""
        if not self._lines:
            self._begin(self._last)
        if not self._ended:
            self._no_variation_open()
            raise rejected(
                self._last,
                "syntax",
                "the record ends without a terminator: * (unfinished), = (draw) or +N (seat N won)",
            )
        line = self._lines[0].line()
        match = replace(self._match, version=len(self._plies), line=tuple(self._plies))
        return Record(self._head.tags, match, line, self._number)

    def _begin(self, at: Lexeme) -> None:
        if at.text.startswith("["):
            raise rejected(
                at, "tag", f'{at.text!r} is not a tag; one to a line, like [Site "Home"]'
            )
        self._match: Match = self._head.open(at)
        self._lines.append(_Draft(self._match.game, self._match.start))

    def _word(self, at: Lexeme) -> None:
        word = at.text
        if word[-1] == "." and word[:-1].isdigit() and word.isascii():
            return
        if TERMINATOR.fullmatch(word):
            self._terminator(at)
        elif word[0] == "$":
            self._glyph(at)
        else:
            self._event(at)

    def _event(self, at: Lexeme) -> None:
        token, glyph = _split(at.text)
        draft = self._lines[-1]
        violation = draft.play(token)
        if violation is not None:
            seat = draft.cursor.seat_of(token)
            event = len(self._plies) if len(self._lines) == 1 else None
            raise rejected(
                at, violation.clause, violation.message, token=token, seat=seat, event=event
            )
        if glyph:
            draft.glyphs.add(glyph)
        if len(self._lines) == 1:
            assert draft.event is not None
            cursor = draft.cursor
            self._plies.append(Ply(draft.event, len(self._plies) + 1, cursor.state, cursor.effects))

    def _glyph(self, at: Lexeme) -> None:
        found = GLYPH.fullmatch(at.text)
        if found is None or int(found[1]) > LAST_GLYPH:
            raise rejected(at, "syntax", f"{at.text!r} is no glyph; they are $0 to ${LAST_GLYPH}")
        if self._lines[-1].event is None:
            raise rejected(at, "syntax", "a glyph comes after a move, and there is none before it")
        self._lines[-1].glyphs.add(int(found[1]))

    def _comment(self, at: Lexeme) -> None:
        comment = tidy(at.text)
        if comment:
            self._lines[-1].remarks.append(comment)

    def _open(self, at: Lexeme) -> None:
        parent = self._lines[-1]
        if parent.event is None:
            raise rejected(
                at, "syntax", "a variation stands instead of the move before it; there is none"
            )
        if len(self._lines) > DEEPEST:
            raise rejected(at, "syntax", f"variations nest at most {DEEPEST} deep")
        self._lines.append(_Draft(self._match.game, parent.cursor.before, at))

    def _close(self, at: Lexeme) -> None:
        if len(self._lines) == 1:
            raise rejected(at, "syntax", "this parenthesis closes no variation")
        draft = self._lines.pop()
        if draft.event is None:
            assert draft.opened is not None
            raise rejected(draft.opened, "syntax", "this variation has no move")
        self._lines[-1].variations.append(draft.line())

    def _stray(self, at: Lexeme) -> None:
        raise rejected(at, "syntax", "this brace closes no comment")

    def _terminator(self, at: Lexeme) -> None:
        self._no_variation_open()
        reason = contradiction(self._lines[0].cursor.state, at.text)
        if reason:
            raise rejected(at, "result", reason)
        result = self._head.find("Result")
        if result and result[0].value != at.text:
            raise rejected(
                result[1],
                "result",
                f"the tag Result says {result[0].value!r}, but the record ends with {at.text}",
            )
        self._ended = True

    def _no_variation_open(self) -> None:
        opened = self._lines[-1].opened
        if opened is not None:
            raise rejected(opened, "syntax", "the variation opened here is never closed")


TAKE: Final = {
    Kind.WORD: _Reading._word,
    Kind.COMMENT: _Reading._comment,
    Kind.OPEN: _Reading._open,
    Kind.CLOSE: _Reading._close,
    Kind.STRAY: _Reading._stray,
}


def _split(word: str) -> tuple[str, int | None]:
    """Split `c1>S@c3?!` into token and glyph."""
    for length in (2, 1):
        glyph = SUFFIXES.get(word[-length:])
        if glyph and len(word) > length:
            return word[:-length], glyph
    return word, None
