"""The view that a seat has of a match, and the positions that agree with it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.entry import completion
from domain.events import LineEvent, Moved, State
from domain.position import Secret
from replay.sampling.moves import random_secret

TRIES: Final = 50
"""How often possible secrets are drawn until one fits everything that was seen since."""


class SealedMove(Struct, frozen=True):
    """A secret move of a seat that is not revealed to the viewer."""

    seat: int


class SeenLine(Struct, frozen=True):
    """The line of a match as one seat, or a spectator, has seen it.

    `known` is the state up to the first move that is hidden from them, `later` are that move and
    all events after it.
    """

    known: State
    later: tuple[LineEvent | SealedMove, ...] = ()

    def then(self, event: LineEvent | SealedMove) -> SeenLine:
        """Return the line with another event, which is legal."""
        if self.later or isinstance(event, SealedMove):
            return replace(self, later=(*self.later, event))
        return SeenLine(event.evolve(self.known)[0])

    def draw(self, rng: Random) -> State | None:
        """Return a state that agrees with the view; `None` if none is found.

        Each hidden move is replaced by a random legal one. It is drawn anew if a later event is
        illegal then, so the result depends on nothing that is hidden.
        """
        if not self.later:
            return self.known
        drawn = (_drawn(self.known, self.later, rng) for _ in range(TRIES))
        return next((state for state in drawn if state is not None), None)


def _drawn(state: State, events: Sequence[LineEvent | SealedMove], rng: Random) -> State | None:
    for each in events:
        event = _guessed(state, each.seat, rng) if isinstance(each, SealedMove) else each
        if event is None or event.check(state) is not None:
            return None
        state, _ = event.evolve(state)
    return state


def _guessed(state: State, seat: int, rng: Random) -> Moved | None:
    """Return a random secret move of a seat."""
    kinds = completion.unlisted_kinds(state.game, state, seat)
    secret = (kind for kind in kinds if issubclass(kind, Secret))
    moves = (random_secret(kind, state.position, seat, rng) for kind in secret)
    return next((Moved(seat, move) for move in moves if move is not None), None)
