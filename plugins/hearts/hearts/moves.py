"""The hand, the pass and the card, with their refusals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar

from msgspec.structs import astuple, replace

from hearts.effects import Passed
from hearts.table import ORDER, Deal
from plybook.game import (
    CARD,
    SEATS,
    Card,
    Effect,
    Notation,
    Pick,
    PlayCard,
    Player,
    Secret,
    Sentence,
    TakeHand,
    Violation,
    card_words,
    template,
    twice,
)


class Take(TakeHand[Deal], frozen=True):
    """A hand of thirteen cards (HRT-2.1)."""

    order: ClassVar[tuple[Card, ...]] = ORDER
    clause: ClassVar[str] = "HRT-2.1"


class Give(Secret[Deal], frozen=True):
    """Three cards for another seat (HRT-3.1)."""

    c1: Card
    c2: Card
    c3: Card

    notation: ClassVar[Notation] = template("pass={c1}{c2}{c3}", c1=CARD, c2=CARD, c3=CARD)
    what: ClassVar[str] = "pass"
    example: ClassVar[str] = "1:pass=QSKSAS"
    listed: ClassVar[bool] = True

    @classmethod
    def legal(cls, position: Deal, seat: int) -> Iterator[Give]:
        """Yield every three cards of the hand, in the order of the pack."""
        hand = sorted(set(position.hand(seat)), key=ORDER.index)
        return (cls(*cards) for cards in combinations(hand, 3))

    @property
    def cards(self) -> tuple[Card, ...]:
        """The passed cards."""
        return astuple(self)

    def normal(self, position: Deal) -> Give:
        """Name the cards in the order of the pack."""
        return Give(*sorted(self.cards, key=ORDER.index))

    def picks(self, position: Deal) -> tuple[Pick, ...]:
        """Tap the three cards of the hand, in any order."""
        return tuple(Pick(f"card {number}", card) for number, card in enumerate(self.cards, 1))

    def check(self, position: Deal, seat: int) -> Violation | None:
        """HRT-3.1."""
        table, hand = position.table, position.hand(seat)
        if len(table.holding) < len(SEATS) or table.leader:
            return Violation("turn", "pass cards after the deal and before the first trick")
        if seat in table.passed:
            return Violation("turn", Sentence("{seat} has passed already", seat=Player(seat)))
        alien = next((card for card in self.cards if card not in hand), None)
        if alien is not None:
            return Violation(
                "HRT-3.1", f"{card_words(alien)} is not in this hand; pass cards in it"
            )
        return twice(self.cards, "HRT-3.1", "pass three cards")

    def evolve(self, position: Deal, seat: int) -> tuple[Deal, tuple[Effect, ...]]:
        """Seal the cards; with the last pass all change hands."""
        table = position.table
        passed, given = (*table.passed, seat), (*position.given, self.cards)
        after = Deal(replace(table, passed=passed), position.hands, given)
        if len(passed) < len(SEATS):
            return after, (Passed(seat),)
        played, effects = after.exchanged().led()
        return played, (Passed(seat), *effects)


class Play(PlayCard[Deal], frozen=True):
    """A card of the hand (HRT-4)."""

    clause: ClassVar[str] = "HRT-4.1"
    first: ClassVar[str] = "each seat must first take a hand and pass"

    def normal(self, position: Deal) -> Play:
        """Lead, where nobody knew who would; such a card is recorded with its seat."""
        leads = position.table.seen is not None and not position.table.leader
        return Lead(self.card) if leads else self

    def check(self, position: Deal, seat: int) -> Violation | None:
        """HRT-1.2, HRT-4."""
        if self.normal(position) != self:
            return Violation("turn", "name the seat of the first card, like 3:lead=2C")
        return super().check(position, seat)


class Lead(Play, frozen=True):
    """The first card of a deal, while the hands are unseen (HRT-1.2)."""

    names_seat: ClassVar[bool] = True
    notation: ClassVar[Notation] = template("lead={card}", card=CARD)
    what: ClassVar[str] = "first card"
    example: ClassVar[str] = "3:lead=2C"

    def check(self, position: Deal, seat: int) -> Violation | None:
        """HRT-1.2."""
        if position.table.seen is None or position.table.leader:
            return Violation("turn", "it is known who plays now; enter only the card")
        return super().check(position, seat)
