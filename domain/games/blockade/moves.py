"""The moves of Blockade: their notation and their checks against the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Final, Literal, get_args

from domain.effects import Effect
from domain.games.blockade import refusals, turn
from domain.games.blockade.board import BOARD, MOVABLE, SQUARE, Square, can_land, reach
from domain.games.blockade.position import Table
from domain.names import UNNAMED, Names
from domain.notation import Lexeme, Notation, square, template
from domain.position import Move, TurnPart, Violation

Die = Literal[1, 2, 3, 4, 5, 6]
DICE: Final[tuple[Die, ...]] = get_args(Die)

TWO_DICE: Final = Lexeme(
    "[1-6],[1-6]",
    lambda text: tuple(map(int, text.split(","))),
    lambda dice: ",".join(map(str, dice)),
)
INDEX: Final = BOARD.index
AT: Final = square("a-e", "1-5")


class Roll(Move[Table], frozen=True):
    """The two dice that open a turn: blue then green, or red then yellow (BLK-2.1)."""

    dice: tuple[Die, Die]

    notation: ClassVar[Notation] = template("roll={dice}", dice=TWO_DICE)
    chance: ClassVar[bool] = True
    dice_count: ClassVar[int] = 2
    what: ClassVar[str] = "roll"
    example: ClassVar[str] = "roll=4,5"
    turn_part: ClassVar[TurnPart] = "first"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Roll]:
        """Yield the 36 rolls."""
        return (cls((one, two)) for one in DICE for two in DICE)

    @classmethod
    def roll(cls, position: Table, die: Callable[[int], int]) -> Roll:
        """Roll blue or red first, then green or yellow (BLK-2.1)."""
        first, second = DICE[die(6) - 1], DICE[die(6) - 1]
        return cls((first, second))

    def check(self, position: Table, seat: int) -> Violation | None:
        """One roll a turn (BLK-2.1)."""
        if position.dice is None:
            return None
        return refusals.rolled_before(seat, position.dice)

    def label(self, names: Names = UNNAMED) -> str:
        """Name both dice."""
        return f"Roll {self.dice[0]} and {self.dice[1]}"

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Open the turn of Blockade with a roll."""
        return turn.roll(position, self.dice)


class Leg(Move[Table], frozen=True, tag="move"):
    """The top pyramid of a square goes to another square (BLK-3, BLK-4)."""

    from_: Square
    """The place that the piece leaves."""
    to: Square
    """The place where the piece goes."""

    notation: ClassVar[Notation] = template("{from_}-{to}", from_=AT, to=AT)
    what: ClassVar[str] = "leg"
    example: ClassVar[str] = "a1-c3"
    turn_part: ClassVar[TurnPart] = "more"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Leg]:
        """Yield the legs, by their start."""
        return (cls(BOARD.names[start], BOARD.names[end]) for start, end in position.legs())

    def check(self, position: Table, seat: int) -> Violation | None:
        """BLK-3.1, BLK-3.5, BLK-2.3, then BLK-4.2 to BLK-4.4."""
        if position.dice is None:
            return refusals.not_rolled(seat, Roll.example)
        start, end = INDEX[self.from_], INDEX[self.to]
        pyramid, top = position.stacks[start][-1], position.stacks[end][-1]
        colours = position.colours(seat)
        if pyramid not in MOVABLE[colours[0]] + MOVABLE[colours[1]]:
            return refusals.not_movable(position, seat, start)
        if start == end:
            return refusals.same_square(position, start)
        points = position.left()[colours.index(pyramid >> 2)]
        if not reach(position.walls, start)[points] & SQUARE[end]:
            return refusals.too_far(position, start, end, points)
        return None if can_land(pyramid, top) else refusals.no_landing(position, start, end)

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Move the pyramid; update towers and the end of the turn or the game."""
        return turn.move_leg(position, INDEX[self.from_], INDEX[self.to])


class End(Move[Table], frozen=True):
    """The seat ends its turn (BLK-2.5)."""

    notation: ClassVar[Notation] = template(".")
    what: ClassVar[str] = "end of turn"
    example: ClassVar[str] = "."
    turn_part: ClassVar[TurnPart] = "last"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[End]:
        """Yield the end of the turn, possible at any time after the roll."""
        yield cls()

    def check(self, position: Table, seat: int) -> Violation | None:
        """A turn begins with its roll (BLK-2.1)."""
        return refusals.not_rolled(seat, Roll.example) if position.dice is None else None

    def label(self, names: Names = UNNAMED) -> str:
        """Name the move that ends the turn."""
        return "End the turn"

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Pass the turn on."""
        return turn.end(position)
