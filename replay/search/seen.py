"""The view that a seat has of a match, and the positions that agree with it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from domain.entry import completion
from domain.events import LineEvent, Moved, State
from domain.position import Move, Secret
from replay.sampling.moves import random_secret
from replay.search.hands import SealedMove, guess_hands

TRIES: Final = 50
"""How often possible secrets are drawn until one fits everything that was seen since."""


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
    hands = dict[int, Move[Any]]()
    for place, each in enumerate(events):
        if isinstance(each, SealedMove):
            if place not in hands:
                hands |= _guessed(state, events[place:], place, rng)
            event: LineEvent | None = Moved(each.seat, hands[place]) if place in hands else None
        else:
            event = each
        if event is None or event.check(state) is not None:
            return None
        state, _ = event.evolve(state)
    return state


def _guessed(
    state: State, events: Sequence[LineEvent | SealedMove], place: int, rng: Random
) -> dict[int, Move[Any]]:
    """Return random secret moves of a seat, or hands of several, by their places; none if stuck."""
    first = events[0]
    assert isinstance(first, SealedMove)
    for kind in completion.unlisted_kinds(state.game, state, first.seat):
        if issubclass(kind, Secret) and kind.pack(state.position):
            hands = guess_hands(kind, state, events, rng)
            return {place + number: hand for number, hand in (hands or {}).items()}
        move = random_secret(kind, state.position, first.seat, rng)
        if issubclass(kind, Secret) and move is not None:
            return {place: move}
    return {}
