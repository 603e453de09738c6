"""Other spellings of a move of chess: `0-0`, `e2-e4`, `Ngf3` for `Nf3`, `ed5`, `exd5 e.p.`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import chess

from plybook_chess.position import Chess

LEFT_OUT: Final = re.compile(r"e\.?p\.?$|[\s:x×\-\u2010-\u2015\u2212=/()+#†‡!?]+", re.IGNORECASE)
"""Signs of captures, checks, promotions and dashes; none of them makes another move."""
WRITTEN: Final = re.compile(r"([KQRBNP]?)([a-h]?)([1-8]?)([a-h])([1-8]?)([QRBN]?)")
CASTLING: Final = {"oo": "g", "00": "g", "ooo": "c", "000": "c"}


def spellings(position: Chess, text: str) -> tuple[str, ...]:
    """Return the legal moves that a text may mean, as SAN.

    Letters of pieces count as they are written; only if none fits, small ones count too (`nf3`).
    In a text of capitals `B` is a bishop or a column.
    """
    board, plain = position.board, text
    while plain != (plain := LEFT_OUT.sub("", plain)):
        pass
    moves = set(_castlings(board, plain) if plain.lower() in CASTLING else _fitting(board, plain))
    if not moves and plain[:1] in "kqrbn":
        moves = set(_fitting(board, plain[:1].upper() + plain[1:]))
    if plain[:1] == "B" and plain.isupper():
        moves |= set(_fitting(board, plain.lower()))
    return tuple(sorted(board.san(move) for move in moves))


def _castlings(board: chess.Board, text: str) -> Iterator[chess.Move]:
    for move in board.generate_castling_moves():
        if chess.square_name(move.to_square)[0] == CASTLING[text.lower()]:
            yield move


def _fitting(board: chess.Board, text: str) -> Iterator[chess.Move]:
    """Yield the legal moves with the piece, squares and promotion of a text.

    A text without a row, like `ed`, is a capture of a pawn.
    """
    found = WRITTEN.fullmatch(_with_small_squares(text))
    if found is None:
        return
    letter, file, row, to_file, to_row, new = found.groups()
    kind = chess.PIECE_SYMBOLS.index((letter or "P").lower())
    promotion = chess.PIECE_SYMBOLS.index(new.lower()) if new else None
    if not to_row and not (file and kind == chess.PAWN and file != to_file):
        return
    for move in board.legal_moves:
        start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
        full = bool(file and row)  # `g1f3` needs no letter
        if (
            (board.piece_type_at(move.from_square) == kind or (full and not letter))
            and start.startswith(file)
            and start.endswith(row)
            and end.startswith(to_file)
            and end.endswith(to_row)
            and move.promotion == promotion
        ):
            yield move


def _with_small_squares(text: str) -> str:
    """Return a text with small letters of squares and a capital of a promotion."""
    head = text[:1] if text[:1] in "KQRBNP" else text[:1].lower()
    rest = text[1:].lower()
    return head + re.sub(r"(?<=[18])[qrbn]$", lambda last: last[0].upper(), rest)
