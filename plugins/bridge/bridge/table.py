"""The boards, the auction, the table, and the position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple, cast

from msgspec.structs import replace

from bridge.effects import Bought, PassedOut, Scored
from bridge.scoring import Contract, Strain
from plybook.game import (
    SEATS,
    TRICKS,
    Awaited,
    Card,
    CardDeal,
    CardTable,
    Duty,
    Effect,
    Hands,
    Options,
    Outcome,
    TrickTaken,
    follow,
)

VULNERABLE: Final = ((), (0,), (1,), (0, 1))
"""The vulnerable sides (0 for seats 1 and 3) of boards 1 to 4; each four boards later the next."""
RAISED: Final = {"pass": 0, "double": 1, "redouble": 2}
"""The calls that are no bids, and how they raise the risk of a contract."""


class BridgeOptions(Options, frozen=True):
    """BRI-1.3, BRI-1.4, BRI-2.4."""

    deals: Literal[1, 2, 4, 8, 16] = 1
    board: Literal[
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
        19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36,
    ] = 1  # fmt: skip
    hands: Hands = "known"


def side(seat: int) -> int:
    """Return the side of a seat: 0 for seats 1 and 3, 1 for seats 2 and 4."""
    return (seat - 1) % 2


def left_of(seat: int, places: int = 1) -> int:
    """Return the seat that sits so many places to the left of a seat."""
    return SEATS[(seat - 1 + places) % 4]


class Claimed(NamedTuple):
    """A claim: its seat, and how many of the tricks that are left its side takes."""

    seat: int
    tricks: int


class Table(CardTable, frozen=True):
    """The public part. `tricks` and `scores` count those of seats 1 and 3, and of seats 2 and 4.

    `calls` are those of the board, from its dealer; `contract` is set when the auction is over.
    `laid` are the cards of dummy, once they lie open in a match with known hands.
    """

    leader: int = 0
    options: BridgeOptions = BridgeOptions()
    calls: tuple[str, ...] = ()
    contract: Contract | None = None
    laid: tuple[Card, ...] = ()
    claimed: Claimed | None = None
    tricks: tuple[int, int] = (0, 0)
    scores: tuple[int, int] = (0, 0)

    @property
    def board(self) -> int:
        """The number of the board (BRI-1.3)."""
        return self.options.board + self.deal - 1

    @property
    def is_over(self) -> bool:
        """Whether all boards are played (BRI-8)."""
        return self.deal > self.options.deals

    @property
    def dealer(self) -> int:
        """The seat that calls first (BRI-2.2)."""
        return left_of(4, self.board)

    @property
    def vulnerable(self) -> tuple[int, ...]:
        """The vulnerable sides (BRI-2.3)."""
        turns = self.board - 1
        return VULNERABLE[(turns + turns // 4) % 4]

    @property
    def caller(self) -> int:
        """The seat that calls next."""
        return left_of(self.dealer, len(self.calls))

    @property
    def bid(self) -> Contract | None:
        """The contract if all seats passed from here on (BRI-3.6)."""
        bids = [number for number, call in enumerate(self.calls) if call not in RAISED]
        if not bids:
            return None
        last = self.calls[bids[-1]]
        named = (each for each in bids if self.calls[each][1:] == last[1:])
        first = next(each for each in named if (each - bids[-1]) % 2 == 0)
        risk = max((RAISED[call] for call in self.calls[bids[-1] + 1 :]), default=0)
        strain = cast("Strain", last[1:])
        return Contract(int(last[0]), strain, left_of(self.dealer, first), risk)

    @property
    def trumps(self) -> str:  # type: ignore[override]
        """BRI-5.3."""
        return self.contract.strain.replace("NT", "") if self.contract else ""

    @property
    def dummy(self) -> int:
        """Declarer's partner (BRI-4.2); 0 during the auction."""
        return left_of(self.contract.declarer, 2) if self.contract else 0

    @property
    def player(self) -> int:
        """Declarer plays the cards of dummy (BRI-4.3)."""
        return left_of(self.seat, 2) if self.seat and self.seat == self.dummy else self.seat

    @property
    def left(self) -> int:
        """The tricks of the board that are not taken."""
        return TRICKS - sum(self.tricks)

    @property
    def answering(self) -> tuple[int, ...]:
        """The seats that may answer a claim (BRI-6.2)."""
        mine = self.claimed.seat if self.claimed else 0
        return tuple(
            seat for seat in SEATS if mine and side(seat) != side(mine) and seat != self.dummy
        )

    def before(self, card: Card) -> Iterator[Duty]:
        """BRI-5.2."""
        return follow(self, card, "BRI-5.2")

    def called(self, call: str) -> tuple[Table, tuple[Effect, ...]]:
        """Add a call; three passes end the auction after a bid, four without one (BRI-3.5)."""
        table = replace(self, calls=(*self.calls, call))
        if len(table.calls) < 4 or table.calls[-3:] != ("pass",) * 3:
            return table, ()
        bid = table.bid
        if bid is None:
            after = table.dealt_again(turn=self.turn + 1, deal=self.deal + 1)
            return after, (PassedOut(self.board),)
        leader = left_of(bid.declarer)
        after = replace(table, contract=bid, leader=leader, last=(), turn=self.turn + 1)
        return after, (Bought(bid.declarer, bid.text, leader),)

    def taken_by(self, taker: int, cards: tuple[Card, ...]) -> tuple[Table, tuple[Effect, ...]]:
        """Count a trick (BRI-5.3), and a board after thirteen."""
        table, told = self.given(side(taker), 1), TrickTaken(taker)
        if table.left:
            return table, (told,)
        after, effects = table.counted()
        return after, (told, *effects)

    def given(self, to: int, number: int) -> Table:
        """Add tricks to a side."""
        own = [tricks + number * (to == each) for each, tricks in enumerate(self.tricks)]
        return replace(self, tricks=(own[0], own[1]))

    def counted(self) -> tuple[Table, tuple[Effect, ...]]:
        """Score a board whose tricks are all taken (BRI-7)."""
        contract = self.contract
        assert contract is not None
        declaring = side(contract.declarer)
        tricks = self.tricks[declaring]
        points = contract.score(tricks, declaring in self.vulnerable)
        to = declaring if points > 0 else 1 - declaring
        scores = [score + abs(points) * (to == each) for each, score in enumerate(self.scores)]
        after = self.dealt_again(deal=self.deal + 1, scores=(scores[0], scores[1]))
        told = Scored(
            to + 1, to + 3, abs(points), self.board, contract.text, contract.declarer, tricks
        )
        return after, (told,)

    def dealt_again(self, **changes: Any) -> Table:
        """Return the table before a deal, without calls and tricks."""
        none: dict[str, Any] = {"leader": 0, "calls": (), "contract": None, "laid": ()}
        none |= {"claimed": None, "tricks": (0, 0)}
        return cast("Table", super().dealt_again(**none, **changes))


class Deal(CardDeal[Table], frozen=True):
    """The table and the hands."""

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats whose hands are hidden; that of dummy lies open after the first lead."""
        laid = self.table.dummy if self.table.played else 0
        return tuple(seat for seat in self.table.holding if seat != laid)

    @property
    def unguarded(self) -> tuple[str, ...]:
        """Calls, and answers to claims, depend on no hand."""
        return ("call", "bid", "answer")

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await the hands, the calls, and the cards or an answer to a claim."""
        table, found = self.table, super().awaiting()
        if not found or "take" in found[0].moves:
            return found
        if table.claimed:
            what = "answer the claim"
            return tuple(Awaited(seat, what, ("answer",)) for seat in table.answering)
        if not table.contract:
            return (Awaited(table.caller, "call", ("call", "bid")),)
        what = "play a card" if table.player == table.seat else "play a card of dummy"
        return (Awaited(table.player, what, ("play", "claim")),)

    def outcome(self) -> Outcome | None:
        """BRI-8."""
        table = self.table
        if not table.is_over:
            return None
        first, second = table.scores
        if first == second:
            return Outcome("BRI-8.2", (), table.scores * 2)
        return Outcome("BRI-8.1", (1, 3) if first > second else (2, 4), table.scores * 2)
