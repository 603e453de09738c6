"""Effects in a game of Pyramid Ball, row by row. No effect contains a sealed move."""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal

from domain.board import PIPS, SIZE_WORD, Size
from domain.effects import Effect
from domain.games.pyramid_ball.orders import Command, Commands, Pass
from domain.names import UNNAMED, Names


class Sealed(Effect, frozen=True):
    """A seat has made {its} secret choice."""

    seat: int

    template: ClassVar[str] = "{seat} has made {its} secret choice"


class PicksRevealed(Effect, frozen=True, tag="picked"):
    """Both picks were revealed; no `winner` if they are equal (BAL-2.2)."""

    picks: tuple[Size, Size]
    winner: int | None

    def words(self, names: Names = UNNAMED) -> str:
        """Name both picks and who won."""
        first, second = (SIZE_WORD[PIPS[size]] for size in self.picks)
        if self.winner is None:
            return f"both picked a {first}; they pick again"
        return f"{names[1]} picked a {first}, {names[2]} a {second}; {names[self.winner]} wins"


class Seated(Effect, frozen=True):
    """The seat that starts with the ball was decided; it sits at row 1 (BAL-2.3)."""

    seat: int

    template: ClassVar[str] = "{seat} starts with the ball, at row 1"


class Taken(Effect, frozen=True):
    """A seat took a special move (BAL-11.1)."""

    seat: int
    size: Size

    template: ClassVar[str] = "{seat} takes the {move}"

    def terms(self, names: Names) -> dict[str, Any]:
        """Name the special move that was taken."""
        return super().terms(names) | {"move": SPECIAL[self.size]}


SPECIAL: Final[dict[str, str]] = {"S": "Dash", "M": "Quick Pass", "L": "Blitz"}
"""The special move of each size (BAL-11.1)."""


class Fouled(Effect, frozen=True):
    """A seat was late: all its pyramids stand still this turn (BAL-3.4)."""

    seat: int

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "foul: {seat} was late, {its} pyramids stand still this turn"


class Revealed(Effect, frozen=True, omit_defaults=True):
    """The program of a seat, now that it is public."""

    seat: int
    S: Commands
    M: Commands
    L: Commands
    pass_: Pass | None = None
    dash: Command | None = None
    quick: bool = False
    blitz: bool = False

    @property
    def specials(self) -> str:
        """The special moves in the program, as the sizes they belong to."""
        return specials(self.dash, self.quick, self.blitz)

    @property
    def text(self) -> str:
        """The revealed program in words: "S FR., M ..F, L LLF, pass in row 2 to L"."""
        parts = [f"S {self.S}", f"M {self.M}", f"L {self.L}"]
        if self.pass_ is not None:
            parts.append(f"pass in row {self.pass_.row} to {self.pass_.to}")
        if self.dash is not None:
            parts.append(f"Dash {self.dash}")
        parts += [SPECIAL[size] for size in self.specials if size != "S"]
        return ", ".join(parts)

    template: ClassVar[str] = "{seat} has programmed {text}"

    def terms(self, names: Names) -> dict[str, Any]:
        """Add the revealed program in words."""
        return super().terms(names) | {"text": self.text}


def specials(dash: str | None, quick: bool, blitz: bool) -> str:
    """Write the special moves of a revealed program as their sizes, like `SL`."""
    return ("" if dash is None else "S") + ("M" if quick else "") + ("L" if blitz else "")


NO_PASS: Final = {
    "ball": "it does not have the ball",
    "moves": "the carrier does not stand still",
    "itself": "the carrier cannot pass to itself",
}
"""The reasons why a pass is not thrown."""


class Unthrown(Effect, frozen=True):
    """A programmed pass was not thrown (BAL-5.1)."""

    seat: int
    why: Literal["ball", "moves", "itself"]

    template: ClassVar[str] = "{seat} throws no pass: {why}"

    def terms(self, names: Names) -> dict[str, Any]:
        """Add in words why the ball was not thrown."""
        return super().terms(names) | {"why": NO_PASS[self.why]}


class Completed(Effect, frozen=True):
    """A pass from a square to another arrived (BAL-5.3)."""

    seat: int
    start: str
    end: str

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "{seat} passes from {start} to {end}"


class Intercepted(Effect, frozen=True):
    """A pass of `seat` towards `end` was caught by a defender on `at` (BAL-5.4)."""

    seat: int
    start: str
    end: str
    at: str

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "the pass of {seat} from {start} to {end} is intercepted on {at}"


class Stepped(Effect, frozen=True):
    """A pyramid moved one square."""

    seat: int
    size: Size
    start: str
    end: str

    template: ClassVar[str] = "the {size} of {seat} moves from {start} to {end}"


class Failed(Effect, frozen=True):
    """A pyramid could not move towards `end` (`None`: off the board) and is halted (BAL-4.3).

    `clause` is the part of BAL-6 that stopped it.
    """

    seat: int
    size: Size
    start: str
    end: str | None
    clause: str

    def words(self, names: Names = UNNAMED) -> str:
        """Name the obstacle by which a command failed."""
        where = f" to {self.end}" if self.end else ""
        return (
            f"the {SIZE_WORD[PIPS[self.size]]} of {names[self.seat]} on {self.start} cannot"
            f" move{where}: {self._why()} ({self.clause})"
        )

    def _why(self) -> str:
        if self.clause == "BAL-6.1":
            return "the row is closed to it" if self.end else "the board ends there"
        return WHY[self.clause]


WHY: Final = {
    "BAL-6.2": "another defender tries that square",
    "BAL-6.3": "a defender tries that square",
    "BAL-6.4": "another pyramid of the offence tries that square",
    "BAL-6.5": "two pyramids cannot change places",
    "BAL-6.6": "a pyramid stays there",
    "BAL-6.7": "a defender stays there",
    "BAL-6.9": "the pieces there cannot be pushed further",
    "BAL-6.10": "two pushes get in each other's way",
    "BAL-6.11": "a pushed pyramid takes that square",
}
"""The reasons why a move failed, by clause."""


class Pushed(Effect, frozen=True):
    """An offensive pyramid was pushed one square, first or further on in a chain (BAL-6.8)."""

    seat: int
    size: Size
    start: str
    end: str

    template: ClassVar[str] = "the {size} of {seat} is pushed from {start} to {end}"


class Tackled(Effect, frozen=True):
    """A defender, now on `at`, pushed the ball carrier out of that square (BAL-7.1)."""

    seat: int
    size: Size
    at: str

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "the {size} of {seat} tackles the carrier on {at}"


class Goal(Effect, frozen=True):
    """A carrier came into the row its side scores in (BAL-8.1, BAL-5.3)."""

    seat: int
    size: Size
    at: str

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "goal: the {size} of {seat} has the ball on {at}"


class Point(Effect, frozen=True):
    """A seat scored; `scores` of both seats after it."""

    seat: int
    scores: tuple[int, int]

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "a point for {seat}: {scores[0]} to {scores[1]}"


class BallPlaced(Effect, frozen=True, tag="placed"):
    """The seat that conceded a goal put the ball down (BAL-10.1)."""

    seat: int
    at: str

    template: ClassVar[str] = "{seat} puts the ball on {at}"


class Recovered(Effect, frozen=True):
    """A defender ended a row on the loose ball's square and has it (BAL-10.3)."""

    seat: int
    size: Size
    at: str

    template: ClassVar[str] = "the {size} of {seat} recovers the ball on {at}"


class Turnover(Effect, frozen=True):
    """The roles changed: `seat` is the offence now (BAL-5.4, BAL-10.3, BAL-10.5)."""

    seat: int

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "{seat} is the offence now"


class Closed(Effect, frozen=True):
    """After its goal a seat may not enter the goal row, numbered from 1 (BAL-10.4)."""

    seat: int
    row: int

    template: ClassVar[str] = "row {row} is closed to {seat}"


class Reopened(Effect, frozen=True, tag="opened"):
    """A closed goal row is open again (BAL-10.4)."""

    seat: int
    row: int

    template: ClassVar[str] = "row {row} is open to {seat} again"


class Snapshot(Effect, frozen=True):
    """The positions of all pieces at the end of a row, or at a goal that interrupts it.

    `squares` has the squares of S, M and L of seat 1, then of seat 2. `carrier` and `halted` name
    pyramids like `1S`; `carrier` is `None` while the ball is loose.
    """

    row: str
    squares: tuple[str, ...]
    ball: str | None
    carrier: str | None
    halted: tuple[str, ...]

    template: ClassVar[str] = "{row} is played"
