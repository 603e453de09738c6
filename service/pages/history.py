"""The log of a match on a page, and the event that followed an earlier version."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from domain.names import Names
from replay.reading import timeline
from replay.record.match_record import MatchRecord
from replay.tags.names import actor_words
from service.http.access import MatchAccess
from service.pages.move_list import EDITS
from service.pages.words import sentence


class ShownEntry(Struct, frozen=True):
    """An event of the log in words, its actor and its time in milliseconds since 1970."""

    version: int
    what: str
    stands: bool
    is_edit: bool
    actor: str
    at: int


class Past(Struct, frozen=True):
    """The edit that followed an earlier version, in words; empty if a move followed."""

    edit: str


def history(visit: MatchAccess, names: Names) -> Iterator[ShownEntry]:
    """Yield the log of a match as its viewer may see it."""
    for one in timeline.log(visit.record, names=names):
        is_edit = visit.record.entry(one.version).type in EDITS
        what = sentence(one.what) if is_edit else one.what
        actor = actor_words(one.actor, names)
        yield ShownEntry(one.version, what, one.stands, is_edit, actor, one.at)


def past(visit: MatchAccess, then: MatchRecord, names: Names) -> Past:
    """Return the edit that followed a version."""
    version = then.match.version
    following = next(timeline.log(visit.record, after=version, names=names))
    is_edit = visit.record.entry(version + 1).type in EDITS
    return Past(following.what if is_edit else "")
