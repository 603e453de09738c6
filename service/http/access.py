"""Identify the caller of a request: the holder of a capability token, or a spectator.

Programs send the token as `Authorization: Bearer`; pages use a cookie set by an invitation link.
The token alone decides the rights of the caller; the body never does.

A browser collects the tokens of the links opened in it and acts with the strongest, so opening a
seat's link does not demote a host to a player.

Within an epoch of the store the rights to write stay the same, so `AccessCache` remembers writers.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, Final, TypeVar, get_args

from litestar import Request
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct
from msgspec.structs import replace

from domain.game import Game
from replay import registry
from replay.access import accounts, capability_tokens, operators, visibility
from replay.access.accounts import Bearer
from replay.access.visibility import ReadScope
from replay.book import MAX_UNQUEUED, Book
from replay.errors import UnknownMatch, UnknownRuleset, Usage
from replay.kept_book import KeptBook
from replay.record.match_record import MatchRecord
from replay.referee import evenings
from replay.runtime import RUNTIME, TAB
from replay.store.types import Evening, Stream
from replay.tags import people_changes
from replay.tags.names import SCOREKEEPER
from service.http.book_reads import MatchReader, read_book
from service.http.cookies import (
    STRENGTH,
    account_token,
    foreign_page,
    had_link,
    links_sent,
    newest_tokens,
    same_origin,
    tokens_sent,
)
from service.http.problems import Problem
from service.settings import Settings

AnyRequest = Request[Any, Any, Any]
T = TypeVar("T")

TheBook = NamedDependency[Book]
"""The book that the application serves."""

TheSettings = NamedDependency[Settings]
"""The settings of the service."""

OWN_KEY: Final = re.compile(r"[\x21-\x7e]{20,200}")
"""The form of a key that a program chooses."""

REPLACED: Final = "this link was replaced; scan the new one, or ask the scorekeeper for it"

ELSEWHERE: Final = "another phone has this seat now; this one only looks on"

ASK: Final = {"WWW-Authenticate": "Bearer"}

MAX_REMEMBERED: Final = 10_000
"""The most callers that `AccessCache` remembers."""

KEPT: Final = {"kept": True}
"""The mark of a route that reads stored data only, and so needs no game."""

CallerKey = tuple[str | None, ...]

VIEWER: Final = "plybook.viewer"
"""The key of the viewer's name in a request's scope, once the match and the caller are found."""


class Caller(Struct, frozen=True):
    """A role and, for a player, the seat. A spectator has neither.

    An operator may read every match, like a viewer of it. The token of an `account` may be valid
    `until` a time in milliseconds since 1970. `host_account` is the random id of a host's account.
    A browser has `lost` its right if the token that it keeps for the match was revoked.
    """

    role: str | None = None
    seat: int | None = None
    account: str | None = None
    until: int | None = None
    host_account: bytes | None = None
    lost: bool = False

    @property
    def actor(self) -> str:
        """The actor's name in the log."""
        return SCOREKEEPER if self.role == capability_tokens.HOST else f"seat {self.seat}"

    @property
    def viewer(self) -> str:
        """The name of the view that the caller's pages show: a role, or a seat."""
        return f"seat {self.seat}" if self.seat else self.role or "spectator"

    @property
    def reader(self) -> int | None:
        """The seat whose former names the caller may read; the host reads all."""
        return people_changes.HOST if self.role == capability_tokens.HOST else self.seat

    @property
    def replaced(self) -> bool:
        """Whether another phone has taken over the seat, so that the caller only reads."""
        return self.role == capability_tokens.VIEWER and self.seat is not None

    @property
    def may_write(self) -> bool:
        """Whether the caller may enter events."""
        return self.role in (capability_tokens.HOST, capability_tokens.SEAT)


class MatchAccess(Struct, frozen=True):
    """A request about a match: its current state and the caller.

    A visit with an `epoch` was not looked up; it was valid when this epoch of the store began.
    """

    record: MatchRecord
    caller: Caller
    epoch: int | None = None

    @property
    def viewer(self) -> int | None:
        """The seat whose view is shown; `None` for spectators and the host."""
        return self.caller.seat

    def at(self, version: int | None) -> MatchRecord:
        """Return the match at a version, by default its head. Raises `UnknownAddress`."""
        return self.record if version is None else self.record.at_version(version)

    @property
    def whole(self) -> bool:
        """Whether the caller reads annotations that the match holds back: only the host does."""
        return self.caller.role == capability_tokens.HOST

    @property
    def may_analyse(self) -> bool:
        """Whether the caller may know the result of a search: before the end, only the host.

        False in a match that withholds its legal moves.
        """
        record = self.record
        if record.state.outcome is not None or record.header.kind == "variation":
            return self.caller.may_write
        return self.caller.role == capability_tokens.HOST and record.header.legal == "listed"

    def writer(self) -> Caller:
        """Return the caller if they may write.

        Raises `Problem` 401 without a token, 403 if read-only.
        """
        if self.caller.role is None:
            if self.caller.account is not None:
                wrong = f"{self.caller.account} has no seat in this match; ask its host for one"
                raise Problem(403, wrong)
            needs = "writing needs a token: send Authorization: Bearer TOKEN"
            wrong = REPLACED if self.caller.lost else needs
            raise Problem(401, wrong, headers=ASK)
        if self.caller.role == operators.OPERATOR:
            raise Problem(403, "an operator's token cannot change a match; ask its host")
        if not self.caller.may_write:
            reads = "this token only reads; ask the host for a seat's token"
            raise Problem(403, ELSEWHERE if self.caller.replaced else reads)
        return self.caller

    def host(self, what: str) -> Caller:
        """Return the caller if they are the host.

        Raises `Problem` 401 without a token, otherwise 403.
        """
        if self.writer().role != capability_tokens.HOST:
            raise Problem(403, f"only the host may {what}")
        return self.caller


TheMatchAccess = NamedDependency[MatchAccess]
"""The match named in the path and its caller, after read access has been checked."""


ACCESS: Final = "plybook.access"
"""The key of a request's scope for the access that a guard has found and checked."""


async def visit(request: AnyRequest, match: FromPath[str]) -> MatchAccess:
    """Return the access that a guard found, or find the match of a request by its full id.

    HTTP accepts no abbreviated ids. A route marked `KEPT` also gets matches whose game is not
    installed. Raises `UnknownMatch`, and `Problem` 401 for an invalid token, or for a private match
    without a token.
    """
    found: Any = request.scope.get(ACCESS)
    if isinstance(found, MatchAccess):
        return found
    book: Book = request.app.state.book
    try:
        return await _with_match(request, match, lambda found: visit_of(request, book, found))
    except UnknownRuleset:
        if KEPT.items() <= request.route_handler.opt.items():
            return await asyncio.to_thread(_visit_kept, request, book, match)
        raise


def _visit_kept(request: AnyRequest, book: Book, match: str) -> MatchAccess:
    return visit_of(request, book, KeptBook(book).read(_find_stream(book, match)))


def visit_of(request: AnyRequest, book: Book, record: MatchRecord) -> MatchAccess:
    """Return the access to a match that was found, for a request. Raises `Problem` 401."""
    caller = caller_of(request, book, record)
    if caller.role is None and visibility.visibility_of(book, record) == visibility.PRIVATE:
        private = "this match is private: it needs an invitation"
        wrong = REPLACED if caller.lost else private
        raise Problem(401, wrong, "private-match", headers=ASK)
    request.scope[VIEWER] = caller.viewer  # type: ignore[typeddict-unknown-key]
    return MatchAccess(record, caller)


def book_of(request: AnyRequest) -> Book:
    """Return the application's book without dependency injection, for hot paths.

    Litestar starts a task group for each request with several injected dependencies.
    """
    book: Book = request.app.state.book
    return book


async def open_match(request: AnyRequest, match: str) -> MatchRecord:
    """Return a match by its full id without keeping the event loop waiting.

    Raises `UnknownMatch`, also for a match in the trash.
    """
    return await _with_match(request, match, lambda found: found)


async def _with_match(request: AnyRequest, match: str, read: Callable[[MatchRecord], T]) -> T:
    """Call a function with a match, in the thread that finds the match, and return its result.

    Only a match with much to fold takes two threads.
    """
    book = book_of(request)

    def look_up() -> T | Stream:
        stream = _find_stream(book, match)
        return stream if book.unfolded(stream) > MAX_UNQUEUED else read(book.read(stream))

    found = await read_book(book, look_up)
    if not isinstance(found, Stream):
        return found
    reader: MatchReader = request.app.state.reader
    record = await reader.read(found)
    return await read_book(book, lambda: read(record))


def find_match(book: Book, match: str) -> MatchRecord:
    """Return a match by its full id, in a thread or if the match was read a moment ago.

    Raises `UnknownMatch`, also for a match in the trash.
    """
    return book.read(_find_stream(book, match))


def _find_stream(book: Book, match: str) -> Stream:
    stream = book.find_by_id(match)
    if stream.trashed:
        raise UnknownMatch(match)
    return stream


def caller_of(request: AnyRequest, book: Book, record: MatchRecord) -> Caller:
    """Return the caller of a request about a match. Raises `Problem` 401 for an invalid token."""
    header = request.headers.get("authorization")
    if header is None:
        return _by_cookie(request, book, record)
    token = bearer_token(header)
    found = capability_tokens.role_of(book, record, token)
    if found is not None:
        return Caller(*found)
    if operators.is_operator(book, token):
        return Caller(operators.OPERATOR)
    bearer = accounts.bearer_of(book, token)
    if bearer is not None:
        return _of_account(book, record, bearer)
    raise Problem(
        401,
        "this token is unknown or revoked; send Authorization: Bearer TOKEN of this match",
        "unknown-token",
    )


def _of_account(book: Book, record: MatchRecord, bearer: Bearer) -> Caller:
    """Return an account as a caller; in a match where it has no role, it is a spectator."""
    role, seat = accounts.role_of(book, record, bearer) or (None, None)
    author = bearer.account.digest if role == capability_tokens.HOST else None
    return Caller(role, seat, bearer.account.name, bearer.token.expires, author)


def bearer_token(header: str) -> str:
    """Return the token in an `Authorization` header; an empty text for any other scheme."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def is_operator(request: AnyRequest, book: Book) -> bool:
    """Return whether a request has an operator's token."""
    header = request.headers.get("authorization")
    return header is not None and operators.is_operator(book, bearer_token(header))


def operator_of(request: AnyRequest, book: Book, what: str) -> Caller:
    """Return the operator who sent a request. Raises `Problem` 401 and 403 for other callers."""
    if is_operator(request, book):
        return Caller(operators.OPERATOR)
    only = f"only an operator may {what}"
    raise _wrong_bearer(request, book, f"{only}; send an operator's token", only, "an operator's")


def _wrong_bearer(request: AnyRequest, book: Book, missing: str, other: str, right: str) -> Problem:
    """Return the refusal of a request whose token is missing, unknown, or of another kind."""
    header = request.headers.get("authorization")
    if header is None:
        return Problem(401, missing, headers=ASK)
    if opens_something(book, bearer_token(header)):
        return Problem(403, other)
    return Problem(401, f"this token is unknown or revoked; send {right}", "unknown-token")


def opens_something(book: Book, token: str) -> bool:
    """Return whether a token is valid: of a match, of an operator or of an account."""
    return (
        capability_tokens.newest_opened_by(book, token) is not None
        or operators.is_operator(book, token)
        or accounts.bearer_of(book, token) is not None
        or bool(book.store.evenings(capability_tokens.digest(token)))
    )


def account_of(request: AnyRequest, book: Book, to_play: str | None = None) -> Bearer:
    """Return the account that sent a request; `to_play` names the action, if it needs a play token.

    Raises `Problem` 401 for other callers, and 403 for a token that only reads.
    """
    header = request.headers.get("authorization")
    bearer = None if header is None else accounts.bearer_of(book, bearer_token(header))
    if bearer is not None:
        if to_play is not None and not bearer.may_play:
            raise Problem(403, f"this token only reads; {to_play} with a play token")
        return bearer
    missing = "this needs the token of an account: Authorization: Bearer TOKEN"
    other = "this is not an account's token; send an account's"
    raise _wrong_bearer(request, book, missing, other, "an account's")


def _by_cookie(request: AnyRequest, book: Book, record: MatchRecord) -> Caller:
    """Return the caller identified by a page's cookie; a revoked token makes a spectator.

    The cookie of the analysed match also applies to its variations, and an account's cookie to all
    of its matches.
    """
    sent = tokens_sent(request, book, record)
    opened = (capability_tokens.role_of(book, record, token) for token in sent)
    callers = [Caller(*role) for role in opened if role is not None]
    bearer = account_in_browser(request, book)
    if bearer is not None:
        callers.append(_of_account(book, record, bearer))
    strong = (each for each in callers if each.role is not None)
    found = min(strong, key=lambda each: STRENGTH.index(str(each.role)), default=None)
    if found is None:
        return Caller(lost=had_link(request, record.id))
    if request.method not in ("GET", "HEAD") and not same_origin(request):
        raise foreign_page(request)
    return found


def account_in_browser(request: AnyRequest, book: Book) -> Bearer | None:
    """Return the account whose token a browser keeps, or `None` without a valid one."""
    token = account_token(request)
    return accounts.bearer_of(book, token) if token else None


def token_names(request: AnyRequest, book: Book, record: MatchRecord) -> frozenset[str]:
    """Return the names of a match's tokens in a page's cookies; some may be revoked."""
    return frozenset(map(capability_tokens.token_name, tokens_sent(request, book, record)))


def read_scope(request: AnyRequest) -> ReadScope:
    """Return the scope of a request: listed matches, and matches that its tokens open.

    An operator's token opens all matches.
    """
    book = book_of(request)
    if is_operator(request, book):
        return ReadScope(frozenset(get_args(visibility.Visibility)))
    shown = listed_visibilities(request.app.state.settings)
    header = request.headers.get("authorization")
    if header is not None:
        token = bearer_token(header)
        bearer = accounts.bearer_of(book, token)
        return ReadScope(
            shown, key=bearer.account.digest if bearer else capability_tokens.digest(token)
        )
    opened = capability_tokens.opened_among(book, newest_tokens(request))
    bearer = account_in_browser(request, book)
    key = None if bearer is None else bearer.account.digest
    return ReadScope(shown, frozenset(stream.id for stream in opened), key)


def live_scope(request: AnyRequest) -> ReadScope:
    """Return the scope of a request as `read_scope`, without a token that has been revoked."""
    scope, header = read_scope(request), request.headers.get("authorization")
    revoked = (
        header is not None
        and scope.key
        and not opens_something(book_of(request), bearer_token(header))
    )
    return replace(scope, key=None) if revoked else scope


def listed_visibilities(settings: Settings) -> frozenset[visibility.Visibility]:
    """Return the visibilities that everybody may list; in a tab, the viewer may list all."""
    if RUNTIME is TAB:
        return frozenset(get_args(visibility.Visibility))
    return frozenset(("public", "unlisted")) if settings.lists_all else frozenset(("public",))


class AccessCache:
    """The callers who may write to a match, by the match and the headers that identify them.

    A remembered visit carries its epoch, for the append to check. So a remembered visit is good
    only for an append. If the append fails, the visit may be out of date: look it up and try again.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self._epoch = 0
        self._callers: dict[CallerKey, Caller] = {}

    def recall(self, request: AnyRequest, match: str) -> MatchAccess | None:
        """Return a visit that is remembered from this epoch, or `None`."""
        epoch = self._book.store.epoch()
        if epoch != self._epoch:
            self._callers.clear()
            self._epoch = epoch
        caller = self._callers.get(_caller_key(request, match))
        if caller and caller.until is not None and caller.until <= self._book.now():
            return None
        record = self._book.cache.recall(match) if caller else None
        return MatchAccess(record, caller, epoch) if caller and record else None

    async def look_up(self, request: AnyRequest, match: str) -> MatchAccess:
        """Look up a visit, and remember a caller who may write. Raises as `visit`."""
        request.scope.pop(ACCESS, None)  # type: ignore[typeddict-item]  # a retry looks again
        epoch = self._book.store.epoch()  # before any data are read
        found = await visit(request, match)
        if found.caller.may_write and epoch == self._epoch:
            if len(self._callers) >= MAX_REMEMBERED:
                self._callers.clear()
            self._callers[_caller_key(request, match)] = found.caller
        return found


def _caller_key(request: AnyRequest, match: str) -> CallerKey:
    """Return every part of a request that `visit` uses; cookies count only without a header."""
    headers = request.headers
    token = headers.get("authorization")
    if token is not None:
        return match, token
    return match, headers.get("cookie"), headers.get("origin"), headers.get("host")


def find_game(slug: str) -> Game[Any]:
    """Return a game by its slug. Raises `Problem` 404."""
    try:
        return registry.find(slug)
    except Usage as error:
        raise Problem(404, str(error)) from None


def evening_for(request: AnyRequest, book: Book, named: str | None) -> Evening | None:
    """Return the evening that is named, or else the newest of the link in the header.

    Raises `Problem` 403 for the name of an evening whose link the caller does not have.
    """
    if named is not None:
        evening = book.store.evening(named)
        if evening is None or link_token(request, evening) is None:
            raise Problem(403, f"this needs the link of the evening {named}", path="$.evening")
        return evening
    there = evenings_of_link(request, book)
    return there[0] if there else None


def evenings_of_link(request: AnyRequest, book: Book) -> list[Evening]:
    """Return the evenings whose token a request sends in its header, the newest first.

    Raises `Problem` 401 for the token of a link that was replaced.
    """
    token = bearer_token(request.headers.get("authorization", ""))
    found = book.store.evenings(capability_tokens.digest(token)) if token else []
    if token.startswith(evenings.LINK) and not found:
        wrong = "this link of an evening was replaced, or never was one; ask for the new link"
        raise Problem(401, wrong, "unknown-token")
    return found


def link_token(request: AnyRequest, evening: Evening) -> str | None:
    """Return the token of an evening that the caller sends: in the header, or else as a cookie.

    Raises `Problem` 403 for a page of another site that writes with the cookie.
    """
    header = request.headers.get("authorization")
    sent = links_sent(request) if header is None else (bearer_token(header),)
    held = (each for each in sent if capability_tokens.digest(each) == evening.digest)
    token = next(held, None)
    writes = header is None and request.method not in ("GET", "HEAD")
    if token and writes and not same_origin(request):
        raise foreign_page(request)
    return token


def find_evening(request: AnyRequest, book: Book, what: str | None = None) -> Evening:
    """Return the evening in the path of a request, to do `what` or to read it.

    Raises `Problem` 401 and 403 for callers without the right, `UnknownName` for an unknown
    evening.
    """
    evening = evenings.find_evening(book, request.path_params["evening"])
    if link_token(request, evening) is not None:
        return evening
    evenings_of_link(request, book)
    if what is None and evening.shown in visibility.OPEN:
        return evening
    wrong = f"only whoever has the link of the evening may {what or 'read it'}"
    header = request.headers.get("authorization")
    if header is not None and opens_something(book, bearer_token(header)):
        raise Problem(403, wrong)
    raise Problem(401, wrong, headers=ASK)


def own_key(request: AnyRequest, book: Book) -> bytes | None:
    """Return the digest of the key with which a program opens matches as their host, or `None`.

    A program chooses the key itself, or uses a token of its account. A token of a seat, a viewer or
    an operator cannot be such a key. Raises `Problem` 400 if the key is too short to be a secret,
    and 403 if it only reads.
    """
    header = request.headers.get("authorization", "")
    if header.partition(" ")[0].lower() != "bearer":  # like the password of a proxy
        return None
    key = bearer_token(header)
    if not OWN_KEY.fullmatch(key):
        wrong = (
            f"this token of {len(key)} characters cannot be a key; use 20 to 200 random visible "
            "ASCII characters, or send no Authorization"
        )
        raise Problem(400, wrong, path="Authorization")
    bearer = accounts.bearer_of(book, key)
    if bearer is not None:
        return account_of(request, book, "open matches").account.digest
    if operators.is_operator(book, key) or not capability_tokens.may_be_host_key(book, key):
        return None
    return capability_tokens.digest(key)
