"""The analysis of a match: a main line and its variations, as a tree that spectators see.

The line that a variation leaves is not always its parent: a fork may leave before its parent's own
fork, the parent may have been taken back since, and a variation may be promoted to be the main
line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.names import UNNAMED, Names
from replay.access.visibility import is_hidden
from replay.book import Book
from replay.branches.comparison import common
from replay.branches.forks import name_of, promoted
from replay.errors import Damaged, Usage
from replay.reading.stops import Stop, stops
from replay.record.match_record import MatchRecord
from replay.record.sealed_moves import open_plies

MAX_DEPTH: Final = 50
"""The deepest nesting of variations in a tree; browsers limit the nesting of elements."""
MAX_PLIES: Final = 5000
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
        """Say how many variations are left out; empty if none are."""
        if not self.left_out:
            return ""
        held = f"at most {MAX_PLIES} plies of variations, nested at most {MAX_DEPTH} deep"
        return f"Variations left out: {self.left_out}. This page holds {held}."

    def walk(self) -> Iterator[TreeLine]:
        """Yield this line and its descendants, depth first."""
        yield self
        for variation in self.variations:
            yield from variation.walk()


def line_tree(
    book: Book, record: MatchRecord, names: Names = UNNAMED, *, whole: bool = False
) -> TreeLine:
    """Return a match with its visible variations as spectators may see them.

    `names` are used in every sentence and picture. Variations that nest too deeply, or are too
    many, are omitted together with their descendants. `whole` includes annotations that are held
    back.
    """
    analysis = analyse(book, record)
    depths = {analysis.main.stream.id: 0}
    leaving: dict[int, list[AnalysisLine]] = {}
    plies = 0
    for key, branch in analysis.branches.items():  # a host comes before the lines that leave it
        depth = depths.get(branch.host, MAX_DEPTH) + 1
        own = len(branch.record.match.line) - branch.after
        if depth <= MAX_DEPTH and plies + own <= MAX_PLIES:
            depths[key] = depth
            plies += own
            leaving.setdefault(branch.host, []).append(branch)
    line = _line(book, analysis.main, None, leaving, names, whole)
    return replace(line, left_out=len(analysis.branches) - (len(depths) - 1))


def _line(
    book: Book,
    record: MatchRecord,
    leaves: int | None,
    leaving: Mapping[int, Sequence[AnalysisLine]],
    names: Names,
    whole: bool,
) -> TreeLine:
    first = 0 if leaves is None else leaves + 1
    own = tuple(stops(book, record, names, first, whole=whole))
    variations = tuple(
        _line(book, branch.record, branch.after, leaving, names, whole)
        for branch in leaving.get(record.stream.id, ())
    )
    return TreeLine(record, name_of(book, record.stream), leaves, own, variations)


class AnalysisLine(Struct, frozen=True):
    """A line that leaves another, the `host` (a stream's number), after ply `after`.

    `turned` is true if the promoted main line left this line, and not the reverse.
    """

    record: MatchRecord
    host: int
    after: int
    turned: bool = False


class Analysis(Struct, frozen=True):
    """The main line, and the other lines by stream; a host comes before the lines that leave it."""

    main: MatchRecord
    branches: Mapping[int, AnalysisLine]


def analyse(book: Book, root: MatchRecord) -> Analysis:
    """Return the analysis of a match or variation with all its visible variations."""
    branches = _find_branches(root, variations(book, root))
    main = promoted(book, root)
    for key, branch in branches.items():
        if branch.record.id == main and _continues(branch.record, branch.after):
            return Analysis(branch.record, _reverse_lines(branches, root, key))
    return Analysis(root, branches)


def variations(book: Book, root: MatchRecord) -> list[MatchRecord]:
    """Return the variations that descend from a match, the oldest first.

    A hidden, deleted or unreadable variation is omitted together with its descendants.
    """
    found: list[MatchRecord] = []
    waiting = [root]
    while waiting:
        forks = _visible_forks(book, waiting.pop())
        found += forks
        waiting += forks
    return sorted(found, key=lambda each: each.stream.id)


def _visible_forks(book: Book, record: MatchRecord) -> list[MatchRecord]:
    found = []
    for stream in book.store.forks(record.stream.id):
        try:
            fork = book.read(stream)
        except (Damaged, Usage):
            continue
        if fork.header.kind == "variation" and not (stream.trashed or is_hidden(book, stream)):
            found.append(fork)
    return found


def _find_branches(root: MatchRecord, others: list[MatchRecord]) -> dict[int, AnalysisLine]:
    """Map each line to the line that it branches from: its parent, or an earlier ancestor."""
    lines, branches = {root.stream.id: root}, dict[int, AnalysisLine]()
    for fork in others:
        host = fork.stream.parent
        assert host is not None
        after = _branching_ply(fork, lines[host])
        while host in branches and not _can_branch_off(branches[host], after):
            host = branches[host].host
            after = _branching_ply(fork, lines[host])
        lines[fork.stream.id] = fork
        branches[fork.stream.id] = AnalysisLine(fork, host, after)
    return branches


def _can_branch_off(host: AnalysisLine, after: int) -> bool:
    return after >= host.after and _continues(host.record, host.after)


def _continues(record: MatchRecord, after: int) -> bool:
    """Return whether the line has any visible event after a ply."""
    return any(ply > after for ply in open_plies(record.match, record.secrets))


def _branching_ply(fork: MatchRecord, host: MatchRecord) -> int:
    """Return the ply after which a line leaves another: at the fork, or before."""
    assert fork.header.fork is not None
    return min(common(fork, host), fork.header.fork.ply)


def _reverse_lines(
    branches: Mapping[int, AnalysisLine], root: MatchRecord, chosen: int
) -> dict[int, AnalysisLine]:
    """Reverse the lines from the promoted line up to the root, so that they leave that line."""
    path = [chosen]
    while path[-1] in branches:
        path.append(branches[path[-1]].host)
    reversed_lines: dict[int, AnalysisLine] = {}
    for leaving, left in pairwise(path):
        record = branches[left].record if left in branches else root
        reversed_lines[left] = AnalysisLine(record, chosen, branches[leaving].after, turned=True)
    for key, branch in branches.items():
        if key not in path:
            host = reversed_lines.get(branch.host)
            shared = host is not None and branch.after <= host.after
            reversed_lines[key] = replace(branch, host=chosen) if shared else branch
    return reversed_lines
