"""Resolve simultaneous moves: which pyramids move, are pushed, or fail (BAL-6)."""

from __future__ import annotations

from typing import Final, NamedTuple

from domain.board import OFF
from domain.games.pyramid_ball.board import BEYOND, ROW, SEAT


class ClosedRow(NamedTuple):
    """A row (from 0) that a seat's pyramids may not enter (BAL-10.4); seat 0: no row is closed."""

    seat: int
    row: int


OPEN: Final = ClosedRow(0, OFF)
"""No row is closed."""

DEFENDS: Final = {offence: tuple(seat != offence for seat in SEAT) for offence in (1, 2)}
"""Whether each pyramid defends, by the seat of the offence."""


Push = list[tuple[int, int]]
"""The pyramids that a defender pushes, the nearest first, each with its new square."""

Settled = tuple[dict[int, int], dict[int, str], dict[int, Push]]
"""The pyramids that move, each with its square; the failed ones, each with the clause; the pushes
by defender.
"""


def settle(
    squares: list[int], tries: dict[int, int], offence: int, closed: ClosedRow = OPEN
) -> Settled:
    """Move all pyramids at once; `tries` has the square (or `OFF`) that each moving one tries."""
    failed: dict[int, str] = {}
    if closed.seat or OFF in tries.values():
        failed = _out_of_bounds(tries, closed)
        tries = _without(failed, tries)
    defends, pushes = DEFENDS[offence], dict[int, Push]()
    if len({*tries.values()}) < len(tries):
        _contest_squares(tries, defends, failed)
    entering = [(one, squares.index(to)) for one, to in tries.items() if to in squares]
    if entering:
        _swap_places(squares, tries, defends, entering, failed)
        conflict = _Conflict(squares, tries, failed, defends, closed, entering)
        pushes = conflict.fail_by_what_is_there()
    return _without(failed, tries) if failed else tries, failed, pushes


Entering = list[tuple[int, int]]
"""The pyramids that try an occupied square, each with the pyramid on it."""


def _without(failed: dict[int, str], tries: dict[int, int]) -> dict[int, int]:
    return {one: to for one, to in tries.items() if one not in failed}


def _out_of_bounds(tries: dict[int, int], closed: ClosedRow) -> dict[int, str]:
    """BAL-6.1: return the pyramids that leave the board."""
    if not closed.seat:
        return {one: "BAL-6.1" for one, to in tries.items() if to == OFF}
    return {
        one: "BAL-6.1"
        for one, to in tries.items()
        if to == OFF or (ROW[to] == closed.row and SEAT[one] == closed.seat)
    }


def _contest_squares(
    tries: dict[int, int], defends: tuple[bool, ...], failed: dict[int, str]
) -> None:
    """Apply BAL-6.2 to BAL-6.4, square by square."""
    by_square: dict[int, list[int]] = {}
    for one, to in tries.items():
        by_square.setdefault(to, []).append(one)
    for rivals in by_square.values():
        if len(rivals) > 1:
            defenders = [one for one in rivals if defends[one]]
            for one in rivals:
                if not defends[one]:
                    failed[one] = "BAL-6.3" if defenders else "BAL-6.4"
                elif len(defenders) > 1:
                    failed[one] = "BAL-6.2"


def _swap_places(
    squares: list[int],
    tries: dict[int, int],
    defends: tuple[bool, ...],
    entering: Entering,
    failed: dict[int, str],
) -> None:
    """Apply BAL-6.5."""
    for one, other in entering:
        if tries.get(other) == squares[one] and (defends[other] or not defends[one]):
            failed.setdefault(one, "BAL-6.5")


class _Conflict:
    """The moves of one row into occupied squares, while they are resolved; `failed` grows.

    `tries` is the square that each moving pyramid tries, whether or not it succeeds.
    """

    __slots__ = ("closed", "defends", "entering", "failed", "squares", "tries")

    def __init__(
        self,
        squares: list[int],
        tries: dict[int, int],
        failed: dict[int, str],
        defends: tuple[bool, ...],
        closed: ClosedRow,
        entering: Entering,
    ) -> None:
        self.squares = squares
        self.tries = tries
        self.failed = failed
        self.closed = closed
        self.defends = defends
        self.entering = entering

    def fail_by_what_is_there(self) -> dict[int, Push]:
        """Repeat BAL-6.6 to BAL-6.11 until nothing changes, and return the pushes."""
        while True:
            failing, pushes = self._pass()
            if pushes and not failing:
                failing = self._taken_by_pushed(pushes)
            if not failing:
                return pushes
            self.failed.update(failing)

    def _pass(self) -> tuple[dict[int, str], dict[int, Push]]:
        """Apply BAL-6.6 to BAL-6.9 to one snapshot, then BAL-6.10; return failures and pushes."""
        failing: dict[int, str] = {}
        pushes: dict[int, Push] = {}
        tries, failed, defends = self.tries, self.failed, self.defends
        for one, other in self.entering:
            if one in failed or (other in tries and other not in failed):
                continue
            if not defends[one]:
                failing[one] = "BAL-6.6"
            elif defends[other]:
                failing[one] = "BAL-6.7"
            else:
                push = self._push(one, tries[one])
                if self._possible(one, push):
                    pushes[one] = push
                else:
                    failing[one] = "BAL-6.9"
        if len(pushes) > 1:
            failing.update(_clashing(pushes))
        return failing, pushes

    def _staying_on(self, at: int) -> int | None:
        """Return the pyramid that stays on a square, without a direction or after failing."""
        if at not in self.squares:
            return None
        one = self.squares.index(at)
        return None if one in self.tries and one not in self.failed else one

    def _push(self, pusher: int, at: int) -> Push:
        """Return the pyramids that a defender would push, and their new squares (BAL-6.8)."""
        push: Push = []
        before, one = self.squares[pusher], self._staying_on(at)
        while one is not None and not self.defends[one]:
            beyond = BEYOND[before][at]
            push.append((one, beyond))
            before, at = at, beyond
            one = self._staying_on(at)
        return push

    def _possible(self, pusher: int, push: Push) -> bool:
        """BAL-6.9."""
        last, end = push[-1]
        if end == OFF or self._staying_on(end) is not None:
            return False
        closed = self.closed
        if SEAT[last] == closed.seat and ROW[end] == closed.row != ROW[self.squares[last]]:
            return False
        entered = [to for _, to in push]
        for one, to in self.tries.items():
            if to in entered and one != pusher and self.defends[one]:
                return False
        return True

    def _taken_by_pushed(self, pushes: dict[int, Push]) -> dict[int, str]:
        """BAL-6.11."""
        ends = [push[-1][1] for push in pushes.values()]
        return {
            one: "BAL-6.11"
            for one, to in self.tries.items()
            if to in ends and one not in self.failed and not self.defends[one]
        }


def _clashing(pushes: dict[int, Push]) -> dict[int, str]:
    """BAL-6.10."""
    return {
        one: "BAL-6.10"
        for one, push in pushes.items()
        for other, against in pushes.items()
        if one != other and _clash(push, against)
    }


def _clash(push: Push, other: Push) -> bool:
    """Return whether two pushes end on one square or share a pushed pyramid."""
    return push[-1][1] == other[-1][1] or not {one for one, _ in push}.isdisjoint(
        one for one, _ in other
    )
