"""The curve of an analysis: the value of each position for seat 1, read from the comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from domain.events import Moved
from replay.annotations.current import Remark, by_ply
from replay.annotations.events import Commented
from replay.book import Book
from replay.record.match_record import MatchRecord

AUTHOR: Final = "analysis"
"""The author of the comments that an analysis writes."""
SWINGS: Final = 3
MIN_SWING: Final = 10
"""The smallest change of the value, in percent, that counts as a swing."""
ESTIMATED: Final = re.compile(r"seat 1 (\d{1,3})%")
PROVEN: Final = re.compile(r"(a draw|seat [1-9](?: and seat [1-9])*)(?: wins?)? by force")


BEST: Final = re.compile("(?:; best|by force): (.+)")


class BestLine(Struct, frozen=True):
    """A line that an analysis prefers: its first move as a move text, and all moves in words."""

    text: str
    words: str


class CurvePoint(Struct, frozen=True):
    """A ply, the value of its position for seat 1 in percent, and the result in words."""

    ply: int
    value: int
    words: str


def curve(book: Book, record: MatchRecord, *, whole: bool = False) -> tuple[CurvePoint, ...]:
    """Return the points of the last analysis of a match by ply; none without an analysis."""
    return tuple(curve_of(by_ply(book, record, whole=whole)))


def best_lines(book: Book, record: MatchRecord, ply: int) -> tuple[BestLine, ...]:
    """Return the lines that the last analysis prefers after a ply, the best first."""
    there = by_ply(book, record).get(ply, ())
    said = [remark.said for remark in there if remark.author == AUTHOR]
    found = next((BEST.search(each.text) for each in said if isinstance(each, Commented)), None)
    lines = found[1].split("; ") if found else ()
    return tuple(BestLine(line.split(" ")[0], line) for line in lines)


def compare(lines: Sequence[BestLine], text: str) -> str:
    """Compare a move with the lines that an analysis prefers; empty without such lines."""
    if not lines:
        return ""
    if lines[0].text == text:
        return f"The analysis prefers it, too: {lines[0].words}"
    own = next((f"; of this move it says {line.words}" for line in lines if line.text == text), "")
    return f"The analysis prefers {lines[0].words}{own}"


def curve_of(remarks: Mapping[int, Iterable[Remark]]) -> Iterator[CurvePoint]:
    """Yield the points that the annotations of a match have, by ply."""
    for ply, there in sorted(remarks.items()):
        for remark in there:
            if isinstance(remark.said, Commented) and remark.author == AUTHOR:
                point = read_point(ply, remark.said.text)
                if point is not None:
                    yield point


def read_point(ply: int, comment: str) -> CurvePoint | None:
    """Return the point of the curve that a comment of an analysis contains, if any."""
    words = re.split(" after |: ", comment)[0]
    value = read_value(words)
    return None if value is None else CurvePoint(ply, value, words)


def swings(points: Iterable[CurvePoint]) -> tuple[int, ...]:
    """Return the plies that changed the value most, at most `SWINGS`, in their order."""
    changes = {after.ply: abs(after.value - before.value) for before, after in pairwise(points)}
    large = (ply for ply in changes if changes[ply] >= MIN_SWING)
    return tuple(sorted(sorted(large, key=lambda ply: (-changes[ply], ply))[:SWINGS]))


def tries(record: MatchRecord, swung: Iterable[int]) -> tuple[int, ...]:
    """Return the `swung` plies whose move a reader can try to find: all but moves of dice."""
    line = record.match.line
    moved = ((ply, line[ply - 1].event) for ply in swung)
    return tuple(ply for ply, one in moved if isinstance(one, Moved) and not one.move.chance)


def read_value(words: str) -> int | None:
    """Return the value for seat 1 that a comment gives, in percent; `None` if it gives none."""
    if estimated := ESTIMATED.match(words):
        return min(100, int(estimated[1]))
    if proven := PROVEN.fullmatch(words):
        return 50 if proven[1] == "a draw" else 100 if "seat 1" in proven[1] else 0
    return None
