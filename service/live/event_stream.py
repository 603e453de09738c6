"""A stream of events as an answer: its formats, server-sent events and NDJSON, and its end.

A stream of changes ends when the rights of its caller change.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Any, Final, Literal, TypeVar

import msgspec
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send
from msgspec import Struct
from msgspec.structs import replace

from replay.book import Book
from replay.errors import AnotherHistory, StoreError
from service.http.book_reads import read_book
from service.live.feed import Feed, Follower

EVENT_STREAM: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
HEADERS: Final = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}
"""Headers that keep proxies from storing, compressing and buffering a stream."""

RETRY_INTERVALS: Final = range(1000, 3000)
"""Milliseconds after which the client of a broken stream may reconnect."""

STALL_TIMEOUT: Final = 60.0
"""Seconds after which a client that reads nothing is disconnected."""

Chunks = AsyncGenerator[bytes, None]


class Heartbeat(Struct, frozen=True, tag="heartbeat", tag_field="event"):
    """A line of an NDJSON stream without news: the stream is alive."""

    id: Literal[None] = None
    """Null: the stream resumes from the last number."""
    data: Literal[None] = None
    """Null: nothing has happened."""


class Closing(Struct, frozen=True):
    """The server stops; the client can resume the stream after a restart, or at another server.

    `retry` is the wait in milliseconds. The pause differs between streams, so that the followers do
    not all return at once.
    """

    retry: int
    """Milliseconds after which to reconnect; they differ from stream to stream."""


class StreamFormat(Struct, frozen=True):
    """The format of a stream: how it writes an event, a heartbeat, and the time to reconnect."""

    media_type: str
    message: Callable[[str, Any, int | None], bytes]
    """Formats an event with its data as JSON; the last argument is the id to resume from."""
    beat: bytes
    retry_line: str = ""
    pause: int = min(RETRY_INTERVALS)
    """Milliseconds after which a client that lost the stream may reconnect."""

    @property
    def retry(self) -> bytes:
        """The line `retry:` of an event, with the pause before a client reconnects."""
        return self.retry_line.format(self.pause).encode()

    @property
    def closing(self) -> bytes:
        """The last event of a stream that ends because the server stops."""
        return self.retry + self.message("closing", Closing(self.pause), None)


def _sse_message(event: str, data: Any, version: int | None) -> bytes:
    head = f"id: {version}\n" if version is not None else ""
    # JSON has no raw line breaks, so the data is one line.
    return f"{head}event: {event}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"


def _json_line(event: str, data: Any, version: int | None) -> bytes:
    return msgspec.json.encode({"event": event, "id": version, "data": data}) + b"\n"


SSE: Final = StreamFormat(EVENT_STREAM, _sse_message, b": still here\n\n", "retry: {}\n")
"""Server-sent events. A browser reconnects after `retry` milliseconds.

The `retry` line is part of the first event, because some clients read a separate line as an empty
event.
"""

JSON_LINES: Final = StreamFormat(NDJSON, _json_line, msgspec.json.encode(Heartbeat()) + b"\n")
"""One JSON object a line."""


def stream_format(accept: str) -> StreamFormat:
    """Return the format that an `Accept` header asks for, with a pause for one stream.

    Server-sent events are the default.
    """
    return replace(JSON_LINES if NDJSON in accept else SSE, pause=random.choice(RETRY_INTERVALS))


class EventStream(ASGIResponse):
    """An answer that streams events. It pulls from `chunks` only as fast as the client reads.

    `done` is called when it has ended, for any reason, `failed` with an internal error.
    """

    _should_set_content_length = False

    def __init__(
        self,
        form: StreamFormat,
        chunks: Chunks,
        done: Callable[[], None],
        failed: Callable[[Exception], None],
    ) -> None:
        super().__init__(media_type=form.media_type, headers=HEADERS)
        self._form = form
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
                if isinstance(error, StoreError):
                    await _send(send, self._form.closing, more=True)
            await _send(send, b"", more=False)

    async def _pass_on(self, send: Send) -> None:
        retry = self._form.retry
        async with aclosing(self._chunks):
            async for chunk in self._chunks:
                if retry and chunk != self._form.beat:
                    chunk, retry = retry + chunk.removeprefix(retry), b""
                async with asyncio.timeout(STALL_TIMEOUT):
                    await _send(send, chunk, more=True)


async def _send(send: Send, body: bytes, more: bool) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


T = TypeVar("T")

Read = Callable[[], Awaitable[tuple[bytes, bool]]]
"""Reads the next messages, and whether there are more now. Raises `AnotherHistory`."""


async def follow_changes(
    book: Book,
    feed: Feed,
    form: StreamFormat,
    heartbeat: float,
    caller: Callable[[], T],
    begin: Callable[[Follower, T], Awaitable[Read]],
) -> Chunks:
    """Yield messages as changes are stored, until the result of `caller` changes.

    `begin` gets the follower and the caller, and returns the function that reads the messages.
    """
    async with feed.following() as follower:
        first = await read_book(book, caller)
        read = await begin(follower, first)
        yield form.beat  # from here on no change is missed
        while not follower.ended:
            if await read_book(book, caller) != first:
                return
            try:
                sent, more = await read()
            except AnotherHistory:  # the client gets 410 when it comes back
                return
            if sent:
                yield sent
            if not more and not await follower.wait(heartbeat):
                yield form.beat
    yield form.closing
