"""The curve of an analysis: the value of each position for seat 1, read from the comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from replay.annotations import Commented, by_ply
from replay.book import Book
from replay.programs.evaluations import AUTHOR
from replay.record.match_record import MatchRecord

ESTIMATED: Final = re.compile(r"seat 1 (\d{1,3})%")
PROVEN: Final = re.compile(r"(a draw|seat [1-9](?: and seat [1-9])*)(?: wins?)? by force")


class CurvePoint(Struct, frozen=True):
    """A ply, the value of its position for seat 1 in percent, and the result in words."""

    ply: int
    value: int
    words: str


def curve(book: Book, record: MatchRecord) -> tuple[CurvePoint, ...]:
    """Return the points of the last analysis of a match by ply; none without one."""
    return tuple(_points(book, record))


def _points(book: Book, record: MatchRecord) -> Iterator[CurvePoint]:
    for ply, remarks in sorted(by_ply(book, record).items()):
        for remark in remarks:
            if isinstance(remark.said, Commented) and remark.author == AUTHOR:
                words = re.split(" after |: ", remark.said.text)[0]
                value = read_value(words)
                if value is not None:
                    yield CurvePoint(ply, value, words)


def read_value(words: str) -> int | None:
    """Return the value for seat 1 that a comment gives, in percent; `None` if it gives none."""
    if estimated := ESTIMATED.match(words):
        return min(100, int(estimated[1]))
    if proven := PROVEN.fullmatch(words):
        return 50 if proven[1] == "a draw" else 100 if "seat 1" in proven[1] else 0
    return None
