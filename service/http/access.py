"""Who a request speaks for: the bearer of a capability token, or a spectator.

Programs send the token as `Authorization: Bearer`; pages have it in a cookie that an invitation
link has set. What a caller may see or enter follows from the token, never from the body.

A browser collects the tokens of the links that are opened in it, and acts with the strongest: the
link of a seat does not make a host a player.
"""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from litestar import Request
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from domain.game import Game
from replay import registry
from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.errors import UnknownMatch, Usage
from replay.match_record import MatchRecord
from replay.referee.entering import SCOREKEEPER
from service.http.problems import Problem
from service.settings import Settings

AnyRequest = Request[Any, Any, Any]

TheBook = NamedDependency[Book]
"""The book that the application was made over."""

TheSettings = NamedDependency[Settings]
"""What whoever runs the service decided."""

ASK: Final = {"WWW-Authenticate": "Bearer"}
COOKIE: Final = "plybook-"
"""How the names of our cookies begin; the match's id follows."""

BETWEEN: Final = "."
"""What separates the tokens in a cookie."""

TOKENS: Final = 8
"""Tokens in a cookie at most."""

STRENGTH: Final = (capability_tokens.HOST, capability_tokens.SEAT, capability_tokens.VIEWER)
"""Roles, the strongest first."""


class Caller(Struct, frozen=True):
    """A role and, for a player, the seat; a spectator has neither."""

    role: str | None = None
    seat: int | None = None

    @property
    def actor(self) -> str:
        """The name in the log."""
        return SCOREKEEPER if self.role == capability_tokens.HOST else f"seat {self.seat}"

    @property
    def may_write(self) -> bool:
        """Whether events may be entered."""
        return self.role in (capability_tokens.HOST, capability_tokens.SEAT)


class Visit(Struct, frozen=True):
    """A request about a match: the match as it stands, and who asks."""

    recorded: MatchRecord
    caller: Caller

    @property
    def viewer(self) -> int | None:
        """The seat whose view is shown; `None` is a spectator's, and the host's."""
        return self.caller.seat

    def at(self, version: int | None) -> MatchRecord:
        """Return the match as it stood at a version, or stands. Raises `UnknownAddress`."""
        return self.recorded if version is None else self.recorded.at_version(version)

    def writer(self) -> Caller:
        """Return who writes. Raises `Problem` 401 without a token, 403 for one that only reads."""
        if self.caller.role is None:
            raise Problem(
                401, "writing needs a token: send Authorization: Bearer TOKEN", headers=ASK
            )
        if not self.caller.may_write:
            raise Problem(403, "this token lets you read; ask the host for a seat's")
        return self.caller

    def host(self, what: str) -> Caller:
        """Return the host. Raises `Problem` 401 without a token, 403 for anybody else's."""
        if self.writer().role != capability_tokens.HOST:
            raise Problem(403, f"only the host may {what}")
        return self.caller


TheVisit = NamedDependency[Visit]
"""The match named in the path and who asks for it, once it is sure that he may read it."""


def visit(request: AnyRequest, match: FromPath[str]) -> Visit:
    """Find the match of a request, by its whole id: over HTTP ids are not abbreviated.

    Raises `UnknownMatch`, and `Problem` 401 for a token that opens nothing here and for a private
    match without one.
    """
    book = book_of(request)
    recorded = find_match(book, match)
    caller = caller_of(request, book, recorded)
    if caller.role is None and visibility.visibility_of(book, recorded) == visibility.PRIVATE:
        raise Problem(401, "this match is private: it needs an invitation", headers=ASK)
    return Visit(recorded, caller)


def book_of(request: AnyRequest) -> Book:
    """Return the book of the application: what `TheBook` is, for where every millisecond counts.

    The framework starts a group of tasks for each request that several things are injected into.
    """
    book: Book = request.app.state.book
    return book


def settings_of(request: AnyRequest) -> Settings:
    """Return the settings of the application, as `book_of` does."""
    settings: Settings = request.app.state.settings
    return settings


def find_match(book: Book, match: str) -> MatchRecord:
    """Return a match by its whole id. Raises `UnknownMatch`, also for one in the trash."""
    recorded = book.open(match)
    if recorded.id != match or recorded.stream.trashed:
        raise UnknownMatch(match)
    return recorded


def caller_of(request: AnyRequest, book: Book, recorded: MatchRecord) -> Caller:
    """Return who asks about a match. Raises `Problem` 401 for a token that opens nothing there."""
    header = request.headers.get("authorization")
    if header is None:
        return _by_cookie(request, book, recorded)
    scheme, _, token = header.partition(" ")
    found = (
        capability_tokens.role_of(book, recorded, token.strip())
        if scheme.lower() == "bearer"
        else None
    )
    if found is None:
        raise Problem(
            401,
            "this token opens nothing here; send Authorization: Bearer TOKEN of this match",
            headers=ASK,
        )
    return Caller(*found)


def _by_cookie(request: AnyRequest, book: Book, recorded: MatchRecord) -> Caller:
    """Return who the cookie of a page speaks for; a revoked one is a spectator's.

    That of the match a variation analyses speaks for the variation too.
    """
    opened = (
        capability_tokens.role_of(book, recorded, token) for token in _sent(request, book, recorded)
    )
    found = min(filter(None, opened), key=lambda role: STRENGTH.index(role[0]), default=None)
    if found is None:
        return Caller()
    if request.method not in ("GET", "HEAD") and not _same_origin(request):
        raise Problem(403, "a page of another site may not write here")
    return Caller(*found)


def token_names(request: AnyRequest, book: Book, recorded: MatchRecord) -> frozenset[str]:
    """Return the names of the keys that a page bears for a match; some may open nothing."""
    return frozenset(map(capability_tokens.token_name, _sent(request, book, recorded)))


def _sent(request: AnyRequest, book: Book, recorded: MatchRecord) -> tuple[str, ...]:
    match = visibility.analysed_match(book, recorded.stream)
    cookies = (request.cookies.get(COOKIE + each, "") for each in (recorded.id, match.public_id))
    return tuple(token for cookie in cookies for token in tokens_in(cookie))


def tokens_in(cookie: str) -> list[str]:
    """Return the tokens in the value of a cookie, the newest of each role first."""
    return list(filter(None, cookie.split(BETWEEN, TOKENS)[:TOKENS]))


def cookie_with(request: AnyRequest, book: Book, recorded: MatchRecord, token: str) -> str:
    """Return the value of a browser's cookie for a match with one more token that opens it.

    The strongest come first, and tokens that open nothing any more are left out.
    """
    before = tokens_in(request.cookies.get(COOKIE + recorded.id, ""))
    found = {each: capability_tokens.role_of(book, recorded, each) for each in (token, *before)}
    strength = {each: STRENGTH.index(role[0]) for each, role in found.items() if role}
    return BETWEEN.join(sorted(strength, key=lambda each: strength[each])[:TOKENS])


def check_origin(request: AnyRequest) -> None:
    """Refuse what a page of another site sends, where no token is asked for. Raises `Problem` 403.

    A form or a plain text reaches us from any page without the browser asking first. Browsers
    name the origin of such a request; programs name none.
    """
    foreign = "origin" in request.headers and not _same_origin(request)
    if foreign or request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise Problem(403, "a page of another site may not write here")


def _same_origin(request: AnyRequest) -> bool:
    """Tell whether a page of ours sent this. Browsers name the origin of whatever writes."""
    origin = request.headers.get("origin", "")
    return urlsplit(origin).netloc == request.headers.get("host", "") != ""


def find_game(slug: str) -> Game[Any]:
    """Return a game by its slug. Raises `Problem` 404."""
    try:
        return registry.find(slug)
    except Usage as error:
        raise Problem(404, str(error)) from None


def invitation_link(request: AnyRequest, match: str, token: str) -> str:
    """Return the address that gives a browser a token, as this caller reaches the service."""
    return f"{str(request.base_url).rstrip('/')}/join/{match}/{token}"
