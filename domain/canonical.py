"""Canonical positions: symmetric positions count as one."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from domain.game import Game
from domain.position import Move, Position
from domain.symmetry import Symmetry

AS_IT_IS: Final = Symmetry("as it is", {}, lambda position, _: position, lambda move, _: move)


class Canonical(NamedTuple):
    """The canonical form of a position: the same for all its images.

    `text` is the smallest key of an image; `ways` are the symmetries that lead to that image.
    """

    text: str
    ways: tuple[Symmetry, ...]

    def write(self, game: Game[Any], move: Move[Any]) -> str:
        """Return the text of a move's image, the same for all equivalent moves."""
        return min([game.write(way.move(move)) for way in self.ways])


def canonical(game: Game[Any], position: Position) -> Canonical:
    """Return the canonical form of a position, without anything sealed.

    Raises `PositionError` for a position that cannot be compared.
    """
    ways = (AS_IT_IS, *game.symmetries(position))
    texts = [game.write_key(way.position(position)) for way in ways]
    least = min(texts)
    leading = [way for way, text in zip(ways, texts, strict=True) if text == least]
    return Canonical(least, tuple(leading))
