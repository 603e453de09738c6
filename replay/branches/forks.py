"""Fork a match at an address; rename, hide and promote its variations.

Names and flags are mutable facts outside the log. The original match never changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from domain.log_edits import is_unanswered
from domain.position import Position, Violation
from replay.access import visibility
from replay.access.visibility import HIDDEN, is_hidden
from replay.book import Book
from replay.branches.comparison import common
from replay.errors import Conflict, InvalidField, Refused
from replay.fields import MatchKind
from replay.record.match_creation import MatchCredentials
from replay.record.match_record import MatchRecord
from replay.record.sealed_moves import is_secret_of
from replay.referee.opening import check_player, today
from replay.store.people_chain import SEAT_TAG
from replay.store.types import Stream
from replay.tags import match_tags, names
from replay.tags.names import seats

NAME: Final = "fork.name"
"""The fact with a fork's name. A fact with a dot is not a tag of the match."""
PROMOTED: Final = "fork.promoted"
"""The fact of a match that names the promoted variation, the main line of its analysis."""
CHANGING: Final = ("taken back", "amended", "judged", "filled", "reopened")
"""The types of events after which the line can be a different one."""


def fork(
    book: Book,
    record: MatchRecord,
    ply: int,
    kind: MatchKind = "variation",
    *,
    name: str | None = None,
    players: Mapping[int, str] = MappingProxyType({}),
    tags: Mapping[str, str] = MappingProxyType({}),
    credentials: MatchCredentials | None = None,
) -> MatchRecord:
    """Fork a match at a version after a ply, and return the fork.

    The fork refers to its parent's events and copies none. A `variation` is for analysis and has
    the names and tags of its parent. A `match` is played on by the same people unless `players`
    names others; it is private if its parent is. `tags` replace the parent's tags of the same
    names. Raises `Refused` if a move is sealed there, other than a hand that was revealed since,
    and `Usage` for an invalid name or tag, and for the names of players of a variation.
    """
    position = check_open(record, ply)
    for seat, player in players.items():
        check_player(record.game, seat, player, record.match.seats)
    for tag, value in tags.items():
        match_tags.check_tag(record.match.seats, tag, value)
    named = [f"players.{seat}" for seat in players]
    named += [f"tags.{tag}" for tag in tags if SEAT_TAG.fullmatch(tag)]
    if named and kind == "variation":
        more = "leave the names of seats out, or fork a match"
        raise InvalidField(f"a variation has the players of its match; {more}", named[0])
    facts = {f"Seat{seat}": player for seat, player in sorted(players.items())}
    if kind == "match":
        facts = _inherited_facts(book, record) | facts
    if name is not None:
        facts[NAME] = _checked(name)
    facts = match_tags.with_tags(facts, tags)
    # A fork within a deal shares the reveals of its hands, so that they are known there too.
    leaves = record if position.sealed else _shortest_version(record, ply)
    return book.fork(leaves, ply, kind, facts, credentials)


def check_open(record: MatchRecord, ply: int) -> Position:
    """Return the position at a ply where a match may be forked.

    Raises `Refused` if a move is sealed there, other than a hand that was revealed since.
    """
    position = record.match.at(ply).position
    if is_unanswered(position) or any(_hidden(record, ply, seat) for seat in position.sealed):
        message = f"secret moves or hands are sealed at {record.id}@{ply}; fork at another ply"
        raise Refused(Violation("sealed", message), record.match)
    return position


def _hidden(record: MatchRecord, ply: int, seat: int) -> bool:
    return any(
        each.version in record.secrets and is_secret_of(each, seat)
        for each in record.match.line[:ply]
    )


def rename(book: Book, record: MatchRecord, name: str) -> None:
    """Set the name of a fork; an empty one removes it. Raises `Usage`."""
    if record.header.fork is None:
        raise Conflict(f"{record.id} is not a fork, so it has no name; set its players and tags")
    chosen = _checked(name) if name else None
    book.store.set_metadata(record.stream.id, {NAME: chosen}).result()


def name_of(book: Book, stream: Stream) -> str:
    """Return the name of a fork, or an empty string."""
    return book.store.metadata(stream.id).get(NAME, "")


def hide(book: Book, record: MatchRecord) -> None:
    """Hide a variation and its descendants from lists and exports. Raises `Usage`."""
    _check_variation(record, "hidden; `delete` puts a match into the trash")
    book.store.set_metadata(record.stream.id, {HIDDEN: "yes"}).result()


def unhide(book: Book, record: MatchRecord) -> None:
    """Show a variation again. Raises `Usage`."""
    _check_variation(record, "hidden")
    book.store.set_metadata(record.stream.id, {HIDDEN: None}).result()


def promote(book: Book, record: MatchRecord) -> MatchRecord:
    """Make a variation the main line of its analysis, and return the match it analyses.

    Promoting the analysed match itself makes its own line the main line again. Raises `Usage` for a
    variation without a move of its own, or for a hidden or deleted variation.
    """
    root = played(book, record)
    if record.id == root.id:
        book.store.set_metadata(root.stream.id, {PROMOTED: None}).result()
        return root
    if _is_hidden_or_trashed(book, record):
        raise Conflict(
            f"{record.id} or a match before its fork is hidden or deleted; restore that first"
        )
    if common(record, root) == len(record.match.line):
        raise Conflict(f"{record.id} has the same moves as {root.id}; play a move in it first")
    book.store.set_metadata(root.stream.id, {PROMOTED: record.id}).result()
    return root


def promoted(book: Book, match: MatchRecord) -> str | None:
    """Return the id of the variation that is the main line of a match's analysis, or `None`."""
    return book.store.metadata(match.stream.id).get(PROMOTED)


def played(book: Book, record: MatchRecord) -> MatchRecord:
    """Return the match that a variation analyses, or the match itself."""
    while record.header.kind == "variation" and (parent := book.parent(record)):
        record = parent
    return record


def _inherited_facts(book: Book, record: MatchRecord) -> dict[str, str]:
    """Return the facts that a fork to be played on takes from its parent: the players."""
    facts = book.facts(record)
    named = [f"Seat{seat}" for seat in seats(record)]
    kept = {seat: facts[seat] for seat in named if seat in facts}
    closed = visibility.is_private(book, record)
    return {"Date": today(book)} | kept | ({visibility.FACT: visibility.PRIVATE} if closed else {})


def _shortest_version(record: MatchRecord, ply: int) -> MatchRecord:
    """Return the match at the first version in which the line up to a ply is the current one.

    A fork of that version shares no more of the log than it needs.
    """
    prefix = [(each.version, each.event) for each in record.match.line[:ply]]
    first = max((version for version, _ in prefix), default=0)
    edits = (stored.version for stored in record.log[first:] if stored.type in CHANGING)
    for version in (first, *edits):
        then = record.at_version(version)
        line = [(each.version, each.event) for each in then.match.line[:ply]]
        if line == prefix and then.match.start.unjudged == record.match.start.unjudged:
            return then
    return record


def _is_hidden_or_trashed(book: Book, record: MatchRecord) -> bool:
    while record.header.kind == "variation":
        parent = book.parent(record)
        if record.stream.trashed or is_hidden(book, record.stream) or parent is None:
            return True
        record = parent
    return False


def _check_variation(record: MatchRecord, what: str) -> None:
    if record.header.kind != "variation":
        raise Conflict(f"{record.id} is a match that was played; only a variation can be {what}")


def _checked(name: str) -> str:
    name = name.strip()
    names.check_player("the name of a fork", name)
    return name
