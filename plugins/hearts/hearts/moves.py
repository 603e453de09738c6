"""The hand, the pass and the card, with their refusals and effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import ClassVar

from msgspec.structs import astuple, replace

from hearts.cards import FIRST, ORDER, points
from hearts.table import SEATS, STEPS, TRICKS, Deal, Table
from plybook.game import (
    CARD,
    PACK,
    SUIT_NAMES,
    UNNAMED,
    Card,
    Effect,
    Move,
    Names,
    Notation,
    Pick,
    Player,
    Secret,
    Sentence,
    Violation,
    card_words,
    highest,
    template,
)

Step = tuple[Deal, tuple[Effect, ...]]


class Take(Secret[Deal], frozen=True):
    """A hand of thirteen cards (HRT-2.1)."""

    c1: Card
    c2: Card
    c3: Card
    c4: Card
    c5: Card
    c6: Card
    c7: Card
    c8: Card
    c9: Card
    c10: Card
    c11: Card
    c12: Card
    c13: Card

    notation: ClassVar[Notation] = template(
        "hand=" + "".join(f"{{c{number}}}" for number in range(1, 14)),
        **{f"c{number}": CARD for number in range(1, 14)},
    )
    chance: ClassVar[bool] = True
    what: ClassVar[str] = "hand"
    example: ClassVar[str] = "1:hand=2C9CQC4D6DAD7S8SJS2H5HTHKH"

    @classmethod
    def roll(cls, position: Deal, die: Callable[[int], int]) -> Take:
        """Draw from the cards that no seat holds."""
        held = {card for hand in position.hands for card in hand}
        left = [card for card in ORDER if card not in held]
        drawn = [left.pop(die(len(left)) - 1) for _ in range(TRICKS)]
        return cls(*sorted(drawn, key=ORDER.index))

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the hand."""
        return astuple(self)

    def check(self, position: Deal, seat: int) -> Violation | None:
        """Refuse a hand with a card twice, and a second hand. Other hands are not looked at."""
        if seat in position.table.holding:
            has = Sentence("{seat} has a hand already", seat=Player(seat))
            return Violation("turn", has)
        return _twice(self.cards, "HRT-2.1", "name 13 cards")

    def evolve(self, position: Deal, seat: int) -> Step:
        """Seal the hand; with the last one the passes begin, or the play."""
        table = position.table
        holding = (*table.holding, seat)
        hands = (*position.hands, self.cards)
        if len(holding) < len(SEATS):
            return Deal(replace(table, holding=holding), hands), (Taken(seat),)
        table = replace(table, holding=holding, turn=table.turn + 1)
        if table.direction != "nowhere":
            return Deal(table, hands), (Taken(seat),)
        after, effects = begin_play(Deal(table, hands))
        return after, (Taken(seat), *effects)


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
        return _twice(self.cards, "HRT-3.1", "pass three cards")

    def evolve(self, position: Deal, seat: int) -> Step:
        """Seal the cards; with the last pass all change hands."""
        table = position.table
        passed, given = (*table.passed, seat), (*position.given, self.cards)
        after = Deal(replace(table, passed=passed), position.hands, given)
        if len(passed) < len(SEATS):
            return after, (Passed(seat),)
        played, effects = begin_play(exchanged(after))
        return played, (Passed(seat), *effects)


class Play(Move[Deal], frozen=True):
    """A card of the hand (HRT-4)."""

    card: Card

    notation: ClassVar[Notation] = template("{card}", card=CARD)
    what: ClassVar[str] = "card"
    example: ClassVar[str] = "QS"

    @classmethod
    def legal(cls, position: Deal, seat: int) -> Iterator[Play]:
        """Yield the cards that may be played."""
        return map(cls, dict.fromkeys(position.playable(seat)))

    def label(self, names: Names = UNNAMED) -> str:
        """Name the card."""
        return card_words(self.card)

    def check(self, position: Deal, seat: int) -> Violation | None:
        """HRT-4, in the order of its clauses."""
        table = position.table
        if not table.leader:
            return Violation("turn", "each seat must first take a hand and pass")
        if seat != table.seat:
            return Violation("turn", Sentence("{seat} plays now", seat=Player(table.seat)))
        if self.card not in position.hand(seat):
            return Violation("HRT-4.1", f"{card_words(self.card)} is not in this hand")
        if self.card in position.playable(seat):
            return None
        if not table.played:
            return Violation(
                "HRT-4.2", f"{card_words(FIRST)} must be the first card of a deal; play it"
            )
        if not table.trick:
            return Violation("HRT-4.4", "hearts are not broken yet; lead another suit")
        led = SUIT_NAMES[table.trick[0][1]]
        if any(card[1] == table.trick[0][1] for card in position.hand(seat)):
            return Violation("HRT-4.3", f"{led} were led and are in this hand; play one of them")
        return Violation("HRT-4.5", "no points may be played to the first trick; play another card")

    def evolve(self, position: Deal, seat: int) -> Step:
        """Play the card; the fourth ends the trick, the last trick the deal."""
        table, played = position.table, Played(seat, self.card)
        if self.card in table.played:
            return misdealt(table), (played, Misdealt(self.card))
        at = table.holding.index(seat)
        hand = list(position.hands[at])
        hand.remove(self.card)
        hands = (*position.hands[:at], tuple(hand), *position.hands[at + 1 :])
        cards = (*table.played, self.card)
        table = replace(table, trick=(*table.trick, self.card), played=cards)
        if len(table.trick) < len(SEATS):
            return Deal(table, hands), (played,)
        table, effects = end_trick(table)
        return Deal(table, hands if table.holding else ()), (played, *effects)


def _twice(cards: tuple[Card, ...], clause: str, remedy: str) -> Violation | None:
    twice = next((card for card in cards if cards.count(card) > 1), None)
    return twice and Violation(clause, f"{card_words(twice)} is named twice; {remedy}")


def exchanged(position: Deal) -> Deal:
    """Give the passed cards to their receivers (HRT-3.2)."""
    table = position.table
    hands = {seat: list(position.hand(seat)) for seat in SEATS}
    for seat, cards in zip(table.passed, position.given, strict=True):
        for card in cards:
            hands[seat].remove(card)
    for seat, cards in zip(table.passed, position.given, strict=True):
        hands[SEATS[(seat - 1 + STEPS[table.direction]) % 4]] += cards
    table = replace(table, turn=table.turn + 1)
    return Deal(table, tuple(tuple(hands[seat]) for seat in table.holding))


def begin_play(position: Deal) -> Step:
    """Let the seat with the two of clubs begin (HRT-4.2); unless one seat has it, deal again."""
    begins = [seat for seat in SEATS if FIRST in position.hand(seat)]
    if len(begins) != 1:
        return misdealt(position.table), (Misdealt(FIRST),)
    return replace(position, table=replace(position.table, leader=begins[0])), (Begun(begins[0]),)


def misdealt(table: Table) -> Deal:
    """Deal again (HRT-2.2)."""
    return Deal(Table(table.options, table.deal, scores=table.scores, turn=table.turn + 1))


def end_trick(table: Table) -> tuple[Table, tuple[Effect, ...]]:
    """Give the trick to its highest card (HRT-4.6), and count a deal after thirteen (HRT-5)."""
    taker = table.order[highest(table.trick)]
    worth = sum(map(points, table.trick))
    taken = _added(table.taken, {taker: worth})
    table = replace(table, leader=taker, trick=(), taken=taken, turn=table.turn + 1)
    if len(table.played) < len(PACK):
        return table, (TrickTaken(taker, worth),)
    gains = dict(zip(SEATS, taken, strict=True))
    shot = next((seat for seat, gain in gains.items() if gain == 26), None)
    if shot and table.options.moon == "own":
        gains = {shot: -26}
    elif shot:
        gains = {seat: 26 for seat in SEATS if seat != shot}
    scores = _added(table.scores, gains)
    after = Table(table.options, table.deal + 1, scores=scores, turn=table.turn)
    return after, (TrickTaken(taker, worth), *([MoonShot(shot)] if shot else []), Counted(scores))


def _added(scores: tuple[int, ...], gains: dict[int, int]) -> tuple[int, ...]:
    return tuple(score + gains.get(seat, 0) for seat, score in zip(SEATS, scores, strict=True))


class Taken(Effect, frozen=True):
    """A seat has its hand; the cards are secret."""

    seat: int

    template: ClassVar[str] = "{seat} takes a hand"


class Passed(Effect, frozen=True):
    """A seat has chosen the cards that it passes; they are secret."""

    seat: int

    template: ClassVar[str] = "{seat} passes three cards"


class Begun(Effect, frozen=True):
    """The seat with the two of clubs leads (HRT-4.2)."""

    seat: int

    template: ClassVar[str] = "{seat} has 2♣ and begins"


class Played(Effect, frozen=True):
    """A seat played a card."""

    seat: int
    card: Card

    def words(self, names: Names = UNNAMED) -> str:
        """Name the card by its sign."""
        return f"{names[self.seat]} plays {card_words(self.card)}"


class TrickTaken(Effect, frozen=True):
    """A seat took a trick (HRT-4.6)."""

    seat: int
    points: int

    template: ClassVar[str] = "{seat} takes the trick with {points} points"


class Misdealt(Effect, frozen=True):
    """A card was in two hands, or missing: the deal does not count (HRT-2.2)."""

    card: Card

    def words(self, names: Names = UNNAMED) -> str:
        """Name the card by its sign."""
        return f"the deal was wrong at {card_words(self.card)}: deal again"


class MoonShot(Effect, frozen=True):
    """A seat took all points of a deal (HRT-5.3)."""

    seat: int

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "{seat} shoots the moon"


class Counted(Effect, frozen=True):
    """The scores after a deal (HRT-5.2)."""

    scores: tuple[int, ...]

    def words(self, names: Names = UNNAMED) -> str:
        """Give the score of each seat."""
        each = (f"{names[seat]} {score}" for seat, score in zip(SEATS, self.scores, strict=True))
        return f"the scores are {', '.join(each)}"
