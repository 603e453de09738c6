"""The moves of Blockade: their notation, and the reasons why they are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Final, Literal, get_args

from domain.board import SIZE_WORD
from domain.effects import Effect
from domain.games.blockade.board import (
    BLACK,
    BOARD,
    CLEAR_LARGE,
    COLOUR_WORD,
    MOVABLE,
    SQUARE,
    Square,
    can_land,
    cost,
    reach,
)
from domain.games.blockade.position import Table
from domain.names import UNNAMED, Names, Player, Sentence
from domain.notation import Lexeme, Notation, square, template
from domain.position import Move, Violation

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

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Roll]:
        """Yield the 36 rolls."""
        return (cls((one, two)) for one in DICE for two in DICE)

    @classmethod
    def rolled(cls, die: Callable[[int], int]) -> Roll:
        """Roll blue or red first, then green or yellow (BLK-2.1)."""
        first, second = DICE[die(6) - 1], DICE[die(6) - 1]
        return cls((first, second))

    def check(self, position: Table, seat: int) -> Violation | None:
        """One roll a turn (BLK-2.1)."""
        if position.dice is None:
            return None
        first, second = position.dice
        message = Sentence(
            "{seat} has rolled {first},{second}; now move, or end the turn (.)",
            seat=Player(seat),
            first=first,
            second=second,
        )
        return Violation("turn", message)

    def label(self, names: Names = UNNAMED) -> str:
        """Name both dice."""
        return f"Roll {self.dice[0]} and {self.dice[1]}"

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Open the turn."""
        return position.apply_roll(self.dice)


class Leg(Move[Table], frozen=True, tag="move"):
    """The top pyramid of a square goes to another square (BLK-3, BLK-4)."""

    from_: Square
    to: Square

    notation: ClassVar[Notation] = template("{from_}-{to}", from_=AT, to=AT)
    what: ClassVar[str] = "leg"
    example: ClassVar[str] = "a1-c3"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Leg]:
        """Yield the legs, by their start."""
        return (cls(BOARD.names[start], BOARD.names[end]) for start, end in position.legs())

    def check(self, position: Table, seat: int) -> Violation | None:
        """BLK-3.1, BLK-3.5, BLK-2.3, then BLK-4.2 to BLK-4.4."""
        if position.dice is None:
            return _not_rolled(seat)
        start, end = INDEX[self.from_], INDEX[self.to]
        pyramid, top = position.stacks[start][-1], position.stacks[end][-1]
        colours = position.colours(seat)
        if pyramid not in MOVABLE[colours[0]] + MOVABLE[colours[1]]:
            return Violation("BLK-3.1", self._not_movable(pyramid, position, seat), (self.from_,))
        if start == end:
            return Violation("BLK-3.5", self._same_square(position), (self.from_,))
        points = position.left()[colours.index(pyramid >> 2)]
        if not reach(position.walls, start)[points] & SQUARE[end]:
            message = self._too_far(position, pyramid, points)
            return Violation("BLK-2.3", message, (self.from_, self.to))
        if not can_land(pyramid, top):
            message = self._no_landing(position, pyramid, top)
            return Violation(_landing_clause(pyramid, top), message, (self.to,))
        return None

    def _not_movable(self, pyramid: int, position: Table, seat: int) -> str:
        first, second = (COLOUR_WORD[colour] for colour in position.colours(seat))
        return Sentence(
            "the top of {from_} is a {pyramid}; {seat} moves {first} and {second} mediums and"
            " smalls",
            from_=self.from_,
            pyramid=_name(pyramid),
            seat=Player(seat),
            first=first,
            second=second,
        )

    def _same_square(self, position: Table) -> str:
        return f"a leg ends on another square than {self.from_}; {self._could(position)}"

    def _too_far(self, position: Table, pyramid: int, points: int) -> str:
        start, end = INDEX[self.from_], INDEX[self.to]
        price = cost(position.walls, start, end)
        around = " around the blockades" if price > cost(0, start, end) else ""
        return (
            f"from {self.from_} to {self.to}{around} costs {price},"
            f" and {COLOUR_WORD[pyramid >> 2]} has {points} left; {self._could(position)}"
        )

    def _no_landing(self, position: Table, pyramid: int, top: int) -> str:
        return (
            f"the {_name(pyramid)} on {self.from_} cannot land on {self.to}:"
            f" the top there is a {_name(top)}{_why(pyramid, top)}; {self._could(position)}"
        )

    def _could(self, position: Table) -> str:
        start = INDEX[self.from_]
        ends = [BOARD.names[to] for from_, to in position.legs() if from_ == start]
        if not ends:
            return f"nothing can go from {self.from_} now"
        return f"from {self.from_} it can go to {', '.join(ends)}"

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Move the pyramid; update towers and the end of the turn or the game."""
        return position.apply_leg(INDEX[self.from_], INDEX[self.to])


class End(Move[Table], frozen=True):
    """The seat ends its turn (BLK-2.5)."""

    notation: ClassVar[Notation] = template(".")
    what: ClassVar[str] = "end of turn"
    example: ClassVar[str] = "."

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[End]:
        """Yield the end of the turn, possible at any time after the roll."""
        yield cls()

    def check(self, position: Table, seat: int) -> Violation | None:
        """A turn begins with its roll (BLK-2.1)."""
        return _not_rolled(seat) if position.dice is None else None

    def label(self, names: Names = UNNAMED) -> str:
        """End the turn."""
        return "End the turn"

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Pass the turn on."""
        return position.end_turn()


def _not_rolled(seat: int) -> Violation:
    message = Sentence("{seat} rolls first, like {roll}", seat=Player(seat), roll=Roll.example)
    return Violation("turn", message)


def _landing_clause(pyramid: int, top: int) -> str:
    """Return the clause that forbids a landing, by the pyramid on top."""
    if top & BLACK:
        return "BLK-4.3"
    return "BLK-4.2" if top >> 2 == pyramid >> 2 else "BLK-4.4"


def _why(pyramid: int, top: int) -> str:
    """Explain a refusal for a black on top by naming its tower."""
    if not top & BLACK:
        return ""
    tower = COLOUR_WORD[top >> 2 & 7]
    if top >> 2 & 7 == pyramid >> 2:
        return f", no larger than a {SIZE_WORD[pyramid & 3]}"
    return f" on a {tower} tower"


def _name(code: int) -> str:
    if code == CLEAR_LARGE:
        return "clear large"
    colour = "black" if code & BLACK else COLOUR_WORD[code >> 2]
    return f"{colour} {SIZE_WORD[code & 3]}"
