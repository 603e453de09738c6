"""Time-outs and a limit for waiting connections.

A connection waits until a whole request has arrived. A connection that sends nothing, or a request
byte by byte, is closed after a time-out. When there are too many, the longest-waiting connection of
the address with the most is closed. So half-open connections cannot starve others.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, ClassVar, Final

import msgspec
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from service.http.limits import network
from service.http.problems import PROBLEM
from service.settings import Settings

OPENED: Final = "opened"
HEADER: Final = "header"
BODY: Final = "body"
IDLE: Final = "idle"
"""The stage a connection waits for: first byte, rest of a header or body, or next request."""

STALLED: Final = 60.0
"""Seconds after which a client that reads nothing is disconnected."""

FULL: Final = "too many connections are open; come back later"


class Bounded(asyncio.Protocol):
    """Time-outs for a connection of uvicorn, over httptools or h11.

    It relies only on what both have: `transport`, `client`, `cycle`, `loop` and
    `on_response_complete`.
    """

    register: ClassVar[Register]
    transport: Any
    client: tuple[str, int] | None
    cycle: Any
    loop: asyncio.AbstractEventLoop

    _waits_for: tuple[str | None, object] = (None, None)
    _waiting: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start waiting, unless there is no room."""
        super().connection_made(transport)
        if self.register.enter(self):
            self._wait_for(OPENED)
        else:
            self._refuse(503, FULL)

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

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it has already arrived."""
        super().on_response_complete()  # type: ignore[misc]  # of uvicorn's protocol
        self._look(IDLE)

    def pause_writing(self) -> None:
        """Start the time-out of a client that reads nothing."""
        super().pause_writing()
        self._stalled = self.loop.call_later(STALLED, self.transport.abort)

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
        if what == OPENED or (what == BODY and self.cycle.response_started):
            self.close_waiting()
        else:
            self._refuse(408, f"the {what} of the request did not come within {seconds:g} seconds")

    def _refuse(self, status: int, detail: str) -> None:
        """Answer a problem without the application, and close."""
        phrase = HTTPStatus(status).phrase
        body = msgspec.json.encode({"title": phrase, "status": status, "detail": detail})
        head = (
            f"HTTP/1.1 {status} {phrase}\r\nContent-Type: {PROBLEM}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\nRetry-After: 60\r\n\r\n"
        )
        if not self.transport.get_write_buffer_size():
            self.transport.write(head.encode() + body)
        self.close_waiting()


class Register:
    """The connections of a server, and those that are waiting."""

    def __init__(self, settings: Settings) -> None:
        self.seconds = {
            OPENED: settings.header_timeout,
            HEADER: settings.header_timeout,
            BODY: settings.body_timeout,
            IDLE: 0.0,  # uvicorn's own time-out
        }
        self._most = settings.connections
        self._open: set[Bounded] = set()
        # By address, the longest-waiting first.
        self._waiting: dict[bytes, dict[Bounded, None]] = {}

    def enter(self, connection: Bounded) -> bool:
        """Register a new connection if there is room or a waiting connection can be closed."""
        if self._most and len(self._open) >= self._most and not self._make_room():
            return False
        self._open.add(connection)
        return True

    def leave(self, connection: Bounded) -> None:
        """Unregister a connection."""
        self._open.discard(connection)
        self.answer(connection)

    def wait(self, connection: Bounded) -> None:
        """Mark a connection as waiting."""
        self.answer(connection)
        self._waiting.setdefault(connection.address, {})[connection] = None

    def answer(self, connection: Bounded) -> None:
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


def bounded(settings: Settings) -> type[Bounded]:
    """Return the connection class of one server."""
    return type("BoundedHTTP", (Bounded, AutoHTTPProtocol), {"register": Register(settings)})
