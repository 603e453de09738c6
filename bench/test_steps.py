"""A move late in a match takes as many steps as an early one."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from bench.calls import ROOMS, SETTLING, Follower
from replay.book import Book
from replay.referee.entering import play
from replay.store import open_store
from service.app import create_app

EARLY, LATE = 10, 1000
MAX_GROWTH = 1.05
"""The steps are the same, but for some work in the background now and then."""
TRIES = 4
TOKEN = "1:M@c1"
MOVE = {"events": [{"text": TOKEN}]}
UNJUDGED = {"game": "poptrix", "unjudged": True}


class Steps:
    """Counts the instructions that the project's own functions execute, in every thread."""

    def __init__(self) -> None:
        self.count = 0
        self.on = False

    def __call__(self, frame: Any, event: str, argument: Any) -> Any:
        """Begin to count in a function, as `sys.settrace` wants it."""
        if not (self.on and frame.f_code.co_filename.startswith(ROOMS)):
            return None
        frame.f_trace_opcodes = True
        return self._step

    def _step(self, frame: Any, event: str, argument: Any) -> Any:
        self.count += event == "opcode" and self.on
        return self._step


def steps_of_move(after: int, followed: bool) -> int:
    """Return the steps of the quietest of several moves: work in the background only adds some."""
    steps = Steps()
    threading.settrace(steps)
    try:
        return min(asyncio.run(_counted(steps, after, followed)))
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]  # that ends it, as documented


async def _counted(steps: Steps, after: int, followed: bool) -> list[int]:
    """Return the steps of some moves after a ply of an unjudged match: each does the same."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "book.db")
        book = Book(store)
        app = create_app(book)
        transport = httpx.ASGITransport(app=app)
        client = httpx.AsyncClient(transport=transport, base_url="http://plybook")
        try:
            async with app.lifespan(), client:
                made = (await client.post("/matches", json=UNJUDGED)).json()
                await asyncio.to_thread(play, book, book.open(made["match"]), [TOKEN] * (after - 1))
                client.headers["Authorization"] = f"Bearer {made['tokens']['host']}"
                follower = Follower(app, made["match"]) if followed else None
                return await _moved(steps, client, f"/matches/{made['match']}/events", follower)
        finally:
            store.close()


async def _moved(
    steps: Steps, client: httpx.AsyncClient, path: str, follower: Follower | None
) -> list[int]:
    """Return the steps of several moves."""
    if follower is not None:
        await follower.start()
    found = []
    for _ in range(TRIES):
        await asyncio.sleep(SETTLING)
        steps.count, steps.on = 0, True
        sys.settrace(steps)
        (await client.post(path, json=MOVE)).raise_for_status()
        if follower is not None:
            await follower.next()
        sys.settrace(None)
        steps.on = False
        found.append(steps.count)
    if follower is not None:
        await follower.stop()
    return found


@pytest.mark.parametrize("followed", [False, True], ids=["alone", "followed"])
def test_late_move_takes_few_more_steps_than_early(followed):
    assert steps_of_move(LATE, followed) <= MAX_GROWTH * steps_of_move(EARLY, followed)
