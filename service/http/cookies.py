"""The cookies of pages, the tokens that a browser has for a match, and the pages that may use them.

A browser collects the tokens of the links opened in it. Scripts cannot read these cookies. Only
pages of this service may write with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final
from urllib.parse import urlsplit

from litestar import Request
from litestar.datastructures import Cookie

from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.record.match_creation import MATCH_ID
from replay.record.match_record import MatchRecord
from replay.referee.evenings import LINK
from service.http.addresses import prefix
from service.http.problems import Problem

COOKIE: Final = "plybook-"
"""The prefix of our cookie names; the match id follows it."""

COOKIE_LIFETIME: Final = 365 * 24 * 60 * 60
"""Seconds for which a browser keeps a cookie."""

BETWEEN: Final = "."
"""The separator between tokens in a cookie."""

MAX_TOKENS: Final = 8
"""The most tokens in one cookie."""

MAX_MATCHES: Final = 50
"""The most matches whose tokens are looked up for a list."""

FOREIGN: Final = "foreign-page"
"""The code of the problem that a page of another site tried to write."""

STRENGTH: Final = (capability_tokens.HOST, capability_tokens.SEAT, capability_tokens.VIEWER)
"""Roles, the strongest first."""


ACCOUNT: Final = "account"
"""The part of an account's cookie name after the prefix; no match has this id."""


def account_token(request: Request[Any, Any, Any]) -> str:
    """Return the token of an account in a browser's cookies, or an empty text."""
    return request.cookies.get(COOKIE + ACCOUNT, "")


def token_cookie(request: Request[Any, Any, Any], match: str, tokens: str) -> Cookie:
    """Return the cookie that keeps the tokens of a match, or of an `ACCOUNT`, in a browser.

    An empty text deletes the cookie.
    """
    return Cookie(
        COOKIE + match,
        value=tokens,
        max_age=COOKIE_LIFETIME if tokens else 0,
        path=prefix() or "/",
        httponly=True,
        samesite="lax",  # "strict" cookies are not sent after following a link from a message
        secure=request.url.scheme == "https",
    )


def expired_cookies(match: str) -> list[Cookie]:
    """Return the cookies that delete the tokens of a match from a browser."""
    paths = {"/", prefix() or "/"}
    return [Cookie(COOKIE + match, path, "", 0, httponly=True, samesite="lax") for path in paths]


def tokens_sent(
    request: Request[Any, Any, Any], book: Book, record: MatchRecord
) -> tuple[str, ...]:
    """Return the tokens in a page's cookies for a match, its analysed match, and evenings."""
    match = visibility.analysed_match(book, record.stream)
    borne = list(cookie_tokens(request))
    matches = (record.id, match.public_id)
    own = tuple(token for each in matches for token in _of_match(borne, each))
    return own + links_sent(request)


def cookie_tokens(request: Request[Any, Any, Any]) -> Iterator[tuple[str, str]]:
    """Yield the matches and the tokens in a browser's cookies, the strongest of a match first.

    A match may have a cookie of a page under a prefix, and another of a page at the root.
    """
    for part in request.headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        match = name.removeprefix(COOKIE)
        if match != name and MATCH_ID.fullmatch(match):
            tokens = value.split(BETWEEN, MAX_TOKENS)[:MAX_TOKENS]
            yield from ((match, token) for token in tokens if token)


def had_link(request: Request[Any, Any, Any], name: str) -> bool:
    """Return whether a browser has a token of a match or an evening, even a revoked one."""
    return any(name == each for each, _ in cookie_tokens(request))


def newest_tokens(request: Request[Any, Any, Any]) -> set[tuple[str, str]]:
    """Return the matches and tokens of a browser's newest cookies, which come last."""
    sent: dict[str, list[str]] = {}
    for match, token in cookie_tokens(request):
        sent.setdefault(match, []).append(token)
    newest = [*sent.items()][-MAX_MATCHES:]
    return {(match, token) for match, tokens in newest for token in tokens[:MAX_TOKENS]}


def links_sent(request: Request[Any, Any, Any]) -> tuple[str, ...]:
    """Return the tokens of evenings in a page's cookies, each of which opens many matches."""
    links = (token for _, token in cookie_tokens(request) if token.startswith(LINK))
    return tuple(islice(links, MAX_TOKENS))


def _of_match(borne: Iterable[tuple[str, str]], match: str) -> list[str]:
    return [token for its, token in borne if its == match][:MAX_TOKENS]


def cookie_with(
    request: Request[Any, Any, Any], book: Book, record: MatchRecord, token: str
) -> str:
    """Return a cookie value for a match with one more token.

    The strongest tokens come first; tokens that are no longer valid are dropped.
    """
    before = _of_match(cookie_tokens(request), record.id)
    found = {each: capability_tokens.role_of(book, record, each) for each in (token, *before)}
    return _strongest_first(found)


def carried_cookie(
    request: Request[Any, Any, Any], book: Book, before: MatchRecord, after: MatchRecord
) -> str:
    """Return a cookie value for a match with the tokens that a page has for another match."""
    both = (*tokens_sent(request, book, before), *_of_match(cookie_tokens(request), after.id))
    found = {each: capability_tokens.role_of(book, after, each) for each in both}
    return _strongest_first(found)


def _strongest_first(found: Mapping[str, tuple[str, int | None] | None]) -> str:
    strength = {each: STRENGTH.index(role[0]) for each, role in found.items() if role}
    return BETWEEN.join(sorted(strength, key=lambda each: strength[each])[:MAX_TOKENS])


def check_origin(request: Request[Any, Any, Any]) -> None:
    """Refuse cross-site requests that carry no token. Raises `Problem` 403.

    Any page can send a form or plain text without a preflight request. Browsers send the origin of
    such a request; programs send none.
    """
    foreign = "origin" in request.headers and not same_origin(request)
    if foreign or request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        raise foreign_page(request)


def foreign_page(request: Request[Any, Any, Any]) -> Problem:
    """Return the refusal of a page whose `Origin` is not ours, by its name or its port.

    If the browser says that both sites are the same, or says nothing, a proxy may have replaced
    `Host`.
    """
    origin, host = (request.headers.get(name, "")[:100] for name in ("origin", "host"))
    proxy = f"the proxy sends Host {host!r} for pages of {origin!r}; make it pass Host unchanged"
    match request.headers.get("sec-fetch-site"):
        case "same-origin":
            return Problem(403, proxy, FOREIGN)
        case None if urlsplit(origin).netloc:
            words = "a page of another site may not write here; if it is of this site, "
            return Problem(403, words + proxy, FOREIGN)
        case _:
            return Problem(403, "a page of another site may not write here", FOREIGN)


def same_origin(request: Request[Any, Any, Any]) -> bool:
    """Return whether one of our pages sent the request. Browsers send `Origin` with every write."""
    names = request.app.state.live.host_names
    return bool(names.is_own_page(request.headers.get("origin", ""), request.scope))
