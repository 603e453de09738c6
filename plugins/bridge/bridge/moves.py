"""The hand, the calls, the cards and the claims, with their refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Literal, get_args

from msgspec.structs import replace

from bridge.effects import Answered, Called, ClaimMade, Laid, shown
from bridge.scoring import STRAINS, Contract, Strain
from bridge.table import RAISED, Claimed, Deal, side
from plybook.game import (
    PACK,
    SEATS,
    SUIT_SIGNS,
    TRICKS,
    UNNAMED,
    Card,
    Effect,
    Label,
    Lexeme,
    Move,
    Names,
    Notation,
    PlayCard,
    TakeHand,
    Violation,
    count,
    template,
)

ORDER: tuple[Card, ...] = tuple(
    card for suit in "SHDC" for card in reversed(PACK) if card[1] == suit
)
"""The order in which hands are sorted: spades first, high cards first."""
Level = Literal[1, 2, 3, 4, 5, 6, 7]
Claimable = Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
LEVELS = tuple(Label(str(level), str(level)) for level in get_args(Level))
SIGNS = tuple(Label(strain, SUIT_SIGNS.get(strain, "NT")) for strain in STRAINS)
CALLS = tuple(Label(call, call) for call in RAISED)
STATES = ("not doubled", "doubled already", "redoubled already")
Step = tuple[Deal, tuple[Effect, ...]]


def height(bid: Bid | Contract) -> int:
    """Return the place of a bid among all 35 (BRI-3.2)."""
    return 5 * bid.level + STRAINS.index(bid.strain)


def _refuse(position: Deal) -> Violation | None:
    """Refuse a call before the hands are taken, or after the auction."""
    table = position.table
    if table.seen is None and len(table.holding) < len(SEATS):
        return Violation("turn", "each seat must first take a hand")
    over = table.contract and "the auction is over; play a card, like 4H"
    return Violation("turn", over) if over else None


def _call(position: Deal, seat: int, call: str) -> Step:
    """Add a call to the auction (BRI-3.5)."""
    table, effects = position.table.called(call)
    return Deal(table, position.hands if table.holding else ()), (Called(seat, call), *effects)


class Take(TakeHand[Deal], frozen=True):
    """A hand of thirteen cards (BRI-2.1)."""

    order: ClassVar[tuple[Card, ...]] = ORDER
    clause: ClassVar[str] = "BRI-2.1"

    @classmethod
    def pack(cls, position: Deal) -> list[Card]:
        """Return the cards that no seat holds: what the table shows does not depend on them."""
        return cls.undealt(position)


class Bid(Move[Deal], frozen=True):
    """A number of tricks above six, and a strain (BRI-3.2)."""

    level: Level
    strain: Strain

    notation: ClassVar[Notation] = template(
        "bid={level}{strain}",
        level=Lexeme("[1-7]", int, str, labels=LEVELS, noun="level"),
        strain=Lexeme("[CDHS]|NT", labels=SIGNS, noun="suit"),
    )
    what: ClassVar[str] = "bid"
    example: ClassVar[str] = "bid=1NT"

    @classmethod
    def legal(cls, position: Deal, seat: int) -> Iterator[Bid]:
        """Yield the bids above the last one."""
        every = (cls(level, strain) for level in get_args(Level) for strain in STRAINS)
        return (bid for bid in every if not bid.check(position, seat))

    def check(self, position: Deal, seat: int) -> Violation | None:
        """BRI-3.2."""
        last = position.table.bid
        if (refused := _refuse(position)) or last is None or height(self) > height(last):
            return refused
        bid, other = shown(f"{self.level}{self.strain}"), shown(last.bid)
        return Violation("BRI-3.2", f"{bid} is not above {other}; bid higher, or pass")

    def evolve(self, position: Deal, seat: int) -> Step:
        """Make the bid."""
        return _call(position, seat, f"{self.level}{self.strain}")


class Call(Move[Deal], frozen=True):
    """A call that is no bid (BRI-3.3, BRI-3.4)."""

    said: Literal["pass", "double", "redouble"]

    notation: ClassVar[Notation] = template(
        "{said}", said=Lexeme("pass|double|redouble", labels=CALLS, noun="call")
    )
    what: ClassVar[str] = "call"
    example: ClassVar[str] = "pass"

    @classmethod
    def legal(cls, position: Deal, seat: int) -> Iterator[Call]:
        """Yield the possible calls."""
        every = map(cls, RAISED)
        return (call for call in every if not call.check(position, seat))

    def check(self, position: Deal, seat: int) -> Violation | None:
        """BRI-3.3, BRI-3.4."""
        if (refused := _refuse(position)) or self.said == "pass":
            return refused
        last, redoubles = position.table.bid, self.said == "redouble"
        clause = "BRI-3.4" if redoubles else "BRI-3.3"
        if last is None:
            return Violation(clause, f"nobody has bid; there is nothing to {self.said}")
        bid, own = shown(last.bid), side(last.declarer) == side(seat)
        if own != redoubles:
            whose, other = ("own", "other") if own else ("other", "own")
            told = f"{bid} is a bid of the {whose} side; {self.said} one of the {other} side"
            return Violation(clause, told)
        if last.risk != redoubles:
            return Violation(clause, f"{bid} is {STATES[last.risk]}; bid, or pass")
        return None

    def evolve(self, position: Deal, seat: int) -> Step:
        """Make the call."""
        return _call(position, seat, self.said)


class Play(PlayCard[Deal], frozen=True):
    """A card of the hand, or of dummy (BRI-4.3, BRI-5)."""

    clause: ClassVar[str] = "BRI-5.1"

    def normal(self, position: Deal) -> Move[Deal]:  # type: ignore[override]
        """Read `2H` as a bid, while no card can be played."""
        level, suit = int(self.card[0]) if self.card[0] in "234567" else 0, self.card[1]
        return self if position.table.contract or not level else Bid(level, suit)  # type: ignore[arg-type]

    def check(self, position: Deal, seat: int) -> Violation | None:
        """Refuse a card before the auction is over, or before a claim is answered."""
        table = position.table
        if table.claimed:
            return Violation("turn", "an opponent must first answer the claim; agree or object")
        if not table.contract:
            return _refuse(position) or Violation("turn", "the auction comes first; bid, or pass")
        return super().check(position, seat)

    def evolve(self, position: Deal, seat: int) -> Step:
        """Play the card; after the first one the hand of dummy lies open (BRI-4.2)."""
        dummy, first = position.table.dummy, not position.table.played
        after, effects = super().evolve(position, seat)
        if not after.table.contract or after.table.seen is not None:
            return after, effects
        table = replace(after.table, laid=after.hand(dummy))
        return replace(after, table=table), (*effects, *([Laid(dummy)] if first else []))


class Claim(Move[Deal], frozen=True):
    """A number of the tricks that are left, for the side that claims (BRI-6.1)."""

    tricks: Claimable

    notation: ClassVar[Notation] = template(
        "claim={tricks}", tricks=Lexeme("1[0-3]|[0-9]", int, str)
    )
    what: ClassVar[str] = "claim"
    example: ClassVar[str] = "claim=5"
    listed: ClassVar[bool] = False

    @classmethod
    def misread(cls, text: str) -> Violation | None:
        """Refuse more tricks than a board has."""
        many = f"a board has {TRICKS} tricks; claim 0 to {TRICKS}"
        return Violation("BRI-6.1", many) if re.fullmatch(r"claim=\d+", text) else None

    @classmethod
    def legal(cls, position: Deal, seat: int) -> Iterator[Claim]:
        """Yield nothing: programs play to the end."""
        return iter(())

    def check(self, position: Deal, seat: int) -> Violation | None:
        """BRI-6.1."""
        table = position.table
        if not table.contract or table.claimed:
            return Violation("turn", "tricks are claimed while cards are played")
        left = table.left
        many = f"only {count(left, 'trick')} are left; claim 0 to {left}"
        return Violation("BRI-6.1", many) if self.tricks > left else None

    def label_at(self, position: Deal, names: Names = UNNAMED) -> str:
        """Say whether all tricks are claimed that are left, or none."""
        left = count(position.table.left, "trick")
        if self.tricks == position.table.left:
            return f"Claim {left}"
        return f"Claim {self.tricks} of {left}" if self.tricks else f"Concede {left}"

    def offered(self, position: Deal) -> bool:
        """Let claims be typed, or be entered by buttons: taps are cards."""
        return False

    def evolve(self, position: Deal, seat: int) -> Step:
        """Let an opponent answer."""
        table = replace(position.table, claimed=Claimed(seat, self.tricks))
        told = ClaimMade(seat, self.tricks, table.left)
        return replace(position, table=table), (told,)


class Answer(Move[Deal], frozen=True):
    """The answer of an opponent to a claim (BRI-6.2)."""

    said: Literal["agree", "object"]

    names_seat: ClassVar[bool] = True
    notation: ClassVar[Notation] = template("{said}", said=Lexeme("agree|object"))
    what: ClassVar[str] = "answer to a claim"
    example: ClassVar[str] = "2:agree"

    @classmethod
    def legal(cls, position: Deal, seat: int) -> Iterator[Answer]:
        """Yield both answers."""
        return map(cls, ("agree", "object"))

    def label(self, names: Names = UNNAMED) -> str:
        """Name the answer."""
        return self.said

    def check(self, position: Deal, seat: int) -> Violation | None:
        """BRI-6.2."""
        if seat not in position.table.answering:
            return Violation("turn", "there is no claim that this seat must answer")
        return None

    def evolve(self, position: Deal, seat: int) -> Step:
        """Count the tricks of a claim, or let play go on."""
        table, said = replace(position.table, claimed=None), Answered(seat, self.said == "agree")
        claimed = position.table.claimed
        if claimed is None or not said.agreed:
            return replace(position, table=table), (said,)
        own, others = side(claimed.seat), table.left - claimed.tricks
        table = table.given(own, claimed.tricks).given(1 - own, others)
        after, effects = replace(table, turn=table.turn + 1).counted()
        return Deal(after), (said, *effects)
