"""A match as a tree of lines: what stands, and the variations that leave it, for a spectator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.events import State, awaited_words, outcome_words, result_words
from domain.names import UNNAMED, Names
from domain.scene import Scene
from replay.annotations import Remark, annotated, by_ply
from replay.book import Book
from replay.branches.analysis import AnalysisLine, analyse
from replay.branches.forks import name_of
from replay.match_record import MatchRecord
from replay.reading.timeline import LinePoint, TimelineEntry, entries, point

DEEPEST: Final = 50
"""How deep the variations of a tree nest; pages nest as deep, and browsers bound that."""
LONGEST: Final = 5000
"""How many plies the variations of a tree have together: each is drawn."""


class Stop(Struct, frozen=True):
    """A ply of a line: the point it led to, what happened (nothing at the start), what is said.

    The marks of annotations are in the point's scene. `standing` tells in words who is awaited
    there, or how the match ended.
    """

    point: LinePoint
    entry: TimelineEntry | None
    remarks: tuple[Remark, ...]
    standing: str

    @property
    def steps(self) -> tuple[Scene, ...]:
        """The pictures on the way here; what lies beside the board is as it is afterwards."""
        scene = self.point.scene
        return tuple(
            step if step.trays else replace(step, trays=scene.trays) for step in scene.frames
        )


class TreeLine(Struct, frozen=True):
    """A line: all stops of the main line, those of a variation after it has left its parent's.

    `leaves` is the ply of the parent line after which it goes its own way; the main line has none.
    `left_out` counts the variations that are beyond the bounds of a tree, at the main line.
    """

    recorded: MatchRecord
    name: str
    leaves: int | None
    stops: tuple[Stop, ...]
    variations: tuple[TreeLine, ...] = ()
    left_out: int = 0

    def note(self) -> str:
        """Say how many variations are left out; empty if there are all."""
        if not self.left_out:
            return ""
        held = f"at most {LONGEST} plies of variations, nested at most {DEEPEST} deep"
        return f"Variations left out: {self.left_out}. This page holds {held}."

    def walk(self) -> Iterator[TreeLine]:
        """Give this line, and then those that leave it, each followed by those that leave that."""
        yield self
        for variation in self.variations:
            yield from variation.walk()


def line_tree(book: Book, recorded: MatchRecord, names: Names = UNNAMED) -> TreeLine:
    """Return a match with its variations that are not hidden, as a spectator may know them.

    `names` are those of the players, in every sentence and picture. Variations that nest too deep,
    or are too many, are left out with what leaves them.
    """
    analysis = analyse(book, recorded)
    depths = {analysis.main.stream.id: 0}
    leaving: dict[int, list[AnalysisLine]] = {}
    plies = 0
    for key, branch in analysis.branches.items():  # a host comes before what leaves it
        depth = depths.get(branch.host, DEEPEST) + 1
        own = len(branch.recorded.match.line) - branch.after
        if depth <= DEEPEST and plies + own <= LONGEST:
            depths[key] = depth
            plies += own
            leaving.setdefault(branch.host, []).append(branch)
    line = _line(book, analysis.main, None, leaving, names)
    return replace(line, left_out=len(analysis.branches) - (len(depths) - 1))


def describe_standing(state: State, names: Names = UNNAMED) -> str:
    """Say who is awaited and what was offered, or how the match ended."""
    if state.outcome is not None:
        return outcome_words(state.outcome, names)
    offer = f"; {names[state.offered]} offers a draw" if state.offered else ""
    return awaited_words(state, names) + offer


def standing_briefly(state: State, names: Names = UNNAMED) -> str:
    """Say the same, but not by which clause a match ended."""
    return result_words(state.outcome, names) if state.outcome else describe_standing(state, names)


def stops(
    book: Book, recorded: MatchRecord, names: Names = UNNAMED, first: int = 0
) -> Iterator[Stop]:
    """Tell a match ply by ply from the first of these on, with what is said about it."""
    said = by_ply(book, recorded)
    for ply, entry in islice(enumerate([None, *entries(recorded)]), first, None):
        remarks = tuple(said.get(ply, ()))
        at = point(recorded, ply, names=names)
        marked = replace(at, scene=annotated(at.scene, remarks))
        yield Stop(marked, entry, remarks, describe_standing(recorded.match.at(ply), names))


def _line(
    book: Book,
    recorded: MatchRecord,
    leaves: int | None,
    leaving: Mapping[int, Sequence[AnalysisLine]],
    names: Names,
) -> TreeLine:
    own = tuple(stops(book, recorded, names, 0 if leaves is None else leaves + 1))
    variations = tuple(
        _line(book, branch.recorded, branch.after, leaving, names)
        for branch in leaving.get(recorded.stream.id, ())
    )
    return TreeLine(recorded, name_of(book, recorded.stream), leaves, own, variations)
