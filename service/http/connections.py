"""Connections: their time-outs and limits, and the answers of a server that stops.

This is *safer* than the time-out of uvicorn, which ends only a connection that is idle after an
answer (`tests/service/http/test_connection_timeouts.py`).

A connection waits until a whole request has arrived. A connection that sends nothing, or a request
byte by byte, is closed after a time-out. When there are too many, the longest-waiting connection of
the address with the most is closed. So half-open connections cannot starve others.

A header over the limit is answered with 431 before the rest of it is parsed. Behind a trusted
proxy, the prefix of the service comes from a header.
"""

from __future__ import annotations

import asyncio
import sys
from http import HTTPStatus
from typing import Any, ClassVar, Final

import msgspec
from litestar.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.http.h11_impl import H11Protocol

from replay.errors import Usage
from service.http.addresses import checked_prefix
from service.http.limits import MAX_HEADERS, network
from service.http.problems import PROBLEM, bare_answer, members
from service.settings import Settings

OPENED: Final = "opened"
HEADER: Final = "header"
BODY: Final = "body"
IDLE: Final = "idle"
"""The stage a connection waits for: first byte, rest of a header or body, or next request."""

STALL_TIMEOUT: Final = 60.0
"""Seconds after which a client that reads nothing is disconnected."""

FULL: Final = "too many connections are open; come back later"
LATER: Final = "Retry-After: 60\r\n"

TOO_LARGE: Final = 431
"""The status for a header that is too long, or for too many headers."""

MALFORMED: Final = "the request is not valid HTTP/1.1"


class TimeoutProtocol(asyncio.Protocol):
    """Time-outs for a connection of uvicorn, over httptools or h11.

    It relies only on attributes that both have: `transport`, `client`, `cycle`, `loop` and
    `on_response_complete`.
    """

    register: ClassVar[ConnectionRegistry]
    transport: Any
    client: tuple[str, int] | None
    cycle: Any
    loop: asyncio.AbstractEventLoop

    _waits_for: tuple[str | None, object] = (None, None)
    _waiting: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Register the connection and wait for a request, or answer 503."""
        super().connection_made(transport)
        if self.register.enter(self):
            self._wait_for(OPENED)
        else:
            self._refuse(503, FULL, LATER)

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister the connection."""
        self.register.leave(self)
        for timer in filter(None, (self._waiting, self._stalled)):
            timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the received bytes and update the stage."""
        super().data_received(data)
        self._look(HEADER)

    def send_400_response(self, msg: str) -> None:
        """Answer a request that cannot be parsed with the status that the parser suggests."""
        status = getattr(sys.exception(), "error_status_hint", 400)
        self._refuse(status, self.register.too_large if status == TOO_LARGE else MALFORMED)

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it has already arrived."""
        super().on_response_complete()  # type: ignore[misc]  # of uvicorn's protocol
        self._look(IDLE)

    def pause_writing(self) -> None:
        """Start the time-out of a connection whose client reads nothing."""
        super().pause_writing()
        self._stalled = self.loop.call_later(STALL_TIMEOUT, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel that time-out."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()

    @property
    def address(self) -> bytes:
        """The network of the client."""
        return network(self.client[0]) if self.client else b""

    def close_waiting(self) -> None:
        """Close a waiting connection."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def _look(self, between: str) -> None:
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            self._wait_for(between)
        else:
            self._wait_for(BODY if cycle.more_body else None)

    def _wait_for(self, what: str | None) -> None:
        """Start the time-out of a new stage; a running time-out is not extended."""
        if (what, self.cycle) == self._waits_for:
            return
        self._waits_for = what, self.cycle
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        if what is None:
            self.register.answer(self)
            return
        self.register.wait(self)
        seconds = self.register.seconds[what]
        if seconds:
            self._waiting = self.loop.call_later(seconds, self._time_out, what, seconds)

    def _time_out(self, what: str, seconds: float) -> None:
        if what == OPENED:
            self.close_waiting()
        else:
            words = f"the {what} of the request did not come within {seconds:g} seconds"
            self._refuse(408, words, LATER)

    @property
    def _answering(self) -> bool:
        """Whether an answer has begun that is not complete."""
        return bool(self.cycle and self.cycle.response_started and not self.cycle.response_complete)

    def _refuse(self, status: int, detail: str, headers: str = "") -> None:
        """Answer a problem without the application, unless an answer has begun, and close."""
        if self.transport.is_closing():
            return
        phrase = HTTPStatus(status).phrase
        body = msgspec.json.encode(members(status, detail))
        head = (
            f"HTTP/1.1 {status} {phrase}\r\nContent-Type: {PROBLEM}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n{headers}\r\n"
        )
        if not (self._answering or self.transport.get_write_buffer_size()):
            self.transport.write(head.encode() + body)
        self.close_waiting()


class TooManyHeaders(Exception):
    """Raised to stop the parser in a request that was refused."""


class BoundedHeader(TimeoutProtocol):
    """A connection over httptools, which does not limit headers, as h11 does.

    A client may send `longest_header` bytes until a header ends or a part of a body arrives. This
    limits addresses, headers, trailers and chunk extensions.
    """

    headers: list[tuple[bytes, bytes]]
    scope: dict[str, Any]
    _unfinished = 0

    def data_received(self, data: bytes) -> None:
        """Parse what the connection received, and no more of a header than its limit."""
        while data and not self.transport.is_closing():
            room = self.register.longest_header - self._unfinished
            if room <= 0:
                self._refuse(TOO_LARGE, self.register.too_large)
                return
            part, data = data[:room], data[room:]
            self._unfinished += len(part)
            super().data_received(part)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header of the request. Raises `TooManyHeaders`."""
        if len(self.headers) >= MAX_HEADERS:
            self._refuse(TOO_LARGE, self.register.too_large)
            raise TooManyHeaders
        super().on_header(name, value)  # type: ignore[misc]  # of uvicorn's protocol

    def on_headers_complete(self) -> None:
        """Begin the request. Its scope has a copy, to which the parser adds no trailers."""
        super().on_headers_complete()  # type: ignore[misc]
        self.scope["headers"] = [*self.headers]
        self._unfinished = 0

    def on_body(self, body: bytes) -> None:
        """Add a part of the request's body."""
        super().on_body(body)  # type: ignore[misc]
        self._unfinished = 0

    def on_message_complete(self) -> None:
        """End the request."""
        super().on_message_complete()  # type: ignore[misc]
        self._unfinished = 0


class ConnectionRegistry:
    """The connections of a server; it knows which of them wait for a request."""

    def __init__(self, settings: Settings) -> None:
        self.seconds = {
            OPENED: settings.header_timeout,
            HEADER: settings.header_timeout,
            BODY: settings.body_timeout,
            IDLE: 0.0,  # uvicorn's own time-out
        }
        self.longest_header = settings.longest_header or sys.maxsize
        size = f" of {self.longest_header} bytes in all" if settings.longest_header else ""
        self.too_large = f"the header is too large; send at most {MAX_HEADERS} fields{size}"
        self._most = settings.connections
        self._open: set[TimeoutProtocol] = set()
        # By address, the longest-waiting first.
        self._waiting: dict[bytes, dict[TimeoutProtocol, None]] = {}

    def enter(self, connection: TimeoutProtocol) -> bool:
        """Register a new connection if there is room or a waiting connection can be closed."""
        if self._most and len(self._open) >= self._most and not self._make_room():
            return False
        self._open.add(connection)
        return True

    def leave(self, connection: TimeoutProtocol) -> None:
        """Unregister a connection."""
        self._open.discard(connection)
        self.answer(connection)

    def wait(self, connection: TimeoutProtocol) -> None:
        """Mark a connection as waiting."""
        self.answer(connection)
        self._waiting.setdefault(connection.address, {})[connection] = None

    def answer(self, connection: TimeoutProtocol) -> None:
        """Mark a connection as no longer waiting."""
        alike = self._waiting.get(connection.address, {})
        alike.pop(connection, None)
        if not alike:
            self._waiting.pop(connection.address, None)

    def _make_room(self) -> bool:
        if not self._waiting:
            return False
        most = max(self._waiting, key=lambda address: len(self._waiting[address]))
        longest = next(iter(self._waiting[most]))
        self.leave(longest)
        longest.close_waiting()
        return True


def connection_options(settings: Settings, protocol: type = AutoHTTPProtocol) -> dict[str, Any]:
    """Return the options of uvicorn for the connections of one server."""
    register = ConnectionRegistry(settings)
    bounded = TimeoutProtocol if issubclass(protocol, H11Protocol) else BoundedHeader
    return {
        "http": type("BoundedHTTP", (bounded, protocol), {"register": register}),
        "h11_max_incomplete_event_size": register.longest_header,
        "timeout_keep_alive": settings.keep_alive,
    }


GIVEN_UP: Final = "the server stops before it can answer; send the request again, with the same id"
SOON: Final = "1"
"""Seconds for `Retry-After`: another server may answer, or this server after its restart."""


class Stopping:
    """An application whose requests may be cancelled, as uvicorn does when it stops."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request or a lifespan event."""
        begun = False

        async def answer(message: Any) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, answer)
        except asyncio.CancelledError:
            if begun or scope["type"] != "http":
                raise
            given_up = bare_answer(503, GIVEN_UP, {"Retry-After": SOON})
            await given_up(scope, receive, send)


FORWARDED_HEADER: Final = "X-Forwarded-Prefix"
FORWARDED_PREFIX: Final = FORWARDED_HEADER.lower().encode()


class ForwardedPrefix(ProxyHeadersMiddleware):
    """Take caller, scheme and prefix of a request from the headers of a trusted proxy."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request or a lifespan event."""
        client = scope.get("client")
        if scope["type"] == "http" and (client[0] if client else None) in self.trusted_hosts:
            told = dict(scope["headers"]).get(FORWARDED_PREFIX, b"").decode("latin-1")
            try:
                scope["root_path"] = checked_prefix(told)
            except Usage as error:
                wrong = bare_answer(400, f"{FORWARDED_HEADER}: {error}", path=FORWARDED_HEADER)
                await wrong(scope, receive, send)
                return
        await super().__call__(scope, receive, send)
