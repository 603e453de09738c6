"""Fork a match at an address; rename, hide and promote its variations.

Names and flags are mutable facts beside the log. The original match never changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from domain.position import Violation
from replay.access import visibility
from replay.access.credentials import MatchTokens
from replay.access.visibility import HIDDEN, is_hidden
from replay.book import Book
from replay.branches.comparison import common
from replay.errors import Refused, Usage
from replay.fields import MatchKind
from replay.record.addresses import Address
from replay.record.match_record import MatchRecord
from replay.referee.opening import check_player, today
from replay.store.protocol import Stream
from replay.tags import match_tags
from replay.tags.name_rules import check_name

NAME: Final = "fork.name"
"""The fact with a fork's name. Facts with a dot are no tags of the match."""
PROMOTED: Final = "fork.promoted"
"""The fact of a match that names the promoted variation, the main line of its analysis."""


def fork(
    book: Book,
    address: Address,
    kind: MatchKind = "variation",
    *,
    name: str | None = None,
    players: Mapping[int, str] | None = None,
    founding: MatchTokens | None = None,
    tags: Mapping[str, str] = MappingProxyType({}),
) -> MatchRecord:
    """Fork a match at an address and return the fork; nothing is copied.

    A `variation` is for analysis and has the names and tags of its parent. A `match` is played on
    by the same people unless `players` names others; it is private if its parent is. `founding`
    sets the id and the tokens, `tags` are those that differ. Raises `Refused` if a move is sealed
    there, and `Usage` for an invalid address, name or tag.
    """
    recorded, ply = book.at(address)
    if recorded.match.at(ply).position.sealed:
        message = f"something sealed is pending at {recorded.id}@{ply}; fork before or after it"
        raise Refused(Violation("sealed", message), recorded.match)
    for seat, player in (players or {}).items():
        check_player(recorded.game, seat, player, recorded.match.seats)
    for tag, value in tags.items():
        match_tags.check_tag(recorded.match.seats, tag, value)
    facts = {f"Seat{seat}": player for seat, player in sorted((players or {}).items())}
    if kind == "match":
        facts = _inherited_facts(book, recorded) | facts
    if name is not None:
        facts[NAME] = _checked(name)
    facts = match_tags.with_tags(facts, tags)
    charter = founding.charter(recorded.match.seats) if founding else None
    return book.fork(_shortest_version(recorded, ply), ply, kind, facts, charter)


def rename(book: Book, recorded: MatchRecord, name: str) -> None:
    """Set the name of a fork; an empty one removes it. Raises `Usage`."""
    if recorded.header.fork is None:
        raise Usage(f"{recorded.id} is no fork; a match is known by its players and tags")
    chosen = _checked(name) if name else None
    book.store.set_facts(recorded.stream.id, {NAME: chosen}).result()


def name_of(book: Book, stream: Stream) -> str:
    """Return the name of a fork, or an empty string."""
    return book.store.facts(stream.id).get(NAME, "")


def hide(book: Book, recorded: MatchRecord) -> None:
    """Hide a variation and its descendants from lists and exports. Raises `Usage`."""
    _check_variation(recorded, "hidden; `delete` puts a match into the trash")
    book.store.set_facts(recorded.stream.id, {HIDDEN: "yes"}).result()


def unhide(book: Book, recorded: MatchRecord) -> None:
    """Show a variation again. Raises `Usage`."""
    _check_variation(recorded, "hidden")
    book.store.set_facts(recorded.stream.id, {HIDDEN: None}).result()


def promote(book: Book, recorded: MatchRecord) -> MatchRecord:
    """Make a variation the main line of its analysis, and return the match it analyses.

    Promoting that match itself restores its own line as the main line. Raises `Usage` for a
    variation without a move of its own, and for a hidden or deleted one.
    """
    root = played(book, recorded)
    if recorded.id == root.id:
        book.store.set_facts(root.stream.id, {PROMOTED: None}).result()
        return root
    if _is_hidden_or_trashed(book, recorded):
        raise Usage(f"{recorded.id}, or what it leaves, is hidden or deleted; show it first")
    if common(recorded, root) == len(recorded.match.line):
        raise Usage(f"{recorded.id} has no move that {root.id} has not")
    book.store.set_facts(root.stream.id, {PROMOTED: recorded.id}).result()
    return root


def promoted(book: Book, match: MatchRecord) -> str | None:
    """Return the id of the variation that is the main line of a match's analysis, or `None`."""
    return book.store.facts(match.stream.id).get(PROMOTED)


def played(book: Book, recorded: MatchRecord) -> MatchRecord:
    """Return the match that a variation analyses, or the match itself."""
    while recorded.header.kind == "variation" and (parent := book.parent(recorded)):
        recorded = parent
    return recorded


def _inherited_facts(book: Book, recorded: MatchRecord) -> dict[str, str]:
    """Return the facts that a fork to be played on takes from its parent: the players."""
    facts = book.facts(recorded)
    seats = [f"Seat{seat}" for seat in range(1, recorded.match.seats + 1)]
    kept = {seat: facts[seat] for seat in seats if seat in facts}
    closed = visibility.visibility_of(book, recorded) == visibility.PRIVATE
    return {"Date": today(book)} | kept | ({visibility.FACT: visibility.PRIVATE} if closed else {})


def _shortest_version(recorded: MatchRecord, ply: int) -> MatchRecord:
    """Return the match at the first version in which the line up to a ply is the current one.

    A fork of that version shares no more of the log than it needs.
    """
    prefix = [(each.version, each.event) for each in recorded.match.line[:ply]]
    first = max((version for version, _ in prefix), default=0)
    edits = (
        stored.version
        for stored in recorded.log[first:]
        if stored.type in ("taken back", "amended")
    )
    for version in (first, *edits):
        then = recorded.at_version(version)
        line = then.match.line[:ply]
        if [(each.version, each.event) for each in line] == prefix:
            return then
    return recorded


def _is_hidden_or_trashed(book: Book, recorded: MatchRecord) -> bool:
    while recorded.header.kind == "variation":
        parent = book.parent(recorded)
        if recorded.stream.trashed or is_hidden(book, recorded.stream) or parent is None:
            return True
        recorded = parent
    return False


def _check_variation(recorded: MatchRecord, what: str) -> None:
    if recorded.header.kind != "variation":
        raise Usage(f"{recorded.id} is a match that was played; only a variation can be {what}")


def _checked(name: str) -> str:
    name = name.strip()
    check_name("the name of a fork", name)
    return name
