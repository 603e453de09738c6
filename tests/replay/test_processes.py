"""Work in several processes: order, errors, and how far ahead it reads."""

from __future__ import annotations

import os

import pytest

from replay.errors import StoreError, Usage
from replay.processes import AHEAD, work_in_order


def twice(number: int) -> int:
    if number < 0:
        raise Usage(f"{number} is too small")
    if number > 100:
        os._exit(1)
    return 2 * number


def test_results_come_in_order_and_items_are_taken_as_they_are_needed():
    taken: list[int] = []

    def items():
        for number in range(20):
            taken.append(number)
            yield number

    results = work_in_order(twice, items(), 2)
    assert next(results) == 0
    assert len(taken) == 2 * AHEAD + 1
    assert list(results) == list(range(2, 40, 2))


def test_an_error_comes_in_its_place_and_a_process_that_ends_is_told_in_words():
    results = work_in_order(twice, [1, -1, 2], 2)
    assert next(results) == 2
    with pytest.raises(Usage, match="-1 is too small"):
        next(results)
    with pytest.raises(StoreError, match="ended from outside"):
        list(work_in_order(twice, [101], 1))
