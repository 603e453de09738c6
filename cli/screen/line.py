"""A line of a match as a screen reads it: its stops are made when they are shown."""

from __future__ import annotations

from functools import cached_property

from msgspec.structs import replace

from domain.scene import Scene
from replay.annotations.current import Remark, annotated, by_ply
from replay.annotations.events import Commented
from replay.book import Book
from replay.branches.analysis import analyse
from replay.branches.forks import played
from replay.reading import stops, timeline
from replay.reading.match_story import scores_at
from replay.reading.stops import Stop
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.tags.names import names_of


class Line:
    """The line of a match with its annotations and the variations that leave it."""

    def __init__(self, book: Book, record: MatchRecord, last: int | None = None) -> None:
        self.book = book
        self.record = record
        self.last = len(record.match.line) if last is None else last
        self._stops: dict[int, Stop] = {}
        self._scores: dict[int, str] = {}
        self.names = names_of(book, record)
        self.entries = tuple(timeline.entries(record, names=self.names))[: self.last]

    @cached_property
    def remarks(self) -> dict[int, list[Remark]]:
        """The annotations by ply."""
        return by_ply(self.book, self.record, whole=True)

    @cached_property
    def turns(self) -> list[int]:
        """The plies at which turns begin."""
        return [ply for ply in stops.turns(self.record) if ply <= self.last]

    @cached_property
    def commented(self) -> list[int]:
        """The plies with a comment."""
        return sorted(ply for ply, said in self.remarks.items() if _has_comment(said))

    @cached_property
    def variations(self) -> dict[int, MatchRecord]:
        """The first variation that leaves this line, by the ply after which it leaves."""
        analysis = analyse(self.book, played(self.book, self.record))
        key, found = self.record.stream.id, dict[int, MatchRecord]()
        for branch in analysis.branches.values():
            if branch.host == key:
                found.setdefault(branch.after, branch.record)
        return found

    def stop(self, ply: int) -> Stop:
        """Return a stop, as spectators see it."""
        if ply not in self._stops:
            self._stops[ply] = self._make(ply)
        return self._stops[ply]

    def score(self, ply: int) -> str:
        """Return the points of the seats after a ply, like `3:2`; empty in games without points."""
        if ply not in self._scores:
            points = (score.points for score in scores_at(self.record, ply).values())
            self._scores[ply] = ":".join(f"{each:g}" for each in points)
        return self._scores[ply]

    def frames(self, ply: int) -> tuple[Scene, ...]:
        """Return the pictures of a ply: the steps of its event, then its position."""
        stop = self.stop(ply)
        return (*stop.steps, stop.point.scene)

    def _make(self, ply: int) -> Stop:
        record, remarks = self.record, tuple(self.remarks.get(ply, ()))
        at = timeline.point(record, ply, names=self.names)
        scene = annotated(stops.marked_scene(record, at, self.names), remarks)
        standing = describe_standing(record.match.at(ply), self.names)
        entry = self.entries[ply - 1] if ply else None
        return Stop(replace(at, scene=scene), entry, remarks, standing)


def _has_comment(said: list[Remark]) -> bool:
    return any(isinstance(remark.said, Commented) for remark in said)
