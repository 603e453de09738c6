"""The feed reads metadata of the matches that have changed, and of all when it must."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, closing

import pytest

from replay.book import Book
from replay.errors import StoreError
from replay.store import temporary_store
from service.live import feed
from service.live.feed import Feed
from tests.replay.store.streams import append, match
from tests.waiting import wait_until


async def test_metadata_of_changed_matches_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "METADATA_INTERVAL", 0.0)
    monkeypatch.setattr(feed, "SHARE", 0.0)
    read: list[int] = []
    with closing(temporary_store()) as store:
        streams = [match(store, 1) for _ in range(3)]
        followed = Feed(Book(store), read.append)
        followed.open()
        async with AsyncExitStack() as following:
            for stream in streams:
                await following.enter_async_context(followed.following(stream.id))
            append(store, streams[0])
            await wait_until(lambda: len(read) == 6)  # the first look is at all
            append(store, streams[1])
            await wait_until(lambda: len(read) == 7)
            assert read[6] == streams[1].id
            store.add_key(streams[2].id, bytes(32), "host", None).result()  # it ends the epoch
            append(store, streams[0])
            await wait_until(lambda: len(read) >= 10)
            assert set(read[7:]) == {stream.id for stream in streams}


async def test_all_metadata_are_read_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "METADATA_INTERVAL", 0.0)
    monkeypatch.setattr(feed, "ALL_METADATA_INTERVAL", 0.1)
    read: list[int] = []
    with closing(temporary_store()) as store:
        streams = [match(store, 1) for _ in range(2)]
        followed = Feed(Book(store), read.append)
        followed.open()
        async with AsyncExitStack() as following:
            for stream in streams:
                await following.enter_async_context(followed.following(stream.id))
            append(store, streams[0])
            await wait_until(lambda: len(read) == 4)
            append(store, streams[0])
            await wait_until(lambda: len(read) == 7)
            await asyncio.sleep(0.2)
            assert read[4] == streams[0].id
            assert set(read[5:]) == {stream.id for stream in streams}
            assert len(read) == 7


async def test_metadata_are_read_again_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "METADATA_INTERVAL", 0.0)
    monkeypatch.setattr(feed, "ALL_METADATA_INTERVAL", 100.0)
    failing: list[StoreError] = []

    def read(stream: int) -> int:
        if failing:
            raise failing.pop()
        return len(changed)

    changed: list[int] = []
    with closing(temporary_store()) as store:
        stream = match(store, 1)
        followed = Feed(Book(store), read)
        followed.open()
        async with followed.following(stream.id) as follower:
            failing.append(StoreError("it is locked"))
            changed.append(stream.id)
            append(store, stream)
            await wait_until(lambda: follower.metadata_changes == 1)
