"""The analysis of a match: the lines of its variations, arranged around a main line.

The line that a variation leaves is not always its parent: a fork may leave before its parent's own
fork, the parent may have been taken back since, and a variation may be promoted to be the main
line.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from replay.book import Book
from replay.branches.comparison import common
from replay.branches.forks import is_hidden, promoted
from replay.errors import Damaged, Usage
from replay.match_record import MatchRecord
from replay.referee.sealed_moves import open_plies


class AnalysisLine(Struct, frozen=True):
    """A line that leaves another, the `host` (a stream's number), after ply `after`.

    `turned` tells that the promoted main line left this one, not this one the main line.
    """

    recorded: MatchRecord
    host: int
    after: int
    turned: bool = False


class Analysis(Struct, frozen=True):
    """The main line, and the other lines by stream; a host comes before the lines that leave it."""

    main: MatchRecord
    branches: Mapping[int, AnalysisLine]


def analyse(book: Book, root: MatchRecord) -> Analysis:
    """Return the analysis of a match or variation with all its visible variations."""
    branches = _branches(root, variations(book, root))
    main = promoted(book, root)
    for key, branch in branches.items():
        if branch.recorded.id == main and _goes_on(branch.recorded, branch.after):
            return Analysis(branch.recorded, _turned(branches, root, key))
    return Analysis(root, branches)


def variations(book: Book, root: MatchRecord) -> list[MatchRecord]:
    """Return the variations that descend from a match, the oldest first.

    A hidden, deleted or unreadable variation is omitted together with its descendants.
    """
    found: list[MatchRecord] = []
    waiting = [root]
    while waiting:
        forks = _visible(book, waiting.pop())
        found += forks
        waiting += forks
    return sorted(found, key=lambda each: each.stream.id)


def _visible(book: Book, recorded: MatchRecord) -> list[MatchRecord]:
    found = []
    for stream in book.store.forks(recorded.stream.id):
        try:
            one = book.read(stream)
        except (Damaged, Usage):
            continue
        if one.header.kind == "variation" and not (stream.trashed or is_hidden(book, stream)):
            found.append(one)
    return found


def _branches(root: MatchRecord, others: list[MatchRecord]) -> dict[int, AnalysisLine]:
    """Find for each line the one it leaves: its parent, or an ancestor if it parted earlier."""
    lines, branches = {root.stream.id: root}, dict[int, AnalysisLine]()
    for one in others:
        host = one.stream.parent
        assert host is not None
        after = _parted(one, lines[host])
        while host in branches and not _can_leave(branches[host], after):
            host = branches[host].host
            after = _parted(one, lines[host])
        lines[one.stream.id] = one
        branches[one.stream.id] = AnalysisLine(one, host, after)
    return branches


def _can_leave(host: AnalysisLine, after: int) -> bool:
    return after >= host.after and _goes_on(host.recorded, host.after)


def _goes_on(recorded: MatchRecord, after: int) -> bool:
    """Tell whether the line has any visible event after a ply."""
    return any(ply > after for ply in open_plies(recorded))


def _parted(one: MatchRecord, host: MatchRecord) -> int:
    """Return the ply after which a line leaves another: at the fork, or before."""
    assert one.header.fork is not None
    return min(common(one, host), one.header.fork.ply)


def _turned(
    branches: Mapping[int, AnalysisLine], root: MatchRecord, chosen: int
) -> dict[int, AnalysisLine]:
    """Reverse the lines between the root and the promoted line, so that they leave the latter."""
    way = [chosen]
    while way[-1] in branches:
        way.append(branches[way[-1]].host)
    turned: dict[int, AnalysisLine] = {}
    for leaving, left in pairwise(way):
        recorded = branches[left].recorded if left in branches else root
        turned[left] = AnalysisLine(recorded, chosen, branches[leaving].after, turned=True)
    for key, branch in branches.items():
        if key not in way:
            host = turned.get(branch.host)
            shared = host is not None and branch.after <= host.after
            turned[key] = replace(branch, host=chosen) if shared else branch
    return turned
