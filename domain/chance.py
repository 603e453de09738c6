"""Chance: outcomes that are not equally likely, decided by a die."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import lcm
from typing import Final

MAX_SIDES: Final = 2**32
"""The sides of a die for probabilities that are not simple fractions."""


def weighted(die: Callable[[int], int], weights: Sequence[float]) -> int:
    """Return the number, from 0, of the outcome that a die decides, in proportion to the weights.

    The result is exact for whole weights, and for probabilities whose denominators are at most
    10,000 and have a common multiple up to 2**32. Other probabilities are off by at most 2**-32.

    >>> [weighted(lambda sides: roll, [1, 2, 1]) for roll in (1, 2, 3, 4)]
    [0, 1, 1, 2]
    """
    ends = list(accumulate(parts_of(weights)))
    return bisect_left(ends, die(ends[-1]))


def parts_of(weights: Sequence[float]) -> list[int]:
    """Return whole numbers in the ratio of the weights: the sides of the die for each outcome.

    >>> parts_of([0.5, 0.3, 0.2])
    [5, 3, 2]
    """
    if all(isinstance(weight, int) for weight in weights):
        return [int(weight) for weight in weights]
    exact = [Fraction(weight).limit_denominator(10_000) for weight in weights]
    sides = lcm(*(each.denominator for each in exact))
    close = all(abs(each - weight) < 1e-9 for each, weight in zip(exact, weights, strict=True))
    if close and sum(exact) == 1 and sides <= MAX_SIDES:
        return [int(each * sides) for each in exact]
    ends = [round(MAX_SIDES * end / sum(weights)) for end in accumulate(weights)]
    return [after - before for before, after in pairwise([0, *ends])]
