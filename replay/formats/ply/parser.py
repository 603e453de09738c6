"""Parse one record lexeme by lexeme, and referee its moves on the way.

The first fault that is reported is therefore always the first one in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from domain.entry.spellings import spell
from domain.entry.stood import leads_on
from domain.events import Ply, State, Stood
from domain.match import Match
from domain.position import Violation
from replay.annotations.events import Annotation
from replay.annotations.notation import check_marks, read_marks
from replay.errors import Usage
from replay.formats.import_bounds import Tally
from replay.formats.ply.doubts import read_doubts
from replay.formats.ply.head import RecordHead
from replay.formats.ply.importer import Draft
from replay.formats.ply.lexer import LexemeKind, RecordLexeme
from replay.formats.ply.model import BOUND, MAX_DEPTH, Record, RecordFault
from replay.formats.ply.referee import Rejected, contradiction, rejected, rejecting
from replay.formats.reader_warning import Warnings
from replay.texts import MAX_COMMENT, clean_text, tidy

SUFFIXES: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
GLYPH: Final = re.compile(r"\$([0-9]{1,3})")
LAST_GLYPH: Final = 255
"""The last number of PGN's table of glyphs."""

TERMINATOR: Final = re.compile(r"\*|=|\+[1-9](?:,[1-9])*")
TURN_NUMBERS: Final = re.compile(r"(?:[0-9]+\.(?:\.\.)?(?!\.))+")
FOREIGN: Final = {"1-0": "+1", "0-1": "+2", "1/2-1/2": "=", "½-½": "="}
"""The terminators of chess, with ours."""

TAGS: Final = frozenset((LexemeKind.TAG, LexemeKind.HEADING))
SET_UP: Final = re.compile(r"\s*\[\s*(Rules|Option|Position)\b")
"""A tag without which the first position is unknown."""


class Reading:
    """A record being parsed, lexeme by lexeme. `take` and `record` raise `Rejected`.

    A reader of another format adds to `warnings` what it reads otherwise than written.
    """

    def __init__(self, number: int, tally: Tally, spellings: bool = False) -> None:
        """Begin a record; with `spellings` other spellings of a move are read, with a warning."""
        self._spellings = spellings
        self._number = number
        self._tally = tally
        self.warnings = Warnings(number)
        self._head = RecordHead(self.warnings)
        self._match: Match
        self._lines: list[Draft] = []
        """The main line and, while in a variation, the lines on the way to it."""
        self._plies: list[Ply] = []
        self._ended = False
        self._astray = False
        """Whether a fault has left the position unknown."""

    def take(self, at: RecordLexeme) -> None:
        """Add a lexeme of a text record."""
        self._last = at
        if at.problem:
            raise rejected(at, "syntax", at.problem)
        kind = at.kind
        if kind in TAGS:
            self._head.add(at)
            return
        if self._ended:
            raise rejected(at, "syntax", "only the next record may follow a record's terminator")
        if kind is LexemeKind.WORD:
            self._word(at)
        else:
            MARKS[kind](self, at)

    def begin(self, at: RecordLexeme) -> None:
        """Set up the match at the first lexeme after the tags, even if a tag is wrong."""
        if self._lines or at.problem or at.kind in TAGS:
            return
        self._last = at
        if at.kind is LexemeKind.WORD and at.text.startswith("["):
            raise rejected(
                at, "tag", f'{at.text!r} is not a tag; write one tag per line, like [Site "Home"]'
            )
        self._begin(at)

    def _begin(self, at: RecordLexeme) -> None:
        try:
            self._match = self._head.open(at)
        except Rejected:
            if self._head.has_game:
                self._match, known = self._head.guess()
                self._astray |= not known
                self._lines.append(Draft(self._match.game, self._match.start))
            raise
        self._lines.append(Draft(self._match.game, self._match.start))

    def survives(self, fault: RecordFault) -> bool:
        """Note a fault, and return whether the lexemes after it can still be checked."""
        if fault.clause == BOUND or not self._head.has_game:
            return False
        if not self._lines:
            self._astray |= SET_UP.match(self._last.text) is not None
            return self._last.kind in TAGS
        self._astray |= fault.clause not in ("syntax", "result", "tag")
        return True

    def record(self) -> Record:
        """Return the text record after its last lexeme."""
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
        return Record(self._head.tags, match, line, self._number, self.warnings.listed())

    def _word(self, at: RecordLexeme) -> None:
        numbers = TURN_NUMBERS.match(at.text)
        if numbers is not None:
            at = at._replace(text=at.text[numbers.end() :], column=at.column + numbers.end())
        word = at.text
        if not word:
            return
        if TERMINATOR.fullmatch(word):
            self._terminator(at)
        elif word in FOREIGN:
            self._ended = True
            reason = f"a record cannot end like this; use {FOREIGN[word]}"
            raise rejected(at, "syntax", reason)
        elif word[0] == "$" or word in SUFFIXES:
            self._glyph(at)
        else:
            self._event(at)

    def _event(self, at: RecordLexeme) -> None:
        _check_bound(at, self._tally.add_event())
        text, glyph = split_glyph(at.text)
        draft = self._lines[-1]
        if self._astray:
            self._check_form(at, text)
            return
        violation = draft.play(text)
        if violation is not None and violation.clause == "form" and self._spellings:
            spelled = spell(draft.cursor.state, text)
            if spelled != text:
                violation = draft.play(spelled)
                self.warnings.add(at.line, at.column, f"{text!r} was read as {spelled}")
        if violation is not None:
            raise self._refused(at, text, violation)
        if glyph:
            draft.glyphs.add(glyph)
        if isinstance(draft.event, Stood) and not leads_on(draft.cursor.before, draft.event):
            what = "this move leads to another position than the one that is given; that one counts"
            self.warnings.add(at.line, at.column, what)
        if len(self._lines) == 1 and draft.event is not None:
            cursor, version = draft.cursor, len(self._plies) + 1
            self._plies.append(Ply(draft.event, version, cursor.state, cursor.effects))

    def _check_form(self, at: RecordLexeme, text: str) -> None:
        """Refuse a text that is not a move of the game in any position."""
        violation = self._lines[-1].cursor.malformed(text)
        if violation is not None:
            raise self._refused(at, text, violation)

    def _refused(self, at: RecordLexeme, text: str, violation: Violation) -> Rejected:
        return rejected(
            at,
            violation.clause,
            violation.words(self._head.names),
            text=text,
            seat=self._lines[-1].cursor.seat_of(text),
            event=len(self._plies) if len(self._lines) == 1 else None,
        )

    def _glyph(self, at: RecordLexeme) -> None:
        found = GLYPH.fullmatch(at.text)
        if at.text not in SUFFIXES and (found is None or int(found[1]) > LAST_GLYPH):
            raise rejected(at, "syntax", f"{at.text!r} is not a glyph; use $0 to ${LAST_GLYPH}")
        if self._lines[-1].event is None and not self._astray:
            raise rejected(at, "syntax", "a glyph must follow a move")
        self._lines[-1].glyphs.add(int(found[1]) if found else SUFFIXES[at.text])

    def _comment(self, at: RecordLexeme) -> None:
        comment = self._read_doubts(self._cleaned(at))
        if comment:
            self._check_marks(at, read_marks(comment, on=0))
            self._lines[-1].remarks.append(comment)

    def _read_doubts(self, comment: str) -> str:
        """Add the doubts of a comment to the event before it, and return the rest of it."""
        draft = self._lines[-1]
        event, rest = read_doubts(draft.event, comment)
        if event is not None and event is not draft.event:
            draft.event = event
            if len(self._lines) == 1:
                self._plies[-1] = replace(self._plies[-1], event=event)
        return tidy(rest)

    def _cleaned(self, at: RecordLexeme) -> str:
        """Return a comment without signs that hide or reverse a text, cut at its bound."""
        text, done = clean_text(tidy(at.text), MAX_COMMENT)
        self.warnings.add(at.line, at.column, done and f"this comment: {done}")
        return tidy(text)

    def _check_marks(self, at: RecordLexeme, marks: Sequence[Annotation]) -> None:
        """Check marks as `annotate` does; the whole record has the places of the start."""
        if marks:
            try:
                check_marks(marks, self._first_places)
            except Usage:
                state = self._lines[-1].cursor.state
                with rejecting(at, "syntax"):
                    check_marks(marks, _places(state))

    @cached_property
    def _first_places(self) -> frozenset[str]:
        return _places(self._match.start)

    def _open(self, at: RecordLexeme) -> None:
        parent = self._lines[-1]
        if parent.event is None and not self._astray:
            raise rejected(at, "syntax", "a variation must follow the move that it replaces")
        if len(self._lines) > MAX_DEPTH:
            raise rejected(at, "syntax", f"variations nest at most {MAX_DEPTH} deep")
        _check_bound(at, self._tally.add_variation(len(self._lines)))
        self._lines.append(Draft(self._match.game, parent.cursor.before, at))

    def _close(self, at: RecordLexeme) -> None:
        if len(self._lines) == 1:
            raise rejected(at, "syntax", "this parenthesis closes no variation")
        draft = self._lines.pop()
        if self._astray:
            return
        if draft.event is None:
            assert draft.opened is not None
            raise rejected(draft.opened, "syntax", "this variation has no move")
        self._lines[-1].variations.append(draft.line())

    def _stray(self, at: RecordLexeme) -> None:
        raise rejected(at, "syntax", "this brace closes no comment")

    def _terminator(self, at: RecordLexeme) -> None:
        self._ended = True
        self._no_variation_open()
        state = self._lines[0].cursor.state
        if state.unjudged and state.outcome is None and at.text != "*":
            self._event(at._replace(text=f"ruled={at.text}"))
        reason = contradiction(self._lines[0].cursor.state, at.text, self._match.seats)
        if reason and not self._astray:
            raise rejected(at, "result", reason)
        result = self._head.find("Result")
        if result and result[0].value != at.text:
            raise rejected(
                result[1],
                "result",
                f"the tag Result says {result[0].value!r}, but the record ends with {at.text}",
            )

    def _result(self, at: RecordLexeme) -> None:
        """End a record of a format without rulings: its result becomes a ruling."""
        if self._lines[0].cursor.state.outcome is None and at.text != "*" and not self._astray:
            self._event(at._replace(text=f"ruled={at.text}"))
        self._terminator(at)

    def _no_variation_open(self) -> None:
        opened = self._lines[-1].opened
        if opened is not None:
            raise rejected(opened, "syntax", "the variation opened here is never closed")


MARKS: Final[dict[LexemeKind, Callable[[Reading, RecordLexeme], None]]] = {
    LexemeKind.COMMENT: lambda reading, at: reading._comment(at),
    LexemeKind.OPEN: lambda reading, at: reading._open(at),
    LexemeKind.CLOSE: lambda reading, at: reading._close(at),
    LexemeKind.STRAY: lambda reading, at: reading._stray(at),
    LexemeKind.RESULT: lambda reading, at: reading._result(at),
}
"""What a reading does with each kind of lexeme that is neither a tag nor a word."""


def _places(state: State) -> frozenset[str]:
    return frozenset(state.game.scene(state.position.view(None)).places)


def _check_bound(at: RecordLexeme, exceeded: str | None) -> None:
    if exceeded is not None:
        raise rejected(at, BOUND, exceeded)


def split_glyph(word: str) -> tuple[str, int | None]:
    """Split `c1>S@c3?!` into move text and glyph."""
    if word[-1] in "!?":
        for length in (2, 1):
            glyph = SUFFIXES.get(word[-length:])
            if glyph and len(word) > length:
                return word[:-length], glyph
    return word, None
