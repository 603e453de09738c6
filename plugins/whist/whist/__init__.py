"""Partnership whist: hidden hands, partners, points over deals. Clauses: seeds/whist/rules-1.md.

Each seat takes its own hand in secret: it types its cards, or the service draws them from those
that nobody holds yet. While a seat has a hand it is guarded: only its player learns which cards
may be played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Literal

from msgspec.structs import astuple, replace

from plybook.drawing import Scene, Score, Tray, card_row
from plybook.game import (
    CARD,
    PACK,
    SUIT_NAMES,
    UNNAMED,
    Awaited,
    Card,
    Effect,
    Game,
    Move,
    Names,
    Notation,
    Options,
    Outcome,
    Player,
    Position,
    Secret,
    Sentence,
    View,
    Violation,
    card_words,
    highest,
    template,
)

TRUMPS = "HCDS"
SEATS = (1, 2, 3, 4)
TRICKS = 13


class WhistOptions(Options, frozen=True):
    """WHI-1.2."""

    deals: Literal[1, 4] = 1


class Table(View, frozen=True):
    """The public part. `trick` are the cards that `leader` and the next seats have played.

    `tricks` and `points` count those of seats 1 and 3, and of seats 2 and 4; `played` are all cards
    of this deal, `holding` the seats that have a hand.
    """

    deals: int
    deal: int = 1
    leader: int = 1
    trick: tuple[Card, ...] = ()
    tricks: tuple[int, int] = (0, 0)
    points: tuple[int, int] = (0, 0)
    played: tuple[Card, ...] = ()
    holding: tuple[int, ...] = ()
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
    def trumps(self) -> str:
        """WHI-1.3."""
        return TRUMPS[min(self.deal, self.deals) - 1]


class Hand(View, frozen=True):
    """The table, and the cards of one seat, as its player sees them."""

    table: Table
    seat: int
    cards: tuple[Card, ...]


class Deal(Position, frozen=True):
    """The table and the hands of the seats `table.holding`, in that order."""

    table: Table
    hands: tuple[tuple[Card, ...], ...] = ()

    @property
    def turn(self) -> int:
        """Dealing is a turn, and so is each trick."""
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
        """Await the hands (WHI-2.1), then the cards of a trick (WHI-3.1)."""
        if self.outcome() is not None:
            return ()
        missing = [seat for seat in SEATS if seat not in self.table.holding]
        if missing:
            return tuple(Awaited(seat, "take a hand", ("take",)) for seat in missing)
        return (Awaited(self.table.seat, "play a card", ("play",)),)

    def outcome(self) -> Outcome | None:
        """WHI-5."""
        table = self.table
        if table.deal <= table.deals:
            return None
        first, second = table.points
        if first == second:
            return Outcome("WHI-5.2", (), table.points * 2)
        return Outcome("WHI-5.1", (1, 3) if first > second else (2, 4), table.points * 2)

    def view(self, seat: int | None) -> View:
        """Return the table, with a seat's own hand."""
        if seat is None or seat not in self.table.holding:
            return self.table
        return Hand(self.table, seat, self.hand(seat))


class Take(Secret[Deal], frozen=True):
    """A hand of thirteen cards (WHI-2.1)."""

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
    example: ClassVar[str] = "1:hand=2H5HTHKH3C9CQC4D6DAD7S8SJS"

    @classmethod
    def roll(cls, position: Deal, die: Callable[[int], int]) -> Take:
        """Draw from the cards that no seat holds."""
        left = cls.pack(position)
        drawn = [left.pop(die(len(left)) - 1) for _ in range(TRICKS)]
        return cls(*sorted(drawn, key=PACK.index))

    @classmethod
    def pack(cls, position: Deal) -> list[Card]:
        """Return the cards that no seat holds."""
        held = {card for hand in position.hands for card in hand}
        return [card for card in PACK if card not in held]

    @classmethod
    def shown_by(
        cls, position: Deal, seat: int, move: Move[Deal]
    ) -> tuple[tuple[Card, ...], list[Card]]:
        """A card was in the hand; if it does not follow suit, no card of the suit was (WHI-3.2)."""
        trick = position.table.trick
        if not isinstance(move, Play):
            return (), []
        led = trick[0][1] if trick else move.card[1]
        void = [card for card in PACK if card[1] == led != move.card[1]]
        return (move.card,), void

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the hand."""
        return astuple(self)

    def check(self, position: Deal, seat: int) -> Violation | None:
        """Refuse a hand with a card twice, and a second hand. Other hands are not looked at."""
        if seat in position.table.holding:
            has = Sentence("{seat} has a hand already", seat=Player(seat))
            return Violation("turn", has)
        twice = next((card for card in self.cards if self.cards.count(card) > 1), None)
        if twice is not None:
            return Violation("WHI-2.1", f"{card_words(twice)} is in this hand twice; name 13 cards")
        return None

    def evolve(self, position: Deal, seat: int) -> tuple[Deal, tuple[Effect, ...]]:
        """Seal the hand; with the last one the play begins."""
        holding = (*position.table.holding, seat)
        turn = position.turn + (len(holding) == 4)
        table = replace(position.table, holding=holding, turn=turn)
        return Deal(table, (*position.hands, self.cards)), (Taken(seat),)


class Play(Move[Deal], frozen=True):
    """A card of the hand (WHI-3)."""

    card: Card

    notation: ClassVar[Notation] = template("{card}", card=CARD)
    what: ClassVar[str] = "card"
    example: ClassVar[str] = "QH"

    @classmethod
    def legal(cls, position: Deal, seat: int) -> Iterator[Play]:
        """Yield the cards that follow suit, or all."""
        return map(cls, playable(position, seat))

    def label(self, names: Names = UNNAMED) -> str:
        """Name the card."""
        return card_words(self.card)

    def check(self, position: Deal, seat: int) -> Violation | None:
        """WHI-3.1, WHI-3.2."""
        if len(position.hands) < 4:
            return Violation("turn", "each seat must first take a hand")
        if seat != position.table.seat:
            message = Sentence("{seat} plays now", seat=Player(position.table.seat))
            return Violation("turn", message)
        if self.card not in position.hand(seat):
            return Violation("WHI-3.1", f"{card_words(self.card)} is not in this hand")
        if self.card not in playable(position, seat):
            led = SUIT_NAMES[position.table.trick[0][1]]
            return Violation("WHI-3.2", f"{led} were led and are in this hand; play one of them")
        return None

    def evolve(self, position: Deal, seat: int) -> tuple[Deal, tuple[Effect, ...]]:
        """Play the card; the fourth ends the trick, the last trick the deal."""
        table, played = position.table, Played(seat, self.card)
        if self.card in table.played:
            fresh = Table(table.deals, table.deal, table.leader, points=table.points)
            return Deal(replace(fresh, turn=table.turn + 1)), (played, Misdealt(self.card))
        hands = tuple(
            tuple(card for card in hand if card != self.card) if one == seat else hand
            for one, hand in zip(table.holding, position.hands, strict=True)
        )
        cards = (*table.played, self.card)
        table = replace(table, trick=(*table.trick, self.card), played=cards)
        if len(table.trick) < 4:
            return Deal(table, hands), (played,)
        table, effects = end_trick(table)
        return Deal(table, hands if table.holding else ()), (played, *effects)


def playable(position: Deal, seat: int) -> list[Card]:
    """Return the cards of a seat that follow suit, or all if none does (WHI-3.2)."""
    hand, trick = position.hand(seat), position.table.trick
    return [card for card in hand if trick and card[1] == trick[0][1]] or list(hand)


def end_trick(table: Table) -> tuple[Table, tuple[Effect, ...]]:
    """Give the trick to its highest card (WHI-3.3), and count a deal after thirteen (WHI-4.1)."""
    taker = table.order[highest(table.trick, table.trumps)]
    first, second = table.tricks
    tricks = (first + 1, second) if taker % 2 else (first, second + 1)
    table = replace(table, leader=taker, trick=(), tricks=tricks, turn=table.turn + 1)
    if len(table.played) < len(PACK):
        return table, (TrickTaken(taker),)
    gain = tuple(max(0, own - 6) for own in tricks)
    points = (table.points[0] + gain[0], table.points[1] + gain[1])
    leader = SEATS[table.deal % 4]
    after = Table(table.deals, table.deal + 1, leader, points=points, turn=table.turn)
    side = 1 if gain[0] else 2
    return after, (TrickTaken(taker), DealCounted(side, side + 2, gain[side - 1]))


class Taken(Effect, frozen=True):
    """A seat has its hand; the cards are secret."""

    seat: int

    template: ClassVar[str] = "{seat} takes a hand"


class Played(Effect, frozen=True):
    """A seat played a card."""

    seat: int
    card: Card

    def words(self, names: Names = UNNAMED) -> str:
        """Name the card by its sign."""
        return f"{names[self.seat]} plays {card_words(self.card)}"


class TrickTaken(Effect, frozen=True):
    """A seat took a trick (WHI-3.3)."""

    seat: int

    template: ClassVar[str] = "{seat} takes the trick"


class Misdealt(Effect, frozen=True):
    """A card was in two hands: the deal does not count (WHI-2.3)."""

    card: Card

    def words(self, names: Names = UNNAMED) -> str:
        """Name the card by its sign."""
        return f"{card_words(self.card)} was played twice: deal again"


class DealCounted(Effect, frozen=True):
    """Two partners scored points for a deal (WHI-4.1)."""

    seat: int
    partner: int
    points: int

    template: ClassVar[str] = "{seat} and {partner} score {points}"


def draw(view: View, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the trick, and the hand of a seat that sees its own."""
    if isinstance(view, Deal):
        view = view.table
    table = view.table if isinstance(view, Hand) else view
    assert isinstance(table, Table)
    trumps = SUIT_NAMES[table.trumps]
    rows = [card_row(table.trick, f"Trick · trumps are {trumps}", table.order)]
    if isinstance(view, Hand):
        rows.append(card_row(sorted(view.cards, key=PACK.index), "Your hand"))
    return Scene(tuple(rows), tuple(_tray(table, seat, names) for seat in SEATS))


def _tray(table: Table, seat: int, names: Names) -> Tray:
    side = (seat - 1) % 2
    lines = (f"{table.tricks[side]} tricks",)
    return Tray(names.title(seat), seat, lines=lines, score=Score.of(table.points[side], "point"))


def _start(options: WhistOptions, seats: int) -> Deal:
    return Deal(Table(options.deals))


GAME = Game(
    "whist",
    "Whist",
    seats=(4,),
    teams=((1, 3), (2, 4)),
    options=WhistOptions,
    moves=(Take, Play),
    start=_start,
    scene=draw,
    seeds="whist.seeds",
)
