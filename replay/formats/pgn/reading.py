"""Parse a game of PGN: strict about what it means, generous about how it is written.

Unknown words are kept as comments, with a warning. A game is refused for a move that is not legal
in its main line, if it is of another game, and where the text cannot be decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from domain.events import DASH, Unrecorded, outcome_words
from domain.position import Violation
from replay.annotations.notation import read_marks
from replay.errors import Usage
from replay.formats.import_bounds import Tally
from replay.formats.pgn.dashes import MISSING, NULL_MOVES, AfterDash
from replay.formats.pgn.lexer import ODD_TAG, SYMBOLS, TAG, PgnLexer, result_of
from replay.formats.pgn.model import (
    IN_MATCH,
    IN_PGN,
    OURS,
    POSITION,
    SEATS,
    THEIRS,
    PgnGame,
    read_braces,
    tag_name,
)
from replay.formats.ply.importer import Draft
from replay.formats.ply.lexer import LexemeKind, RecordLexeme, SourceLine
from replay.formats.ply.model import BOUND, MAX_DEPTH, Record, RecordFault
from replay.formats.ply.parser import GLYPH, LAST_GLYPH, MARKS, SUFFIXES, Reading
from replay.formats.ply.reader import read_lexemes
from replay.formats.ply.referee import Rejected, rejected
from replay.tags.match_tags import KEPT_TAGS, Tag, check_date
from replay.tags.names import UNKNOWN

ODD_MOVE: Final = re.compile("[^\\W_]|^[-\u2013\u2014]+$|@")
"""Found in a word that may be a move: of this game, of another game, or a null move."""
TAGS: Final = (LexemeKind.TAG, LexemeKind.HEADING)


def read_pgn(
    game: PgnGame, lines: Iterable[SourceLine], tally: Tally, first: int
) -> Iterator[Record | list[RecordFault]]:
    """Read the PGN games of a text, numbered from `first`."""
    return read_lexemes(pgn_groups(lines), lambda number: PgnReading(number, tally, game), first)


def pgn_groups(lines: Iterable[SourceLine]) -> Iterator[Iterator[RecordLexeme]]:
    """Yield the lexemes of each game of a text."""
    lexer = PgnLexer(lines)
    return (group for _, group in groupby(lexer, key=_Count(lexer)))


class _Count:
    """Numbers the games: a tag after movetext begins the next one.

    A tag after an empty line also begins the next game if the game has this tag already. After a
    result, a move begins the next game if its number, or without a number its line, says that it is
    a first move.
    """

    def __init__(self, lexer: PgnLexer) -> None:
        self._lexer = lexer
        self._number = 1
        self._begin()

    def _begin(self) -> None:
        self._names = set[str]()
        self._depth = 0
        self._moved = False
        self._ended = 0
        """The line of the result, or 0."""

    def __call__(self, lexeme: RecordLexeme) -> int:
        kind, text = lexeme.kind, lexeme.text
        name = _parts(text)[0] if kind in TAGS else ""
        word = kind is LexemeKind.WORD and not lexeme.problem and text[0] not in "$!?["
        result = word and result_of(text)
        plays = word and bool(result or ODD_MOVE.search(text))
        repeated = kind is LexemeKind.HEADING and name in self._names
        again = self._ended and plays and not result and self._is_first(lexeme)
        if (name and self._moved) or repeated or again:
            self._number += 1
            self._begin()
        self._names.add(name)
        self._depth += (kind is LexemeKind.OPEN) - (kind is LexemeKind.CLOSE and self._depth > 0)
        self._moved |= plays
        if result and not self._depth:
            self._ended, self._lexer.number = lexeme.line, ""
        return self._number

    def _is_first(self, lexeme: RecordLexeme) -> bool:
        """Return whether a move after a result is the first one of another game."""
        number = self._lexer.number
        return number == "1" or (not number and lexeme.line > self._ended)


def _parts(text: str) -> tuple[str, str]:
    """Return the name and the value of a tag, without escapes."""
    found = TAG.match(text) or ODD_TAG.match(text)
    assert found is not None
    value = next((group for group in found.groups()[1:] if group is not None), "")
    return found[1], value.replace('\\"', '"').replace("\\\\", "\\")


class PgnReading(Reading):
    """A game being parsed. A variation is kept up to the first part that is not understood."""

    def __init__(self, number: int, tally: Tally, game: PgnGame) -> None:
        super().__init__(number, tally, spellings=True)
        self._pgn = game
        self._given: list[tuple[str, str, RecordLexeme]] = []
        """The tags in the order of the text."""
        self._early: list[RecordLexeme] = []
        """The comments before the first move."""
        self._over = False
        """Whether the main line went on after the end of the game."""
        self._after: AfterDash
        """What may be on the board after a dash."""
        self._left_out = 0
        """How many variations are open within the part that is left out, including that part."""

    def begin(self, at: RecordLexeme) -> None:
        """Do nothing yet: a comment may come between tags."""

    def take(self, at: RecordLexeme) -> None:
        """Add a lexeme of PGN."""
        self._last = at
        if not self._head.has_game:
            self._head.put(Tag("Game", self._pgn.slug), at)
        if at.problem:
            raise rejected(at, "syntax", at.problem)
        if at.kind in TAGS:
            self._given.append((*_parts(at.text), at))
        elif at.kind is LexemeKind.NOTE:
            self._warn(at, at.text)
        elif self._left_out:
            self._left_out += (at.kind is LexemeKind.OPEN) - (at.kind is LexemeKind.CLOSE)
            if not self._left_out:
                self._close(at)
        elif at.kind is LexemeKind.WORD:
            self._word(at)
        else:
            MARKS[at.kind](self, at)

    def _warn(self, at: RecordLexeme, message: str) -> None:
        self.warnings.add(at.line, at.column, message)

    def survives(self, fault: RecordFault) -> bool:
        """Note a fault, and return whether the lexemes after it can still be checked."""
        self._astray |= fault.clause != "syntax"
        return fault.clause not in (BOUND, "tag") and not self._is_text()

    def _is_text(self) -> bool:
        """Return whether no part read so far belongs to a game."""
        return not (self._given or self._plies)

    def record(self) -> Record:
        """Return the record of a PGN game after its last lexeme."""
        self._start(self._last)
        self._no_variation_open()
        said = next((value for name, value, _ in self._given if name == "Result"), "")
        if not self._ended:
            said = said if result_of(said) else "*"
            self._warn(self._last, f"the game ends without a result and was read with {said}")
            self._end(self._last._replace(text=said))
        outcome = self._lines[0].cursor.state.outcome
        if result_of(said) not in (None, outcome.result if outcome else "*"):
            at = next(at for name, _, at in self._given if name == "Result")
            end = SYMBOLS[outcome.result if outcome else "*"]
            self._keep("Result", said, at, f"says {said}, but the game ends with {end}")
        return super().record()

    def _start(self, at: RecordLexeme) -> None:
        """Begin with the moves: only now all tags are known."""
        if self._lines:
            return
        if why := self._pgn.refusal({name: value for name, value, _ in reversed(self._given)}):
            where = next((at for name, _, at in self._given if name == "Variant"), at)
            raise rejected(where, "tag", why)
        for given in self._given:
            self._tag(*given)
        for seat in SEATS.values():
            if self._head.names.players and not self._head.find(seat):
                self._head.put(Tag(seat, UNKNOWN), at)
        self._begin(at)
        for comment in self._early:
            self._comment(comment)

    def _tag(self, name: str, value: str, at: RecordLexeme) -> None:
        """Add a tag with its meaning, or keep it as a plain tag."""
        if name == "SetUp" or (name == "Result" and result_of(value)):
            return
        own = SEATS.get(name, "Position" if name == POSITION else name)
        odd = self._head.find(own) and (own != name or name in KEPT_TAGS) and "is given twice"
        if odd or (name in (POSITION, "Result") and not (name == POSITION and value)):
            self._keep(name, value, at, odd or f"is {value!r}, which means nothing here")
        elif OURS.fullmatch(name):
            self._keep(name, value, at, "means nothing in PGN")
        elif name == "Date" and not _is_date(value):
            self._keep(name, value, at, f"is {value!r}, which is not a date of PGN")
        elif name == POSITION:
            self._head.put(Tag(own, self._pgn.position(value)), at)
        elif name in SEATS:
            self._put(own, value, at)
        else:
            self._plain(name, value, at)

    def _put(self, name: str, value: str, at: RecordLexeme) -> None:
        self._head.put(self._head.cleaned(Tag(name, value), at), at)

    def _keep(self, name: str, value: str, at: RecordLexeme, why: str) -> None:
        self._warn(at, f"{name} {why}; it was kept as the plain tag {IN_PGN}{name}")
        self._put(IN_PGN + name, value, at)

    def _plain(self, name: str, value: str, at: RecordLexeme) -> None:
        plain = name.removeprefix(IN_MATCH)
        known = tag_name(plain if plain in THEIRS and plain != "Result" else name)
        if not TAG.match(at.text):
            self._warn(at, f"this is not written as a tag; it was read as {value!r}")
        elif not name.endswith(known):
            self._warn(at, f"{name!r} is not a valid name of a tag; it was read as {known}")
        self._put(known, value, at)

    def _word(self, at: RecordLexeme) -> None:
        text = at.text
        if text[0] in "$!?":
            self._glyph(at)
        elif text[0] == "[" or not (result_of(text) or ODD_MOVE.search(text)):
            self._say(at, "is neither a move nor a tag")
        else:
            self._start(at)
            (self._end if result_of(text) else self._event)(at)

    def _event(self, at: RecordLexeme) -> None:
        at = at._replace(text=at.text.translate(self._pgn.letters))
        if len(self._lines) == 1:
            outcome = None if self._astray else self._lines[0].cursor.state.outcome
            if self._ended and not outcome:
                self._go_on(at)
            elif outcome is None:
                self._play(at)
            elif not self._over:
                self._over = True
                self._warn(
                    at,
                    f"{at.text!r}: {outcome_words(outcome)}; moves from here on were left out",
                )
            return
        try:
            if not self._astray:
                self._play(at)
        except Rejected as stop:
            if stop.fault.clause == BOUND:
                raise
            self._leave_out(at, stop.fault.message)

    def _play(self, at: RecordLexeme) -> None:
        """Add an event; a null move of the main line is a dash, in a variation it is refused."""
        state = self._lines[-1].cursor.state
        if len(self._lines) > 1:
            if at.text in NULL_MOVES:
                raise self._refused(at, at.text, state.game.malformed(at.text))
        elif at.text in NULL_MOVES:
            if not state.unjudged:
                self._after = AfterDash(state, self._pgn.passed, self._tally)
            self._after.dash()
            at = at._replace(text=DASH)
        elif state.unjudged:
            written = self._after.read(at.text)
            if written is None and state.game.parse(at.text) is None:
                what = f"{at.text!r} is not legal after any move that may be missing before"
                raise self._refused(at, at.text, Violation("turn", what))
            at = at._replace(text=written or at.text)
        super()._event(at)

    def _go_on(self, at: RecordLexeme) -> None:
        """Add a move, or another word, after a result that says that the game goes on."""
        if not self._pgn.form.fullmatch(at.text):
            self._say(at, "is not a move")
            return
        self._ended = False
        self._warn(at, f"{at.text!r} follows *; the game was read on from here")
        self._play(at)

    def _refused(self, at: RecordLexeme, text: str, violation: Violation) -> Rejected:
        told = super()._refused(at, text, violation)
        message = told.fault.message
        if violation.clause == "form" and self._is_text():
            message = f"{text!r} is neither a tag nor a move; put text in braces, like {{text}}"
        elif violation.clause != "form" and not self._plies and not self._head.find("Position"):
            message += "; a game that begins elsewhere has its first position in a tag FEN"
        told.fault = replace(told.fault, message=message)
        return told

    def _check_form(self, at: RecordLexeme, text: str) -> None:
        if not self._pgn.form.fullmatch(text):
            super()._check_form(at, text)

    def _leave_out(self, at: RecordLexeme, why: str) -> None:
        named = why if why.startswith(repr(at.text)) else f"{at.text!r}: {why}"
        self._warn(at, f"{named}; the variation was left out from here on")
        self._left_out = 1

    def _glyph(self, at: RecordLexeme) -> None:
        found = GLYPH.fullmatch(at.text)
        glyph = int(found[1]) if found else SUFFIXES.get(at.text)
        if glyph is None or glyph > LAST_GLYPH:
            self._warn(at, f"{at.text!r} is not a glyph and was left out; use $0 to ${LAST_GLYPH}")
        elif not self._lines or self._lines[-1].event is None or self._over:
            self._say(at, "has no move before it")
        else:
            self._lines[-1].glyphs.add(glyph)

    def _say(self, at: RecordLexeme, why: str) -> None:
        self._warn(at, f"{at.text!r} {why}; it was kept as a comment")
        self._comment(at)

    def _comment(self, at: RecordLexeme) -> None:
        if not self._lines:
            self._early.append(at)
            return
        comment = self._read_doubts(self._cleaned(at._replace(text=read_braces(at.text))))
        if comment == MISSING and isinstance(self._lines[-1].event, Unrecorded):
            return
        try:
            self._check_marks(at, read_marks(comment, on=0))
        except Rejected as stop:
            self._warn(at, f"left out these marks: {stop.fault.message}")
        else:
            self._lines[-1].remarks.extend(filter(None, (comment,)))

    def _open(self, at: RecordLexeme) -> None:
        self._start(at)
        parent = self._lines[-1]
        can = (
            parent.event is not None
            and len(self._lines) <= MAX_DEPTH
            and not (self._ended or self._over)
        )
        if can or self._astray:
            super()._open(at)
            return
        self._lines.append(Draft(self._match.game, parent.cursor.before, at))
        self._leave_out(at, "a variation follows the move it replaces, at most 200 deep")

    def _close(self, at: RecordLexeme) -> None:
        if len(self._lines) < 2:
            self._warn(at, "left out a parenthesis that closes no variation")
        elif self._lines[-1].event is None and not self._astray:
            remarks = self._lines.pop().remarks
            self._warn(at, "left out a variation without a move; its comments stay")
            self._lines[-1].remarks.extend(remarks)
        else:
            super()._close(at)

    def _stray(self, at: RecordLexeme) -> None:
        self._warn(at, "left out a brace that closes no comment")

    def _end(self, at: RecordLexeme) -> None:
        """End the game, or a variation, with a result, unless the rules gave another result."""
        result, draft = result_of(at.text), self._lines[-1]
        outcome = draft.cursor.state.outcome
        if self._astray:
            pass
        elif outcome is not None and outcome.result != result:
            self._warn(at, f"left out {at.text}: {outcome_words(outcome)}")
        elif outcome is None and result != "*" and (len(self._lines) == 1 or draft.event):
            super()._event(at._replace(text=f"ruled={result}"))
        self._ended |= len(self._lines) == 1


def _is_date(value: str) -> bool:
    with suppress(Usage):
        check_date(value)
        return True
    return False
