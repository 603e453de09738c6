"""A position of chess: a FEN, and the moves since the last capture or move of a pawn."""

from __future__ import annotations

import functools
from typing import Final

import chess

from plybook.game import Awaited, Field, Outcome, Position, TextCodec

PIECES: Final = dict(zip("PNBRQK", chess.PIECE_NAMES[1:], strict=True))
"""The names of the pieces by letter."""
CLAIMED: Final = "claimed"


@functools.lru_cache(maxsize=4096)
def played(fen: str, moves: tuple[str, ...]) -> chess.Board:
    """Return the board after some moves. Callers must not change it."""
    if not moves:
        return chess.Board(fen)
    board = played(fen, moves[:-1]).copy()
    board.push_uci(moves[-1])
    return board


class Chess(Position, frozen=True):
    """The board follows from `fen` and `moves`; `claim` is the clause of a claim that ended it."""

    fen: str = chess.STARTING_FEN
    moves: tuple[str, ...] = ()
    claim: str = ""

    @property
    def board(self) -> chess.Board:
        """The board with the moves that repetitions are counted in. Callers must not change it."""
        return played(self.fen, self.moves)

    @property
    def turn(self) -> int:
        """The number of the move, counting the moves of both seats."""
        return self.board.ply() + 1

    @property
    def seat(self) -> int:
        """The seat to move."""
        return 1 if self.board.turn else 2

    def after(self, move: chess.Move) -> Chess:
        """Return the position after a legal move."""
        if not self.board.is_zeroing(move):
            return Chess(self.fen, (*self.moves, move.uci()))
        return Chess(played(self.fen, (*self.moves, move.uci())).fen())

    @property
    def claimable(self) -> str:
        """The clause by which a seat may claim a draw now, or nothing (CHS-5.2, CHS-5.3)."""
        if self.board.is_repetition(3):
            return "CHS-5.2"
        return "CHS-5.3" if self.board.is_fifty_moves() else ""

    def awaiting(self) -> tuple[Awaited, ...]:
        """CHS-1.3."""
        return () if self.outcome() else (Awaited(self.seat, "move", ("move", "claim")),)

    def outcome(self) -> Outcome | None:
        """CHS-4.2, CHS-4.3, CHS-5."""
        return Outcome(self.claim) if self.claim else ended(self.fen, self.moves)


@functools.lru_cache(maxsize=256)
def ended(fen: str, moves: tuple[str, ...]) -> Outcome | None:
    """Return how moves ended a game without a claim; a match asks several times for each."""
    board = played(fen, moves)
    if not any(board.generate_legal_moves()):
        return Outcome("CHS-4.2", (1 + board.turn,)) if board.is_check() else Outcome("CHS-4.3")
    if board.is_insufficient_material():
        return Outcome("CHS-5.1")
    if board.is_fivefold_repetition():
        return Outcome("CHS-5.4")
    return Outcome("CHS-5.5") if board.is_seventyfive_moves() else None


def write(position: Chess) -> str:
    """Write the FEN, and the moves after it as UCI has them: `… moves g1f3 g8f6`."""
    moves = ("moves", *position.moves) if position.moves else ()
    return " ".join((position.fen, *moves, *((CLAIMED,) if position.claim else ())))


def read(position: Chess, text: str) -> Chess:
    """Read a FEN, perhaps with moves."""
    words = Field(text, 1).split(" ")
    found = Chess(_fen(words[:6]))
    for word in words[6:]:
        if found.claim:
            raise word.wrong("a claim is the last part; remove what follows")
        if word.text == CLAIMED and found.claimable:
            found = Chess(found.fen, found.moves, found.claimable)
        elif word is not words[6] or word.text != "moves":
            found = found.after(_move(found, word))
    right = write(found)
    if right.split(" ")[6:] != [word.text for word in words[6:]]:
        raise words[6].wrong(f"write this position as {right}")
    return found


def _fen(words: list[Field]) -> str:
    """Return the FEN of six words as Plybook writes it: `-` for a square no pawn captures on."""
    if len(words) < 6:
        raise words[-1].wrong("a FEN has six parts: pieces, side, castling, square, clock, move")
    for count, word in enumerate(words):
        try:
            board = chess.Board(" ".join(one.text for one in words[: count + 1]))
        except ValueError as error:
            raise word.wrong(str(error)) from None
        right = board.fen(en_passant="fen").split(" ")[count]
        if word.text != right:
            raise word.wrong(f"{word.shown} is not a valid part of a FEN here; use {right}")
    if faults := board.status():
        reason = (faults.name or "invalid").lower().replace("|", ", ").replace("_", " ")
        word = words[3 if faults == chess.Status.INVALID_EP_SQUARE else 0]
        raise word.wrong(f"no game reaches this position: {reason}")
    return board.fen()


def _move(position: Chess, word: Field) -> chess.Move:
    try:
        return position.board.parse_uci(word.text)
    except ValueError:
        raise word.wrong(f"{word.shown} is not a legal move here; moves look like g1f3") from None


def key(position: Chess) -> str:
    """Write the position without its counts, and the draw that can be claimed."""
    return f"{position.board.epd()} {position.claim or position.claimable or '-'}"


TEXT: Final = TextCodec(write, read, key)
