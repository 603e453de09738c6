"""One stream of an account with many seats, while moves are made."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Final

import msgspec

from bench.load import servers
from bench.load.following import Connection
from bench.load.matches import Opened, Plan, open_all
from bench.load.servers import Server
from bench.row import Figure, Row, Sample
from replay.access import accounts
from replay.book_file import open_book
from replay.referee.account_seats import invite_account
from tests.waiting import PATIENCE

RATE: Final = 10
"""Moves per second."""
PLAN: Final = Plan({"game": "poptrix"}, ("M@c1",))
"""A match whose first move gives the turn to seat 2, that of the account."""


@dataclass(frozen=True)
class FollowingAccount(Row):
    """An account has a seat in each of many matches, and follows them in one stream, while 10
    moves a second are made in them; the time from sending a move until its turn is told.
    """

    seats: int = 1000
    seconds: int = 10

    @property
    def figures(self) -> Sequence[Figure]:
        told = f"from a move to the turn in an account's stream, {self.seats:,} seats"
        return (Figure(f"{told}, median", "ms"), Figure(f"{told}, 99 %", "ms", at_most=1000))

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "book.db")
            with servers.plybook(file) as server, open_book(file) as book:
                token = accounts.add(book, "bot")
                matches = open_all(server, [PLAN] * self.seats)
                for each in matches:
                    record = book.open(each.path.split("/")[2])
                    invite_account(book, record, "bot", "seat", 2)
                fresh = iter(matches)
                yield lambda: asyncio.run(self._measure(server, token, fresh))

    async def _measure(
        self, server: Server, token: str, matches: Iterator[Opened]
    ) -> Sequence[float]:
        made, told = dict[str, float](), dict[str, float]()
        ready = asyncio.Event()
        follower = asyncio.create_task(_follow(server, token, told, ready))
        await asyncio.wait_for(ready.wait(), PATIENCE)
        begun = perf_counter()
        async with Connection.open(server) as connection:
            for number in range(self.seconds * RATE):
                await asyncio.sleep(begun + number / RATE - perf_counter())
                match = next(matches)
                made[match.path] = perf_counter()
                await connection.enter(match, 0)
        async with asyncio.timeout(PATIENCE):
            while made.keys() - told.keys():
                await asyncio.sleep(0.05)
        follower.cancel()
        await asyncio.gather(follower, return_exceptions=True)
        steps = quantiles([told[each] - at for each, at in made.items()], n=100)
        return steps[49] * 1000, steps[98] * 1000


async def _follow(server: Server, token: str, told: dict[str, float], ready: asyncio.Event) -> None:
    """Note the time of each turn, by the path of its match's events."""
    async with Connection.open(server) as connection:
        await connection.send("GET /account/stream", (f"Authorization: Bearer {token}",))
        ready.set()
        while line := await connection.reader.readline():
            if line.startswith(b"data: {"):
                news = msgspec.json.decode(line[6:])
                told[f"/matches/{news['match']}/events"] = perf_counter()
