"""A match as a tree of lines, its main line and its variations, as spectators see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.names import UNNAMED, Names
from replay.book import Book
from replay.branches.analysis import AnalysisLine, analyse
from replay.branches.forks import name_of
from replay.reading.stops import Stop, stops
from replay.record.match_record import MatchRecord

DEEPEST: Final = 50
"""The deepest nesting of variations in a tree; browsers limit the nesting of elements."""
LONGEST: Final = 5000
"""The most plies that the variations of a tree have together, because each is drawn."""


class TreeLine(Struct, frozen=True):
    """A line: all stops of the main line, or a variation's stops after it left its parent.

    `leaves` is the ply of the parent line that the variation follows; `None` for the main line.
    `left_out`, on the main line, counts the variations beyond the limits of a tree.
    """

    record: MatchRecord
    name: str
    leaves: int | None
    stops: tuple[Stop, ...]
    variations: tuple[TreeLine, ...] = ()
    left_out: int = 0

    def note(self) -> str:
        """Say how many variations are left out; empty if none is."""
        if not self.left_out:
            return ""
        held = f"at most {LONGEST} plies of variations, nested at most {DEEPEST} deep"
        return f"Variations left out: {self.left_out}. This page holds {held}."

    def walk(self) -> Iterator[TreeLine]:
        """Yield this line and its descendants, depth first."""
        yield self
        for variation in self.variations:
            yield from variation.walk()


def line_tree(book: Book, record: MatchRecord, names: Names = UNNAMED) -> TreeLine:
    """Return a match with its visible variations as spectators may see them.

    `names` are used in every sentence and picture. Variations that nest too deeply, or are too
    many, are omitted together with their descendants.
    """
    analysis = analyse(book, record)
    depths = {analysis.main.stream.id: 0}
    leaving: dict[int, list[AnalysisLine]] = {}
    plies = 0
    for key, branch in analysis.branches.items():  # a host comes before the lines that leave it
        depth = depths.get(branch.host, DEEPEST) + 1
        own = len(branch.record.match.line) - branch.after
        if depth <= DEEPEST and plies + own <= LONGEST:
            depths[key] = depth
            plies += own
            leaving.setdefault(branch.host, []).append(branch)
    line = _line(book, analysis.main, None, leaving, names)
    return replace(line, left_out=len(analysis.branches) - (len(depths) - 1))


def _line(
    book: Book,
    record: MatchRecord,
    leaves: int | None,
    leaving: Mapping[int, Sequence[AnalysisLine]],
    names: Names,
) -> TreeLine:
    own = tuple(stops(book, record, names, 0 if leaves is None else leaves + 1))
    variations = tuple(
        _line(book, branch.record, branch.after, leaving, names)
        for branch in leaving.get(record.stream.id, ())
    )
    return TreeLine(record, name_of(book, record.stream), leaves, own, variations)
