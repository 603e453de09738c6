"""Outcomes that are not equally likely."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.chance import parts_of, weighted


@pytest.mark.parametrize(
    ("weights", "parts"),
    [
        ([9, 2, 2], [9, 2, 2]),
        ([1 / 6] * 6, [1] * 6),
        ([0.9 / 15, 0.1 / 15, 14 / 15], [9, 1, 140]),
        ([1 / 7776, 7775 / 7776], [1, 7775]),
        ([1.0], [1]),
    ],
)
def test_exact_fractions_become_parts_of_a_die(weights, parts):
    assert parts_of(weights) == parts


def test_inexact_probabilities_are_rounded_to_the_die():
    chances = [2**-0.5, 1 - 2**-0.5 - 1e-7, 1e-7]
    parts = parts_of(chances)
    assert sum(parts) == 2**32
    assert all(
        abs(part / 2**32 - chance) <= 2**-32 for part, chance in zip(parts, chances, strict=True)
    )


def test_each_side_of_the_die_decides_one_outcome():
    sides = [weighted(lambda most, n=n: min(n, most), [3, 0, 1]) for n in range(1, 5)]
    assert Counter(sides) == {0: 3, 2: 1}
