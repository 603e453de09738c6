"""The referee of text records: judge their moves, and explain the first that is rejected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from domain.effects import Effect
from domain.entry import move_text
from domain.entry.spellings import meant
from domain.events import LineEvent, State, outcome_words
from domain.game import Game
from domain.names import cut
from domain.position import Violation
from replay.errors import Usage
from replay.formats.ply.lexer import LexemeKind, RecordLexeme
from replay.formats.ply.model import RecordFault

WRITTEN = frozenset((LexemeKind.WORD, LexemeKind.OPEN, LexemeKind.CLOSE, LexemeKind.STRAY))


class Rejected(Exception):
    """Rejects the record being parsed. The reader fills in `fault.record`."""

    def __init__(self, fault: RecordFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@contextmanager
def rejecting(at: RecordLexeme, clause: str) -> Iterator[None]:
    """Raise a `Usage` as a fault at a lexeme."""
    try:
        yield
    except Usage as error:
        raise rejected(at, clause, str(error)) from None


def rejected(
    at: RecordLexeme,
    clause: str,
    message: str,
    *,
    text: str | None = None,
    seat: int | None = None,
    event: int | None = None,
) -> Rejected:
    """Return the fault at a lexeme; `text` replaces the lexeme's text."""
    if text is None and at.kind in WRITTEN and not at.problem:
        text = at.text
    text = None if text is None else cut(text, MAX_TOLD)
    told = cut(message, MAX_TOLD)
    return Rejected(RecordFault(0, event, at.line, at.column, text, seat, clause, told))


MAX_TOLD: Final = 500
"""The most characters of a fault: a bad line may have millions."""


class LineCursor:
    """A place in a line: `state` is the current state, `before` the state one move earlier."""

    __slots__ = ("before", "effects", "game", "state")

    def __init__(self, game: Game[Any], start: State) -> None:
        self.game = game
        self.before = start
        self.state = start
        self.effects: tuple[Effect, ...] = ()

    def play(self, text: str) -> LineEvent | Violation:
        """Play one event and return it, or return the violated rule."""
        state = self.state
        event = self._read(text)
        if isinstance(event, Violation):
            return event
        violation = event.check(state)
        if violation is not None:
            return violation
        self.before = state
        self.state, self.effects = event.evolve(state)
        return event

    def malformed(self, text: str) -> Violation | None:
        """Return why a text is not in the notation, or `None`."""
        event = self._read(text)
        return event if isinstance(event, Violation) and event.clause == "form" else None

    def _read(self, text: str) -> LineEvent | Violation:
        event = move_text.read(self.game, self.state, text)
        if isinstance(event, Violation) and event.clause == "form":
            return _add_hint(self.state, event, text)
        return event

    def seat_of(self, text: str) -> int | None:
        """Return the seat that a move text names, or the awaited seat."""
        return move_text.split(text).seat or self.state.in_turn


def contradiction(state: State, terminator: str, seats: int) -> str | None:
    """Return why a record with this final state cannot have this terminator, or `None`."""
    outcome = state.outcome
    unseated = [seat for seat in terminator[1:].split(",") if seat and int(seat) > seats]
    if unseated:
        return f"the match has seats 1 to {seats}, so no seat {unseated[0]} can have won"
    if outcome is None:
        if terminator == "*":
            return None
        return (
            f"the game is not over, so the record must end with *, not {terminator};"
            " a result agreed at the table is written as a ruling before it, like ruled=+1"
        )
    if terminator == outcome.result:
        return None
    return (
        f"{outcome_words(outcome)}, so the record must end with {outcome.result}, not {terminator}"
    )


def _add_hint(state: State, violation: Violation, text: str) -> Violation:
    """Return the refusal, or one that says how the move is spelled if a spelling is known."""
    spelled = meant(state, text)
    if spelled and text not in spelled:
        right = " or ".join(spelled)
        return Violation("form", f"{text!r} is not a move of {state.game.name}; write {right}")
    return violation
