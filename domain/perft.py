"""Perft: the number of move sequences of a length, to verify move generation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain.entry import move_text
from domain.events import Moved
from domain.game import Game
from domain.position import Position


class TooMany(Exception):
    """There are more sequences, or more positions along the way, than the caller allows."""


def perft(game: Game[Any], position: Position, depth: int, most: int | None = None) -> int:
    """Count the sequences of `depth` moves of all awaited seats. Raises `TooMany` beyond `most`.

    The count is meaningless if not all moves can be listed (`Game.lists_all`).

    >>> from domain.games import built_in
    >>> game = built_in("poptrix")
    >>> [perft(game, game.start(game.options(), 2), depth) for depth in (0, 1, 2)]
    [1, 15, 225]
    """
    if depth == 0:
        return 1
    if most is None:
        return sum(_counts(game, position, depth))
    total = 0
    for positions, count in enumerate(_counts(game, position, depth)):
        total += count
        if total > most or positions > most:
            raise TooMany
    return total


def _counts(game: Game[Any], position: Position, depth: int) -> Iterator[int]:
    """Yield the number of moves of each position that is `depth - 1` moves ahead."""
    if depth == 1:
        yield sum(1 for _ in game.legal_moves(position))
        return
    for seat, move in game.legal_moves(position):
        yield from _counts(game, move.evolve(position, seat)[0], depth - 1)


def divide(game: Game[Any], position: Position, depth: int) -> dict[str, int]:
    """Count as `perft` does, separately for each first move, keyed by move text in sorted order.

    The result is empty for a depth of 0.
    """
    if depth == 0:
        return {}
    counts = {}
    for seat, move in game.legal_moves(position):
        text = move_text.write(game, Moved(seat, move))
        counts[text] = perft(game, move.evolve(position, seat)[0], depth - 1)
    return dict(sorted(counts.items()))
