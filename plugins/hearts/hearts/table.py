"""The table, the hands, and what a seat may see of them."""

from __future__ import annotations

from typing import Literal

from hearts.cards import FIRST, points
from plybook.game import Awaited, Card, Options, Outcome, Position, View, rank

SEATS = (1, 2, 3, 4)
TRICKS = 13
PASSES = {1: "left", 2: "right", 3: "across", 0: "nowhere"}
"""The direction of the pass by the number of the deal, modulo four (HRT-2.3)."""
STEPS = {"left": 1, "right": 3, "across": 2, "nowhere": 0}


class HeartsOptions(Options, frozen=True):
    """HRT-5.3, HRT-6.1."""

    limit: Literal[100, 50, 25] = 100
    moon: Literal["others", "own"] = "others"


class Table(View, frozen=True):
    """The public part. `trick` are the cards that `leader` and the next seats have played.

    `taken` are the points of this deal by seat, `scores` those of the earlier deals; `played` are
    all cards of this deal, `holding` the seats that have a hand, `passed` those that have passed.
    """

    options: HeartsOptions
    deal: int = 1
    leader: int = 0
    trick: tuple[Card, ...] = ()
    taken: tuple[int, ...] = (0, 0, 0, 0)
    scores: tuple[int, ...] = (0, 0, 0, 0)
    played: tuple[Card, ...] = ()
    holding: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    turn: int = 1

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order of the trick."""
        return SEATS[self.leader - 1 :] + SEATS[: self.leader - 1]

    @property
    def seat(self) -> int:
        """The seat that plays the next card."""
        return self.order[len(self.trick)]

    @property
    def direction(self) -> str:
        """The direction of the pass of this deal."""
        return PASSES[self.deal % 4]

    @property
    def is_broken(self) -> bool:
        """Whether a heart was played in this deal (HRT-4.4)."""
        return any(card[1] == "H" for card in self.played)


class Hand(View, frozen=True):
    """The table, and the cards of one seat, as its player sees them."""

    table: Table
    seat: int
    cards: tuple[Card, ...]


class Deal(Position, frozen=True):
    """The table, the hands of the seats `table.holding`, and the cards that seats have passed."""

    table: Table
    hands: tuple[tuple[Card, ...], ...] = ()
    given: tuple[tuple[Card, ...], ...] = ()

    @property
    def turn(self) -> int:
        """Dealing is a turn, passing another, and so is each trick."""
        return self.table.turn

    @property
    def playing(self) -> tuple[int, ...]:
        """Four seats, always."""
        return SEATS

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats whose hands are hidden."""
        return self.table.holding

    @property
    def guarded(self) -> tuple[int, ...]:
        """The same: the cards that a seat may play reveal its hand."""
        return self.table.holding

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return the cards of a seat, none before it has taken them."""
        holding = self.table.holding
        return self.hands[holding.index(seat)] if seat in holding else ()

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await the hands (HRT-2.1), the passes (HRT-3.1), then the cards of a trick (HRT-4)."""
        table = self.table
        if self.outcome() is not None:
            return ()
        missing = [seat for seat in SEATS if seat not in table.holding]
        if missing:
            return tuple(Awaited(seat, "take a hand", ("take",)) for seat in missing)
        if not table.leader:
            task = f"pass three cards {table.direction}"
            left = (seat for seat in SEATS if seat not in table.passed)
            return tuple(Awaited(seat, task, ("give",)) for seat in left)
        return (Awaited(table.seat, "play a card", ("play",)),)

    def outcome(self) -> Outcome | None:
        """HRT-6."""
        scores = self.table.scores
        if self.table.holding or max(scores) < self.table.options.limit:
            return None
        best = tuple(seat for seat in SEATS if scores[seat - 1] == min(scores))
        if len(best) == len(SEATS):
            return Outcome("HRT-6.1", scores=scores)
        return Outcome("HRT-6.1", best, scores, ranks=rank(scores, low=True))

    def view(self, seat: int | None) -> View:
        """Return the table, with a seat's own hand."""
        if seat is None or seat not in self.table.holding:
            return self.table
        return Hand(self.table, seat, self.hand(seat))

    def playable(self, seat: int) -> list[Card]:
        """Return the cards that a seat may play (HRT-4)."""
        hand, table = list(self.hand(seat)), self.table
        if not table.played:
            return [FIRST]
        if not table.trick:
            plain = [card for card in hand if card[1] != "H"]
            return hand if table.is_broken else plain or hand
        suit = [card for card in hand if card[1] == table.trick[0][1]]
        if suit or len(table.played) >= len(SEATS):
            return suit or hand
        return [card for card in hand if not points(card)] or hand
