"""What happens in a game of Pyramid Ball, row by row. Nothing sealed is ever in an effect."""

from __future__ import annotations

from typing import Final, Literal

from domain.effects import Effect
from domain.games.pyramid_ball.orders import Command, Commands, Pass
from domain.pyramids import PIPS, SIZE_WORD, Size


def name(seat: int, size: Size) -> str:
    """Name a pyramid for a sentence: "the medium of seat 1"."""
    return f"the {SIZE_WORD[PIPS[size]]} of seat {seat}"


class Sealed(Effect, frozen=True):
    """A seat has made its secret choice."""

    seat: int

    def words(self) -> str:
        """Tell who has chosen, not what."""
        return f"seat {self.seat} has made its secret choice"


class Picked(Effect, frozen=True):
    """Both picks were revealed; no `winner` where they are equal (BAL-2.2)."""

    picks: tuple[Size, Size]
    winner: int | None

    def words(self) -> str:
        """Name both picks and who won."""
        first, second = (SIZE_WORD[PIPS[size]] for size in self.picks)
        if self.winner is None:
            return f"both picked a {first}; they pick again"
        return f"seat 1 picked a {first}, seat 2 a {second}; seat {self.winner} wins"


class Seated(Effect, frozen=True):
    """The seat that starts with the ball was decided; it sits at row 1 (BAL-2.3)."""

    seat: int

    def words(self) -> str:
        """Name the seat."""
        return f"seat {self.seat} starts with the ball, at row 1"


class Taken(Effect, frozen=True):
    """A seat took a special move (BAL-11.1)."""

    seat: int
    size: Size

    def words(self) -> str:
        """Name the special move."""
        return f"seat {self.seat} takes the {SPECIAL[self.size]}"


SPECIAL: Final[dict[str, str]] = {"S": "Dash", "M": "Quick Pass", "L": "Blitz"}
"""The special move of each size (BAL-11.1)."""


class Fouled(Effect, frozen=True):
    """A seat was late: all its pyramids stand still this turn (BAL-3.4)."""

    seat: int

    def words(self) -> str:
        """Name the seat that was late."""
        return f"foul: seat {self.seat} was late, its pyramids stand still this turn"


class Revealed(Effect, frozen=True, rename={"pass_": "pass"}, omit_defaults=True):
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
        """The program to be read: "S FR., M ..F, L LLF, pass in row 2 to L"."""
        parts = [f"S {self.S}", f"M {self.M}", f"L {self.L}"]
        if self.pass_ is not None:
            parts.append(f"pass in row {self.pass_.row} to {self.pass_.to}")
        if self.dash is not None:
            parts.append(f"Dash {self.dash}")
        parts += [SPECIAL[size] for size in self.specials if size != "S"]
        return ", ".join(parts)

    def words(self) -> str:
        """Read the program out."""
        return f"seat {self.seat} has programmed {self.text}"


def specials(dash: str | None, quick: bool, blitz: bool) -> str:
    """Return the sizes whose special moves a program contains, like `SL`."""
    return ("" if dash is None else "S") + ("M" if quick else "") + ("L" if blitz else "")


class Unthrown(Effect, frozen=True):
    """A programmed pass was not thrown (BAL-5.1)."""

    seat: int
    why: Literal["ball", "moves", "itself"]

    def words(self) -> str:
        """Tell what was missing."""
        why = {
            "ball": "it does not have the ball",
            "moves": "the carrier does not stand still",
            "itself": "the carrier cannot pass to itself",
        }
        return f"seat {self.seat} throws no pass: {why[self.why]}"


class Completed(Effect, frozen=True):
    """A pass from a square to another arrived (BAL-5.3)."""

    seat: int
    start: str
    end: str

    def words(self) -> str:
        """Name both squares."""
        return f"seat {self.seat} passes from {self.start} to {self.end}"


class Intercepted(Effect, frozen=True):
    """A pass of `seat` towards `end` was caught by a defender on `at` (BAL-5.4)."""

    seat: int
    start: str
    end: str
    at: str

    def words(self) -> str:
        """Name the squares."""
        return (
            f"the pass of seat {self.seat} from {self.start} to {self.end} is intercepted"
            f" on {self.at}"
        )


class Stepped(Effect, frozen=True):
    """A pyramid moved one square."""

    seat: int
    size: Size
    start: str
    end: str

    def words(self) -> str:
        """Name the pyramid and both squares."""
        return f"{name(self.seat, self.size)} moves from {self.start} to {self.end}"


class Failed(Effect, frozen=True):
    """A pyramid could not move towards `end` (`None`: off the board) and is halted (BAL-4.3).

    `clause` is the part of BAL-6 that stopped it.
    """

    seat: int
    size: Size
    start: str
    end: str | None
    clause: str

    def words(self) -> str:
        """Tell what stopped it."""
        where = f" to {self.end}" if self.end else ""
        return (
            f"{name(self.seat, self.size)} on {self.start} cannot move{where}:"
            f" {self._why()} ({self.clause})"
        )

    def _why(self) -> str:
        if self.clause == "BAL-6.1":
            return "that row is closed to it" if self.end else "the board ends there"
        return WHY[self.clause]


WHY: Final = {
    "BAL-6.2": "another defender tries that square",
    "BAL-6.3": "a defender tries that square",
    "BAL-6.4": "another pyramid of the offence tries that square",
    "BAL-6.5": "two pyramids cannot change places",
    "BAL-6.6": "a pyramid stays there",
    "BAL-6.7": "a defender stays there",
    "BAL-6.9": "what stands there cannot be pushed on",
    "BAL-6.10": "two pushes get in each other's way",
    "BAL-6.11": "a pushed pyramid takes that square",
}
"""Why a move failed, by clause."""


class Pushed(Effect, frozen=True):
    """An offensive pyramid was pushed one square, first or further on in a chain (BAL-6.8)."""

    seat: int
    size: Size
    start: str
    end: str

    def words(self) -> str:
        """Name the pyramid and both squares."""
        return f"{name(self.seat, self.size)} is pushed from {self.start} to {self.end}"


class Tackled(Effect, frozen=True):
    """A defender, now on `at`, pushed the ball carrier out of that square (BAL-7.1)."""

    seat: int
    size: Size
    at: str

    def words(self) -> str:
        """Name who tackles."""
        return f"{name(self.seat, self.size)} tackles the carrier on {self.at}"


class Goal(Effect, frozen=True):
    """A carrier came into the row its side scores in (BAL-8.1, BAL-5.3)."""

    seat: int
    size: Size
    at: str

    def words(self) -> str:
        """Name the scorer."""
        return f"goal: {name(self.seat, self.size)} has the ball on {self.at}"


class Point(Effect, frozen=True):
    """A seat scored; `scores` of both seats after it."""

    seat: int
    scores: tuple[int, int]

    def words(self) -> str:
        """Give the score."""
        return f"a point for seat {self.seat}: {self.scores[0]} to {self.scores[1]}"


class Placed(Effect, frozen=True):
    """The seat that conceded a goal put the ball down (BAL-10.1)."""

    seat: int
    at: str

    def words(self) -> str:
        """Name the square."""
        return f"seat {self.seat} puts the ball on {self.at}"


class Recovered(Effect, frozen=True):
    """A defender ended a row on the loose ball's square and has it (BAL-10.3)."""

    seat: int
    size: Size
    at: str

    def words(self) -> str:
        """Name the new carrier."""
        return f"{name(self.seat, self.size)} recovers the ball on {self.at}"


class Turnover(Effect, frozen=True):
    """The roles changed: `seat` is the offence now (BAL-5.4, BAL-10.3, BAL-10.5)."""

    seat: int

    def words(self) -> str:
        """Name the offence."""
        return f"seat {self.seat} is the offence now"


class Closed(Effect, frozen=True):
    """After its goal a seat may not enter the goal row, numbered from 1 (BAL-10.4)."""

    seat: int
    row: int

    def words(self) -> str:
        """Name seat and row."""
        return f"row {self.row} is closed to seat {self.seat}"


class Opened(Effect, frozen=True):
    """A closed goal row is open again (BAL-10.4)."""

    seat: int
    row: int

    def words(self) -> str:
        """Name seat and row."""
        return f"row {self.row} is open to seat {self.seat} again"


class Snapshot(Effect, frozen=True):
    """How things stand at the end of a row, or where a goal interrupts it.

    `squares` are those of S, M and L of seat 1, then of seat 2. `carrier` and `halted` name
    pyramids like `1S`; there is no carrier while the ball lies loose.
    """

    row: str
    squares: tuple[str, ...]
    ball: str | None
    carrier: str | None
    halted: tuple[str, ...]

    def words(self) -> str:
        """Name the row."""
        return f"{self.row} is played"
