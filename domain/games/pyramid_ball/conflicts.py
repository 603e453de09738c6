"""Who moves, who is pushed and who fails when six pyramids move at once (BAL-6)."""

from __future__ import annotations

from typing import Final, NamedTuple

from domain.board import OFF
from domain.games.pyramid_ball.board import BEYOND, ROW, SEAT


class ClosedRow(NamedTuple):
    """A row (from 0) that a seat's pyramids may not enter (BAL-10.4); seat 0: none is closed."""

    seat: int
    row: int


OPEN: Final = ClosedRow(0, OFF)
"""No row is closed to anybody."""


class Settled(NamedTuple):
    """What comes of a row: squares, failed pyramids with the clause, pushers with the pushed."""

    squares: list[int]
    failed: dict[int, str]
    pushes: dict[int, list[int]]


def settle(squares: list[int], tried: list[int], offence: int, closed: ClosedRow = OPEN) -> Settled:
    """Let all pyramids move at once.

    `tried` is the square each one is headed for: its own where it stands still, or `OFF`.
    """
    conflict = _Conflict(squares, tried, offence, closed)
    conflict.fail_by_what_is_tried()
    pushes = conflict.fail_by_what_is_there()
    after = list(squares)
    for mover, to in conflict.tries.items():
        if mover not in conflict.failed:
            after[mover] = to
    for pusher, pushed in pushes.items():
        for one, to in zip(pushed, conflict.entered(pusher, pushed), strict=True):
            after[one] = to
    return Settled(after, conflict.failed, pushes)


class _Conflict:
    """The moves of one row while it is being settled."""

    def __init__(
        self, squares: list[int], tried: list[int], offence: int, closed: ClosedRow
    ) -> None:
        self.squares = squares
        self.closed = closed
        self.defends = tuple(seat != offence for seat in SEAT)
        self.failed: dict[int, str] = {}
        self.tries: dict[int, int] = {}
        """The square each pyramid tries, whether or not it succeeds."""
        for one, to in enumerate(tried):
            if to == squares[one]:
                continue
            if to == OFF or (SEAT[one] == closed.seat and ROW[to] == closed.row):
                self.failed[one] = "BAL-6.1"
            else:
                self.tries[one] = to

    def fail_by_what_is_tried(self) -> None:
        """BAL-6.2 to BAL-6.5; BAL-6.1 has been asked before."""
        standing = {square: one for one, square in enumerate(self.squares)}
        for one, to in self.tries.items():
            rivals = [other for other, at in self.tries.items() if at == to and other != one]
            opposite = standing.get(to, one)
            swaps = self.tries.get(opposite) == self.squares[one]
            clause = self._contested(one, rivals, opposite if swaps else None)
            if clause:
                self.failed[one] = clause

    def _contested(self, one: int, rivals: list[int], swap: int | None) -> str:
        if self.defends[one]:
            if any(self.defends[rival] for rival in rivals):
                return "BAL-6.2"
            return "BAL-6.5" if swap is not None and self.defends[swap] else ""
        if any(self.defends[rival] for rival in rivals):
            return "BAL-6.3"
        if rivals:
            return "BAL-6.4"
        return "BAL-6.5" if swap is not None else ""

    def fail_by_what_is_there(self) -> dict[int, list[int]]:
        """Repeat BAL-6.6 to BAL-6.11 until nothing changes, and return the pushes."""
        while True:
            failing, pushes = self._pass()
            if not failing:
                failing = self._taken_by_pushed(pushes)
                if not failing:
                    return pushes
            self.failed.update(failing)

    def _pass(self) -> tuple[dict[int, str], dict[int, list[int]]]:
        """Ask BAL-6.6 to BAL-6.9 of one snapshot, then BAL-6.10: who fails, and the pushes."""
        staying = {
            square: one
            for one, square in enumerate(self.squares)
            if one not in self.tries or one in self.failed
        }
        failing: dict[int, str] = {}
        pushes: dict[int, list[int]] = {}
        for one, to in self.tries.items():
            other = staying.get(to)
            if one in self.failed or other is None:
                continue
            if not self.defends[one]:
                failing[one] = "BAL-6.6"
            elif self.defends[other]:
                failing[one] = "BAL-6.7"
            else:
                pushed = self._chain(one, staying)
                if self._possible(one, pushed, staying):
                    pushes[one] = pushed
                else:
                    failing[one] = "BAL-6.9"
        failing.update(self._clashing(pushes))
        return failing, pushes

    def _chain(self, pusher: int, staying: dict[int, int]) -> list[int]:
        """Return the pyramids that a defender would push, the nearest first (BAL-6.8)."""
        pushed: list[int] = []
        before, at = self.squares[pusher], self.tries[pusher]
        while at in staying and not self.defends[staying[at]]:
            pushed.append(staying[at])
            before, at = at, BEYOND[before][at]
        return pushed

    def entered(self, pusher: int, pushed: list[int]) -> list[int]:
        """Return the squares (or `OFF`) that pushed pyramids would enter, in their order."""
        last = self.squares[pushed[-1]]
        behind = self.squares[pushed[-2] if len(pushed) > 1 else pusher]
        return [*(self.squares[one] for one in pushed[1:]), BEYOND[behind][last]]

    def _possible(self, pusher: int, pushed: list[int], staying: dict[int, int]) -> bool:
        """BAL-6.9."""
        entered = self.entered(pusher, pushed)
        end, last = entered[-1], pushed[-1]
        if end == OFF or end in staying:
            return False
        comes_in = SEAT[last] == self.closed.seat and ROW[end] == self.closed.row
        if comes_in and ROW[self.squares[last]] != self.closed.row:
            return False
        return not any(
            to in entered and self.defends[one] and one != pusher for one, to in self.tries.items()
        )

    def _clashing(self, pushes: dict[int, list[int]]) -> dict[int, str]:
        """BAL-6.10."""
        if len(pushes) < 2:
            return {}
        ends = {pusher: self.entered(pusher, pushed)[-1] for pusher, pushed in pushes.items()}
        return {
            one: "BAL-6.10"
            for one in pushes
            for other in pushes
            if one != other
            and (ends[one] == ends[other] or not set(pushes[one]).isdisjoint(pushes[other]))
        }

    def _taken_by_pushed(self, pushes: dict[int, list[int]]) -> dict[int, str]:
        """BAL-6.11."""
        if not pushes:
            return {}
        ends = {self.entered(pusher, pushed)[-1] for pusher, pushed in pushes.items()}
        return {
            one: "BAL-6.11"
            for one, to in self.tries.items()
            if to in ends and one not in self.failed and not self.defends[one]
        }
