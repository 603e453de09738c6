"""What is public in a game of Pyramid Ball, between events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from domain.board import OFF
from domain.games.pyramid_ball.board import HIGH_START, LOW_START, NOBODY, ROW, SEAT
from domain.games.pyramid_ball.conflicts import OPEN, ClosedRow
from domain.games.pyramid_ball.effects import Revealed
from domain.position import Outcome
from domain.pyramids import SIZES, Size

Stage = Literal["pick", "start", "program", "place"]
"""What is awaited: picks, the choice of their winner, programs, or the ball after a goal."""

GOAL: Final = 6
"""How many points win the advanced game (BAL-1.5)."""


class Interrupted(Struct, frozen=True):
    """A turn that waits for the ball to be placed (BAL-10.1); its programs are public.

    It goes on in `row`, after the pass of that row if `passed`. `scorer` is who made the goal.
    """

    programs: tuple[Revealed, Revealed]
    row: int
    passed: bool
    halted: frozenset[int]
    scorer: int


class Table(Struct, frozen=True):
    """The public part of a position.

    `seat` chooses or places (0 where both are awaited); `low` sits at row 1. `squares` are by
    pyramid, empty before the seats are decided. `carrier` is a pyramid, or `NOBODY` while the
    ball lies on the square `loose`. `taken` and `used` are the sizes of each seat's special
    moves, like `SL`.
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
        """The seat that has the ball, or 0 while it lies loose."""
        return SEAT[self.carrier] if self.carrier != NOBODY else 0


def kick_off(advanced: bool, low: int) -> Table:
    """Set the pyramids up, the ball on the M of the seat at row 1 (BAL-1.2, BAL-2.3)."""
    squares = LOW_START + HIGH_START if low == 1 else HIGH_START + LOW_START
    return Table(
        advanced,
        "program",
        low=low,
        squares=squares,
        carrier=1 if low == 1 else 4,
        offence=low,
    )


def won(table: Table) -> Outcome | None:
    """Return the victory of the seat with the points for it (BAL-9.1), or `None`."""
    needed = GOAL if table.advanced else 1
    winners = [seat for seat in (1, 2) if table.scores[seat - 1] >= needed]
    return Outcome(winners[0], "BAL-9.1") if winners else None


def takeable(table: Table, seat: int) -> tuple[Size, ...]:
    """Return the special moves a seat may take now (BAL-11.1): one a point of the opponent."""
    taken = table.taken[seat - 1]
    if table.scores[2 - seat] <= len(taken):
        return ()
    return tuple(size for size in SIZES if size not in taken)


def in_order(sizes: str) -> str:
    """Return sizes from the smallest up: in which order special moves came means nothing."""
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
        # Row -1 and row 8 do not exist; running off the row's end comes out in another row.
        if 0 <= at < len(ROW) and ROW[at] == ROW[scorer]:
            yield at
