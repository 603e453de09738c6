"""The pack of 52 cards: notation, words and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final, Literal, get_args

from domain.notation import Lexeme
from domain.scene import Piece, Row

Card = Literal[
    "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC",
    "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD", "AD",
    "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH",
    "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS",
]  # fmt: skip
PACK: Final[tuple[Card, ...]] = get_args(Card)
CARD: Final = Lexeme("[2-9TJQKA][CDHS]")
RANKS: Final = "23456789TJQKA"
"""The ranks from the lowest."""
SUIT_NAMES: Final = MappingProxyType({"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"})
"""The names of suits by their letters."""
SUIT_SIGNS: Final = MappingProxyType({"C": "♣", "D": "♦", "H": "♥", "S": "♠"})
"""The sign of each suit."""


def card_words(card: Card) -> str:
    """Write a card for people: `10♥`."""
    return f"{'10' if card[0] == 'T' else card[0]}{SUIT_SIGNS[card[1]]}"


def highest(trick: Sequence[Card], trumps: str = "") -> int:
    """Return the number, from 0, of the card that takes a trick: a trump or of the suit led.

    >>> highest(["TH", "KH", "2S"]), highest(["TH", "KH", "2S"], trumps="S")
    (1, 2)
    """
    strength = [(card[1] == trumps, card[1] == trick[0][1], RANKS.index(card[0])) for card in trick]
    return strength.index(max(strength))


def card_row(cards: Iterable[Card], title: str, seats: Iterable[int] | None = None) -> Row:
    """Return a row of cards: a trick that `seats` play, or a hand that can be tapped."""
    if seats is None:
        hand = (Piece("card", "clear", text=card_words(card), at=card) for card in cards)
        return Row(tuple(hand), title)
    played = (
        Piece("card", f"seat{seat}", text=card_words(card))  # type: ignore[arg-type]
        for seat, card in zip(seats, cards, strict=False)
    )
    return Row(tuple(played), title)
