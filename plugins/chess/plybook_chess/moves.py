"""The moves of chess and claims of draws, their effects, and SAN."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar, Final, Literal

import chess

from plybook.game import (
    UNNAMED,
    Effect,
    Label,
    Lexeme,
    Move,
    Names,
    Pick,
    Script,
    Violation,
    template,
)
from plybook_chess.position import Chess
from plybook_chess.refusals import is_line, refusal

# These literals are computed, so a type checker cannot read them and gets `Any`.
Square: Any = Literal[tuple(chess.SQUARE_NAMES)]
SQUARE: Final = Lexeme("[a-h][1-8]")
PROMOTIONS: Final = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}
NEW: Final = Lexeme("[qrbn]|", labels=tuple(map(Label, PROMOTIONS, PROMOTIONS.values())))
MOVES: Final = tuple(
    f"={at}{to}{piece}"
    for at in chess.SQUARE_NAMES
    for to in chess.SQUARE_NAMES
    if at != to
    for piece in ("", *(PROMOTIONS if to[1] in "18" and at[1] in "27" else ""))
)
Step = tuple[Chess, tuple[Effect, ...]]


class Went(Effect, frozen=True):
    """A piece has moved."""

    seat: int
    piece: str
    start: str
    end: str

    template: ClassVar[str] = "{seat} moves the {piece} from {start} to {end}"


class Captured(Went, frozen=True):
    """A piece has captured another one, a pawn perhaps on the square next to it (CHS-3.7)."""

    captured: str
    at: str

    template: ClassVar[str] = "{seat} captures the {captured} on {at} with the {piece} from {start}"


class Castled(Went, frozen=True):
    """A king has castled (CHS-3.9)."""

    rook: str

    template: ClassVar[str] = "{seat} castles: king to {end}, rook to {rook}"
    deed: ClassVar[str] = "put the rook on {rook}"


class Promoted(Effect, frozen=True):
    """A pawn became another piece (CHS-3.8)."""

    piece: str
    at: str

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "the pawn on {at} becomes a {piece}"
    deed: ClassVar[str] = "put a {piece} on {at}"


class Checked(Effect, frozen=True):
    """A king is attacked (CHS-4.1)."""

    seat: int
    at: str

    template: ClassVar[str] = "{seat} is in check"


class Claimed(Effect, frozen=True):
    """A draw was claimed (CHS-5.2, CHS-5.3)."""

    seat: int
    because: str

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "{seat} claims a draw: {because}"


BECAUSE: Final = {
    "CHS-5.2": "the position has come for the third time",
    "CHS-5.3": "fifty moves without a capture or a move of a pawn",
}


class PieceMove(Move[Chess], frozen=True, tag="move", omit_defaults=True):
    """A move of a piece as UCI writes it; the king's own step stands for castling."""

    from_: Square
    to: Square
    promotion: Literal["", "q", "r", "b", "n"] = ""

    notation = template("{from_}{to}{promotion}", from_=SQUARE, to=SQUARE, promotion=NEW)
    what = "move"
    example = "e2e4"

    @property
    def uci(self) -> chess.Move:
        """The move of python-chess."""
        return chess.Move.from_uci(f"{self.from_}{self.to}{self.promotion}")

    @classmethod
    def of(cls, move: chess.Move) -> PieceMove:
        """Return a move of python-chess."""
        text = move.uci()
        return cls(text[:2], text[2:4], text[4:])  # type: ignore[arg-type]

    @classmethod
    def legal(cls, position: Chess, seat: int) -> Iterator[PieceMove]:
        return map(cls.of, position.board.legal_moves)

    def check(self, position: Chess, seat: int) -> Violation | None:
        if self.from_ == self.to:
            return Violation("CHS-2.1", "a move ends on a different square; name one", (self.to,))
        return refusal(position.board, self.uci)

    def picks(self, position: Chess) -> tuple[Pick, ...]:
        """Tap both squares, and the new piece of a pawn."""
        new = self.promotion and (Pick("promotion", self.promotion),)
        return (Pick("at", self.from_), Pick("at", self.to), *(new or ()))

    def evolve(self, position: Chess, seat: int) -> Step:
        after = position.after(self.uci)
        return after, tuple(_effects(position, self.uci, after.board, seat))


def _effects(before: Chess, move: chess.Move, after: chess.Board, seat: int) -> Iterator[Effect]:
    board = before.board
    kind = board.piece_type_at(move.from_square)
    assert kind is not None
    start, end = move.uci()[:2], move.uci()[2:4]
    went = (seat, chess.piece_name(kind), start, end)
    at = end[0] + start[1] if board.is_en_passant(move) else end
    taken = board.piece_type_at(chess.parse_square(at))
    if board.is_castling(move):
        yield Castled(*went, rook=("f" if end[0] == "g" else "d") + end[1])
    elif taken is not None:
        yield Captured(*went, chess.piece_name(taken), at)
    else:
        yield Went(*went)
    if move.promotion:
        yield Promoted(chess.piece_name(move.promotion), end)
    king = after.king(after.turn)
    if after.is_check() and king is not None:
        yield Checked(3 - seat, chess.square_name(king))


class Claim(Move[Chess], frozen=True, omit_defaults=True):
    """A claim of a draw, now or with the move that brings it about (CHS-5.2, CHS-5.3)."""

    move: PieceMove | None = None

    notation = template(
        "claim{move}",
        move=Lexeme(
            "(?:=[a-h][1-8][a-h][1-8][qrbn]?)?",
            lambda text: PieceMove(text[1:3], text[3:5], text[5:]) if text else None,
            lambda move: f"={PieceMove.notation.write(move)}" if move else "",
            texts=("", *MOVES),
        ),
    )
    what = "claim of a draw"
    example = "claim"

    def _after(self, position: Chess) -> Chess:
        return position.after(self.move.uci) if self.move else position

    @classmethod
    def legal(cls, position: Chess, seat: int) -> Iterator[Claim]:
        if position.claimable:
            yield cls()
        if len(position.moves) > 2 or position.board.halfmove_clock > 98:
            claims = map(cls, PieceMove.legal(position, seat))
            yield from (one for one in claims if one._after(position).claimable)

    def check(self, position: Chess, seat: int) -> Violation | None:
        fault = self.move and self.move.check(position, seat)
        if fault or self._after(position).claimable:
            return fault
        return Violation(
            "CHS-5.2",
            "this is neither the third repetition nor the fiftieth move without a capture"
            " or a move of a pawn; offer a draw",
        )

    def picks(self, position: Chess) -> tuple[Pick, ...]:
        claim = Pick("claim", "claim", "Claim a draw with the next move")
        return (claim, *self.move.picks(position)) if self.move else ()

    def label(self, names: Names = UNNAMED) -> str:
        return "" if self.move else "Claim a draw"

    def evolve(self, position: Chess, seat: int) -> Step:
        after = self._after(position)
        effects = self.move.evolve(position, seat)[1] if self.move else ()
        ended = Chess(after.fen, after.moves, after.claimable)
        return ended, (*effects, Claimed(seat, BECAUSE[after.claimable]))


SAN: Final = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([QRBN]))?[+#]?")
CASTLING: Final = re.compile(r"([O0])-\1(-\1)?[+#]?")


def write_san(position: Chess, move: Move[Chess]) -> str:
    """Write a move in the notation that players use: `Nbd2`, `O-O`, `exd8=Q+`."""
    is_plain = isinstance(move, PieceMove)
    return position.board.san(move.uci) if is_plain else move.notation.write(move)


def read_san(position: Chess, text: str) -> PieceMove | Violation | None:
    """Read a move in SAN; an illegal one moves the nearest piece of its kind, if there is one."""
    board, found = position.board, SAN.fullmatch(text)
    try:
        if move := board.parse_san(text):
            return PieceMove.of(move)
        return Violation("CHS-2.1", f"{text!r} is a null move; use a move of a piece")
    except chess.AmbiguousMoveError:
        all_ = map(board.san, board.legal_moves)
        fit = ", ".join(san for san in all_ if found and san[0] == text[0] and found[4] in san)
        return Violation("form", f"{text!r} fits several pieces; use one of {fit}")
    except ValueError:
        if castling := CASTLING.fullmatch(text):
            at = chess.square_name(board.king(board.turn) or 0)
            moved = Violation("CHS-3.9", "the king has moved, so it cannot castle", (at,))
            # From another column the king's step would be a plain one.
            return PieceMove(at, "gc"[bool(castling[2])] + at[1]) if at[0] == "e" else moved
        if found is None:
            return None
    letter, file, row, to, new = found.groups()
    kind = chess.PIECE_SYMBOLS.index((letter or "p").lower())
    own = [chess.square_name(at) for at in board.pieces(kind, board.turn)]
    fitting = [at for at in own if at != to and at.startswith(file) and at.endswith(row)]
    able = fitting if kind == chess.PAWN else [at for at in fitting if is_line(kind, at, to)]
    near = min(able or fitting, key=lambda at: abs(ord(at[0]) - ord(to[0])), default=None)
    return PieceMove(near, to, (new or "").lower()) if near else None  # type: ignore[arg-type]


SCRIPT: Final = Script(write_san, read_san)
