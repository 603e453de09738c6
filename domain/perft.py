"""Perft: the number of move sequences of a length, to verify move generation."""

from __future__ import annotations

from typing import Any

from domain.entry import tokens
from domain.events import Moved
from domain.game import Game
from domain.position import Position


def perft(game: Game[Any], position: Position, depth: int) -> int:
    """Count the sequences of `depth` moves of all awaited seats.

    The count is meaningless if not all moves can be listed (`Game.lists_all`).
    """
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in game.legal_moves(position))
    return sum(
        perft(game, move.evolve(position, seat)[0], depth - 1)
        for seat, move in game.legal_moves(position)
    )


def divide(game: Game[Any], position: Position, depth: int) -> dict[str, int]:
    """Count as `perft` does, separately for each first move, keyed by token in sorted order.

    The result is empty for a depth of 0.
    """
    if depth == 0:
        return {}
    counts = {}
    for seat, move in game.legal_moves(position):
        token = tokens.write(game, Moved(seat, move))
        counts[token] = perft(game, move.evolve(position, seat)[0], depth - 1)
    return dict(sorted(counts.items()))
