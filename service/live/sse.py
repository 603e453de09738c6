"""Server-sent events: their format, and a streaming answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import Any, Final

import msgspec
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

EVENT_STREAM: Final = "text/event-stream"
HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
RETRY: Final = b"retry: 2000\n\n"
"""Milliseconds after which a browser reconnects."""

BEAT: Final = b": still here\n\n"

STALLED: Final = 60.0
"""Seconds after which a client that reads nothing is disconnected."""

Chunks = AsyncGenerator[bytes, None]


def message(event: str, data: Any, version: int | None = None) -> bytes:
    """Format an event with its data as JSON; `version` is the id to resume from."""
    head = f"id: {version}\n" if version is not None else ""
    # JSON has no raw line breaks, so the data is one line.
    return f"{head}event: {event}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"


class EventStream(ASGIResponse):
    """An answer of server-sent events. It pulls from `chunks` only as fast as the client reads.

    `done` is called when it has ended, for any reason, `failed` with an internal error.
    """

    _should_set_content_length = False

    def __init__(
        self, chunks: Chunks, done: Callable[[], None], failed: Callable[[Exception], None]
    ) -> None:
        super().__init__(media_type=EVENT_STREAM, headers=HEADERS)
        self._chunks = chunks
        self._done = done
        self._failed = failed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer, and call `done` at its end."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._done()

    async def send_body(self, send: Send, receive: Receive) -> None:
        """Send chunks until they end or the client disconnects."""
        sending = asyncio.create_task(self._send(send))
        gone = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait({sending, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, gone):
                task.cancel()
            await asyncio.gather(sending, gone, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        with suppress(TimeoutError, OSError):  # the client reads nothing
            try:
                await self._pass_on(send)
            except (TimeoutError, OSError):
                raise
            except Exception as error:
                self._failed(error)
            await _send(send, b"", more=False)

    async def _pass_on(self, send: Send) -> None:
        async with aclosing(self._chunks):
            async for chunk in self._chunks:
                async with asyncio.timeout(STALLED):
                    await _send(send, chunk, more=True)


async def _send(send: Send, body: bytes, more: bool) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
