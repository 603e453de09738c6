"""Evenings: open one, show its matches and results, and let a match join."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from litestar import Response
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import UNSET, Meta, Struct, UnsetType

from replay.access.visibility import Visibility
from replay.errors import UnknownMatch
from replay.library import evening_results
from replay.library.evening_results import EveningMatch
from replay.referee import evenings
from replay.store.types import Evening
from service.api.creation import HEADERS
from service.api.library import Cursor, Limit, cursor_after, number_before
from service.api.presenters import answer
from service.app_state import TheAppState
from service.http.access import (
    AnyRequest,
    TheBook,
    TheMatchAccess,
    evening_for,
    find_evening,
    find_match,
    link_token,
    read_scope,
)
from service.http.addresses import invitation_link
from service.http.caching import ASK_AGAIN, NO_STORE
from service.http.idempotency import request_name
from service.http.rights import ANYBODY, OfLink, OfWriter, ToRename, ToReplaceLink, caller_in
from service.models.requests import Name, VisibilityChange
from service.openapi.operations import get, post, put
from service.pages.evening import evening_page, evening_scope
from service.pages.layout import wants_page

CSV = "text/csv"


class EveningOpening(Struct, frozen=True, forbid_unknown_fields=True):
    """An evening to open: its title, its date, and who may read its page.

    Example: {"title": "Tuesday club", "date": "2026-11-24"}
    """

    title: Name
    """Its title, which its page shows first."""
    date: Annotated[str, Meta(max_length=10)]
    """Its date, like `2026-11-24` or `2026.11.24`."""
    visibility: Visibility = "unlisted"
    """Who may read its page: everybody, holders of its address, or holders of its link."""
    evening: str | None = None
    """An evening whose link the new evening shares; the caller needs that link."""


class EveningJoining(Struct, frozen=True, forbid_unknown_fields=True):
    """The evening that a match joins.

    Example: {"evening": "k7m2c4x9q0ab"}
    """

    evening: str
    """The id of the evening."""


class EveningLink(Struct, frozen=True):
    """An evening with its token, which is shown once, and the link that has it."""

    evening: str
    """The id of the evening."""
    token: str
    """A secret, to send as `Authorization: Bearer`: its holder is host of every match."""
    link: str
    """The address that makes a browser the host."""


class ShownEvening(Struct, frozen=True, omit_defaults=True):
    """An evening, and its matches by round and table. `next` is the cursor of the next page."""

    evening: str
    """The id of the evening."""
    title: str
    """Its title, as it was given."""
    date: str
    """Its date, as it was given."""
    matches: tuple[EveningMatch, ...]
    """The matches on this page, by round and table."""
    next: str | UnsetType = UNSET
    """The cursor of the next page; missing on the last one."""


class EveningVisibility(Struct, frozen=True):
    """Who may read the page of an evening."""

    evening: str
    """The id of the evening."""
    visibility: Visibility
    """Who may read its page now."""


class EveningRenaming(Struct, frozen=True, forbid_unknown_fields=True):
    """The new title of an evening.

    Example: {"title": "Thursday club"}
    """

    title: Name
    """The title, which its matches have as the tag `Event`; empty to erase it."""


class RenamedEvening(Struct, frozen=True):
    """An evening after its title was replaced."""

    evening: str
    """The id of the evening."""
    title: str
    """The title now; an erased title is replaced by the id."""


class JoinedEvening(Struct, frozen=True):
    """Whether a match has joined an evening, or its host is still asked."""

    match: str
    """The id of the match."""
    evening: str
    """The id of the evening."""
    joined: bool
    """False while the host of the match is asked."""


@post("/evenings", {201: EveningLink}, right=ANYBODY, problems=(401, 403, 409), headers=HEADERS)
async def open_an_evening(
    request: AnyRequest, data: JSONBody[EveningOpening], live: TheAppState
) -> Response[bytes]:
    """Open an evening; whoever has its link is host of each of its matches.

    With the token of an evening in `Authorization: Bearer`, or its id as `evening`, the new evening
    has the same link. 409 if that link has an evening with this title and this date, or if the
    `Idempotency-Key` belongs to a different request.
    """
    name = request_name(request)

    def create() -> Response[bytes]:
        earlier = evening_for(request, live.book, data.evening)
        token = None if earlier is None else link_token(request, earlier)
        given = data.title, data.date, data.visibility
        made = evenings.open_evening(live.book, *given, token, name)
        return _answer_link(request, *made, 201)

    with live.limits.opening(request):
        return await asyncio.to_thread(create)


@get(
    "/evenings/{evening:str}",
    {200: {"application/json": ShownEvening, CSV: str}},
    right=ANYBODY,
    problems=(401, 403),
    sends=("ETag",),
)
def show_evening(
    request: AnyRequest,
    book: TheBook,
    evening: FromPath[str],
    format: FromQuery[Literal["json", "csv"] | None] = None,  # noqa: A002
    cursor: Cursor = None,
    limit: Limit = 100,
) -> Response[Any]:
    """Show the matches and the results of an evening, as JSON or as a table of CSV.

    A browser gets a page. The table has a line for each player of each match. Private matches are
    shown to those who may read them.
    """
    found = find_evening(request, book)
    scope = evening_scope(request, found)
    if format is None and wants_page(request):
        return evening_page(request, book, found, scope)
    if format == "csv":
        every = evening_results.every_match(book, found, scope)
        table = evening_results.to_csv(found, every).encode()
        return Response(table, media_type=CSV, headers=ASK_AGAIN)
    before = None if cursor is None else number_before(cursor)
    matches, last = evening_results.page(book, found, scope, limit, before)
    following = UNSET if last is None else cursor_after(last)
    told = ShownEvening(found.id, found.title, found.date, matches, following)
    return answer(told, headers=ASK_AGAIN)


@put(
    "/evenings/{evening:str}/visibility",
    {200: EveningVisibility},
    right=OfLink("decide who may read it"),
)
def show_evening_to(
    request: AnyRequest, data: JSONBody[VisibilityChange], book: TheBook, evening: FromPath[str]
) -> Response[bytes]:
    """Set the visibility of an evening's page. Its matches have their own."""
    found: Evening = caller_in(request)
    evenings.show(book, found, data.visibility)
    return answer(EveningVisibility(evening, data.visibility), headers=NO_STORE)


@put(
    "/evenings/{evening:str}/title",
    {200: RenamedEvening},
    right=ToRename(),
    problems=(409,),
)
def rename_evening(
    request: AnyRequest, data: JSONBody[EveningRenaming], book: TheBook, evening: FromPath[str]
) -> Response[bytes]:
    """Rename an evening, and with it the tag `Event` of its matches. An operator may do so too.

    An empty title erases it: the evening is then called by its id. 409 if the link has an evening
    with this title and this date.
    """
    renamed = evenings.rename(book, caller_in(request), data.title)
    return answer(RenamedEvening(evening, renamed.title), headers=NO_STORE)


@post(
    "/evenings/{evening:str}/link",
    {201: EveningLink},
    right=ToReplaceLink(),
    headers=HEADERS,
)
def replace_evening_link(
    request: AnyRequest, book: TheBook, evening: FromPath[str]
) -> Response[bytes]:
    """Replace the link of an evening: the former link opens nothing any more, in no match.

    A retry under its `Idempotency-Key` gets the same link.
    """
    found: Evening = caller_in(request)
    token = evenings.replace_link(book, found, request_name(request))
    return _answer_link(request, found, token, 201)


@put(
    "/evenings/{evening:str}/matches/{match:str}",
    {202: JoinedEvening},
    right=OfLink("ask a match to join"),
    problems=(409,),
)
def ask_to_join(
    request: AnyRequest, book: TheBook, evening: FromPath[str], match: FromPath[str]
) -> Response[bytes]:
    """Ask the host of a match, which was opened elsewhere, to let it join the evening.

    409 if the match already belongs to an evening.
    """
    record = find_match(book, match)
    if not read_scope(request).may_read(book, record.stream):
        raise UnknownMatch(match)
    evenings.ask(book, caller_in(request), record)
    return answer(JoinedEvening(match, evening, False), 202, NO_STORE)


@put(
    "/matches/{match:str}/evening",
    {200: JoinedEvening},
    right=OfWriter("let the match join an evening"),
    problems=(409,),
)
def join_evening(
    data: JSONBody[EveningJoining], book: TheBook, visit: TheMatchAccess
) -> Response[bytes]:
    """Let a match join the evening that has asked for it; holders of its link are then hosts, too.

    409 if the evening has not asked, or if the match belongs to another evening.
    """
    evenings.join(book, data.evening, visit.record)
    return answer(JoinedEvening(visit.record.id, data.evening, True), headers=NO_STORE)


def _answer_link(request: AnyRequest, evening: Evening, token: str, status: int) -> Response[bytes]:
    link = invitation_link(request, evening.id, token)
    return answer(EveningLink(evening.id, token, link), status, NO_STORE)
