"""The public state of a game of Pyramid Ball, between events."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from domain.board import OFF, SIZES, Size
from domain.games.pyramid_ball.board import HIGH_START, LOW_START, NOBODY, ROW, SEAT
from domain.games.pyramid_ball.conflicts import OPEN, ClosedRow
from domain.games.pyramid_ball.effects import Revealed
from domain.position import Outcome

Stage = Literal["pick", "start", "program", "place"]
"""The awaited moves: picks, the choice of their winner, programs, or the ball after a goal."""

TASK: Final[dict[Stage, str]] = {
    "pick": "pick a size",
    "start": "choose the ball or defence",
    "program": "program {its} pyramids",
    "place": "put the ball down",
}
"""The tasks of a seat at each stage, in words; `{its}` is its possessive."""

GOAL: Final = 6
"""The number of points that win the advanced game (BAL-1.5)."""


class Interrupted(Struct, frozen=True):
    """A turn interrupted until the ball is placed (BAL-10.1); its programs are public.

    It resumes in `row`, after the pass of that row if `passed`. `scorer` is the seat that scored.
    """

    programs: tuple[Revealed, Revealed]
    row: int
    passed: bool
    halted: frozenset[int]
    scorer: int


class Table(Struct, frozen=True):
    """The public part of a position.

    `seat` is the seat that chooses or places (0 if both seats are awaited); `low` is the seat at
    row 1. `squares` are by pyramid, empty before the seats are decided. `carrier` is a pyramid, or
    `NOBODY` while the ball is on the square `loose`. `taken` and `used` are the sizes of each
    seat's special moves, like `SL`.
    """

    advanced: bool
    stage: Stage
    turn: int = 1
    seat: int = 0
    low: int = 1
    squares: tuple[int, ...] = ()
    carrier: int = NOBODY
    loose: int = OFF
    offence: int = 0
    closed: ClosedRow = OPEN
    scores: tuple[int, int] = (0, 0)
    taken: tuple[str, str] = ("", "")
    used: tuple[str, str] = ("", "")
    interrupted: Interrupted | None = None
    result: Outcome | None = None

    @property
    def holder(self) -> int:
        """The seat that has the ball, or 0 while it is loose."""
        return SEAT[self.carrier] if self.carrier != NOBODY else 0


def kick_off(advanced: bool, low: int) -> Table:
    """Set up the pyramids, with the ball on the M of the seat at row 1 (BAL-1.2, BAL-2.3)."""
    squares = LOW_START + HIGH_START if low == 1 else HIGH_START + LOW_START
    return Table(
        advanced,
        "program",
        low=low,
        squares=squares,
        carrier=1 if low == 1 else 4,
        offence=low,
    )


def takeable(table: Table, seat: int) -> tuple[Size, ...]:
    """Return the special moves a seat may take now (BAL-11.1): one per opponent's point."""
    taken = table.taken[seat - 1]
    return () if table.scores[2 - seat] <= len(taken) else _untaken(taken)


@functools.cache
def _untaken(taken: str) -> tuple[Size, ...]:
    return tuple(size for size in SIZES if size not in taken)


def in_order(sizes: str) -> str:
    """Sort sizes, smallest first, because the order of special moves has no meaning."""
    return "".join(size for size in SIZES if size in sizes)


def placements(table: Table) -> Iterator[int]:
    """Yield the squares where the ball may be put after a goal, the left one first (BAL-10.1)."""
    if table.interrupted is None:
        return
    scorer = table.squares[table.interrupted.scorer]
    for step in (-1, 1):
        at = scorer + step
        while at in table.squares:
            at += step
        # Rows -1 and 8 do not exist; stepping off a row's end leads to another row.
        if 0 <= at < len(ROW) and ROW[at] == ROW[scorer]:
            yield at
