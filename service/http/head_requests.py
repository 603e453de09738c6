"""The application: requests at its prefix with valid headers, and HEAD wherever GET is answered.

HEAD gets the same status and headers without a body (RFC 9110 §9.3.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from litestar import Litestar
from litestar.types import (
    ASGIApp,
    HTTPDisconnectEvent,
    HTTPResponseBodyEvent,
    Message,
    Receive,
    Send,
)

from service.http.addresses import place
from service.http.host_names import checked_host
from service.http.problems import Problem, bare_answer

Headers = Iterable[tuple[bytes, bytes]]

ASKED: Final = "plybook-asked"
"""The scope key for the original method."""

END: Final[HTTPResponseBodyEvent] = {"type": "http.response.body", "body": b"", "more_body": False}
GONE: Final[HTTPDisconnectEvent] = {"type": "http.disconnect"}


class Service(Litestar):
    """An application that knows its prefix, and answers HEAD on every GET route, errors included.

    Middleware cannot do it: a path without a route for the method is answered before middleware
    runs. For the same reason wrappers go around the application.
    """

    _wrapped: ASGIApp | None = None

    def wrap(self, wrapper: Callable[[ASGIApp], ASGIApp]) -> None:
        """Put a wrapper around the application; it sees HEAD as GET."""
        self._wrapped = wrapper(self._wrapped or self._answer)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request or a lifespan event."""
        if scope["type"] == "http":
            scope = place(scope, self.state.live.prefix)
        if scope.get("method") == "HEAD":
            head = _Head(receive, send)
            receive, send = head.receive, head.send
            scope = {**scope, "method": "GET", ASKED: "HEAD"}
        await (self._wrapped or self._answer)(scope, receive, send)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            try:
                names, host = self.state.live.host_names, checked_host(scope["headers"])
                if not names.has(host, scope["server"]):
                    await names.check(host, scope)
            except Problem as problem:
                refusal = bare_answer(problem.status, problem.detail, **problem.facts)
                await refusal(scope, receive, send)
                return
        await super().__call__(scope, receive, send)


def name_head(headers: Headers) -> Headers:
    """Add HEAD after GET to the `Allow` header."""
    return [(name, _with_head(name, value)) for name, value in headers]


def _with_head(name: bytes, value: bytes) -> bytes:
    if name.lower() == b"allow" and b"GET" in value.split(b", "):
        return value + b", HEAD"
    return value


class _Head:
    """A connection that drops the body: a stream sees it as disconnected."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._over = False

    async def receive(self) -> Any:
        return GONE if self._over else await self._receive()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self._send(message)
            await self._send(END)
            self._over = True
