"""Stacks: stones on nine squares, a game whose taps are not the fields of its move texts.

It has an optional field, move texts that begin with a digit, picks that are the whole of one move
and the beginning of another, and picks that are tapped twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import ClassVar, Literal

from msgspec.structs import replace

from plybook.drawing import Cell, Colour, Grid, Piece, Scene
from plybook.game import (
    UNNAMED,
    Awaited,
    Effect,
    Game,
    Lexeme,
    Move,
    Names,
    Notation,
    Outcome,
    Pick,
    Position,
    Violation,
    template,
)

Square = Literal["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
Direction = Literal["<", ">", "+", "-"]
Drops = Literal["1", "2", "3", "11", "12", "21"]
SQUARES: tuple[Square, ...] = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
STEPS: dict[Direction, tuple[int, int]] = {"<": (-1, 0), ">": (1, 0), "+": (0, 1), "-": (0, -1)}
DROPS: tuple[Drops, ...] = ("1", "2", "3", "11", "12", "21")
SQUARE = Lexeme("[abc][123]")
COLOURS: tuple[Colour, ...] = ("seat1", "seat2")
RULES = """\
# Stacks: rules

## STK-1 The board
- STK-1.1 Nine squares are empty at first. The seats move in turn.

## STK-2 A move
- STK-2.1 The seat puts a flat or a standing stone on an empty square.
- STK-2.2 Or it lifts up to three stones of a stack with its own stone on top.
- STK-2.3 It carries them in a line and drops at least one on each square.
- STK-2.4 A standing stone is not covered, and the line does not leave the board.

## STK-3 The end
- STK-3.1 When all squares are taken, or after 60 moves, the seat with more flat tops wins.
- STK-3.2 With as many of both the game is a draw.

## Moves
| move | notation | event |
|---|---|---|
| stone | `a1`, `Sa1` | `{"type":"put","stone":"","at":"a1"}` |
| stack | `2a1>11` | `{"type":"carry","count":"2","at":"a1","way":">","drops":"11"}` |
"""
DEMO = """\
[Game "stacks"]
[Rules "stacks/1"]
[Seat1 "Jet"]
[Seat2 "Red"]
[Result "+1"]

1. b2 {The centre.} 2. Sa1 3. b1 4. c3 5. 1b1+1 {Two in the centre now.} 6. a3
7. b1 8. Sb3 9. c1 10. c2 11. 1b2<1 {All squares are taken.} +1

"""


class Stones(Position, frozen=True):
    """The stacks by square, from the bottom up: 1 and 2 are flat stones, 3 and 4 standing ones."""

    stacks: tuple[tuple[int, ...], ...] = ((),) * 9
    turn: int = 1

    @property
    def seat(self) -> int:
        """The seat in turn."""
        return 2 - self.turn % 2

    def awaiting(self) -> tuple[Awaited, ...]:
        """Return the seat in turn."""
        over = self.outcome() is not None
        return () if over else (Awaited(self.seat, "move", ("put", "carry")),)

    def outcome(self) -> Outcome | None:
        """STK-3."""
        if self.turn <= 60 and not all(self.stacks):
            return None
        tops = [stack[-1] for stack in self.stacks if stack]
        first, second = tops.count(1), tops.count(2)
        if first == second:
            return Outcome("STK-3.2", (), (first, second))
        return Outcome("STK-3.1", (1 if first > second else 2,), (first, second))

    def at(self, square: Square) -> tuple[int, ...]:
        """Return the stack on a square."""
        return self.stacks[SQUARES.index(square)]

    def put(self, stacks: dict[Square, tuple[int, ...]]) -> Stones:
        """Return the next position, with other stacks on some squares."""
        every = tuple(stacks.get(square, self.at(square)) for square in SQUARES)
        return replace(self, stacks=every, turn=self.turn + 1)


class Happened(Effect, frozen=True):
    """The effect of the move, in words."""

    seat: int
    at: str

    template: ClassVar[str] = "{seat} moves at {at}"


class Put(Move[Stones], frozen=True):
    """STK-2.1."""

    stone: Literal["", "S"]
    at: Square

    notation: ClassVar[Notation] = template(
        "{stone}{at}", stone=Lexeme("S?", texts=("", "S")), at=SQUARE
    )
    what: ClassVar[str] = "stone"
    example: ClassVar[str] = "Sb2"

    @classmethod
    def legal(cls, position: Stones, seat: int) -> Iterator[Put]:
        """List both stones for each empty square."""
        stones: tuple[Literal["", "S"], ...] = ("", "S")
        return (cls(stone, at) for at in SQUARES if not position.at(at) for stone in stones)

    def check(self, position: Stones, seat: int) -> Violation | None:
        """Refuse a taken square."""
        if position.at(self.at):
            return Violation("STK-2.1", f"{self.at} is taken; use an empty square", (self.at,))
        return None

    def evolve(self, position: Stones, seat: int) -> tuple[Stones, tuple[Effect, ...]]:
        """Put the stone down."""
        stone = seat + 2 if self.stone else seat
        return position.put({self.at: (stone,)}), (Happened(seat, self.at),)

    def picks(self, position: Stones) -> tuple[Pick, ...]:
        """Tap the square; a standing stone is a choice."""
        standing = (Pick("stone", "S", "standing"),) if self.stone else ()
        return (Pick("at", self.at), *standing)

    def label(self, names: Names = UNNAMED) -> str:
        """Name the stone."""
        return "a standing stone" if self.stone else "a flat stone"


class Carry(Move[Stones], frozen=True):
    """STK-2.2 to STK-2.4: `2a1>11` takes two stones from a1 and drops one on b1, one on c1."""

    count: Literal["1", "2", "3"]
    at: Square
    way: Direction
    drops: Drops

    notation: ClassVar[Notation] = template(
        "{count}{at}{way}{drops}",
        count=Lexeme("[123]"),
        at=SQUARE,
        way=Lexeme("[<>+-]"),
        drops=Lexeme("11|12|21|[123]", texts=DROPS),
    )
    what: ClassVar[str] = "stack"
    example: ClassVar[str] = "1b2+1"

    @classmethod
    def legal(cls, position: Stones, seat: int) -> Iterator[Carry]:
        """Try all ways of all stacks."""
        for at, way, drops in product(SQUARES, STEPS, DROPS):
            for count in ("1", "2", "3"):
                move = cls(count, at, way, drops)
                if move.check(position, seat) is None:
                    yield move

    @property
    def path(self) -> tuple[Square | None, ...]:
        """The squares on which stones are dropped; `None` outside the board."""
        column, row = "abc".index(self.at[0]), "123".index(self.at[1])
        right, up = STEPS[self.way]
        ends = ((column + right * n, row + up * n) for n in range(1, len(self.drops) + 1))
        return tuple(
            SQUARES[x + 3 * y] if x in range(3) and y in range(3) else None for x, y in ends
        )

    def check(self, position: Stones, seat: int) -> Violation | None:
        """Refuse the stack, then the line, then its squares."""
        stack, count = position.at(self.at), int(self.count)
        if len(stack) < count or stack[-1] not in (seat, seat + 2):
            return Violation("STK-2.2", f"{self.at} has no such stack of yours", (self.at,))
        if sum(map(int, self.drops)) != count:
            return Violation("STK-2.3", f"drop {count}, and not {self.drops}", (self.at,))
        for square in self.path:
            if square is None:
                return Violation("STK-2.4", "stay on the board", (self.at,))
            if position.at(square)[-1:] in ((3,), (4,)):
                return Violation("STK-2.4", f"{square} has a standing stone", (square,))
        return None

    def evolve(self, position: Stones, seat: int) -> tuple[Stones, tuple[Effect, ...]]:
        """Carry the stones."""
        stack, count = position.at(self.at), int(self.count)
        hand, stacks = stack[-count:], {self.at: stack[:-count]}
        for square, drop in zip(self.path, map(int, self.drops), strict=True):
            assert square is not None
            stacks[square] = (*position.at(square), *hand[:drop])
            hand = hand[drop:]
        return position.put(stacks), (Happened(seat, self.at),)

    def picks(self, position: Stones) -> tuple[Pick, ...]:
        """Tap the stack, then the square of each stone that is dropped."""
        dropped = (
            Pick("at", square)
            for square, drop in zip(self.path, map(int, self.drops), strict=True)
            for _ in range(drop)
            if square
        )
        return (Pick("at", self.at), *dropped)

    def label(self, names: Names = UNNAMED) -> str:
        """Say how many are carried."""
        return f"carry {self.count}"


def draw(board: Stones, effects: object, names: Names) -> Scene:
    """Draw flat stones as cubes, standing ones as pyramids."""
    cells = tuple(
        Cell(at, number % 3, number // 3, tuple(map(_piece, board.at(at))))
        for number, at in enumerate(SQUARES)
    )
    return Scene((Grid(("a", "b", "c"), ("1", "2", "3"), cells, stacks=True),))


def _piece(stone: int) -> Piece:
    colour = COLOURS[(stone - 1) % 2]
    return Piece("pyramid", colour, 1) if stone > 2 else Piece("cube", colour)


GAME = Game(
    "stacks",
    "Stacks",
    moves=(Put, Carry),
    start=lambda options, seats: Stones(),
    scene=draw,
    rules=RULES,
    demo=DEMO,
)
