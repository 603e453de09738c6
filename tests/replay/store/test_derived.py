"""Derived rows are compared while others write."""

from __future__ import annotations

from typing import Any

import pytest

from replay.store.postgres import derived
from replay.store.sql import upkeep
from replay.store.validation import MAX_VERSION


class Between:
    """A connection whose second stream is made between the first two queries."""

    def __init__(self, lost: bool) -> None:
        self._queries = 0
        self._lost = lost

    def execute(self, query: str) -> Between:
        self._queries += 1
        self._asked = query
        return self

    def fetchall(self) -> list[Any]:
        there = range(1, 2 if self._queries == 1 and not self._lost else 3)
        if self._asked == upkeep.STREAMS:
            return [(number, None, 0) for number in there]
        rows = [(number, 1, MAX_VERSION, number) for number in there]
        return rows[:-1] if self._lost else rows


def test_stream_created_between_queries_is_not_wrong():
    assert upkeep.wrong_segments(Between(lost=False)) == []


def test_stream_without_segments_is_wrong():
    assert upkeep.wrong_segments(Between(lost=True)) == [2]


@pytest.mark.parametrize("word", ["GLOB", "instr(", "iif(", "OR IGNORE", "julianday", "IS 1"])
def test_no_word_of_sqlite_reaches_postgres(word):
    assert word not in derived.statements()
