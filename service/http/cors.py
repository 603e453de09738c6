"""Cross-origin requests (https://fetch.spec.whatwg.org/#http-cors-protocol) of pages with a token.

This is *safer* than the configuration of Litestar, which answers other sites without asking for a
token (`tests/service/http/test_cors.py`).

A page of another site may use the API with a token, never with cookies. Without a valid token it
reads nothing, because the page may run in a browser that reaches a server on a private network.
"""

from __future__ import annotations

from typing import Any, Final

from litestar import Request, Response

from replay.book import Book
from replay.errors import PlybookError
from service.http.access import opens_something
from service.http.book_reads import read_book

AUTHORIZATION: Final = b"authorization"
ORIGIN: Final = b"origin"
BEARER: Final = b"bearer "

ALLOWED: Final = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID,"
    " Traceparent, X-Request-Id"
)
"""The request headers for which browsers need permission."""

EXPOSED: Final = b"ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id"

MAX_AGE: Final = "7200"
"""Seconds for which a browser remembers the permission: the maximum of Chromium."""

HEADERS: Final = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", EXPOSED),
)


def allow_headers(request: Request[Any, Any, Any], answer: Response[None]) -> Response[None]:
    """Allow pages of any origin to send a token, if the OPTIONS request asks for it."""
    asked = request.headers.get("access-control-request-headers", "").lower()
    if "authorization" in map(str.strip, asked.split(",")):
        answer.headers |= {
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Methods": answer.headers["Allow"],
            "Access-Control-Allow-Headers": ALLOWED,
            "Access-Control-Max-Age": MAX_AGE,
        }
    return answer


async def cross_origin_headers(
    book: Book, scope: Any, status: int
) -> tuple[tuple[bytes, bytes], ...]:
    """Return the headers that let a page of any origin read the answer to a request with a token.

    Pages may read any error. They may not read the answer to a request whose token opens nothing,
    because several routes answer it like a request without a token.
    """
    sent, from_page = b"", False
    for name, value in scope["headers"]:
        if name == AUTHORIZATION:
            sent = value
        elif name == ORIGIN:
            from_page = True
    if sent[: len(BEARER)].lower() != BEARER:
        return ()
    if status >= 400 or not from_page:
        return HEADERS
    token = sent[len(BEARER) :].strip().decode("latin-1")
    return HEADERS if await read_book(book, lambda: _opens(book, token)) else ()


def _opens(book: Book, token: str) -> bool:
    try:
        return opens_something(book, token)
    except PlybookError:
        return False
