"""The same kinds of work in python-chess: refereeing, random playouts, perft.

The games are random ones from fixed seeds.
"""

from __future__ import annotations

import functools
from random import Random
from typing import Final

import chess

GAMES: Final = 3
PLIES: Final = 120
"""The longest prefix of each game; random games drag on with few pieces."""

MIDDLE: Final = 30
"""The ply at which perft and playouts begin."""


@functools.cache
def games() -> tuple[tuple[str, ...], ...]:
    """Return random games as moves in UCI."""
    return tuple(_game(Random(seed)) for seed in range(GAMES))


def _game(rng: Random) -> tuple[str, ...]:
    board, moves = chess.Board(), []
    while len(moves) < PLIES and board.outcome() is None:
        move = rng.choice(list(board.legal_moves))
        moves.append(move.uci())
        board.push(move)
    return tuple(moves)


def _middle() -> chess.Board:
    board = chess.Board()
    for move in games()[0][:MIDDLE]:
        board.push_uci(move)
    return board


def refereed() -> int:
    """Referee the games (parse, legality, push, outcome) and return the number of moves."""
    for game in games():
        board = chess.Board()
        for text in game:
            move = chess.Move.from_uci(text)
            assert board.is_legal(move)
            board.push(move)
            board.outcome()
    return sum(map(len, games()))


def played_out() -> int:
    """Play a random game on from the middle; return the number of moves."""
    rng, board, moves = Random(1), _middle(), 0
    while moves < PLIES and board.outcome() is None:
        board.push(rng.choice(list(board.legal_moves)))
        moves += 1
    return moves


def counted() -> int:
    """Count the positions two moves after the middle, the last ply without making the moves."""
    return _perft(_middle(), 2)


def _perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += _perft(board, depth - 1)
        board.pop()
    return nodes
