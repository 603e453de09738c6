"""The moves of backgammon, their refusals, and their effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Final, Literal, get_args

from msgspec.structs import replace

from backgammon.board import ALL, BAR, HOME, OFF, end, highest, is_blocked, move, without
from backgammon.position import NO_DOUBLE, Backgammon
from plybook.drawing import Score
from plybook.game import (
    UNNAMED,
    Effect,
    Lexeme,
    Move,
    Names,
    Notation,
    Pick,
    Violation,
    template,
)

Die = Literal[1, 2, 3, 4, 5, 6]
PIPS: Final[tuple[Die, ...]] = get_args(Die)
TWO_DICE: Final = Lexeme(
    "[1-6],[1-6]",
    lambda text: tuple(map(int, text.split(","))),
    lambda dice: ",".join(map(str, dice)),
)
Point = Literal[
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
    "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23", "24",
]  # fmt: skip
Start = Literal[Point, "bar"]
To = Literal["off", Point]
STARTS: Final[tuple[Start, ...]] = get_args(Start)
ENDS: Final[tuple[To, ...]] = get_args(To)
PLACES: Final = "abcdefghijklmnopqrstuvwx"
"""The names of the points on the picture, from the first point of seat 1."""


def place(seat: int, point: int) -> str:
    """Return the name of a point of a seat on the picture, or of its part of the bar."""
    if point == BAR:
        return f"bar{seat}"
    return PLACES[point - 1 if seat == 1 else 24 - point]


class Roll(Move[Backgammon], frozen=True):
    """Two dice: of both players to begin a game, or of the seat in turn (BAC-2)."""

    dice: tuple[Die, Die]

    notation: ClassVar[Notation] = template("roll={dice}", dice=TWO_DICE)
    chance: ClassVar[bool] = True
    dice_count: ClassVar[int] = 2
    what: ClassVar[str] = "roll of the dice"
    example: ClassVar[str] = "roll=3,1"

    @classmethod
    def legal(cls, position: Backgammon, seat: int) -> Iterator[Roll]:
        """List the rolls; to begin a game only those of different dice."""
        every = (cls((one, two)) for one in PIPS for two in PIPS)
        return (roll for roll in every if roll.check(position, seat) is None)

    @classmethod
    def roll(cls, position: Backgammon, die: Callable[[int], int]) -> Roll:
        """Roll, again while both dice of the beginning are equal."""
        one, two = PIPS[die(6) - 1], PIPS[die(6) - 1]
        return cls((one, two)) if position.seat or one != two else cls.roll(position, die)

    def check(self, position: Backgammon, seat: int) -> Violation | None:
        """BAC-2.1, BAC-2.2, BAC-5.3."""
        if position.offered:
            return Violation("BAC-5.3", "first take or drop the double")
        if position.dice:
            left = " and ".join(map(str, position.dice))
            return Violation("BAC-2.2", f"the dice are rolled; play the {left}")
        if not position.seat and self.dice[0] == self.dice[1]:
            return Violation("BAC-2.1", f"both players rolled {self.dice[0]}; roll again")
        return None

    def evolve(self, position: Backgammon, seat: int) -> tuple[Backgammon, tuple[Effect, ...]]:
        """Give the dice to the seat that plays them, four of a double."""
        one, two = self.dice
        if not position.seat:
            seat = 1 if one > two else 2
        dice = (one, two) if one != two else (one,) * 4
        rolled = replace(position, seat=seat, dice=dice)
        effects: tuple[Effect, ...] = () if position.seat else (Begun(seat, one, two),)
        return (rolled, effects) if rolled.steps() else (rolled.passed(), (*effects, Stuck(seat)))

    def label(self, names: Names = UNNAMED) -> str:
        """Name both dice."""
        return f"Roll {self.dice[0]} and {self.dice[1]}"


class Step(Move[Backgammon], frozen=True, tag="move"):
    """A checker goes as far as a die says (BAC-3)."""

    from_: Start
    to: To

    notation: ClassVar[Notation] = template(
        "{from_}/{to}", from_=Lexeme("|".join(STARTS)), to=Lexeme("|".join(ENDS))
    )
    what: ClassVar[str] = "checker"
    example: ClassVar[str] = "8/5"

    @property
    def step(self) -> tuple[int, int]:
        """The points as numbers."""
        return 1 + STARTS.index(self.from_), ENDS.index(self.to)

    @classmethod
    def legal(cls, position: Backgammon, seat: int) -> Iterator[Step]:
        """List the steps with which as many dice as possible are played."""
        return (cls(STARTS[start - 1], ENDS[to]) for start, to in position.steps())

    def check(self, position: Backgammon, seat: int) -> Violation | None:
        """BAC-3, BAC-4."""
        if self.step in position.steps():
            return None
        clause, message = self._fault(position, seat)
        places = tuple(place(seat, point) for point in self.step if point)
        return Violation(clause, message, places if position.seat else ())

    def _fault(self, position: Backgammon, seat: int) -> tuple[str, str]:
        (start, to), (own, other), dice = self.step, position.of(seat), position.dice
        if not dice:
            return "BAC-2.2", "first roll the dice, as roll or roll=3,1"
        if not own[start]:
            return "BAC-3.1", f"there is no checker of yours on {self.from_}"
        if own[BAR] and start != BAR:
            return "BAC-3.2", "a checker on the bar must enter first, like bar/20"
        if start <= to:
            return "BAC-3.1", f"checkers move to lower points; {self.to} is not below {self.from_}"
        if is_blocked(other, to):
            return "BAC-3.3", f"the opponent has {other[25 - to]} checkers on {self.to}"
        left, top = " and ".join(map(str, dice)), highest(own)
        if to == OFF and top > HOME:
            return "BAC-4.1", f"a checker is still on {STARTS[top - 1]}; bring all home first"
        if all(end(own, start, die) != to for die in dice):
            if to == OFF and max(dice) > start:
                return "BAC-4.2", f"a checker on {top} is farther from the end; move that one first"
            return "BAC-3.1", f"{start - to} is not one of the dice; they show {left}"
        if set(position.steps().values()) == {max(dice)} and len(dice) == 2:
            return "BAC-3.6", f"both dice cannot be played; play the higher one, {max(dice)}"
        return "BAC-3.5", f"after this another die could not be played; play all of {left}"

    def evolve(self, position: Backgammon, seat: int) -> tuple[Backgammon, tuple[Effect, ...]]:
        """Move the checker, and pass the turn once no die can be played."""
        own, other = position.of(seat)
        mine, theirs = move(own, other, self.step)
        left = without(position.dice, position.steps()[self.step])
        men = (mine, theirs) if seat == 1 else (theirs, mine)
        after = replace(position, men=men, dice=left)
        ends = tuple(place(seat, point) if point else "" for point in self.step)
        went = Went(seat, f"{self.from_}/{self.to}", theirs[BAR] > other[BAR], *ends)
        effects: tuple[Effect, ...] = (went,)
        if mine[OFF] == ALL:
            return finish(after, seat, "BAC-6.1", effects)
        if after.steps():
            return after, effects
        return after.passed(), (*effects, *([Stuck(seat)] if left else []))

    def picks(self, position: Backgammon) -> tuple[Pick, ...]:
        """Tap the checker, then its point, or the button that bears it off."""
        (start, to), seat = self.step, position.seat or 1
        off = Pick("off", "off", "Bear off")
        return Pick("at", place(seat, start)), Pick("at", place(seat, to)) if to else off


class Cube(Move[Backgammon], frozen=True):
    """What a double and its answers share; by itself an answer (BAC-5.3)."""

    @classmethod
    def legal(cls, position: Backgammon, seat: int) -> Iterator[Cube]:
        """List the move if it is possible."""
        if cls().check(position, seat) is None:
            yield cls()

    def check(self, position: Backgammon, seat: int) -> Violation | None:
        """BAC-5.3."""
        return None if position.offered else Violation("BAC-5.3", "there is no double to answer")

    def label(self, names: Names = UNNAMED) -> str:
        """Name the move."""
        return type(self).__name__


class Double(Cube, frozen=True):
    """The seat in turn offers to play for twice the points (BAC-5.2)."""

    notation: ClassVar[Notation] = template("double")
    what: ClassVar[str] = "offer of a double"
    example: ClassVar[str] = "double"

    def check(self, position: Backgammon, seat: int) -> Violation | None:
        """BAC-5."""
        if position.dice or position.offered or not position.seat:
            return Violation("BAC-5.2", "a double is offered before the roll of a turn")
        clause = position.no_double
        return Violation(clause, f"{NO_DOUBLE[clause]}; roll the dice") if clause else None

    def evolve(self, position: Backgammon, seat: int) -> tuple[Backgammon, tuple[Effect, ...]]:
        """Wait for the answer."""
        return replace(position, offered=True), (Doubled(seat, 2 * position.cube),)


class Take(Cube, frozen=True):
    """The opponent plays on for twice the points, and has the cube (BAC-5.3)."""

    notation: ClassVar[Notation] = template("take")
    what: ClassVar[str] = "double taken"
    example: ClassVar[str] = "take"

    def evolve(self, position: Backgammon, seat: int) -> tuple[Backgammon, tuple[Effect, ...]]:
        """Hand over the cube."""
        cube = 2 * position.cube
        return replace(position, cube=cube, owner=seat, offered=False), (Taken(seat, cube),)


class Drop(Cube, frozen=True):
    """The opponent gives up the game (BAC-5.3)."""

    notation: ClassVar[Notation] = template("drop")
    what: ClassVar[str] = "double dropped"
    example: ClassVar[str] = "drop"

    def evolve(self, position: Backgammon, seat: int) -> tuple[Backgammon, tuple[Effect, ...]]:
        """End the game at the number that the cube had."""
        return finish(position, 3 - seat, "BAC-5.3", ())


MOVES: Final = (Roll, Step, Double, Take, Drop)


def finish(
    position: Backgammon, winner: int, clause: str, effects: tuple[Effect, ...]
) -> tuple[Backgammon, tuple[Effect, ...]]:
    """End a game."""
    after, points = position.won(winner, clause)
    kind = ("the game", "a gammon", "a backgammon")[position.times(winner) - 1]
    return after, (*effects, Won(winner, kind, Score.of(points, "point").words))


class Begun(Effect, frozen=True):
    """Both players rolled a die to begin a game (BAC-2.1)."""

    seat: int
    one: int
    two: int

    template: ClassVar[str] = "{seat} begins with {one} and {two}"


class Went(Effect, frozen=True):
    """A checker moved, perhaps onto a blot, which goes to the bar (BAC-3.4)."""

    seat: int
    step: str
    hit: bool
    start: str
    end: str

    @property
    def notable(self) -> bool:  # type: ignore[override]
        """A hit is a highlight."""
        return self.hit

    def words(self, names: Names = UNNAMED) -> str:
        """Say where the checker went, with a star for a hit."""
        hit = f" and hits {names[3 - self.seat]}" if self.hit else ""
        return f"{names[self.seat]} plays {self.step}{hit}"


class Stuck(Effect, frozen=True):
    """A seat cannot play the dice that are left (BAC-3.7)."""

    seat: int

    template: ClassVar[str] = "{seat} cannot move"


class Doubled(Effect, frozen=True):
    """A seat offered a double (BAC-5.2)."""

    seat: int
    cube: int

    template: ClassVar[str] = "{seat} doubles to {cube}"
    notable: ClassVar[bool] = True


class Taken(Effect, frozen=True):
    """A seat took a double (BAC-5.3)."""

    seat: int
    cube: int

    template: ClassVar[str] = "{seat} takes and has the cube at {cube}"


class Won(Effect, frozen=True):
    """A seat won a game (BAC-6)."""

    seat: int
    kind: str
    gain: str

    template: ClassVar[str] = "{seat} wins {kind} and {gain}"
    notable: ClassVar[bool] = True
