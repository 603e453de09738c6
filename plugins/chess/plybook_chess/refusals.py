"""The clause that refuses a move, in the order of the rules."""

from __future__ import annotations

from typing import Final

import chess

from plybook.game import Violation

COLOURS: Final = ("Black", "White")
KINDS: Final = {
    chess.KING: ("CHS-3.1", "one square in any direction"),
    chess.QUEEN: ("CHS-3.2", "straight or diagonally"),
    chess.ROOK: ("CHS-3.3", "straight"),
    chess.BISHOP: ("CHS-3.4", "diagonally"),
    chess.KNIGHT: ("CHS-3.5", "two squares straight and one sideways"),
    chess.PAWN: ("CHS-3.6", "one square ahead, or one diagonally to capture"),
}
_name = chess.square_name


def refusal(board: chess.Board, move: chess.Move) -> Violation | None:
    """Return why a move is illegal, or `None`."""
    # python-chess also takes the king's move onto its rook for castling, as in Chess960.
    if board.is_legal(move) and board.color_at(move.to_square) != board.turn:
        return None
    clause, message, squares = _fault(board, move)
    return Violation(clause, message, tuple(map(_name, squares)))


Fault = tuple[str, str, tuple[int, ...]]


def _fault(board: chess.Board, move: chess.Move) -> Fault:
    at, to = move.from_square, move.to_square
    piece, side = board.piece_at(at), COLOURS[board.turn]
    if piece is None or piece.color != board.turn:
        return "CHS-2.1", f"{_name(at)} has no piece of {side}; move one of {side}'s", (at,)
    kind = chess.piece_name(piece.piece_type)
    if board.color_at(to) == board.turn:
        return "CHS-2.2", f"{_name(to)} has a piece of {side}; use another square", (to,)
    if fault := _promotion(piece, move):
        return fault
    if piece.piece_type == chess.KING and abs(at - to) == 2:
        return _castling(board, at, to)
    if board.is_pseudo_legal(move):
        return _exposed(board, move, kind)
    between = [one for one in chess.SquareSet(chess.between(at, to)) if board.piece_at(one)]
    if between and is_line(piece.piece_type, _name(at), _name(to)):
        return "CHS-2.3", f"{_name(between[0])} is in the {kind}'s way; stop before it", (*between,)
    if piece.piece_type == chess.PAWN:
        return _pawn(board, at, to)
    clause, way = KINDS[piece.piece_type]
    return clause, f"a {kind} moves {way}; use such a square", (at, to)


def is_line(kind: int, at: str, to: str) -> bool:
    """Return whether a piece, but not a pawn, would go there on an empty board."""
    empty = chess.Board(None)
    empty.set_piece_at(chess.parse_square(at), chess.Piece(kind, chess.WHITE))
    return empty.is_attacked_by(chess.WHITE, chess.parse_square(to))


def _promotion(piece: chess.Piece, move: chess.Move) -> Fault | None:
    """CHS-3.8."""
    at, to = move.from_square, move.to_square
    ends = piece.piece_type == chess.PAWN and bool(chess.BB_SQUARES[to] & chess.BB_BACKRANKS)
    if ends and move.promotion is None:
        return "CHS-3.8", f"name the new piece, like {move.uci()}q for a queen", (at, to)
    if move.promotion is not None and not ends:
        return "CHS-3.8", f"only a pawn on the last row is promoted; write {move.uci()[:4]}", (at,)
    return None


def _castling(board: chess.Board, at: int, to: int) -> Fault:
    """CHS-3.9: return why a king cannot castle."""
    side = chess.BB_FILE_H if to > at else chess.BB_FILE_A
    rook = next(iter(chess.SquareSet(side & chess.BB_RANKS[chess.square_rank(at)])))
    if not board.castling_rights & chess.BB_SQUARES[rook] & board.rooks:
        return "CHS-3.9", "the king or that rook has moved, so they cannot castle", (at, rook)
    between = [one for one in chess.SquareSet(chess.between(at, rook)) if board.piece_at(one)]
    if between:
        return "CHS-3.10", f"{_name(between[0])} between king and rook must be empty", (*between,)
    way = (at, (at + to) // 2, to)
    attacked = [one for one in way if board.is_attacked_by(not board.turn, one)]
    words = "the king cannot castle from or across attacked squares: "
    return "CHS-3.11", words + ", ".join(map(_name, attacked)), (*attacked,)


def _exposed(board: chess.Board, move: chess.Move, kind: str) -> Fault:
    """CHS-4.1: return how the king would be in check."""
    at, to, king = move.from_square, move.to_square, board.king(board.turn)
    assert king is not None
    if kind == "king":
        return "CHS-4.1", f"{_name(to)} is attacked; use another square", (to,)
    if board.is_check():
        return "CHS-4.1", f"the king on {_name(king)} is in check; end the check", (king,)
    words = f"the {kind} is pinned: without it the king on {_name(king)} is in check"
    return "CHS-4.1", words, (at, king)


def _pawn(board: chess.Board, at: int, to: int) -> Fault:
    ahead = 8 if board.turn else -8
    rows = (to - at) // ahead if chess.square_file(at) == chess.square_file(to) else 0
    if board.attacks_mask(at) & chess.BB_SQUARES[to]:
        return "CHS-3.7", f"a pawn goes to {_name(to)} only to capture, and nothing is there", (to,)
    blocked = [one for one in (at + ahead, to) if board.piece_at(one)]
    if rows in (1, 2) and blocked:
        words = f"{_name(blocked[0])} is occupied; a pawn goes to empty squares"
        return "CHS-3.6", words, (blocked[0],)
    if rows == 2:
        return "CHS-3.6", "a pawn goes two squares only from its first square; go one", (at, to)
    clause, way = KINDS[chess.PAWN]
    return clause, f"a pawn moves {way}; use such a square", (at, to)
