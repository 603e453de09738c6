"""Tic-tac-toe. The clauses are in seeds/tic-tac-toe/rules-1.md."""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from plybook.drawing import Grid, Piece, Scene
from plybook.game import Awaited, Effect, Game, Lexeme, Move, Outcome, Position, Violation, template

Square = Literal["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
SQUARES: tuple[Square, ...] = get_args(Square)
ROWS = (
    *("a1 b1 c1", "a2 b2 c2", "a3 b3 c3"),
    *("a1 a2 a3", "b1 b2 b3", "c1 c2 c3"),
    *("a1 b2 c3", "c1 b2 a3"),
)


class Board(Position, frozen=True):
    taken: tuple[Square, ...] = ()  # in the order of the moves: by seat 1, by seat 2, by seat 1 …

    @property
    def turn(self):
        return len(self.taken) + 1

    def outcome(self):
        for seat in (1, 2):
            own = self.taken[seat - 1 :: 2]
            if any(set(row.split()) <= set(own) for row in ROWS):
                return Outcome("TIC-3.1", (seat,))
        return Outcome("TIC-3.2") if len(self.taken) == 9 else None

    def awaiting(self):
        seat = 1 + len(self.taken) % 2
        return () if self.outcome() else (Awaited(seat, "take a square", ("take",)),)


class Take(Move[Board], frozen=True):
    at: Square

    notation = template("{at}", at=Lexeme("[abc][123]"))
    what = "square"
    example = "b2"

    @classmethod
    def legal(cls, position, seat):
        return (cls(at) for at in SQUARES if at not in position.taken)

    def check(self, position, seat):
        if self.at in position.taken:
            return Violation("TIC-2.1", f"{self.at} is taken; take an empty square", (self.at,))
        return None

    def evolve(self, position, seat):
        return Board((*position.taken, self.at)), (Taken(seat, self.at),)


class Taken(Effect, frozen=True):
    seat: int
    at: str

    template: ClassVar[str] = "{seat} takes {at}"


def draw(board, effects, names):
    seats = {at: 1 + number % 2 for number, at in enumerate(board.taken)}
    pieces = {at: (Piece("cube", f"seat{seat}"),) for at, seat in seats.items()}
    return Scene((Grid.of("abc", "123", pieces),))


GAME = Game(
    "tic-tac-toe",
    "Tic-tac-toe",
    moves=(Take,),
    start=lambda options, seats: Board(),
    scene=draw,
    seeds="tic_tac_toe.seeds",
)
