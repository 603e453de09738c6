"""An account and its matches: list them, and follow them all in one stream."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Literal

from litestar import Response
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response.base import ASGIResponse
from msgspec import Struct
from msgspec.structs import asdict

from replay.access import accounts
from replay.access.accounts import Bearer
from replay.access.capability_tokens import IssuedToken
from replay.book import Book
from replay.library import match_list
from replay.library.match_list import ListFilter
from replay.referee import account_seats
from replay.referee.account_seats import leave
from replay.store.feed_types import ChangeCursor
from replay.store.types import Account, ListedMatch
from service.api.changes import After, FeedName, Number, answer_stream, place_of
from service.api.library import (
    Cursor,
    Limit,
    ListedSummary,
    cursor_after,
    number_before,
    summary,
)
from service.api.presenters import answer
from service.api.streams import ClosingLine
from service.http.access import (
    AnyRequest,
    TheBook,
    bearer_token,
)
from service.http.book_reads import read_book
from service.http.caching import ASK_AGAIN, NO_STORE
from service.http.rights import OF_ACCOUNT, OfAccount, caller_in
from service.live.account_messages import (
    AccountEvent,
    AccountFollower,
    AccountNews,
    asked_roles,
    is_awaited,
    own_scope,
)
from service.live.event_stream import (
    EVENT_STREAM,
    NDJSON,
    Closing,
    Heartbeat,
    Read,
    StreamFormat,
)
from service.live.feed import Follower
from service.models import responses
from service.models.responses import RoleInMatch
from service.openapi.operations import delete, get, patch, post


class AccountChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the account takes every role that hosts give it, or is asked first.

    Example: {"accept": "ask"}
    """

    accept: accounts.Accept
    """`all`: the account takes every role; `ask`: it is asked first."""


class AccountMatch(ListedSummary, frozen=True, kw_only=True):
    """A match in which the account has a role, and whether its seat may act now."""

    role: responses.Role
    """The role that the account has in the match."""
    seat: responses.Seat | None
    awaited: bool
    """Whether the seat must or may act now."""


class AccountMatches(Struct, frozen=True):
    """A page of an account's matches, the newest first. `next` is the cursor of the next page."""

    account: str
    """The name of an account of the installation."""
    matches: tuple[AccountMatch, ...]
    """The matches on this page, the newest first."""
    next: str | None
    """The cursor of the next page; null on the last one."""


class AccountSettings(Struct, frozen=True):
    """Whether the account takes every role that hosts give it, or is asked first."""

    account: str
    """The name of an account of the installation."""
    accept: accounts.Accept
    """`all`: the account takes every role; `ask`: it is asked first."""


class AskedRoles(AccountSettings, frozen=True):
    """The roles that wait for the account's answer, roles in the newest matches first."""

    invitations: tuple[RoleInMatch, ...]
    """The roles that wait for an answer."""


class AskedLine(Struct, frozen=True):
    """A line of the NDJSON stream of an account: a role that waits for its answer."""

    event: Literal["asked"]
    """The kind of news."""
    id: None
    """Always null: the stream resumes after the number of another line."""
    data: RoleInMatch
    """The role that waits."""


class AccountLine(Struct, frozen=True):
    """A line of the NDJSON stream of an account. The stream resumes after its `id`."""

    event: AccountEvent
    """The kind of news."""
    id: Number | None
    """The number to resume from; null if a later message belongs to the same change."""
    data: AccountNews
    """The current state of the match for the account."""


@get("/account/matches", {200: AccountMatches}, right=OF_ACCOUNT, sends=("ETag",))
def list_account_matches(
    request: AnyRequest,
    book: TheBook,
    status: FromQuery[Literal["open", "ended"] | None] = None,
    cursor: Cursor = None,
    limit: Limit = 20,
) -> Response[bytes]:
    """List the matches in which the account has a role, the newest first."""
    bearer: Bearer = caller_in(request)
    before = None if cursor is None else number_before(cursor)
    page = match_list.page(book, ListFilter(status=status), own_scope(bearer), limit, before)
    found = tuple(filter(None, (_account_match(book, bearer, each) for each in page.matches)))
    following = None if page.next is None else cursor_after(page.next)
    return answer(AccountMatches(bearer.account.name, found, following), headers=ASK_AGAIN)


def _account_match(book: Book, bearer: Bearer, listed: ListedMatch) -> AccountMatch | None:
    """Return a match as its account sees it; `None` if the account lost its role a moment ago."""
    held = book.store.key(listed.stream.id, bearer.account.digest)
    if held is None:
        return None
    told = asdict(summary(book, listed))
    return AccountMatch(
        **told, role=held[0], seat=held[1], awaited=is_awaited(book, bearer, listed)
    )


@delete("/account/matches/{match:str}", {200: RoleInMatch}, right=OfAccount("leave a match"))
def leave_match(request: AnyRequest, book: TheBook, match: FromPath[str]) -> Response[bytes]:
    """Give up the account's role in a match. Its name and its moves stay in the record.

    A host may seat another player; 409 for a player of an unfinished match without a host: resign
    first. Even a match that cannot be read can be left.
    """
    return _change_role(request, book, match, leave)


def _change_role(
    request: AnyRequest, book: Book, match: str, change: Callable[[Book, str, Account], IssuedToken]
) -> Response[bytes]:
    made = change(book, match, caller_in(request).account)
    return answer(RoleInMatch(match, made.role, made.seat), headers=NO_STORE)


@patch("/account", {200: AccountSettings}, right=OfAccount("change the account"))
def set_account(
    request: AnyRequest, data: JSONBody[AccountChange], book: TheBook
) -> Response[bytes]:
    """Set whether the account is asked before it takes a role: `ask`, or `all` for never.

    Roles that wait for an answer keep waiting.
    """
    account = caller_in(request).account
    accounts.set_accept(book.store, account, data.accept)
    return answer(AccountSettings(account.name, data.accept), headers=NO_STORE)


@get("/account/invitations", {200: AskedRoles}, right=OF_ACCOUNT)
def list_asked(request: AnyRequest, book: TheBook, limit: Limit = 20) -> Response[bytes]:
    """List the roles that wait for the account's answer, and whether it is asked at all."""
    account = caller_in(request).account
    asked = tuple(islice(asked_roles(book, account), limit))
    accept: accounts.Accept = "ask" if account.asks else "all"
    return answer(AskedRoles(account.name, accept, asked), headers=NO_STORE)


@post(
    "/account/invitations/{match:str}", {200: RoleInMatch}, right=OfAccount("accept an invitation")
)
def accept_invitation(request: AnyRequest, book: TheBook, match: FromPath[str]) -> Response[bytes]:
    """Take the role that the account is asked for. 404 if it is not asked."""
    return _change_role(request, book, match, account_seats.accept)


@delete(
    "/account/invitations/{match:str}", {200: RoleInMatch}, right=OfAccount("decline an invitation")
)
def decline_invitation(request: AnyRequest, book: TheBook, match: FromPath[str]) -> Response[bytes]:
    """Refuse the role that the account is asked for. 404 if it is not asked."""
    return _change_role(request, book, match, account_seats.decline)


@get(
    "/account/stream",
    {
        200: {
            EVENT_STREAM: AccountNews | RoleInMatch | Closing,
            NDJSON: AccountLine | AskedLine | ClosingLine | Heartbeat,
        }
    },
    right=OF_ACCOUNT,
    problems=(410,),
    headers=("Last-Event-ID",),
)
async def follow_account(
    request: AnyRequest, book: TheBook, after: After = None, feed_name: FeedName = None
) -> ASGIResponse:
    """Follow all matches of the account: server-sent events, or NDJSON on request.

    `asked`: a role waits for its answer. `invited`: the account has got a role in a match. `turn`:
    its seat may act; with the legal moves. `taken-back` and `corrected`: earlier moves were
    changed. `ended`: the match is over. The stream begins with the roles that wait, and a `turn` of
    each match that awaits the account, or resumes after the number of a change; messages sent
    shortly before may then come again. 410 if the number belongs to another history. The stream
    ends when the token is revoked or expires.
    """
    place = place_of(request, after, feed_name)
    bearer = partial(accounts.bearer_of, book, bearer_token(request.headers["authorization"]))
    return await answer_stream(request, place, bearer, partial(_begin, book))


async def _begin(
    book: Book,
    cursor: ChangeCursor | None,
    form: StreamFormat,
    follower: Follower,
    bearer: Bearer | None,
) -> Read:
    """Return the function that reads the messages of an account."""
    if bearer is None:  # the token was just revoked; the next check ends the stream
        return _nothing
    following = await asyncio.to_thread(AccountFollower, book, bearer, cursor)

    def read_messages() -> tuple[bytes, bool]:
        told, more = following.read()
        return b"".join(form.message(*each) for each in told), more

    async def read() -> tuple[bytes, bool]:
        changed = follower.take_changed()
        if not await read_book(book, partial(following.is_concerned, changed)):
            return b"", False
        return await asyncio.to_thread(read_messages)

    return read


async def _nothing() -> tuple[bytes, bool]:
    return b"", False
