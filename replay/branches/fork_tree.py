"""The family of a match: all its forks, where they branch off, and their results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

from domain.entry.move_text import shown
from domain.names import Names
from domain.position import Outcome
from replay.access.visibility import HIDDEN
from replay.annotations.current import Remarks, add_own
from replay.annotations.glyphs import glyph
from replay.annotations.notation import as_note
from replay.book import Book, inherit_facts
from replay.branches.comparison import common
from replay.branches.forks import NAME, PROMOTED
from replay.errors import Damaged, Usage
from replay.fields import EventText
from replay.reading import timeline
from replay.record.match_record import MatchRecord
from replay.store.types import Family, Stream
from replay.tags.names import names_in, seats


class BranchPoint(Struct, frozen=True):
    """An event at a branch point: its move text (`None` while it is sealed) and its glyphs."""

    text: EventText | None
    glyphs: tuple[str, ...]
    """The glyphs of the event."""

    def words(self) -> str:
        """Write the event as annotators do: `c1>S@c3?!`."""
        return (shown(self.text) if self.text else "(sealed)") + "".join(self.glyphs)


class Member(Struct, frozen=True):
    """A match of a family, `depth` forks away from the first.

    A fork leaves its `parent` after ply `leaves` and continues with `first`; the parent continues
    with `instead`, if it still has that ply. `main` is true for a promoted variation.
    """

    record: MatchRecord
    depth: int
    names: Names
    name: str
    hidden: bool
    main: bool
    parent: str | None = None
    leaves: int | None = None
    first: BranchPoint | None = None
    instead: BranchPoint | None = None

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the match, or `None`."""
        return self.record.state.outcome


class _Place(NamedTuple):
    """A stream of a family, and the data of its parent.

    The parent match is `None` if it cannot be read; `said` has its remarks, `main` the id of the
    promoted variation.
    """

    stream: Stream
    depth: int
    parent: MatchRecord | None
    said: Remarks
    main: str | None


class _Own(NamedTuple):
    """A match of a family that can be read, with its remarks."""

    record: MatchRecord
    stored: Family
    said: Remarks

    @property
    def facts(self) -> Mapping[str, str]:
        return self.stored.metadata[self.record.stream.id]

    @property
    def names(self) -> Names:
        """The names of its players."""
        find, metadata = self.stored.streams.__getitem__, self.stored.metadata.__getitem__
        facts = inherit_facts(self.record.stream, find, metadata)
        return names_in(facts, seats(self.record))


def family(book: Book, record: MatchRecord) -> Iterator[Member]:
    """Yield the family of a match depth first, the forks of a match ordered by ply.

    A match in the trash is omitted unless a descendant of it is not in the trash.
    """
    first = record.stream
    while first.parent is not None:
        first = book.store.stream(first.parent)
    stored = book.store.family(first.id)
    forks = _living_forks(stored.streams.values())
    waiting = [_Place(first, 0, None, {}, None)] if first.id in forks else []
    while waiting:
        place = waiting.pop()
        stream = place.stream
        below = place
        if not stream.is_carrier:
            try:
                own = _Own(book.read(stream), stored, _remarks(book, stored, place))
                member = _member(own, place)
            except (Damaged, Usage):
                continue
            yield member
            below = _below(own, place)
        waiting += [below._replace(stream=fork) for fork in reversed(forks[stream.id])]


def _below(own: _Own, place: _Place) -> _Place:
    """Return the place of a match's forks."""
    main = _promoted(own, place)
    return _Place(own.record.stream, place.depth + 1, own.record, own.said, main)


def _living_forks(streams: Collection[Stream]) -> dict[int, list[Stream]]:
    """Return the forks of each stream of a family, without dead branches.

    A stream in the trash is alive if a descendant of it is alive.
    """
    forks: dict[int, list[Stream]] = {stream.id: [] for stream in streams}
    for stream in streams:
        if stream.parent in forks:
            forks[stream.parent].append(stream)
    alive: set[int | None] = set()
    for stream in reversed([*streams]):
        if not stream.trashed or stream.id in alive:
            alive |= {stream.id, stream.parent}
    return {
        number: sorted(
            (fork for fork in children if fork.id in alive),
            key=lambda stream: (stream.fork_ply or 0, stream.id),
        )
        for number, children in forks.items()
        if number in alive
    }


def _member(own: _Own, place: _Place) -> Member:
    record, facts = own.record, own.facts
    known = record, place.depth, own.names, facts.get(NAME, ""), HIDDEN in facts
    fork, parent = record.header.fork, place.parent  # `None` after a purge
    if fork is None or parent is None:
        return Member(*known, False)
    meets = common(record, parent) >= fork.ply
    return Member(
        *known,
        _promoted(own, place) == record.id,
        parent.id,
        fork.ply,
        _branch_point(record, fork.ply, own.said),
        _branch_point(parent, fork.ply, place.said) if meets else None,
    )


def _promoted(own: _Own, place: _Place) -> str | None:
    """Return the main line of the analysis that a match belongs to."""
    analysed = own.record.header.kind == "variation" and place.parent is not None
    return place.main if analysed else own.facts.get(PROMOTED)


def _remarks(book: Book, stored: Family, place: _Place) -> Remarks:
    try:
        return add_own(book, place.stream, stored.notes.get(place.stream.id), place.said)
    except Damaged:  # the line itself is readable
        return {}


def _branch_point(record: MatchRecord, after: int, said: Remarks) -> BranchPoint | None:
    """Return the event after a ply; `None` if the line ends there, or was cut before it."""
    if after >= len(record.match.line):
        return None
    entry = next(timeline.entries(record, after=after))
    note = as_note(each for each in said.values() if each.on == entry.version)
    return BranchPoint(entry.text, tuple(glyph(each).sign for each in note.glyphs))
