"""The family of a match: its forks, the plies where they leave, and their states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.branches.fork_tree import Member, family
from replay.branches.forks import name_of
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.tags.names import player_names
from service.http.access import AnyRequest, MatchAccess, read_scope
from service.http.addresses import prefix
from service.pages.words import sentence

VARIATION: Final = "variation"
DEEPEST: Final = 6
"""The maximum indentation of a line in the tree."""


class ShownLine(Struct, frozen=True):
    """A match or a fork in the tree.

    `own_name` is its given name, `name` the one shown on the page, `place` the address of its
    replay, `compare` the address of the comparison, `actions` the actions of the host.
    """

    match: str
    depth: int
    is_here: bool
    own_name: str
    name: str
    place: str
    tags: list[str]
    words: str
    compare: str
    actions: dict[str, str]


class VariationNote(Struct, frozen=True):
    """The name of a variation, its parent, and the ply after which it leaves."""

    name: str
    parent: str
    ply: int


def shown_family(request: AnyRequest, book: Book, visit: MatchAccess) -> list[ShownLine]:
    """Return a match and its forks that the caller may see; empty for a match without forks."""
    there = list(_known(request, book, visit))
    return [_line(book, one, visit) for one in there] if len(there) > 1 else []


def _known(request: AnyRequest, book: Book, visit: MatchAccess) -> Iterator[Member]:
    """Yield the match's own variations, and other matches that this caller can find."""
    seen = read_scope(request)
    own = visibility.analysed_match(book, visit.record.stream).id
    is_host = visit.caller.role == capability_tokens.HOST
    for member in family(book, visit.record):
        stream = member.record.stream
        its_own = visibility.analysed_match(book, stream).id == own
        if stream.trashed or (member.hidden and not (is_host and its_own)):
            continue
        if its_own or seen.may_list(book, stream):
            yield member


def _line(book: Book, member: Member, visit: MatchAccess) -> ShownLine:
    record, here = member.record, visit.record.id
    is_here = record.id == here
    return ShownLine(
        match=record.id,
        depth=min(member.depth, DEEPEST),
        is_here=is_here,
        own_name=member.name,
        name=member.name or ("The match" if member.parent is None else _kind(member)),
        place="" if member.leaves is None else f"#{member.leaves + 1}",
        tags=[*(["main line"] if member.main else []), *(["hidden"] if member.hidden else [])],
        words=_describe_member(book, member),
        compare="" if is_here else f"{prefix()}/m/{here}/beside?other={record.id}",
        actions=_actions(member) if visit.caller.role == capability_tokens.HOST else {},
    )


def _kind(member: Member) -> str:
    return "Variation" if member.record.header.kind == VARIATION else "Played on"


def _describe_member(book: Book, member: Member) -> str:
    parts = []
    if member.leaves is not None:
        parts.append(f"after move {member.leaves}")
    if member.first:
        parts.append(member.first.words())
    if member.instead:
        parts.append(f"instead of {member.instead.words()}")
    state = member.record.state
    ended = (
        sentence(describe_standing(state, player_names(book, member.record)))
        if state.outcome
        else ""
    )
    return ", ".join(parts) + (f". {ended}" if ended else "")


def _actions(member: Member) -> dict[str, str]:
    """Return the host's actions on a fork: rename it, and hide or promote a variation."""
    if member.parent is None:
        return {}
    actions = {"rename": "Name"}
    if member.record.header.kind == VARIATION:
        actions |= {"unhide": "Show"} if member.hidden else {"hide": "Hide"}
        actions |= {} if member.main else {"promote": "Make main line"}
    return actions


def variation_note(book: Book, record: MatchRecord) -> VariationNote | None:
    """Return the note of a variation; `None` for a match."""
    fork, parent = record.header.fork, book.parent(record)
    if record.header.kind != VARIATION or fork is None or parent is None:
        return None
    name = name_of(book, record.stream)
    return VariationNote(f"Variation: {name}" if name else "Variation", parent.id, fork.ply)
