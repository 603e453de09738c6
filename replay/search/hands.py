"""Guess the hidden hands of a deal: cards that agree with everything that was shown since."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple

from domain.events import LineEvent, Moved, State
from domain.position import Move, Secret

TRIES: Final = 100
"""How often the cards are dealt again if the last ones fit no hand."""

Hand = type[Secret[Any]]
Cards = set[Any]


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
    for _ in range(TRIES if free else 0):
        hands = _deal(free, len(kind.__struct_fields__), shown, rng)
        if hands is not None:
            return {
                shown.places[seat]: kind(*sorted(hand, key=pack.index))
                for seat, hand in hands.items()
            }
    return None


class _Shown:
    """The facts that a deal shows: the hidden hands, the cards they had, the suits they lacked."""

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
    """Note what the events of a deal show. The hands are any: the table does not depend on them."""
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
