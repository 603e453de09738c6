"""A position of Blockade: the stacks, the dice, the points left, and who must act."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from domain.games.blockade.board import ACCEPTS, COOL, MOVABLE, WARM, Stacks, ends
from domain.position import Awaited, Outcome, Position

TO_WIN: Final = 5
"""BLK-6.1."""

ROLL: Final = ((), *((Awaited(seat, "roll the dice", ("roll",)),) for seat in (1, 2)))
MOVE: Final = (
    (),
    *((Awaited(seat, "move or end the turn", ("move", "end")),) for seat in (1, 2)),
)

Pair = tuple[int, int]
"""A value for each of a seat's two colours, in the order of `COOL` and `WARM`."""


@functools.cache
def points_left(dice: Pair, spent: Pair) -> Pair:
    """Return the remaining points in each colour (BLK-2.2, BLK-2.3)."""
    return _left(*dice, *spent), _left(*reversed(dice), *reversed(spent))


@functools.cache
def movable(colours: Pair, dice: Pair, spent: Pair) -> dict[int, int]:
    """Return the pyramids that a turn can move, each with its remaining points (BLK-3.1)."""
    return {
        pyramid: points
        for colour, points in zip(colours, points_left(dice, spent), strict=True)
        for pyramid in MOVABLE[colour]
        if points
    }


def _left(die: int, other_die: int, spent: int, other_spent: int) -> int:
    if die <= 3 and other_die <= 3 and not other_spent:
        return die + other_die - spent
    # A colour beyond its die uses the sum of both dice, and the other colour has nothing left.
    return die - spent if other_spent <= other_die else 0


class Table(Position, frozen=True):
    """The stacks, the remaining blacks by size, the seat in turn, its dice and its spent points.

    `dice` is `None` until the turn's roll. `cool` is the seat with blue and green. `walls` are the
    opponent's blockades, as a set of squares; they do not change during a turn.
    """

    stacks: Stacks
    supply: bytes
    cool: int
    seat: int
    turn: int
    walls: int = 0
    dice: Pair | None = None
    spent: Pair = (0, 0)
    result: Outcome | None = None

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await a roll, then legs or the end of the turn (BLK-2)."""
        if self.result is not None:
            return ()
        return ROLL[self.seat] if self.dice is None else MOVE[self.seat]

    def outcome(self) -> Outcome | None:
        """Return the outcome after the last leg (BLK-6.1)."""
        return self.result

    def colours(self, seat: int) -> Pair:
        """Return a seat's two colours in the order of its dice (BLK-1.1)."""
        return COOL if seat == self.cool else WARM

    def left(self) -> Pair:
        """Return the turn's remaining points in each colour; none before the roll."""
        return (0, 0) if self.dice is None else points_left(self.dice, self.spent)

    def legs(self) -> Iterator[tuple[int, int]]:
        """Yield every legal leg: from and to.

        Lazy, so that a test for any leg stops at the first.
        """
        if self.dice is None:
            return
        stacks, walls = self.stacks, self.walls
        budget = movable(self.colours(self.seat), self.dice, self.spent)
        for start, stack in enumerate(stacks):
            pyramid = stack[-1]
            if pyramid in budget:
                accepts = ACCEPTS[pyramid]
                for end in ends(walls, start)[budget[pyramid]]:
                    if accepts[stacks[end][-1]]:
                        yield start, end
