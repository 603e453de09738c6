"""A position of a match: the checkers, the dice, the cube and the score."""

from __future__ import annotations

from typing import Final, Literal

from msgspec.structs import replace

from backgammon.board import ALL, BAR, OFF, START, Dice, Men, Step, steps
from plybook.game import Awaited, Options, Outcome, Position

HIGHEST: Final = 64
"""The highest number of the cube (BAC-5.1)."""
NO_DOUBLE: Final = {
    "BAC-5.1": f"the cube ends at {HIGHEST}",
    "BAC-5.4": "the opponent has the cube",
    "BAC-5.5": "the cube already wins the match",
    "BAC-5.6": "nobody doubles in this game",
}
"""The reasons against a double, by their clauses."""


class BackgammonOptions(Options, frozen=True):
    """BAC-1.4, BAC-5.6, BAC-6.4."""

    points: Literal[1, 3, 5, 7, 9, 11] = 1
    crawford: Literal["yes", "no"] = "yes"
    jacoby: Literal["no", "yes"] = "no"


class Backgammon(Position, frozen=True):
    """`men` of both seats, `dice` still to play, and `result` once the match is over.

    `owner` is the seat with the cube, 0 for both. Before the first roll of a game nobody is in
    turn, and `seat` is 0.
    """

    options: BackgammonOptions = BackgammonOptions()
    men: tuple[Men, Men] = (START, START)
    seat: int = 0
    dice: Dice = ()
    cube: int = 1
    owner: int = 0
    offered: bool = False
    score: tuple[int, int] = (0, 0)
    crawford_over: bool = False
    turn: int = 1
    result: Outcome | None = None

    def outcome(self) -> Outcome | None:
        """BAC-6.5."""
        return self.result

    def awaiting(self) -> tuple[Awaited, ...]:
        """BAC-2, BAC-5."""
        if self.result:
            return ()
        if not self.seat:
            return (Awaited(1, "roll a die for each player", ("roll",)),)
        if self.offered:
            return (Awaited(3 - self.seat, "take or drop the double", ("take", "drop")),)
        if self.dice:
            return (Awaited(self.seat, "move a checker", ("move",)),)
        tags = ("roll",) if self.no_double else ("roll", "double")
        return (Awaited(self.seat, " or ".join(tags), tags),)

    @property
    def no_double(self) -> str:
        """The clause by which the seat in turn may not double before a roll; empty if it may."""
        goal, own = self.options.points, self.score[self.seat - 1] + self.cube
        rests = self.options.crawford == "yes" and not self.crawford_over
        if rests and max(self.score) == goal - 1 > 0:
            return "BAC-5.6"
        if self.owner == 3 - self.seat:
            return "BAC-5.4"
        if goal > 1 and own >= goal:
            return "BAC-5.5"
        return "BAC-5.1" if self.cube == HIGHEST else ""

    def of(self, seat: int) -> tuple[Men, Men]:
        """Return the checkers of a seat, and those of its opponent."""
        return self.men[seat - 1], self.men[2 - seat]

    def steps(self) -> dict[Step, int]:
        """Return the legal steps of the seat in turn, each with its die."""
        return steps(*self.of(self.seat), self.dice) if self.dice else {}

    def passed(self) -> Backgammon:
        """Return the position in which the other seat is in turn."""
        return replace(self, seat=3 - self.seat, dice=(), turn=self.turn + 1)

    def times(self, winner: int) -> int:
        """Return how many times the cube counts: 2 for a gammon, 3 for a backgammon (BAC-6)."""
        own, lost = self.of(winner)
        jacoby = self.options.points == 1 and self.options.jacoby == "yes" and self.cube == 1
        if own[OFF] < ALL or lost[OFF] or jacoby:
            return 1
        return 3 if lost[BAR] or any(lost[19:BAR]) else 2

    def won(self, winner: int, clause: str) -> tuple[Backgammon, int]:
        """Return the next game, or the end of the match, and the points of the winner."""
        points = self.cube * self.times(winner)
        first, second = self.score
        score = (first + points, second) if winner == 1 else (first, second + points)
        over = self.crawford_over or max(self.score) == self.options.points - 1
        after = Backgammon(self.options, score=score, crawford_over=over, turn=self.turn + 1)
        if max(score) < self.options.points:
            return after, points
        ended = Outcome("BAC-6.5" if self.options.points > 1 else clause, (winner,), score)
        return replace(self, score=score, dice=(), offered=False, result=ended), points
