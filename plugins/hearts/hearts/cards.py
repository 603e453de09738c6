"""The pack of cards."""

from __future__ import annotations

from plybook.game import PACK, Card

ORDER: tuple[Card, ...] = tuple(sorted(PACK, key=lambda card: "CDSH".index(card[1])))
"""The order in which hands are sorted: hearts come last."""
QUEEN: Card = "QS"
FIRST: Card = "2C"


def points(card: Card) -> int:
    """Return the points of a card (HRT-5.1)."""
    return 13 if card == QUEEN else int(card[1] == "H")
