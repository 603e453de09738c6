"""The pack of cards."""

from __future__ import annotations

from typing import Literal, get_args

from plybook.game import Lexeme

# fmt: off
Card = Literal[
    "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC",
    "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD", "AD",
    "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS",
    "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH",
]
# fmt: on
PACK: tuple[Card, ...] = get_args(Card)
CARD = Lexeme("[2-9TJQKA][CDHS]")
RANKS = "23456789TJQKA"
SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
QUEEN: Card = "QS"
FIRST: Card = "2C"


def points(card: Card) -> int:
    """Return what a card counts (HRT-5.1)."""
    return 13 if card == QUEEN else int(card[1] == "H")


def words(card: Card) -> str:
    """Write a card for people: `10♥`."""
    return f"{'10' if card[0] == 'T' else card[0]}{SUITS[card[1]]}"
