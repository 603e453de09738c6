"""A stream of messages about the feed of changes, for a caller whose rights may end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from replay.book import Book
from replay.errors import AnotherHistory
from service.http.book_reads import read_book
from service.live.event_stream import Chunks, StreamFormat
from service.live.feed import Feed, Follower

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
    """Yield messages as changes are stored, until `caller` returns anything else than at first.

    `begin` gets the follower and the caller, and returns the function that reads the messages.
    """
    async with feed.following() as follower:
        first = await read_book(book, caller)
        read = await begin(follower, first)
        yield form.beat  # from here on nothing is missed
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
