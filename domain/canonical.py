"""Positions that are the same but for a symmetry count as one."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from domain.game import Game
from domain.position import Move, Position
from domain.symmetry import Symmetry

AS_IT_IS: Final = Symmetry("as it is", {}, lambda position, _: position, lambda move, _: move)


class Canonical(NamedTuple):
    """What positions have in common that are equal, or images of each other.

    `text` is the least text of an image, without the turn number; `ways` lead to that image.
    """

    text: str
    ways: tuple[Symmetry, ...]

    def token(self, game: Game[Any], move: Move[Any]) -> str:
        """Return the token of a move's image, the same for all moves that come to the same."""
        return min(game.token(way.move(move)) for way in self.ways)


def canonical(game: Game[Any], position: Position) -> Canonical:
    """Return what a position has in common with its images. Nothing sealed is in it.

    Raises `PositionError` for a game whose positions have no text.
    """
    ways = (AS_IT_IS, *game.symmetries(position))
    texts = [game.write_position(way.position(position)).rpartition(" ")[0] for way in ways]
    least = min(texts)
    return Canonical(
        least, tuple(way for way, text in zip(ways, texts, strict=True) if text == least)
    )
