"""Short ways to play and to check tokens, for tests of rules."""

from __future__ import annotations

from typing import Any

from domain.effects import Effect
from domain.entry import move_text
from domain.events import State
from domain.game import Game
from domain.match import Match, open_match
from domain.position import Position, Violation


def play_texts(game: Game[Any], text: str, *, seats: int | None = None, **options: Any) -> Match:
    """Return the match after these tokens; each must be legal."""
    match = open_match(game, game.options(**options), seats)
    for token in text.split():
        match = add_token(match, token)
    return match


def play_from(game: Game[Any], position: Position[Any], text: str, *, seats: int = 2) -> Match:
    """Return the match that begins in a position, after these tokens."""
    match = Match(game, game.options(), seats, State(game, position))
    for token in text.split():
        match = add_token(match, token)
    return match


def add_token(match: Match, token: str) -> Match:
    """Return the match with one more token, which must be legal."""
    event = move_text.read(match.game, match.state, token)
    assert not isinstance(event, Violation), (token, event)
    violation = match.check(event)
    assert violation is None, (token, violation)
    return match.evolve(event)


def refusal(match: Match, token: str) -> Violation:
    """Return the violation of a refused token."""
    event = move_text.read(match.game, match.state, token)
    violation = event if isinstance(event, Violation) else match.check(event)
    assert violation is not None, f"{token} was accepted"
    return violation


def last_effects(match: Match) -> tuple[Effect, ...]:
    """Return the effects of the last event."""
    return match.line[-1].effects
