"""The turn of Pyramid Ball, row by row (BAL-4 to BAL-10), and the end of the game (BAL-9)."""

from __future__ import annotations

import functools
from operator import itemgetter

from msgspec.structs import replace

from domain.board import OFF
from domain.effects import Effect
from domain.games.pyramid_ball.board import BOARD, NOBODY, PYRAMIDS, ROW, SEAT, SIZE, line, pyramid
from domain.games.pyramid_ball.conflicts import OPEN, ClosedRow, Push, settle
from domain.games.pyramid_ball.effects import (
    Closed,
    Completed,
    Failed,
    Goal,
    Intercepted,
    Point,
    Pushed,
    Recovered,
    Reopened,
    Revealed,
    Snapshot,
    Stepped,
    Tackled,
    Turnover,
    Unthrown,
)
from domain.games.pyramid_ball.orders import (
    PROGRAM_ROW,
    ROWS,
    RUN,
    Pass,
    movers_of,
)
from domain.games.pyramid_ball.table import GOAL, Interrupted, Table, in_order
from domain.position import Outcome

NAMES = BOARD.names

Step = tuple[Table, tuple[Effect, ...]]


def resolve(table: Table, programs: tuple[Revealed, Revealed]) -> Step:
    """Play the programs of a turn, to its end or to the first goal (BAL-4.1)."""
    used = _used(table.used[0], programs[0]), _used(table.used[1], programs[1])
    turn = _Turn(table, programs, frozenset())
    turn.play(0)
    return turn.table(table, used), tuple(turn.effects)


def _used(before: str, program: Revealed) -> str:
    """Return the special moves that a seat has used up once its program is revealed (BAL-11.2)."""
    return in_order(before + program.specials) if program.specials else before


def resume(table: Table, interrupted: Interrupted, ball: int) -> Step:
    """Resume a turn after the ball was placed on a square (BAL-10.1)."""
    turn = _Turn(table, interrupted.programs, interrupted.halted)
    turn.loose = ball
    turn.play(interrupted.row, passed=interrupted.passed)
    return turn.table(table, table.used), tuple(turn.effects)


def finish(table: Table) -> Table:
    """Return an edited table, won by a seat with enough points (BAL-9.1)."""
    needed = GOAL if table.advanced else 1
    winners = [seat for seat in (1, 2) if table.scores[seat - 1] >= needed]
    return replace(table, result=Outcome("BAL-9.1", (winners[0],)) if winners else None)


def goal_row(low: int, seat: int) -> int:
    """Return the row, from 0, in which a seat scores (BAL-1.3)."""
    return 7 if seat == low else 0


def next_row(programs: tuple[Revealed, Revealed], row: int) -> int:
    """Return the first row from `row` on that these programs play, or the number of rows."""
    played = RUN[_extra_rows(programs)]
    return next((each for each in played if each >= row), len(ROWS))


def _extra_rows(programs: tuple[Revealed, Revealed]) -> tuple[bool, bool]:
    """Return whether any program has a blitz, and whether any has a dash."""
    one, other = programs
    return one.blitz or other.blitz, one.dash is not None or other.dash is not None


# The same few values recur in every turn.


@functools.cache
def _stepped(one: int, at: int, to: int) -> Stepped:
    return Stepped(SEAT[one], SIZE[one], NAMES[at], NAMES[to])


@functools.cache
def _failed(one: int, at: int, to: int, clause: str) -> Failed:
    return Failed(SEAT[one], SIZE[one], NAMES[at], None if to == OFF else NAMES[to], clause)


@functools.cache
def _names(pyramids: frozenset[int]) -> tuple[str, ...]:
    return tuple(PYRAMIDS[one] for one in sorted(pyramids))


class _Turn:
    """A turn while it is played: mutable, and used within one `evolve` only."""

    def __init__(
        self, table: Table, programs: tuple[Revealed, Revealed], halted: frozenset[int]
    ) -> None:
        self.effects: list[Effect] = []
        self.programs = programs
        self.advanced = table.advanced
        self.low = table.low
        self.squares = list(table.squares)
        self.carrier = table.carrier
        self.loose = table.loose
        self.offence = table.offence
        self.closed = table.closed
        self.scores = list(table.scores)
        self.halted = halted
        self.result: Outcome | None = None
        self.interrupted: Interrupted | None = None
        self.stopped = False
        """Whether the game is over, or the turn is interrupted until the ball is placed."""
        side = 1 if table.low == 1 else -1
        one, other = programs
        self.first = movers_of(0, side, one.S, one.M, one.L, one.dash, one.blitz)
        """The moving pyramids of seat 1 row by row, and of seat 2."""
        self.second = movers_of(3, -side, other.S, other.M, other.L, other.dash, other.blitz)
        self.orders = [(each.seat, each.pass_) for each in programs if each.pass_ is not None]

    def play(self, first: int, *, passed: bool = False) -> None:
        """Play the rows from `first` on; with `passed`, its pass was thrown before."""
        for row in RUN[_extra_rows(self.programs)]:
            if row < first:
                continue
            if self.orders and not (passed and row == first):
                self.passes(row)
            if not self.stopped:
                self.moves(row)
            self.snapshot(row)
            if self.stopped:
                return

    def table(self, before: Table, used: tuple[str, str]) -> Table:
        """Return the table after this turn."""
        waits = self.interrupted is not None
        return Table(
            before.advanced,
            "place" if waits else "program",
            before.turn if waits or self.result is not None else before.turn + 1,
            3 - self.offence if waits else 0,
            before.low,
            tuple(self.squares),
            self.carrier,
            self.loose,
            self.offence,
            self.closed,
            (self.scores[0], self.scores[1]),
            before.taken,
            used,
            self.interrupted,
            self.result,
        )

    # Passing (BAL-5)

    def passes(self, row: int) -> None:
        """Throw the pass of this row, if the offence programmed one."""
        holder = SEAT[self.carrier] if self.carrier != NOBODY else 0
        for seat, order in self.orders:
            if order.row != PROGRAM_ROW[row] or self.stopped:
                continue
            if seat != holder:
                self.effects.append(Unthrown(seat, "ball"))
            elif self.carrier in self.tries(row):
                self.effects.append(Unthrown(holder, "moves"))
            elif pyramid(holder, order.to) == self.carrier:
                self.effects.append(Unthrown(holder, "itself"))
            else:
                self.throw(order, row)

    def throw(self, order: Pass, row: int) -> None:
        """Throw the ball along the line; the first defender on it intercepts (BAL-5.2)."""
        seat = SEAT[self.carrier]
        start, receiver = self.squares[self.carrier], pyramid(seat, order.to)
        end = self.squares[receiver]
        if self.closed.seat == 3 - seat:
            self.open()
        defenders = range(3, 6) if seat == 1 else range(3)
        on_line = {self.squares[one]: one for one in defenders}
        for at in line(start, end):
            if at in on_line:
                self.effects.append(Intercepted(seat, NAMES[start], NAMES[end], NAMES[at]))
                self.win_ball(on_line[at])
                return
        self.carrier = receiver
        self.effects.append(Completed(seat, NAMES[start], NAMES[end]))
        if ROW[end] == goal_row(self.low, seat):
            self.goal(row, passed=True)

    # Moving (BAL-6 to BAL-8)

    def moves(self, row: int) -> None:
        """Move all pyramids at once, and update the ball."""
        squares, tries, effects = self.squares, self.tries(row), self.effects
        if not tries:
            return
        moved, failed, pushes = settle(squares, tries, self.offence, self.closed)
        before = squares[self.carrier]  # of no meaning while the ball is loose
        if failed:
            self.halt(failed, tries)
        for push in pushes.values():
            self.push(push)
        for one, to in moved.items():
            effects.append(_stepped(one, squares[one], to))
            squares[one] = to
        if self.carrier == NOBODY:
            self.recover()
        else:
            self.follow_carrier(row, before, pushes)

    def tries(self, row: int) -> dict[int, int]:
        """Return the square (or `OFF`) that each moving pyramid tries."""
        squares, halted = self.squares, self.halted
        moving = self.first[row] + self.second[row]
        return {one: way[squares[one]] for one, way in moving if one not in halted}

    def halt(self, failed: dict[int, str], tries: dict[int, int]) -> None:
        """Halt pyramids for the rest of the turn (BAL-4.3)."""
        self.halted = self.halted.union(failed)
        for one, clause in failed.items():
            self.effects.append(_failed(one, self.squares[one], tries[one], clause))

    def push(self, push: Push) -> None:
        """Push a chain of pyramids, the last one first."""
        for one, to in reversed(push):
            at, self.squares[one] = self.squares[one], to
            self.effects.append(Pushed(SEAT[one], SIZE[one], NAMES[at], NAMES[to]))

    def follow_carrier(self, row: int, before: int, pushes: dict[int, Push]) -> None:
        """Check for a tackle (BAL-7.1), a goal (BAL-8.1), and a goal row left (BAL-10.4)."""
        carrier = self.carrier
        for pusher, push in pushes.items():
            if push[0][0] == carrier:
                at = NAMES[self.squares[pusher]]
                self.effects.append(Tackled(SEAT[pusher], SIZE[pusher], at))
                self.win_ball(pusher)
                return
        now, seat = ROW[self.squares[carrier]], SEAT[carrier]
        if self.closed.seat == 3 - seat and now != self.closed.row:
            self.open()
        if now != ROW[before] and now == goal_row(self.low, seat):
            self.goal(row, passed=False)

    # Consequences of points and of the ball (BAL-8 to BAL-10)

    def win_ball(self, one: int) -> None:
        """Give the ball to a defender that tackled or intercepted (BAL-5.4, BAL-7.1)."""
        self.carrier = one
        self.offence = SEAT[one]
        self.point(SEAT[one])
        if self.result is None:
            self.effects.append(Turnover(SEAT[one]))

    def goal(self, row: int, *, passed: bool) -> None:
        """Score, and unless the game ends interrupt the turn for the ball (BAL-10.1)."""
        scorer = self.carrier
        seat = SEAT[scorer]
        self.effects.append(Goal(seat, SIZE[scorer], NAMES[self.squares[scorer]]))
        self.point(seat)
        if self.result is not None:
            return
        self.carrier = NOBODY
        self.closed = ClosedRow(seat, goal_row(self.low, seat))
        self.effects.append(Closed(seat, self.closed.row + 1))
        goes_on = row if passed else next_row(self.programs, row + 1)
        self.interrupted = Interrupted(self.programs, goes_on, passed, self.halted, scorer)
        self.stopped = True

    def point(self, seat: int) -> None:
        """Add a point, and end the game with the last one (BAL-9.1)."""
        self.scores[seat - 1] += 1
        self.effects.append(Point(seat, (self.scores[0], self.scores[1])))
        if not self.advanced or self.scores[seat - 1] == GOAL:
            self.result = Outcome("BAL-9.1", (seat,))
            self.stopped = True

    def recover(self) -> None:
        """Give the loose ball to a defender on its square (BAL-10.3)."""
        if self.loose not in self.squares:
            return
        one = self.squares.index(self.loose)
        if SEAT[one] == self.offence:
            return
        self.carrier, self.offence, self.loose = one, SEAT[one], OFF
        self.effects.append(Recovered(SEAT[one], SIZE[one], NAMES[self.squares[one]]))
        self.effects.append(Turnover(SEAT[one]))

    def open(self) -> None:
        """Open the closed goal row (BAL-10.4)."""
        self.effects.append(Reopened(self.closed.seat, self.closed.row + 1))
        self.closed = OPEN

    def snapshot(self, row: int) -> None:
        """Add a snapshot of the positions."""
        squares = itemgetter(*self.squares)(NAMES)
        ball = NAMES[self.loose] if self.loose != OFF else None
        carrier = None
        if self.carrier != NOBODY:
            ball, carrier = squares[self.carrier], PYRAMIDS[self.carrier]
        self.effects.append(Snapshot(ROWS[row], squares, ball, carrier, _names(self.halted)))
