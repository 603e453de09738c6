"""Trick-taking with 52 cards and four seats: the deal, the hands, the cards, the tricks.

A game subclasses the table, the position and the moves. It says which cards go before a card
(`CardTable.before`), who takes a trick (`CardTable.trumps`), and what a trick counts
(`CardTable.taken_by`). Either the table knows all hands, or nobody has typed them: then
`CardTable.seen` has what the table knows, and an illegal card is accepted until a later card proves
the breach.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, ClassVar, Final, Generic, Literal, NamedTuple, TypeVar

from msgspec import json
from msgspec.structs import astuple, replace

from domain.cards import (
    CARD,
    PACK,
    RANKS,
    SUIT_NAMES,
    SUIT_SIGNS,
    Card,
    card_row,
    card_words,
    highest,
)
from domain.controls import CardPad, MoveControls
from domain.effects import Effect
from domain.names import UNNAMED, Names, Player, Sentence, count
from domain.notation import Notation, Pick, template
from domain.position import Awaited, Move, Position, Secret, View, Violation, tag_of
from domain.position_text import PositionError
from domain.scene import Row
from domain.unseen import BIT, SEATS, SUITS, Seen, bits, fitting

Hands = Literal["known", "unseen"]
"""The hands are known to their seats, or unseen: nobody types them."""
TRICKS: Final = 13
LETTERS: Final = {ord(sign): suit for suit, sign in SUIT_SIGNS.items()}
HAND: Final = re.compile(f"hand=((?:{CARD.pattern})*)")
CARDS: Final = re.compile(f"(?:{CARD.pattern})+")


class Duty(NamedTuple):
    """The cards, as bits, of which a seat must play one if it has any, by a clause of the rules."""

    clause: str
    cards: int
    message: str


class CardTable(View, frozen=True):
    """The public part. `trick` are the cards that `leader` and the next seats have played.

    `leader` is 0 while nobody knows who leads first. `played` are all cards of the deal, `holding`
    the seats that have a hand; `last` is the trick before, and `taker` the seat that took it.
    """

    deal: int = 1
    leader: int = 1
    trick: tuple[Card, ...] = ()
    played: tuple[Card, ...] = ()
    holding: tuple[int, ...] = ()
    turn: int = 1
    last: tuple[Card, ...] = ()
    led: int = 0
    taker: int = 0
    seen: Seen | None = None

    trumps: ClassVar[str] = ""

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order of the trick."""
        return _from(self.leader)

    @property
    def seat(self) -> int:
        """The seat that plays the next card; 0 if nobody knows."""
        return self.order[len(self.trick)] if self.leader else 0

    @property
    def player(self) -> int:
        """The seat that enters the next card; a game with a dummy names another than `seat`."""
        return self.seat

    @property
    def number(self) -> int:
        """The number of the trick in its deal, from 1."""
        return 1 + len(self.played) // len(SEATS)

    def before(self, card: Card) -> Iterator[Duty]:
        """Yield the duties that a card neglects if its hand has any of their cards."""
        return iter(())

    def taken_by(self, taker: int, cards: tuple[Card, ...]) -> tuple[Any, tuple[Effect, ...]]:
        """Return the table after a trick, and its effects; the last trick also ends the deal."""
        return self, (TrickTaken(taker),)

    def dealt_again(self, **changes: Any) -> Any:
        """Return the table before a deal."""
        seen = self.seen and Seen()
        none: dict[str, Any] = {"trick": (), "played": (), "holding": ()}
        return replace(self, **none, seen=seen, **changes)


T = TypeVar("T", bound=CardTable)


def _from(leader: int) -> tuple[int, ...]:
    return SEATS[leader - 1 :] + SEATS[: leader - 1]


def follow(table: CardTable, card: Card, clause: str) -> Iterator[Duty]:
    """Yield the duty to follow suit, unless the card does."""
    led = table.trick[0][1] if table.trick else card[1]
    if card[1] != led:
        message = f"{SUIT_NAMES[led]} were led and are in this hand; play one of them"
        yield Duty(clause, SUITS[led], message)


def table_key(position: CardDeal[Any]) -> str:
    """Return what the table knows, the same for cards that fell in a different order.

    Raises `PositionError` where hands are known, as most of the position is hidden then.
    """
    table = position.table
    if table.seen is None:
        raise PositionError("positions can be compared in matches with hands=unseen only", 1)
    same = {"played": tuple(sorted(table.played)), "last": (), "led": 0, "taker": 0}
    return json.encode(replace(table, **same)).decode()


class HandOfCards(View, frozen=True):
    """The table, and the cards of one seat, as its player sees them."""

    table: CardTable
    seat: int
    cards: tuple[Card, ...]


class CardDeal(Position, Generic[T], frozen=True):
    """The table and the hands of the seats `table.holding`, in that order."""

    table: T
    hands: tuple[tuple[Card, ...], ...] = ()

    @property
    def turn(self) -> int:
        """Dealing is a turn, and each trick is a turn."""
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
        """The seats with hidden hands, as the cards that a seat may play reveal its hand."""
        return self.sealed

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return the cards of a seat, none before it has taken them."""
        holding = self.table.holding
        return self.hands[holding.index(seat)] if seat in holding else ()

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await the hands, then the cards of a trick."""
        table = self.table
        if self.outcome() is not None:
            return ()
        missing = [seat for seat in SEATS if seat not in table.holding]
        if table.seen is None and missing:
            return tuple(Awaited(seat, "take a hand", ("take",)) for seat in missing)
        return (Awaited(table.player, "play a card", ("play",)),)

    def view(self, seat: int | None) -> View:
        """Return the table, with a seat's own hand if it is hidden."""
        if seat is None or seat not in self.sealed:
            return self.table
        return HandOfCards(self.table, seat, self.hand(seat))

    def neglected(self, seat: int, card: Card) -> Duty | None:
        """Return the first duty that a card of a hand neglects."""
        hand = bits(self.hand(seat))
        return next((duty for duty in self.table.before(card) if duty.cards & hand), None)

    def begun(self) -> tuple[Any, tuple[Effect, ...]]:
        """Return the position after the last hand was taken, with the effects."""
        return self, ()


D = TypeVar("D", bound=CardDeal[Any])
Step = tuple[D, tuple[Effect, ...]]


class TakeHand(Secret[D], frozen=True):
    """A hand of thirteen cards, by a `clause`. `order` is the order of the pack."""

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
    order: ClassVar[tuple[Card, ...]] = PACK
    clause: ClassVar[str]

    @classmethod
    def roll(cls, position: D, die: Callable[[int], int]) -> TakeHand[D]:
        """Draw from the cards that no seat holds."""
        left = cls.undealt(position)
        drawn = [left.pop(die(len(left)) - 1) for _ in range(TRICKS)]
        return cls(*sorted(drawn, key=cls.order.index))

    @classmethod
    def undealt(cls, position: D) -> list[Card]:
        """Return the cards that no seat holds."""
        held = {card for hand in position.hands for card in hand}
        return [card for card in cls.order if card not in held]

    @classmethod
    def shown_by(cls, position: D, seat: int, move: Move[D]) -> tuple[tuple[Card, ...], list[Card]]:
        """A card was in the hand, and no card that had to be played before it."""
        if not isinstance(move, PlayCard) or seat != position.table.seat:
            return (), []  # an open hand needs no guess
        duties = [duty.cards for duty in position.table.before(move.card)]
        return (move.card,), [card for card in PACK if any(BIT[card] & each for each in duties)]

    @classmethod
    def misread(cls, text: str) -> Violation | None:
        """Refuse a hand of too few or too many cards."""
        found = HAND.fullmatch(text)
        number = len(found[1]) // 2 if found else TRICKS
        wrong = f"this hand has {count(number, 'card')}; name {TRICKS} cards"
        return Violation(cls.clause, wrong) if number != TRICKS else None

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the hand."""
        return astuple(self)

    def check(self, position: D, seat: int) -> Violation | None:
        """Refuse a hand that has a card twice, or a second hand.

        The hands of other seats are not checked.
        """
        if position.table.seen is not None:
            return Violation("turn", "the hands of this match stay unseen; enter the cards played")
        if seat in position.table.holding:
            has = Sentence("{seat} has a hand already", seat=Player(seat))
            return Violation("turn", has)
        return twice(self.cards, self.clause, "name 13 cards")

    def evolve(self, position: D, seat: int) -> Step[D]:
        """Seal the hand; after the last hand the game continues."""
        table = position.table
        holding, hands = (*table.holding, seat), (*position.hands, self.cards)
        turn = table.turn + (len(holding) == len(SEATS))
        after = replace(position, table=replace(table, holding=holding, turn=turn), hands=hands)
        begun, effects = after.begun() if len(hands) == len(SEATS) else (after, ())
        return begun, (Taken(seat), *effects)


def twice(cards: tuple[Card, ...], clause: str, remedy: str) -> Violation | None:
    """Refuse cards if one of them occurs twice."""
    found = next((card for card in cards if cards.count(card) > 1), None)
    return found and Violation(clause, f"{card_words(found)} is named twice; {remedy}")


class PlayCard(Move[D], frozen=True):
    """A card of a hand.

    `clause` refuses a card that is not in the hand; `first` says what must happen before cards are
    played.
    """

    card: Card

    notation: ClassVar[Notation] = template("{card}", card=CARD)
    what: ClassVar[str] = "card"
    example: ClassVar[str] = "QH"
    clause: ClassVar[str]
    first: ClassVar[str] = "each seat must first take a hand"

    @classmethod
    def legal(cls, position: D, seat: int) -> Iterator[PlayCard[D]]:
        """Yield the cards of the hand that may be played, or the cards that its seat may hold."""
        table = position.table
        seat = table.seat or seat
        hand = dict.fromkeys(position.hand(seat))
        if table.seen is None:
            return (cls(card) for card in hand if not position.neglected(seat, card))
        said = {card: _said(table, card) for card in PACK if BIT[card] & table.seen.free}
        return map(cls, fitting(table.seen, seat, table.number, said))

    def label(self, names: Names = UNNAMED) -> str:
        """Name the card."""
        return card_words(self.card)

    def picks(self, position: D) -> tuple[Pick, ...]:
        """Tap the card, in a hand or on a pad."""
        return (Pick("card", self.card, card_words(self.card)),)

    def check(self, position: D, seat: int) -> Violation | None:
        """Refuse a card out of turn, outside the hand, or before another duty."""
        table = position.table
        if table.seen is None and (len(position.hands) < len(SEATS) or not table.leader):
            return Violation("turn", self.first)
        if table.leader and seat != table.player:
            return Violation("turn", Sentence("{seat} plays now", seat=Player(table.player)))
        seat = table.seat or seat
        if table.seen is not None:
            return self._fallen(table)
        if self.card not in position.hand(seat):
            return Violation(self.clause, f"{card_words(self.card)} is not in this hand")
        duty = position.neglected(seat, self.card)
        return duty and Violation(duty.clause, duty.message)

    def _fallen(self, table: CardTable) -> Violation | None:
        if self.card not in table.played:
            return None
        trick = 1 + table.played.index(self.card) // len(SEATS)
        fell = f"{card_words(self.card)} fell in trick {trick} of this deal; enter another card"
        return Violation(self.clause, fell)

    def evolve(self, position: D, seat: int) -> Step[D]:
        """Play the card; the fourth ends the trick, the last trick the deal."""
        table, hands, proven = position.table, position.hands, tuple[Effect, ...]()
        seat = table.seat or seat
        if table.seen is not None:
            said = _said(table, self.card)
            seen, proven = table.seen.after(seat, self.card, table.number, said)
            table = replace(table, seen=seen, leader=table.leader or seat)
        elif self.card in table.played:
            again = table.dealt_again(turn=table.turn + 1, last=())
            return type(position)(again), (Played(seat, self.card), Misdealt(self.card))
        else:
            hands = _without(hands, table.holding.index(seat), self.card)
        effects = (Played(seat, self.card), *proven)
        cards, trick = (*table.played, self.card), (*table.trick, self.card)
        table = replace(table, trick=trick, played=cards)
        if len(trick) < len(SEATS):
            return type(position)(table, hands), effects
        table, told = _end_trick(table)
        return type(position)(table, hands if table.holding else ()), (*effects, *told)


def _without(
    hands: tuple[tuple[Card, ...], ...], place: int, card: Card
) -> tuple[tuple[Card, ...], ...]:
    hand = hands[place]
    at = hand.index(card) if card in hand else len(hand)  # a hand that is only guessed may lack it
    return (*hands[:place], hand[:at] + hand[at + 1 :], *hands[place + 1 :])


def _said(table: CardTable, card: Card) -> tuple[tuple[str, int], ...]:
    """Return what a card reveals about the rest of its hand if it was played by the rules."""
    return tuple((duty.clause, duty.cards) for duty in table.before(card))


def _end_trick(table: T) -> tuple[T, tuple[Effect, ...]]:
    """Give the trick to its highest card."""
    taker, cards = table.order[highest(table.trick, table.trumps)], table.trick
    past: dict[str, Any] = {"last": cards, "led": table.leader, "taker": taker}
    table = replace(table, **past, leader=taker, trick=(), turn=table.turn + 1)
    after: tuple[T, tuple[Effect, ...]] = table.taken_by(taker, cards)
    return after


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
    """A seat took a trick."""

    seat: int

    template: ClassVar[str] = "{seat} takes the trick"


class Misdealt(Effect, frozen=True):
    """A card was in two hands, or missing: the deal does not count."""

    card: Card

    def words(self, names: Names = UNNAMED) -> str:
        """Name the card by its sign."""
        return f"the deal was wrong at {card_words(self.card)}: deal again"


def card_controls(state: Any, seat: int) -> MoveControls:
    """Return a pad of cards: of those that have not fallen, or for a secret move of several cards.

    A card of a known hand is tapped in the picture.
    """
    position: CardDeal[Any] = state.position
    table: CardTable = position.table
    due = {tag for one in position.awaiting() if one.seat == seat for tag in one.moves}
    led = table.trick[0][1] if table.trick else ""
    free = position.hand(seat) or [card for card in PACK if card not in table.played]
    pads = (
        card_pad(kind, free, led)
        for kind in state.game.moves
        if tag_of(kind) in due and (table.seen is not None or not issubclass(kind, PlayCard))
    )
    return MoveControls(cards=next(filter(None, pads), None))


def card_pad(kind: type[Move[Any]], cards: Collection[str] = PACK, led: str = "") -> CardPad | None:
    """Return the pad for a kind of move that names cards; `None` for other kinds.

    The suit that was led comes first.
    """
    parts = kind.notation.parts
    if {part.lexeme for part in parts} != {CARD}:
        return None
    suits = sorted("SHCD", key=lambda suit: suit != led)
    every = (f"{rank}{suit}" for suit in suits for rank in reversed(RANKS))
    shown = tuple(card for card in every if card in cards)
    return CardPad(tag_of(kind), shown, parts[0].before, len(parts))


def card_spellings(position: Position, text: str) -> Collection[str]:
    """Return the move text of cards that are written like `10h` or `10♥`."""
    before, sign, cards = text.rpartition("=")
    plain = "".join(cards.split()).upper().replace("10", "T").translate(LETTERS)
    return ("".join(before.split()).lower() + sign + plain,) if CARDS.fullmatch(plain) else ()


def trick_row(table: CardTable, title: str, names: Names) -> Row:
    """Return the cards on the table: this trick, or the last trick with the seat that took it."""
    if table.trick or not table.last:
        return card_row(table.trick, title, table.order)
    return card_row(table.last, f"{names.title(table.taker)} takes it", _from(table.led))


def known_of(table: CardTable, seat: int) -> tuple[str, ...]:
    """Return a line about the suits that a seat has shown not to hold; usually no line."""
    if table.seen is None:
        return ()
    lacked = table.seen.lacks(seat)
    signs = [SUIT_SIGNS[suit] for suit, cards in SUITS.items() if cards & lacked == cards]
    return (f"no {' '.join(signs)}",) if signs else ()


def hand_row(cards: Iterable[Card], order: tuple[Card, ...]) -> Row:
    """Return the row of a seat's own hand."""
    return card_row(sorted({*cards}, key=order.index), "Your hand")
