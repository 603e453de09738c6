"""The family of a match: who branched where, and how each line stands."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from domain.position import Outcome
from replay.annotations import notes_by_ply
from replay.annotations.glyphs import glyph
from replay.book import Book
from replay.branches.comparison import common
from replay.branches.forks import is_hidden, name_of, played, promoted
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


def family(book: Book, recorded: MatchRecord) -> Iterator[Member]:
    """Yield the whole family of a match, each followed by its forks, those of earlier plies first.

    What is in the trash is left out unless something that is not descends from it.
    """
    first = recorded.stream
    while first.parent is not None:
        first = book.store.stream(first.parent)
    waiting = [(first, 0)]
    while waiting:
        stream, depth = waiting.pop()
        if not _lives(book, stream):
            continue
        try:
            yield _member(book, book.read(stream), depth)
        except (Damaged, Usage):
            continue
        forks = sorted(book.store.forks(stream.id), key=lambda one: (one.fork_ply or 0, one.id))
        waiting += ((fork, depth + 1) for fork in reversed(forks))


def _lives(book: Book, stream: Stream) -> bool:
    """Tell whether a stream, or any that descends from it, is not in the trash."""
    waiting = [stream]
    while waiting:
        one = waiting.pop()
        if not one.trashed:
            return True
        waiting += book.store.forks(one.id)
    return False


def _member(book: Book, recorded: MatchRecord, depth: int) -> Member:
    name, hidden = name_of(book, recorded.stream), is_hidden(book, recorded.stream)
    fork, parent = recorded.header.fork, book.parent(recorded)
    if fork is None or parent is None:
        return Member(recorded, depth, name, hidden, False)
    return Member(
        recorded,
        depth,
        name,
        hidden,
        promoted(book, played(book, recorded)) == recorded.id,
        parent.id,
        fork.ply,
        _branch_point(book, recorded, fork.ply + 1),
        _branch_point(book, parent, fork.ply + 1) if common(recorded, parent) >= fork.ply else None,
    )


def _branch_point(book: Book, recorded: MatchRecord, ply: int) -> BranchPoint | None:
    entries = list(timeline.entries(recorded))
    if ply > len(entries):
        return None
    note = notes_by_ply(book, recorded).get(ply)
    signs = tuple(glyph(each).sign for each in note.glyphs) if note else ()
    return BranchPoint(entries[ply - 1].token, signs)
