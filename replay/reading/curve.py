"""The curve of an analysis: the value of each position for seat 1, read from the comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final

from msgspec import Struct

from replay.annotations import Commented, Remark, by_ply
from replay.book import Book
from replay.record.match_record import MatchRecord

AUTHOR: Final = "analysis"
"""The author of the comments that an analysis writes."""
SWINGS: Final = 3
MIN_SWING: Final = 10
"""The smallest change of the value, in percent, that counts as a swing."""
ESTIMATED: Final = re.compile(r"seat 1 (\d{1,3})%")
PROVEN: Final = re.compile(r"(a draw|seat [1-9](?: and seat [1-9])*)(?: wins?)? by force")


class CurvePoint(Struct, frozen=True):
    """A ply, the value of its position for seat 1 in percent, and the result in words."""

    ply: int
    value: int
    words: str


def curve(book: Book, record: MatchRecord) -> tuple[CurvePoint, ...]:
    """Return the points of the last analysis of a match by ply; none without one."""
    return tuple(curve_of(by_ply(book, record)))


def curve_of(remarks: Mapping[int, Iterable[Remark]]) -> Iterator[CurvePoint]:
    """Yield the points that the annotations of a match have, by ply."""
    for ply, there in sorted(remarks.items()):
        for remark in there:
            if isinstance(remark.said, Commented) and remark.author == AUTHOR:
                point = read_point(ply, remark.said.text)
                if point is not None:
                    yield point


def read_point(ply: int, comment: str) -> CurvePoint | None:
    """Return the point that a comment of an analysis gives, if any."""
    words = re.split(" after |: ", comment)[0]
    value = read_value(words)
    return None if value is None else CurvePoint(ply, value, words)


def swings(points: Iterable[CurvePoint]) -> tuple[int, ...]:
    """Return the plies that changed the value most, at most `SWINGS`, in their order."""
    changes = {after.ply: abs(after.value - before.value) for before, after in pairwise(points)}
    large = (ply for ply in changes if changes[ply] >= MIN_SWING)
    return tuple(sorted(sorted(large, key=lambda ply: (-changes[ply], ply))[:SWINGS]))


def read_value(words: str) -> int | None:
    """Return the value for seat 1 that a comment gives, in percent; `None` if it gives none."""
    if estimated := ESTIMATED.match(words):
        return min(100, int(estimated[1]))
    if proven := PROVEN.fullmatch(words):
        return 50 if proven[1] == "a draw" else 100 if "seat 1" in proven[1] else 0
    return None
