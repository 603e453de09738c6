"""The table, the duties of a card, the points, and the position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, cast

from msgspec.structs import replace

from hearts.effects import Begun, Counted, MoonShot, TrickTaken
from plybook.game import (
    ALL,
    PACK,
    SEATS,
    SUITS,
    Awaited,
    Card,
    CardDeal,
    CardTable,
    Duty,
    Effect,
    Hands,
    Misdealt,
    Options,
    Outcome,
    bits,
    card_words,
    follow,
    rank,
)

PASSES = {1: "left", 2: "right", 3: "across", 0: "nowhere"}
"""The direction of the pass by the number of the deal, modulo four (HRT-2.3)."""
STEPS = {"left": 1, "right": 3, "across": 2, "nowhere": 0}
ORDER: tuple[Card, ...] = tuple(sorted(PACK, key=lambda card: "CDSH".index(card[1])))
"""The order in which hands are sorted: hearts come last."""
QUEEN: Card = "QS"
FIRST: Card = "2C"
PLAIN = ALL & ~SUITS["H"] & ~bits([QUEEN])
"""The cards without points (HRT-5.1)."""


def points(card: Card) -> int:
    """Return the points of a card (HRT-5.1)."""
    return 13 if card == QUEEN else int(card[1] == "H")


class FirstOptions(Options, frozen=True):
    """The options of the first ruleset (HRT-5.3, HRT-6.1)."""

    limit: Literal[100, 50, 25] = 100
    moon: Literal["others", "own"] = "others"


class HeartsOptions(FirstOptions, frozen=True):
    """HRT-1.2, HRT-5.3, HRT-6.1."""

    hands: Hands = "known"


class Table(CardTable, frozen=True):
    """The public part.

    `taken` are the points of this deal by seat, `scores` those of the earlier deals, `passed` the
    seats that have passed.
    """

    leader: int = 0
    options: FirstOptions = FirstOptions()
    taken: tuple[int, ...] = (0, 0, 0, 0)
    scores: tuple[int, ...] = (0, 0, 0, 0)
    passed: tuple[int, ...] = ()

    @property
    def direction(self) -> str:
        """The direction of the pass of this deal."""
        return PASSES[self.deal % 4]

    @property
    def is_broken(self) -> bool:
        """Whether a heart was played in this deal (HRT-4.4)."""
        return any(card[1] == "H" for card in self.played)

    def before(self, card: Card) -> Iterator[Duty]:
        """HRT-4, in the order of its clauses."""
        if not self.played and card != FIRST:
            first = f"{card_words(FIRST)} must be the first card of a deal; play it"
            yield Duty("HRT-4.2", ALL, first)
        elif not self.trick and card[1] == "H" and not self.is_broken:
            message = "hearts are not broken yet; lead another suit"
            yield Duty("HRT-4.4", ALL & ~SUITS["H"], message)
        yield from follow(self, card, "HRT-4.3")
        led = self.trick[0][1] if self.trick else card[1]
        if len(self.played) < len(SEATS) and card[1] != led and points(card):
            message = "no points may be played to the first trick; play another card"
            yield Duty("HRT-4.5", PLAIN & ~SUITS[led], message)

    def taken_by(self, taker: int, cards: tuple[Card, ...]) -> tuple[Table, tuple[Effect, ...]]:
        """Count a trick (HRT-4.6), and a deal after thirteen (HRT-5)."""
        worth = sum(map(points, cards))
        taken, told = _added(self.taken, {taker: worth}), TrickTaken(taker, worth)
        if len(self.played) < len(PACK):
            return replace(self, taken=taken), (told,)
        gains = dict(zip(SEATS, taken, strict=True))
        shot = next((seat for seat, gain in gains.items() if gain == 26), None)
        if shot and self.options.moon == "own":
            gains = {shot: -26}
        elif shot:
            gains = {seat: 26 for seat in SEATS if seat != shot}
        scores = _added(self.scores, gains)
        after = self.dealt_again(deal=self.deal + 1, scores=scores)
        return after, (told, *([MoonShot(shot)] if shot else []), Counted(scores))

    def dealt_again(self, **changes: Any) -> Table:
        """Return the table before a deal: nobody has taken anything, and nobody leads."""
        none: dict[str, Any] = {"leader": 0, "taken": (0,) * 4, "passed": ()}
        return cast("Table", super().dealt_again(**none, **changes))


def _added(scores: tuple[int, ...], gains: dict[int, int]) -> tuple[int, ...]:
    return tuple(score + gains.get(seat, 0) for seat, score in zip(SEATS, scores, strict=True))


class Deal(CardDeal[Table], frozen=True):
    """The table, the hands, and the cards that seats have passed."""

    given: tuple[tuple[Card, ...], ...] = ()

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await the passes (HRT-3.1) between the hands and the cards of a trick.

        While nobody knows who has the two of clubs, any seat may lead (HRT-1.2).
        """
        table = self.table
        if table.seen is not None and not table.leader and self.outcome() is None:
            return tuple(Awaited(seat, "lead", ("lead",), must=False) for seat in SEATS)
        if len(table.holding) < len(SEATS) or table.leader:
            return super().awaiting()
        task = f"pass three cards {table.direction}"
        left = (seat for seat in SEATS if seat not in table.passed)
        return tuple(Awaited(seat, task, ("give",)) for seat in left)

    def outcome(self) -> Outcome | None:
        """HRT-6."""
        table, scores = self.table, self.table.scores
        if table.holding or max(scores) < table.options.limit:
            return None
        best = tuple(seat for seat in SEATS if scores[seat - 1] == min(scores))
        if len(best) == len(SEATS):
            return Outcome("HRT-6.1", scores=scores)
        return Outcome("HRT-6.1", best, scores, ranks=rank(scores, low=True))

    def begun(self) -> tuple[Deal, tuple[Effect, ...]]:
        """Let the seats pass, or play in a deal without a pass."""
        return (self, ()) if self.table.direction != "nowhere" else self.led()

    def led(self) -> tuple[Deal, tuple[Effect, ...]]:
        """Let the seat with the two of clubs begin (HRT-4.2); unless one has it, deal again."""
        begins = [seat for seat in SEATS if FIRST in self.hand(seat)]
        if len(begins) != 1:
            return Deal(self.table.dealt_again(turn=self.turn + 1, last=())), (Misdealt(FIRST),)
        return replace(self, table=replace(self.table, leader=begins[0])), (Begun(begins[0]),)

    def exchanged(self) -> Deal:
        """Give the passed cards to their receivers (HRT-3.2)."""
        table = self.table
        hands = {seat: list(self.hand(seat)) for seat in SEATS}
        for seat, cards in zip(table.passed, self.given, strict=True):
            for card in cards:
                hands[seat].remove(card)
        for seat, cards in zip(table.passed, self.given, strict=True):
            hands[SEATS[(seat - 1 + STEPS[table.direction]) % 4]] += cards
        table = replace(table, turn=table.turn + 1)
        return Deal(table, tuple(tuple(hands[seat]) for seat in table.holding))
