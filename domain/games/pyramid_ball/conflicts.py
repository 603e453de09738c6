"""Resolve simultaneous moves: which pyramids move, are pushed, or fail (BAL-6)."""

from __future__ import annotations

from typing import Final, NamedTuple

from domain.board import OFF
from domain.games.pyramid_ball.board import BEYOND, BOARD, ROW, SEAT


class ClosedRow(NamedTuple):
    """A row (from 0) that a seat's pyramids may not enter (BAL-10.4); seat 0: no row is closed."""

    seat: int
    row: int


OPEN: Final = ClosedRow(0, OFF)
"""No row is closed."""

OUT: Final = {
    row: frozenset({OFF, *(square for square in BOARD.squares if ROW[square] == row)})
    for row in (OFF, *ROW)
}
"""The targets at which a pyramid may fail by BAL-6.1, by the closed row, if any, else `OFF`."""

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
    tried = {*tries.values()}
    if not tried.isdisjoint(OUT[closed.row]):
        failed = _out_of_bounds(tries, closed)
        tries = _without(failed, tries)
        tried = {*tries.values()}
    defends = DEFENDS[offence]
    if len(tried) < len(tries):
        _contest_squares(tries, defends, failed)
    if tried.isdisjoint(squares):  # nobody is in the way
        return _without(failed, tries) if failed else tries, failed, {}
    return _fail_by_what_is_there(squares, tries, failed, defends, closed)


def _without(failed: dict[int, str], tries: dict[int, int]) -> dict[int, int]:
    going = tries.copy()
    for one in failed:
        going.pop(one, None)
    return going


def _out_of_bounds(tries: dict[int, int], closed: ClosedRow) -> dict[int, str]:
    """BAL-6.1."""
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
    squares: list[int], tries: dict[int, int], failed: dict[int, str], defends: tuple[bool, ...]
) -> list[tuple[int, int]]:
    """Apply BAL-6.5; return the pyramids that try an occupied square, each with the one on it."""
    entering: list[tuple[int, int]] = []
    for one, to in tries.items():
        if to in squares:
            other = squares.index(to)
            entering.append((one, other))
            if tries.get(other) == squares[one] and (defends[other] or not defends[one]):
                failed.setdefault(one, "BAL-6.5")
    return entering


def _fail_by_what_is_there(
    squares: list[int],
    tries: dict[int, int],
    failed: dict[int, str],
    defends: tuple[bool, ...],
    closed: ClosedRow,
) -> Settled:
    """Apply BAL-6.5; repeat BAL-6.6 to BAL-6.11 until nothing changes.

    All tests in one pass use one snapshot: its failures count from the next pass on.
    """
    entering = _swap_places(squares, tries, failed, defends)
    going = _without(failed, tries)
    while True:
        failing: dict[int, str] = {}
        pushes: dict[int, Push] = {}
        for one, other in entering:
            if one not in going or other in going:
                continue
            if not defends[one]:
                failing[one] = "BAL-6.6"
            elif defends[other]:
                failing[one] = "BAL-6.7"
            else:
                push = _push(squares, going, defends, one, other)
                if push and _possible(push, squares, tries, defends, closed):
                    pushes[one] = push
                else:
                    failing[one] = "BAL-6.9"
        if pushes:
            failing |= _clashing(pushes)
            failing = failing or _taken_by_pushed(pushes, going, defends)
        if not failing:
            return going, failed, pushes
        failed |= failing
        for one in failing:
            del going[one]


def _push(
    squares: list[int], going: dict[int, int], defends: tuple[bool, ...], pusher: int, one: int
) -> Push:
    """Return the pyramids that a defender would push, and their new squares (BAL-6.8).

    There are none if a staying defender is in the way (BAL-6.9).
    """
    push: Push = []
    before, at = squares[pusher], squares[one]
    while one not in going:
        if defends[one]:
            return []
        before, at = at, BEYOND[before][at]
        push.append((one, at))
        if at not in squares:
            break
        one = squares.index(at)
    return push


def _possible(
    push: Push,
    squares: list[int],
    tries: dict[int, int],
    defends: tuple[bool, ...],
    closed: ClosedRow,
) -> bool:
    """Test the rest of BAL-6.9."""
    last, end = push[-1]
    if end == OFF:
        return False
    if SEAT[last] == closed.seat and ROW[end] == closed.row != ROW[squares[last]]:
        return False
    entered = {to for _, to in push}  # the pusher itself tries the square before these
    return entered.isdisjoint([to for one, to in tries.items() if defends[one]])


def _clashing(pushes: dict[int, Push]) -> dict[int, str]:
    """BAL-6.10."""
    if len(pushes) == 1:
        return {}
    return {
        one: "BAL-6.10"
        for one, push in pushes.items()
        for other, against in pushes.items()
        if one != other and _clash(push, against)
    }


def _taken_by_pushed(
    pushes: dict[int, Push], going: dict[int, int], defends: tuple[bool, ...]
) -> dict[int, str]:
    """BAL-6.11."""
    ends = [push[-1][1] for push in pushes.values()]
    return {one: "BAL-6.11" for one, to in going.items() if to in ends and not defends[one]}


def _clash(push: Push, other: Push) -> bool:
    """Return whether two pushes end on one square or share a pushed pyramid."""
    return push[-1][1] == other[-1][1] or not {one for one, _ in push}.isdisjoint(
        one for one, _ in other
    )
