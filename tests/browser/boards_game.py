"""A game of one file on hexes, points or chequered squares: put your pieces anywhere."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from plybook.drawing import Cell, Grid, Mark, Piece, Row, Scene
from plybook.game import (
    Awaited,
    Effect,
    Game,
    Lexeme,
    Move,
    Options,
    Outcome,
    Pick,
    Position,
    Violation,
    template,
)

LINES = "abcdefghi"
NAMES = tuple(f"{letter}{row}" for letter in LINES for row in range(1, 10))
OWN = tuple(f"{letter}{seat}" for letter in "ABGQSONP" for seat in (1, 2))
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
SIZE = {"hexes": 9, "points": 9, "chequered": 8}
PIECES = {"hexes": "ABGQS", "points": "O", "chequered": "NP"}
SYMBOLS = {"N": "knight", "P": "pawn"}


class BoardsOptions(Options, frozen=True):
    board: Literal["hexes", "points", "chequered"] = "hexes"


class Table(Position, frozen=True):
    board: str
    put: tuple[tuple[str, str], ...] = ()  # piece and place, by seat 1, by seat 2, by seat 1 …

    @property
    def turn(self):
        return len(self.put) + 1

    @property
    def seat(self):
        return 1 + len(self.put) % 2

    def outcome(self):
        return Outcome("BOA-2.1") if self.turn > 8 else None

    def awaiting(self):
        return () if self.outcome() else (Awaited(self.seat, "put a piece", ("put",)),)

    def places(self):
        """Return the open places; on hexes, only neighbours of the pieces are open."""
        taken = {at for _, at in self.put}
        size = SIZE[self.board]
        every = [f"{letter}{row + 1}" for row in range(size) for letter in LINES[:size]]
        if self.board == "hexes":
            near = {name for at in taken for name in neighbours(at)} or {"e5"}
            every = [at for at in every if at in near]
        return [at for at in every if at not in taken]


def axial(at):
    return LINES.index(at[0]), int(at[1]) - 1


def neighbours(at):
    q, r = axial(at)
    around = ((q + dq, r + dr) for dq, dr in AROUND)
    return [f"{LINES[q]}{r + 1}" for q, r in around if 0 <= q < 9 and 0 <= r < 9]


class Put(Move[Table], frozen=True):
    piece: Literal[OWN]  # type: ignore[valid-type]  # the suite makes random moves of these
    at: Literal[NAMES]  # type: ignore[valid-type]

    notation = template("{piece}>{at}", piece=Lexeme("[ABGQSONP][12]"), at=Lexeme("[a-i][1-9]"))
    what = "piece"
    example = "Q1>e5"

    @classmethod
    def legal(cls, position, seat):
        own = [f"{letter}{seat}" for letter in PIECES[position.board]]
        return (cls(piece, at) for piece in own for at in position.places())

    def check(self, position, seat):
        if self not in self.legal(position, seat):
            return Violation("BOA-1.1", f"{self.at} is not open to {self.piece}")
        return None

    def evolve(self, position, seat):
        after = replace(position, put=(*position.put, (self.piece, self.at)))
        return after, (Laid(seat, self.at),)

    def picks(self, position):
        piece = Pick("at", self.piece, prompt="take a piece in hand")
        return (piece, Pick("at", self.at, prompt="put it on the board"))


class Laid(Effect, frozen=True):
    seat: int
    at: str

    template = "{seat} puts a piece on {at}"


def draw(table, effects, names):
    rows = tuple(
        Row(tuple(look(table, f"{letter}{seat}", named=True) for letter in PIECES[table.board]))
        for seat in (1, 2)
    )
    marks = tuple(Mark(effect.at, "to") for effect in effects if isinstance(effect, Laid))
    return Scene((board(table), *rows), marks=marks)


def look(table, piece, named=False):
    """Return the drawing of a piece like `N1`; it has a name where it lies in a row."""
    letter, seat = piece
    at = piece if named else ""
    if table.board == "points":
        return Piece("disc", ("black", "clear")[int(seat) - 1], at=at)
    colour = ("light", "dark")[int(seat) - 1]
    if table.board == "hexes":
        return Piece("letter", colour, text=letter, at=at)
    drawing = f"tests.replay.drawing/pieces/{SYMBOLS[letter]}"
    return Piece("symbol", colour, text=letter, symbol=drawing, at=at)


def board(table):
    there = {at: (look(table, piece),) for piece, at in table.put}
    spots = {at: axial(at) for at in (*there, *table.places())}
    if table.board != "hexes":
        size = SIZE[table.board]
        cells = tuple(Cell(at, *spot, there.get(at, ())) for at, spot in spots.items())
        lines = "points" if table.board == "points" else "cells"
        labels = tuple(LINES[:size]), tuple(str(row + 1) for row in range(size))
        return Grid(*labels, cells, lines=lines, chequered=table.board == "chequered")
    low = min(r for _, r in spots.values())
    shifted = {at: (q + (r - low) // 2, r - low) for at, (q, r) in spots.items()}
    left = min(column for column, _ in shifted.values())
    cells = tuple(
        Cell(at, column - left, row, there.get(at, ())) for at, (column, row) in shifted.items()
    )
    columns = ("",) * (1 + max(cell.column for cell in cells))
    return Grid(columns, ("",) * (1 + max(cell.row for cell in cells)), cells, lines="hexes")


GAME = Game(
    "boards",
    "Boards",
    options=BoardsOptions,
    moves=(Put,),
    start=lambda options, seats: Table(options.board),
    scene=draw,
    rules="## BOA-1 Pieces\n- BOA-1.1 Put a piece on an open place.\n"
    "## BOA-2 End\n- BOA-2.1 After eight pieces.\n",
    demo='[Game "boards"]\n\n1. Q1>e5 2. A2>e6 *\n',
)
