"""The knowledge of a table about hands that nobody has typed.

A card that does not follow suit says that its seat holds none of that suit. Such claims, and the
number of cards that each seat has left, limit the deals that are possible. When no deal fits any
more, somebody has broken a rule: the smallest set of claims whose removal lets a deal fit is false.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import PACK, SUIT_SIGNS, Card
from domain.effects import Breach
from domain.names import UNNAMED, Names

SEATS: Final = (1, 2, 3, 4)
"""The seats of a game of cards."""
BIT: Final[Mapping[Card, int]] = {card: 1 << place for place, card in enumerate(PACK)}
"""The bit of each card, for sets of cards."""
ALL: Final = (1 << len(PACK)) - 1
"""All cards, as bits."""
SUITS: Final = MappingProxyType(
    {suit: sum(bit for card, bit in BIT.items() if card[1] == suit) for suit in SUIT_SIGNS}
)
"""The cards of each suit, as bits."""
GROUPS: Final = tuple(
    tuple(seat - 1 for seat in seats)
    for size in range(len(SEATS))
    for seats in combinations(SEATS, size)
)
"""The places of each set of seats, except the set of all seats."""
OTHERS: Final = tuple(
    tuple(seat - 1 for seat in SEATS if seat - 1 not in group) for group in GROUPS
)


def bits(cards: Iterable[Card]) -> int:
    """Return a set of cards as bits."""
    return sum(BIT[card] for card in {*cards})


class Revoked(Breach, frozen=True):
    """A seat broke a rule about its hand in a trick; a card of the trick `proven` shows it.

    It is not `certain` if other breaches, equally few, could explain the cards. Tricks are counted
    from 1 in each deal.
    """

    seat: int
    trick: int
    proven: int
    clause: str
    certain: bool

    template: ClassVar[str] = "{seat} broke {clause} in trick {trick}, as trick {proven} proves"
    doubtful: ClassVar[str] = (
        "no deal fits trick {proven}: perhaps {seat} broke {clause} in trick {trick}"
    )

    def words(self, names: Names = UNNAMED) -> str:
        """Say what is proven, or what is possible."""
        return (self.template if self.certain else self.doubtful).format_map(self.terms(names))


class Claim(Struct, frozen=True):
    """A card said that its seat holds none of the cards `lacks`, by a clause of the rules."""

    seat: int
    trick: int
    clause: str
    lacks: int


class Seen(Struct, frozen=True):
    """The knowledge about the hands of a deal that everybody at the table has.

    `left` are the cards that each seat still has, `free` those that have not fallen. `claims` are
    what seats have said of their hands by their cards, without those that are `false`. `fewest` is
    the number of further claims that must be false, and `doubted` are the claims that have been
    named.
    """

    left: tuple[int, ...] = (13, 13, 13, 13)
    free: int = ALL
    claims: tuple[Claim, ...] = ()
    false: tuple[Claim, ...] = ()
    doubted: tuple[Claim, ...] = ()
    fewest: int = 0

    @property
    def breaches(self) -> int:
        """The number of claims that cannot be true."""
        return len(self.false) + self.fewest

    def lacks(self, seat: int) -> int:
        """Return the cards that a seat cannot hold if its claims are true."""
        return _lacks(self.claims)[seat - 1]

    def after(
        self, seat: int, card: Card, trick: int, said: Iterable[tuple[str, int]] = ()
    ) -> tuple[Seen, tuple[Revoked, ...]]:
        """Return the knowledge of the hands after a card, and the breaches that it proves.

        `said` is what the card reveals about the rest of its hand: clauses, and cards that are not
        in it.
        """
        new = (Claim(seat, trick, clause, lacks) for clause, lacks in said)
        claims = (*self.claims, *new)
        false = [one for one in self.claims if one.seat == seat and one.lacks & BIT[card]]
        kept = tuple(one for one in claims if one not in false)
        left = _left(self.left, seat)
        seen = replace(self, left=left, free=self.free & ~BIT[card], claims=kept)
        return seen._explained(false, trick)

    def _explained(self, false: list[Claim], trick: int) -> tuple[Seen, tuple[Revoked, ...]]:
        """Find the fewest claims that must be false, besides the claims that a card disproves."""
        ways = fewest_false(self.claims, self.left, self.free)
        sure = set(ways[0]).intersection(*ways)
        false += [one for one in self.claims if one in sure]
        doubts = {one for way in ways for one in way} - sure
        fewest = len(ways[0]) - len(sure)
        told = [
            *(Revoked(one.seat, one.trick, trick, one.clause, True) for one in false),
            *(
                Revoked(one.seat, one.trick, trick, one.clause, False)
                for one in self.claims
                if one in doubts and one not in self.doubted
            ),
        ]
        kept = tuple(one for one in self.claims if one not in sure)
        doubted = tuple(one for one in kept if one in doubts)
        proven = (*self.false, *false)
        seen = replace(self, claims=kept, false=proven, doubted=doubted, fewest=fewest)
        return seen, tuple(told)


def _left(left: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*left[: seat - 1], left[seat - 1] - 1, *left[seat:])


def _lacks(claims: Iterable[Claim]) -> list[int]:
    lacks = [0] * len(SEATS)
    for one in claims:
        lacks[one.seat - 1] |= one.lacks
    return lacks


def fits(lacks: Sequence[int], left: Sequence[int], free: int) -> bool:
    """Return whether the free cards can be dealt: Hall's condition for each set of seats.

    The cards that only some seats may hold must not be more than these seats have left.
    """
    if not any(lacks):
        return True
    for group, others in zip(GROUPS, OTHERS, strict=True):
        only = free
        for place in others:
            only &= lacks[place]
        if only and only.bit_count() > sum([left[place] for place in group]):
            return False
    return True


def fewest_false(
    claims: Sequence[Claim], left: Sequence[int], free: int
) -> list[tuple[Claim, ...]]:
    """Return each way to call as few claims false as possible so that a deal fits."""
    if fits(_lacks(claims), left, free):
        return [()]
    # Claims of a seat about the same cards are false together.
    together: dict[tuple[int, int], list[Claim]] = {}
    for one in claims:
        if one.lacks & free:
            together.setdefault((one.seat, one.lacks & free), []).append(one)
    found: list[tuple[Claim, ...]] = []
    for number in range(1, len(together) + 1):
        if found and number > len(found[0]):
            break
        for groups in combinations(together.values(), number):
            way = tuple(one for group in groups for one in group)
            if found and len(way) > len(found[0]):
                continue
            if fits(_lacks(one for one in claims if one not in way), left, free):
                found = [each for each in found if len(each) == len(way)] + [way]
    return found


def fitting(
    seen: Seen, seat: int, trick: int, said: Mapping[Card, tuple[tuple[str, int], ...]]
) -> Iterator[Card]:
    """Yield the cards that a seat may play so that no breach is proven.

    `said` maps each card that has not fallen to what it would reveal about the rest of the hand.
    """
    lacks, known = _lacks(seen.claims), dict[object, bool]()
    for card, claims in said.items():
        # Cards that the same seats can hold are alike.
        alike = (*[each & BIT[card] and 1 for each in lacks], claims)
        if alike not in known:
            known[alike] = _proves_nothing(seen, seat, card, trick, claims)
        if known[alike]:
            yield card


def _proves_nothing(
    seen: Seen, seat: int, card: Card, trick: int, said: Iterable[tuple[str, int]]
) -> bool:
    if seen.lacks(seat) & BIT[card]:
        return False
    if seen.fewest:
        return seen.after(seat, card, trick, said)[0].breaches == seen.breaches
    claims = [*seen.claims, *(Claim(seat, trick, clause, lacks) for clause, lacks in said)]
    return fits(_lacks(claims), _left(seen.left, seat), seen.free & ~BIT[card])
