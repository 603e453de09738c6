"""Forks of a match: fork it, show and compare its family, promote, hide and rename variations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from litestar import Response
from litestar.params import FromQuery, JSONBody, QueryParameter
from msgspec import Struct

from replay.access import capability_tokens, visibility
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.branches import comparison, fork_tree, forks
from replay.errors import Refused
from replay.reading.timeline import LineEntry
from replay.record.addresses import Address
from replay.record.match_creation import MatchCredentials
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from service.api.creation import HEADERS, create_match, creation_request, opening_body
from service.api.presenters import Drawn, answer
from service.api.tags import check_tags
from service.app_state import TheAppState
from service.http.access import (
    ASK,
    AnyRequest,
    MatchAccess,
    TheBook,
    TheMatchAccess,
    caller_of,
    find_match,
    read_scope,
)
from service.http.book_reads import read_book
from service.http.caching import ASK_AGAIN
from service.http.preconditions import refusal
from service.http.problems import Problem
from service.http.rights import OfWriter
from service.models import responses
from service.models.requests import Name, Players, Ply, Tags, Version
from service.openapi.operations import get, post, put


class ForkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A fork that leaves the match after a ply of its line at a `version`.

    A `variation` is analysis, a `match` is played on, by the same people or others by seat. The
    `tags` are set last. With `invite` the answer has links for the players.

    Example: {"ply": 0, "kind": "variation", "name": "a bolder start"}
    """

    ply: Ply
    version: Version | None = None
    """The version whose line is forked; the present version if omitted."""
    kind: Literal["variation", "match"] = "variation"
    name: Name | None = None
    """A name for the fork."""
    players: Players = {}
    tags: Tags = {}
    invite: bool = False
    """Whether the answer has links that invite the players."""


class ForkName(Struct, frozen=True, forbid_unknown_fields=True):
    """A fork's name; an empty name removes it.

    Example: {"name": "a bolder start"}
    """

    name: Name
    """The new name; empty to remove it."""


class TreeMember(Struct, frozen=True):
    """A match of a family, `depth` forks away from the first one listed.

    A fork of `parent` leaves it after ply `leaves` and continues with `first`; the parent continues
    with `instead`, if its line still has that event. `main`: a variation was promoted. `hidden`:
    the host has hidden it.
    """

    match: str
    kind: responses.MatchKind
    name: str
    """The fork's name; may be empty."""
    depth: int
    """How many forks lie between the first match listed and this one."""
    hidden: bool
    """Whether the host has hidden the fork."""
    main: bool
    """Whether the variation was promoted to the main line."""
    parent: str | None
    """The id of the match from which this match forks."""
    leaves: responses.Ply | None
    """The ply after which the fork leaves its parent."""
    first: fork_tree.BranchPoint | None
    """The first event after the fork."""
    instead: fork_tree.BranchPoint | None
    """The event with which the parent continues after that ply."""
    version: responses.Version
    plies: responses.Plies
    standing: str
    outcome: responses.Outcome | None


class Tree(Struct, frozen=True):
    """The family of a match, each followed by its forks in the order of their plies."""

    match: str
    members: tuple[TreeMember, ...]
    """The matches of the family, each before its forks."""


class Side(Struct, frozen=True):
    """One of two matches with its next event after the two part; null if the match ends there."""

    match: str
    kind: responses.MatchKind
    plies: responses.Plies
    next: LineEntry | None
    """The event with which this match continues; null if the match ends there."""
    outcome: responses.Outcome | None


class LineComparison(Struct, frozen=True):
    """Two matches with the same line up to ply `common`; `last` is the event there."""

    common: responses.Ply
    last: LineEntry | None
    """The last event of the shared line."""
    sides: tuple[Side, Side]
    """Both matches."""


class Variation(Struct, frozen=True):
    """A fork: its name, whether it is hidden, and whether it is the main line of the analysis.

    `analyses` is the match that it analyses, or the match itself if it was played.
    """

    match: str
    analyses: str
    """The id of the match that this fork analyses."""
    name: str
    """The fork's name; may be empty."""
    hidden: bool
    """Whether the host has hidden the fork."""
    main: bool
    """Whether the variation was promoted to the main line."""


@post(
    "/matches/{match:str}/forks",
    {201: responses.OpenedMatch, 409: responses.Refusal},
    problems=(403,),
    headers=HEADERS,
    sends=("Location",),
)
async def fork(
    request: AnyRequest,
    data: JSONBody[ForkRequest],
    live: TheAppState,
    visit: TheMatchAccess,
    scene: Drawn = False,
) -> Response[bytes]:
    """Fork a match at an address.

    Every reader may fork a match; the answer contains the fork and its tokens. A fork of a private
    match is private. 409 while something sealed is pending, and if the `Idempotency-Key` belongs to
    a different request.
    """
    book, seats = live.book, visit.record.match.seats
    players = {int(seat): name for seat, name in data.players.items()}
    check_tags(live.settings, seats, data.tags)
    viewers = data.invite and await read_book(
        book, lambda: visibility.is_private(book, visit.record)
    )
    this = creation_request(request, opening_body(data))._replace(viewers=viewers)

    def create(credentials: MatchCredentials) -> MatchRecord:
        record = visit.at(data.version)
        try:
            return forks.fork(
                book,
                record,
                record.ply(data.ply),
                data.kind,
                name=data.name,
                players=players,
                tags=data.tags,
                credentials=credentials,
            )
        except Refused as error:
            raise refusal(book, visit, error, None) from None

    return await create_match(request, live, this, seats, create, invite=data.invite, scene=scene)


@get("/matches/{match:str}/tree", {200: Tree}, sends=("ETag",))
def show_tree(request: AnyRequest, book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Show the family of a match: its forks, where they leave, and the state of each line.

    A fork played as a match is listed if it is public or opened by the request's tokens; hidden
    variations are listed only to the host.
    """
    seen = read_scope(request)
    members = tuple(_members(book, visit, seen))
    return answer(Tree(visit.record.id, members), headers=ASK_AGAIN)


@get("/matches/{match:str}/compare", {200: LineComparison}, sends=("ETag",))
def compare(
    request: AnyRequest,
    book: TheBook,
    visit: TheMatchAccess,
    other: Annotated[
        str, QueryParameter(name="with", max_length=12, description="The id of the other match.")
    ],
    ply: FromQuery[int | None] = None,
) -> Response[bytes]:
    """Compare a match with another match that the caller may read."""
    second = find_match(book, other)
    if not read_scope(request).may_read(book, second.stream) and second.id != visit.record.id:
        wrong = f"{other} is private: it needs an invitation"
        raise Problem(401, wrong, "private-match", headers=ASK)
    first = Address(visit.record.id, visit.record.ply(ply))
    found = comparison.compare(book, first, Address(second.id))
    sides = _side(found.sides[0]), _side(found.sides[1])
    body = LineComparison(found.common, found.last, sides)
    return answer(body, headers=ASK_AGAIN)


@post(
    "/matches/{match:str}/promote",
    {200: Variation},
    right=OfWriter("promote a variation"),
    problems=(409,),
)
def promote(request: AnyRequest, book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Make a variation the main line of its analysis; the match itself restores the played line.

    Only the host of the analysed match may.
    """
    _check_host(request, book, visit)
    forks.promote(book, visit.record)
    return _answered(book, visit.record)


@post(
    "/matches/{match:str}/hide",
    {200: Variation},
    right=OfWriter("hide a variation"),
    problems=(409,),
)
def hide(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Hide a variation and its descendants from lists, trees and exports.

    The variation's host and the host of the analysed match may.
    """
    forks.hide(book, visit.record)
    return _answered(book, visit.record)


@post(
    "/matches/{match:str}/unhide",
    {200: Variation},
    right=OfWriter("show a variation"),
    problems=(409,),
)
def unhide(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Show a variation again."""
    forks.unhide(book, visit.record)
    return _answered(book, visit.record)


@put("/matches/{match:str}/name", {200: Variation}, right=OfWriter("name a fork"), problems=(409,))
def rename(data: JSONBody[ForkName], book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Rename a fork; an empty name removes its name."""
    forks.rename(book, visit.record, data.name)
    return _answered(book, visit.record)


def _members(book: Book, visit: MatchAccess, seen: ReadScope) -> Iterator[TreeMember]:
    """Yield the readable members, each after its nearest readable ancestor."""
    own = visibility.analysed_match(book, visit.record.stream).id
    depths: dict[str, int] = {}
    hidden: set[str] = set()
    for each in fork_tree.family(book, visit.record):
        parent = each.parent or ""
        if each.hidden or parent in hidden:
            hidden.add(each.record.id)
        told = _may_list(book, seen, own, each)
        if not told or (each.record.id in hidden and not _is_host(book, visit, seen, each)):
            continue
        depths[each.record.id] = depths.get(parent, -1) + 1
        yield _member(each, depths[each.record.id], parent in depths)


def _may_list(book: Book, seen: ReadScope, own: int, each: fork_tree.Member) -> bool:
    stream = each.record.stream
    if stream.trashed:
        return False
    return visibility.analysed_match(book, stream).id == own or seen.may_list(book, stream)


def _is_host(book: Book, visit: MatchAccess, seen: ReadScope, each: fork_tree.Member) -> bool:
    return visit.caller.role == capability_tokens.HOST and seen.holds_token(
        book, each.record.stream
    )


def _member(each: fork_tree.Member, depth: int, with_parent: bool) -> TreeMember:
    record = each.record
    return TreeMember(
        record.id,
        record.header.kind,
        each.name,
        depth,
        each.hidden,
        each.main,
        each.parent if with_parent else None,
        each.leaves,
        each.first,
        each.instead if with_parent else None,
        record.match.version,
        len(record.match.line),
        describe_standing(record.state, each.names),
        each.outcome.to_dict() if each.outcome else None,
    )


def _side(side: comparison.ComparedLine) -> Side:
    outcome = side.outcome.read().to_dict() if side.outcome else None
    return Side(side.match, side.kind, side.plies, side.next, outcome)


def _check_host(request: AnyRequest, book: Book, visit: MatchAccess) -> None:
    """Raise `Problem` 403 unless the caller is the host of the analysed match."""
    analysed = forks.played(book, visit.record)
    try:
        role = caller_of(request, book, analysed).role
    except Problem:  # the token belongs to the variation
        role = None
    if role != capability_tokens.HOST:
        raise Problem(403, f"only the host of {analysed.id}, which it analyses, may promote it")


def _answered(book: Book, record: MatchRecord) -> Response[bytes]:
    played = forks.played(book, record)
    body = Variation(
        record.id,
        played.id,
        forks.name_of(book, record.stream),
        visibility.is_hidden(book, record.stream),
        forks.promoted(book, played) == record.id,
    )
    return answer(body, headers=ASK_AGAIN)
