"""The checkers of both seats, and the steps that a roll allows them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

Men = tuple[int, ...]
"""The checkers of a seat by point, as the seat counts: 0 is off the board, 25 the bar."""
Dice = tuple[int, ...]
Step = tuple[int, int]
"""The point that a checker leaves, and the one where it goes."""

OFF: Final = 0
BAR: Final = 25
HOME: Final = 6
ALL: Final = 15
START: Final[Men] = tuple({6: 5, 8: 3, 13: 5, 24: 2}.get(point, 0) for point in range(26))


def highest(own: Men) -> int:
    """Return the highest point with a checker; 0 if all are off."""
    return max(point for point in range(26) if own[point] or not point)


def is_blocked(other: Men, point: int) -> bool:
    """Return whether the opponent holds a point of the seat (BAC-3.3)."""
    return point > OFF and other[25 - point] > 1


def end(own: Men, start: int, die: int) -> int | None:
    """Return where a die brings a checker of a point, or `None` if it may not be borne off."""
    if start > die:
        return start - die
    top = highest(own)
    return OFF if top <= HOME and start in (die, top) else None


def ends(own: Men, other: Men, die: int) -> list[Step]:
    """Return the steps with a die, without regard to the other dice (BAC-3, BAC-4)."""
    starts = [BAR] if own[BAR] else [point for point in range(24, 0, -1) if own[point]]
    found = ((start, end(own, start, die)) for start in starts)
    return [(start, to) for start, to in found if to is not None and not is_blocked(other, to)]


def move(own: Men, other: Men, step: Step) -> tuple[Men, Men]:
    """Return the checkers of both seats after a step, which hits a blot (BAC-3.4)."""
    mine, theirs, (start, to) = [*own], [*other], step
    mine[start] -= 1
    mine[to] += 1
    if to and theirs[25 - to]:
        theirs[25 - to] -= 1
        theirs[BAR] += 1
    return tuple(mine), tuple(theirs)


def without(dice: Dice, die: int) -> Dice:
    """Return the dice that are left after one is used."""
    place = dice.index(die)
    return (*dice[:place], *dice[place + 1 :])


@lru_cache(maxsize=2**14)
def playable(own: Men, other: Men, dice: Dice) -> int:
    """Return how many of the dice can be played, one after the other."""
    most = 0
    for die in sorted(set(dice)):
        for step in ends(own, other, die):
            most = max(most, 1 + playable(*move(own, other, step), without(dice, die)))
            if most == len(dice):
                return most
    return most


@lru_cache(maxsize=2**10)
def steps(own: Men, other: Men, dice: Dice) -> dict[Step, int]:
    """Return the legal steps, each with its die: as many dice as possible are played (BAC-3.5)."""
    most, found = playable(own, other, dice), dict[Step, int]()
    for die in sorted(set(dice)):
        for step in ends(own, other, die):
            if 1 + playable(*move(own, other, step), without(dice, die)) == most:
                found.setdefault(step, die)
    if most == 1 < len(dice):  # BAC-3.6
        found = {step: die for step, die in found.items() if die == max(found.values())}
    return found
