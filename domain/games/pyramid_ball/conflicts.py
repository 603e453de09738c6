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

Settled = tuple[list[int], dict[int, str], dict[int, Push]]
"""The result of a row: squares, failed pyramids with the clause, and pushes by defender."""


def settle(squares: list[int], tried: list[int], offence: int, closed: ClosedRow = OPEN) -> Settled:
    """Move all pyramids at once.

    `tried` is the square that each one tries to enter: its own if it stands still, or `OFF`.
    """
    tries = {one: to for one, to in enumerate(tried) if to != squares[one]}
    failed: dict[int, str] = {}
    if closed.seat or OFF in tried:
        failed = _out_of_bounds(tries, closed)
    pushes: dict[int, Push] = {}
    # Movers that all try empty squares of their own meet no other clause.
    if len({*tries.values(), *squares}) != len(tries) + len(squares):
        conflict = _Conflict(squares, tries, failed, offence, closed)
        conflict.fail_by_what_is_tried()
        pushes = conflict.fail_by_what_is_there()
    after = list(tried)
    for one in failed:
        after[one] = squares[one]
    for push in pushes.values():
        for one, to in push:
            after[one] = to
    return after, failed, pushes


def _out_of_bounds(tries: dict[int, int], closed: ClosedRow) -> dict[int, str]:
    """BAL-6.1: remove pyramids that leave the board from `tries`, and return them."""
    failed = {
        one: "BAL-6.1"
        for one, to in tries.items()
        if to == OFF or (SEAT[one] == closed.seat and ROW[to] == closed.row)
    }
    for one in failed:
        del tries[one]
    return failed


class _Conflict:
    """The moves of one row while they are resolved; `failed` grows.

    `tries` is the square that each pyramid tries, whether or not it succeeds.
    """

    def __init__(
        self,
        squares: list[int],
        tries: dict[int, int],
        failed: dict[int, str],
        offence: int,
        closed: ClosedRow,
    ) -> None:
        self.squares = squares
        self.tries = tries
        self.failed = failed
        self.closed = closed
        self.defends = DEFENDS[offence]
        self.standing = dict(zip(squares, range(6), strict=True))
        self.entering = [(one, to) for one, to in tries.items() if to in self.standing]
        """The pyramids that try an occupied square."""

    def fail_by_what_is_tried(self) -> None:
        """Apply BAL-6.2 to BAL-6.5; BAL-6.1 was applied before."""
        if len(set(self.tries.values())) < len(self.tries):
            self._contest_squares()
        for one, to in self.entering:
            other = self.standing[to]
            if self.tries.get(other) == self.squares[one] and (
                self.defends[other] or not self.defends[one]
            ):
                self.failed.setdefault(one, "BAL-6.5")

    def _contest_squares(self) -> None:
        """Apply BAL-6.2 to BAL-6.4, square by square."""
        by_square: dict[int, list[int]] = {}
        for one, to in self.tries.items():
            by_square.setdefault(to, []).append(one)
        for rivals in by_square.values():
            if len(rivals) > 1:
                defenders = [one for one in rivals if self.defends[one]]
                for one in rivals:
                    if not self.defends[one]:
                        self.failed[one] = "BAL-6.3" if defenders else "BAL-6.4"
                    elif len(defenders) > 1:
                        self.failed[one] = "BAL-6.2"

    def fail_by_what_is_there(self) -> dict[int, Push]:
        """Repeat BAL-6.6 to BAL-6.11 until nothing changes, and return the pushes."""
        if not self.entering:
            return {}
        squares, failed = self.squares, self.failed
        # The pyramids that stay, by square; failed ones are added.
        staying = {
            at: one for at, one in self.standing.items() if one not in self.tries or one in failed
        }
        while True:
            failing, pushes = self._pass(staying)
            if not failing:
                failing = self._taken_by_pushed(pushes)
                if not failing:
                    return pushes
            failed.update(failing)
            for one in failing:
                staying[squares[one]] = one

    def _pass(self, staying: dict[int, int]) -> tuple[dict[int, str], dict[int, Push]]:
        """Apply BAL-6.6 to BAL-6.9 to one snapshot, then BAL-6.10; return failures and pushes."""
        failing: dict[int, str] = {}
        pushes: dict[int, Push] = {}
        for one, to in self.entering:
            if to not in staying or one in self.failed:
                continue
            if not self.defends[one]:
                failing[one] = "BAL-6.6"
            elif self.defends[staying[to]]:
                failing[one] = "BAL-6.7"
            else:
                push = self._push(one, to, staying)
                if self._possible(one, push, staying):
                    pushes[one] = push
                else:
                    failing[one] = "BAL-6.9"
        if len(pushes) > 1:
            failing.update(_clashing(pushes))
        return failing, pushes

    def _push(self, pusher: int, at: int, staying: dict[int, int]) -> Push:
        """Return the pyramids that a defender would push, and their new squares (BAL-6.8)."""
        push: Push = []
        before = self.squares[pusher]
        while at in staying and not self.defends[staying[at]]:
            beyond = BEYOND[before][at]
            push.append((staying[at], beyond))
            before, at = at, beyond
        return push

    def _possible(self, pusher: int, push: Push, staying: dict[int, int]) -> bool:
        """BAL-6.9."""
        last, end = push[-1]
        if end == OFF or end in staying:
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
        if not pushes:
            return {}
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
    """Tell whether two pushes end on one square or share a pushed pyramid."""
    return push[-1][1] == other[-1][1] or not {one for one, _ in push}.isdisjoint(
        one for one, _ in other
    )
