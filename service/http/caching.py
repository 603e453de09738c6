"""Caching by browsers and proxies: `Cache-Control`, `ETag` and `If-None-Match` (RFC 9110).

This is *safer* than handlers that set an `ETag`: every `GET` that may be cached gets one, made of
what this caller may see (`tests/service/http/test_caching.py`).
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final

import msgspec
from litestar.response.base import ASGIResponse
from litestar.types import Message, Receive, Scope, Send

from replay.record.match_record import MatchRecord
from service.http.access import MatchAccess

FOR_EVER: Final = "max-age=31536000, immutable"

ASK_AGAIN: Final = {"Cache-Control": "no-cache", "Vary": "Authorization, Cookie"}
"""Headers of an answer that depends on the caller and changes over time."""

ENCODE: Final = msgspec.json.Encoder().encode

ANSWER_HEADERS: Final = [
    (b"content-type", b"application/json"),
    *((name.lower().encode(), value.encode()) for name, value in ASK_AGAIN.items()),
]
"""The headers of each `JSONAnswer`."""

HOUR: Final = {"Cache-Control": "public, max-age=3600"}
"""Headers of an answer that changes only with the software's version."""

NO_STORE: Final = {"Cache-Control": "no-store"}
"""Headers of an answer that contains a secret, or is true only now."""

TAG: Final = re.compile(r'(?:W/)?"([^"]*)"')
"""An entity tag; the group is the part that a weak comparison compares."""

LENGTH: Final = b"content-length"
OF_THE_BODY: Final = frozenset((LENGTH, b"content-type"))
"""Headers that an answer without a body lacks."""


class JSONAnswer(ASGIResponse):
    """JSON about the current match; its version is the ETag.

    Litestar's `Response` takes longer than the referee takes for a move.
    """

    def __init__(self, body: Any, version: int | None = None) -> None:
        self.status_code = 200
        self.body = ENCODE(body)
        self._etag = [] if version is None else [(b"etag", b'"%d"' % version)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer."""
        length = (b"content-length", b"%d" % len(self.body))
        headers = [*ANSWER_HEADERS, length, *self._etag]
        await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def address_headers(visit: MatchAccess, then: MatchRecord, ply: int) -> dict[str, str]:
    """Return the headers for a view at an address, which never changes.

    Sealed moves look different to each viewer, and views opened by a token are private.
    """
    if then.match.at(ply).position.sealed:
        return ASK_AGAIN
    keeper = "public" if visit.caller.role is None else "private"
    return {"Cache-Control": f"{keeper}, {FOR_EVER}", "Vary": "Authorization, Cookie"}


def encoding_header(message: Any) -> tuple[tuple[bytes, bytes], ...]:
    """Return the `Vary` of an answer that may be stored and that other clients get compressed."""
    headers = dict(message["headers"])
    stored = b"no-store" not in headers.get(b"cache-control", b"no-store")
    told = any(name == b"vary" and b"ncoding" in value for name, value in message["headers"])
    return ((b"vary", b"Accept-Encoding"),) if stored and not told else ()


def is_known(tag: str, sent: str) -> bool:
    """Return whether a cached answer's `If-None-Match` header has a tag, by weak comparison."""
    return sent.strip() == "*" or TAG.findall(tag)[0] in TAG.findall(sent)


class Revalidation:
    """An answer to GET that gets an `ETag` if it may be kept; its head waits for the body.

    The tag is `W/"DIGEST"` of the body, or `W/"VERSION.DIGEST"` if the handler gives the version of
    the match as its tag. A request that has the tag in `If-None-Match` gets a 304. Tags are weak,
    because the same body may be sent compressed. A handler may give a weak tag of its own.
    """

    def __init__(self, scope: Any, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._start: Any = None

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start" and _may_be_kept(message):
            self._start = message
            return
        start, self._start = self._start, None
        if start is None:
            await self._send(message)
            return
        body: Any = message
        if not body.get("more_body"):
            start, body = self._checked(start, body)
        await self._send(start)
        await self._send(body)

    def _checked(self, start: Any, body: Any) -> tuple[Any, Any]:
        """Return both parts of a whole answer with its tag, without a body if the client has it."""
        headers = dict(start["headers"])
        tag = _tag(headers.get(b"etag", b"").decode("latin-1"), body["body"])
        others = [each for each in start["headers"] if each[0] != b"etag"]
        tagged = [*others, (b"etag", tag.encode("latin-1"))]
        asked = dict(self._scope["headers"]).get(b"if-none-match", b"")
        if not is_known(tag, asked.decode("latin-1")):
            return start | {"headers": tagged}, body
        kept = [each for each in tagged if each[0] not in OF_THE_BODY]
        return start | {"status": 304, "headers": kept}, body | {"body": b""}


def _may_be_kept(start: Any) -> bool:
    """Return whether a whole answer follows that may be kept; a stream has no length."""
    headers = dict(start["headers"])
    kept = headers.get(b"cache-control", b"no-store")
    return start["status"] == 200 and LENGTH in headers and b"no-store" not in kept


def _tag(given: str, body: bytes) -> str:
    """Return the tag of a body, after the version if the handler has given it."""
    if given.startswith("W/"):
        return given
    digest = hashlib.blake2b(body, digest_size=8).hexdigest()
    return f'W/"{".".join([*TAG.findall(given), digest])}"'
