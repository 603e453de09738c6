"""The family of a match: who branched where, and how each line stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from domain.position import Outcome
from replay.annotations import as_note
from replay.annotations.current import Remarks, with_own
from replay.annotations.glyphs import glyph
from replay.book import Book
from replay.branches.comparison import common
from replay.branches.forks import is_hidden, name_of, promoted
from replay.errors import Damaged, Usage
from replay.match_record import MatchRecord
from replay.reading import timeline
from replay.store.protocol import Stream


class BranchPoint(Struct, frozen=True):
    """An event at a branch point: its token (`None` while it is sealed) and the signs of glyphs."""

    token: str | None
    glyphs: tuple[str, ...]

    def words(self) -> str:
        """Write it as people do: `c1>S@c3?!`."""
        return (self.token or "(sealed)") + "".join(self.glyphs)


class Member(Struct, frozen=True):
    """A match of a family, `depth` forks away from the first.

    A fork of `parent` leaves it after ply `leaves`, goes on with `first`, and there is `instead`
    in the parent, if that still stands there: `None` where there is nothing. `main` tells that a
    variation was promoted.
    """

    recorded: MatchRecord
    depth: int
    name: str
    hidden: bool
    main: bool
    parent: str | None = None
    leaves: int | None = None
    first: BranchPoint | None = None
    instead: BranchPoint | None = None

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.recorded.state.outcome


class _Place(NamedTuple):
    """A stream of a family, and what is known on the way to it.

    That is the match it forks from, if that can be read, what is said about that, and the
    variation that is promoted.
    """

    stream: Stream
    depth: int
    parent: MatchRecord | None
    said: Remarks
    main: str | None


def family(book: Book, recorded: MatchRecord) -> Iterator[Member]:
    """Yield the whole family of a match, each followed by its forks, those of earlier plies first.

    What is in the trash is left out unless something that is not descends from it.
    """
    first = recorded.stream
    while first.parent is not None:
        first = book.store.stream(first.parent)
    forks = _living_forks(book, first)
    waiting = [_Place(first, 0, None, {}, None)] if first.id in forks else []
    while waiting:
        place = waiting.pop()
        stream = place.stream
        here = place
        if not stream.is_carrier:
            try:
                member = _member(book, book.read(stream), place)
            except (Damaged, Usage):
                continue
            yield member
            here = _below(book, member.recorded, place)
        waiting += [here._replace(stream=fork) for fork in reversed(forks[stream.id])]


def _below(book: Book, recorded: MatchRecord, place: _Place) -> _Place:
    """Return what is known on the way to the forks of a match."""
    main = _promoted(book, recorded, place)
    return _Place(recorded.stream, place.depth + 1, recorded, _said(book, place), main)


def _living_forks(book: Book, first: Stream) -> dict[int, list[Stream]]:
    """Return the forks of each stream of a family, without those where nothing is alive.

    What is in the trash is alive if something that descends from it is.
    """
    found = [first]
    forks: dict[int, list[Stream]] = {}
    for one in found:  # it grows meanwhile
        forks[one.id] = book.store.forks(one.id)
        found += forks[one.id]
    living: set[int | None] = set()
    for one in reversed(found):
        if not one.trashed or one.id in living:
            living |= {one.id, one.parent}
    return {
        number: sorted(
            (fork for fork in there if fork.id in living),
            key=lambda one: (one.fork_ply or 0, one.id),
        )
        for number, there in forks.items()
        if number in living
    }


def _member(book: Book, recorded: MatchRecord, place: _Place) -> Member:
    name, hidden = name_of(book, recorded.stream), is_hidden(book, recorded.stream)
    fork, parent = recorded.header.fork, place.parent  # gone, if it was purged
    if fork is None or parent is None:
        return Member(recorded, place.depth, name, hidden, False)
    meets = common(recorded, parent) >= fork.ply
    return Member(
        recorded,
        place.depth,
        name,
        hidden,
        _promoted(book, recorded, place) == recorded.id,
        parent.id,
        fork.ply,
        _branch_point(recorded, fork.ply, _said(book, place)),
        _branch_point(parent, fork.ply, place.said) if meets else None,
    )


def _promoted(book: Book, recorded: MatchRecord, place: _Place) -> str | None:
    """Return the main line of the analysis that a match belongs to."""
    analysed = recorded.header.kind == "variation" and place.parent is not None
    return place.main if analysed else promoted(book, recorded)


def _said(book: Book, place: _Place) -> Remarks:
    try:
        return with_own(book, place.stream, place.said)
    except Damaged:  # the line itself can be read
        return {}


def _branch_point(recorded: MatchRecord, after: int, said: Remarks) -> BranchPoint | None:
    """Tell the event after a ply."""
    entry = next(timeline.entries(recorded, after=after), None)
    if entry is None:
        return None
    note = as_note(each for each in said.values() if each.on == entry.version)
    return BranchPoint(entry.token, tuple(glyph(each).sign for each in note.glyphs))
