"""The view that a seat has of a match, and the positions and hands that agree with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple, replace

from domain.entry import completion
from domain.events import LineEvent, Moved, State
from domain.position import Move, Secret
from replay.sampling.moves import random_secret

TRIES: Final = 50
"""How many times possible secrets are drawn to find one that fits everything seen since."""
DEALS: Final = 100
"""How many times the cards are dealt again if the last cards fit no hand."""
Hand = type[Secret[Any]]
Cards = set[Any]


class SeenLine(Struct, frozen=True):
    """The line of a match as one seat, or a spectator, has seen it.

    `known` is the state up to the first move that is hidden from them, `later` are that move and
    all events after it.
    """

    known: State
    later: tuple[LineEvent | SealedMove, ...] = ()

    def then(self, event: LineEvent | SealedMove) -> SeenLine:
        """Return the line with a further, legal event."""
        if self.later or isinstance(event, SealedMove):
            return replace(self, later=(*self.later, event))
        return SeenLine(event.evolve(self.known)[0])

    def draw(self, rng: Random) -> State | None:
        """Return a state that agrees with the view; `None` if none is found.

        Each hidden move is replaced by a random legal move. If that makes a later event illegal,
        all hidden moves are drawn again, so that the result reveals nothing hidden.
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
    """Return random secret moves of a seat, or hands of several, by place; `None` if stuck."""
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


class SealedMove(Struct, frozen=True):
    """A secret move of a seat that is not revealed to the viewer."""

    seat: int


def guess_hands(
    kind: Hand, state: State, events: Sequence[LineEvent | SealedMove], rng: Random
) -> dict[int, Move[Any]] | None:
    """Return hands for the sealed moves of a deal, by their places among the events.

    The first event is sealed. Returns `None` if no hands are found.
    """
    pack = kind.pack(state.position)
    shown = _Shown()
    _follow(kind, state, events, rng, shown)
    free = [card for card in pack if card not in shown.open]
    for _ in range(DEALS if free else 0):
        hands = _deal(free, len(kind.__struct_fields__), shown, rng)
        if hands is not None:
            return {
                shown.places[seat]: kind(*sorted(hand, key=pack.index))
                for seat, hand in hands.items()
            }
    return None


class _Shown:
    """The facts that a deal shows: the hidden hands, the cards they held, the suits they lacked."""

    def __init__(self) -> None:
        self.places = dict[int, int]()
        self.open = Cards()
        self.had = defaultdict[int, Cards](set)
        self.lacked = defaultdict[int, Cards](set)


def _follow(
    kind: Hand,
    state: State,
    events: Iterable[LineEvent | SealedMove],
    rng: Random,
    shown: _Shown,
) -> None:
    """Note what the events of a deal show.

    Deal any hands: what the table shows does not depend on them.
    """
    for place, each in enumerate(events):
        if isinstance(each, SealedMove):
            if each.seat in shown.places:  # the next deal
                return
            shown.places[each.seat] = place
            event: LineEvent = Moved(
                each.seat, kind.roll(state.position, lambda n: rng.randint(1, n))
            )
        else:
            event = each
            if isinstance(each, Moved) and isinstance(each.move, kind):
                shown.open |= {*astuple(each.move)}
            elif isinstance(each, Moved):
                had, lacked = kind.shown_by(state.position, each.seat, each.move)
                shown.had[each.seat] |= {*had}
                shown.lacked[each.seat] |= {*lacked}
        state, _ = event.evolve(state)
        if not state.position.sealed:
            return


def _deal(free: Sequence[Any], size: int, shown: _Shown, rng: Random) -> Mapping[int, Cards] | None:
    """Deal the free cards to the hidden hands, the hardest to place first; `None` if stuck."""
    hands = {seat: set(shown.had[seat]) for seat in shown.places}
    dealt = set().union(*hands.values())
    fitting = {
        card: [seat for seat in hands if card not in shown.lacked[seat]]
        for card in free
        if card not in dealt
    }
    for card in sorted(fitting, key=lambda each: (len(fitting[each]), rng.random())):
        room = [size - len(hands[seat]) for seat in fitting[card]]
        if any(each > 0 for each in room):
            (seat,) = rng.choices(fitting[card], [max(each, 0) for each in room])
            hands[seat].add(card)
    return hands if all(len(hand) == size for hand in hands.values()) else None
