"""The referee: judge entries, spell them as the game does, and explain refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.entry import tokens
from domain.game import Game
from domain.match import LogEvent, Match
from domain.names import UNNAMED, Names, count
from domain.notation import Lexeme, Notation
from domain.position import Violation
from replay import rules_text
from replay.errors import Refused
from replay.record import clock, dice
from replay.record.clock import Times
from replay.record.match_record import Header
from replay.referee import flags_and_fouls


class RefusedEvent(Struct, frozen=True):
    """A refused event: its index, token and seat, and the violated clause with its text.

    `tries_left` are those left in this turn, if refused tries are counted.
    """

    event: int
    token: str | None
    seat: int | None
    clause: str
    words: str | None
    message: str
    squares: tuple[str, ...]
    ok: bool = False
    tries_left: int | UnsetType = UNSET


def describe(refused: Refused, token: str | None, names: Names = UNNAMED) -> RefusedEvent:
    """Return a refusal with the players' names, and the text of the clause it cites."""
    violation = refused.violation
    return RefusedEvent(
        refused.index,
        token,
        refused.seat,
        violation.clause,
        rules_text.words(refused.match.game, violation.clause),
        violation.words(names),
        violation.squares,
        tries_left=UNSET if refused.tries_left is None else refused.tries_left,
    )


def explain(refusal: RefusedEvent) -> str:
    """Return a refusal as lines for a person: the message, then the text of the clause."""
    message = f"refused: {refusal.message}{left_words(refusal)}"
    return f"{message}\n  {refusal.clause} {refusal.words}" if refusal.words else message


def left_words(refusal: RefusedEvent) -> str:
    """Say how many tries are left after a refusal, if they are counted: "; 2 tries left"."""
    match refusal.tries_left:
        case 0:
            return "; this was the last try, so the seat forfeits"
        case int(left):
            return f"; {count(left, 'try', 'tries')} left"
    return ""


def respell(game: Game[Any], text: str) -> str:
    """Return a text in the game's spelling: `s@C5` is `S@c5`. Other texts are unchanged."""
    seat, body = tokens.split(text)
    if game.parse(body) is not None:
        return text
    lower = body.lower()
    if lower in tokens.OF_A_SEAT or lower == dice.ROLL or lower.startswith("ruled="):
        return str(tokens.Token(seat, lower))
    spelled = {one for move in game.moves for one in _spelled(move.notation, body)}
    return str(tokens.Token(seat, spelled.pop())) if len(spelled) == 1 else text


def _spelled(notation: Notation, body: str) -> Iterator[str]:
    """Yield the move text, of a kind of move, that differs from a text at most in case."""
    found = re.fullmatch(notation.pattern.pattern, body, re.IGNORECASE)
    if found is None:
        return
    fields = found.groups() or (body,)
    parts = zip(notation.parts, fields, strict=True)
    token = "".join(part.written(_text(part.lexeme, field)) for part, field in parts)
    if notation.read(token) is not None:
        yield token


def _text(lexeme: Lexeme, field: str) -> str:
    """Return the text of a field that differs at most in case."""
    fitting = {text for text in lexeme.offered if text.lower() == field.lower()}
    return fitting.pop() if len(fitting) == 1 else field


class Referee:
    """Follows a match event by event, and checks that each is legal at its time."""

    def __init__(self, header: Header, match: Match, times: Times | None) -> None:
        self.header = header
        self.match = match
        self.times = times and _without_spent(times)

    def check(self, event: LogEvent, at: int) -> Violation | None:
        """Return why the event cannot be logged at this time, or `None`.

        The values of a roll are not checked here.
        """
        violation = self.match.check(event) or dice.check(self.header, self.match, event)
        if violation is None and self.header.clock is not None and self.times is not None:
            state = self.match.state
            return flags_and_fouls.check(self.header.clock, self.times, event, state, at)
        return violation

    def take(self, event: LogEvent, at: int) -> None:
        """Advance the match by a checked or trusted event."""
        self.match = self.match.evolve(event)
        if self.times is not None:
            happened = event, self.match.state, at
            self.times = _without_spent(clock.follow(self.times, [happened]))


def _without_spent(times: Times) -> Times:
    """Drop the per-event times, which are long and which no check needs."""
    return replace(times, spent=())
