"""The state of play, the legal moves, and the clause that refuses any other move."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from hive.board import PIECES, RANK, SIDES, STEPS, WAYS, Board, Cell, around, lift, pins, steps
from plybook.game import Awaited, Options, Outcome, Position

NO_PIECES: Board = MappingProxyType({})
YesNo = Literal["no", "yes"]


class HiveOptions(Options, frozen=True):
    """HIV-1.2, HIV-4.2."""

    mosquito: YesNo = "no"
    ladybug: YesNo = "no"
    pillbug: YesNo = "no"
    repetition: Literal["goes-on", "draws"] = "goes-on"


class Hive(Position, frozen=True, eq=False, dict=True):
    """Everything follows from `moves`, the game so far in UHP; so only `moves` is compared.

    `last` is the piece that was placed, moved or lifted in the last turn; `seen` has the keys of
    the positions so far, if their repetition counts.
    """

    options: HiveOptions
    moves: tuple[str, ...] = ()
    board: Board = NO_PIECES
    last: str = ""
    seen: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Hive) and self.moves == other.moves
        return same and self.options == other.options

    def __hash__(self) -> int:
        return hash(self.moves)

    @property
    def turn(self) -> int:
        return len(self.moves) + 1

    @property
    def seat(self) -> int:
        """The seat to move."""
        return 1 + len(self.moves) % 2

    @property
    def colour(self) -> str:
        """The colour to move."""
        return "wb"[len(self.moves) % 2]

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """The cells of the pieces in play."""
        return {piece: cell for cell, stack in self.board.items() for piece in stack}

    @cached_property
    def pins(self) -> set[Cell]:
        """The cells whose only piece HIV-3.2 holds."""
        return {cell for cell in pins(self.board) if len(self.board[cell]) == 1}

    @property
    def pieces(self) -> list[str]:
        """All pieces of the game (HIV-1.1, HIV-1.2)."""
        more = {"M": self.options.mosquito, "L": self.options.ladybug, "P": self.options.pillbug}
        return [piece for piece in PIECES if more.get(piece[1], "yes") == "yes"]

    @property
    def hand(self) -> list[str]:
        """The pieces that may be placed now, if there is a place (HIV-2.2 to HIV-2.4)."""
        own = [one for one in self.pieces if one[0] == self.colour and one not in self.cells]
        if self.turn > 6 and own[:1] == [self.colour + "Q"]:
            return own[:1]
        first = {piece[:2]: piece for piece in reversed(own)}
        return [piece for piece in first.values() if piece[1] != "Q" or self.turn > 2]

    @cached_property
    def spaces(self) -> set[Cell]:
        """The cells where a piece may be placed (HIV-2.7)."""
        if not self.board:
            return {(0, 0)}
        tops = {cell: stack[-1][0] for cell, stack in self.board.items()}
        near = {to for cell in tops for to in around(cell)} - self.board.keys()
        if len(tops) == 1 and self.turn == 2:
            return near
        own = {self.colour}
        return {to for to in near if {tops[one] for one in around(to) if one in tops} == own}

    def ways(self, piece: str, free: bool = False) -> set[Cell]:
        """Return where a piece can go by itself; with `free`, regardless of HIV-3.3."""
        cell = self.cells[piece]
        if self.board[cell][-1] != piece or piece == self.last or cell in self.pins:
            return set()
        return set(WAYS[piece[1]][0](lift(self.board, cell), cell, free)) - {cell}

    def climbs(self, piece: str) -> bool:
        """Whether a piece in play is, or acts as, a Beetle (HIV-5.4, HIV-5.7)."""
        cell = self.cells[piece]
        near = {self.board[to][-1][1] for to in around(cell) if to in self.board}
        return piece[1] == "B" or (piece[1] == "M" and (len(self.board[cell]) > 1 or "B" in near))

    @cached_property
    def lifters(self) -> dict[Cell, str]:
        """The pieces of the seat that are, or act as, a Pillbug on the table (HIV-5.7, HIV-5.8)."""
        found = {}
        for cell, (piece, *above) in self.board.items():
            if piece[0] == self.colour and not above and piece[1] in "MP":
                near = {self.board[to][-1][1] for to in around(cell) if to in self.board}
                if piece[1] == "P" or "P" in near:
                    found[cell] = piece
        return found

    def lifts(self, free: bool = False) -> Iterator[tuple[str, Cell]]:
        """Yield the pieces that can be lifted, with the cells where they come down (HIV-5.8)."""
        for cell, lifter in self.lifters.items():
            for at in around(cell) if lifter != self.last else ():
                stack = self.board.get(at, ())
                if len(stack) != 1 or at in self.pins or stack[0] == self.last:
                    continue
                left = lift(self.board, at)
                if cell in steps(left, at, free):
                    ends = (to for to in steps(left, cell, free) if to not in self.board)
                    yield from ((stack[0], to) for to in ends)

    @cached_property
    def legal(self) -> dict[tuple[str, Cell], None]:
        """The legal moves as pieces and cells; empty if the seat passes (HIV-2.6)."""
        found = dict.fromkeys((piece, to) for piece in self.hand for to in self.spaces)
        if self.colour + "Q" in self.cells:
            own = (piece for piece in self.cells if piece[0] == self.colour)
            found |= dict.fromkeys((piece, to) for piece in own for to in self.ways(piece))
            found |= dict.fromkeys(self.lifts())
        return found

    def allows(self, piece: str, cell: Cell | None) -> bool:
        """Return whether a move is legal, without a search for the others."""
        if piece not in self.cells:
            return piece in self.hand and cell in self.spaces
        if self.colour + "Q" not in self.cells:
            return False
        own = piece[0] == self.colour
        return (own and cell in self.ways(piece)) or (piece, cell) in self.lifts()

    def name(self, piece: str, cell: Cell) -> str:
        """Name the cell to which a piece moves: by a neighbour, `wQ-`, or by the piece on top."""
        below = [one for one in self.board.get(cell, ()) if one != piece]
        if below:
            return below[-1]
        named = [
            (RANK[one], SIDES[q, r].format(one))
            for q, r in STEPS
            for one in self.board.get((cell[0] - q, cell[1] - r), ())
            if one != piece
        ]
        return min(named)[1] if named else ""

    def find(self, piece: str, name: str) -> Cell | None:
        """Return the cell of a name, however it is written; `None` if its piece is not in play."""
        beside = name.strip("-/\\")
        if not name:
            return None if self.board else (0, 0)
        if beside not in self.cells or beside == piece:
            return None
        q, r = next((step for step, side in SIDES.items() if side.format(beside) == name), (0, 0))
        return (self.cells[beside][0] + q, self.cells[beside][1] + r)

    def awaiting(self) -> tuple[Awaited, ...]:
        """HIV-2.1, HIV-2.6."""
        return () if self.outcome() else (Awaited(self.seat, "move", ("place", "move", "pass")),)

    def outcome(self) -> Outcome | None:
        """HIV-4.1, HIV-4.2."""
        lost = [seat for seat, queen in enumerate(("wQ", "bQ"), 1) if self._is_surrounded(queen)]
        if lost:
            return Outcome("HIV-4.1", tuple({1, 2} - set(lost)))
        return Outcome("HIV-4.2") if self.seen and self.seen.count(self.seen[-1]) > 2 else None

    def _is_surrounded(self, queen: str) -> bool:
        return queen in self.cells and self.board.keys() >= set(around(self.cells[queen]))

    @property
    def resting(self) -> str:
        """The piece that was lifted in the last turn (HIV-5.9)."""
        return self.last if self.last[:1] == self.colour else ""

    def key(self, last: str | None = None) -> str:
        """Write the state that decides the rest of the game, wherever the hive lies."""
        left, low = map(min, zip(*self.board, strict=True)) if self.board else (0, 0)
        placed = sorted((q - left, r - low, *stack) for (q, r), stack in self.board.items())
        last = self.last if last is None else last
        return f"{self.colour} {last or '-'} {placed}".replace("'", "").replace(", ", ",")
