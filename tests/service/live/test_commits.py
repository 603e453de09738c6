"""An awaited write gets its own result, and does not wait for others."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from concurrent.futures import Future
from typing import Any

import pytest

from service.live.feed import Commits
from tests.waiting import PATIENCE


async def test_each_write_gets_its_own_result():
    commits = Commits()
    writes = [Future[int]() for _ in range(100)]

    def store() -> None:
        for number, write in enumerate(writes):
            if number % 7:
                write.set_result(number)
            else:
                write.set_exception(KeyError(number))

    waiting = [commits.wait(write) for write in writes]
    threading.Thread(target=store).start()
    async with asyncio.timeout(PATIENCE):
        results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [repr(each) for each in results] == [
        str(number) if number % 7 else repr(KeyError(number)) for number in range(100)
    ]


async def test_finished_write_is_returned():
    write = Future[int]()
    write.set_result(5)
    assert await asyncio.wait_for(Commits().wait(write), PATIENCE) == 5


async def test_writes_done_at_one_moment_are_answered():
    class Slow(deque[Any]):
        """Between an addition and its end another thread may add something too."""

        def append(self, item: Any) -> None:
            super().append(item)
            time.sleep(0.05)

    commits = Commits()
    commits._done = Slow()
    writes = [Future[int]() for _ in range(2)]
    waiting = [commits.wait(write) for write in writes]
    for write in writes:
        threading.Thread(target=write.set_result, args=(1,)).start()
    assert await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE) == [1, 1]


async def test_cancelled_waiter_does_not_delay_others():
    commits = Commits()
    left, stays = Future[int](), Future[int]()
    gone, waits = commits.wait(left), commits.wait(stays)
    gone.cancel()
    threading.Thread(target=lambda: (left.set_result(1), stays.set_result(2))).start()
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert await asyncio.wait_for(waits, PATIENCE) == 2
