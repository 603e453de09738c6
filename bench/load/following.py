"""Many open streams while moves are made."""

from __future__ import annotations

import asyncio
import itertools
import resource
import tempfile
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Final

import msgspec

from bench.load import servers
from bench.load.matches import Opened, open_all, plans
from bench.load.servers import HOST, Refused, Server
from bench.row import Figure, Row, Sample
from tests.waiting import PATIENCE

MATCHES: Final = 50
"""The number of followed matches."""
MOVERS: Final = 4
"""The number of connections that make the moves, each in its own matches."""
FILES: Final = 4096
"""The limit of open files that the processes need."""

Seen = dict[tuple[str, int], list[float]]
"""The times at which followers received an event, by path and version."""


@dataclass(frozen=True)
class Following(Row):
    """Streams of the service are open while four connections make moves; the time from sending
    a move until a follower has its event. A move that does not reach a follower is an error.
    """

    streams: int = 1000
    seconds: int = 5

    @property
    def figures(self) -> Sequence[Figure]:
        followed = f"from a move to its followers, {self.streams:,} streams"
        return (
            Figure(f"moves, {self.streams:,} open streams", "/s"),
            Figure(f"{followed}, median", "ms"),
            Figure(f"{followed}, 99 %", "ms"),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, most), most))
        with (
            tempfile.TemporaryDirectory() as folder,
            servers.plybook(Path(folder, "book.db")) as server,
        ):
            matches = list(itertools.islice(plans(), MATCHES))
            yield lambda: asyncio.run(self._measure(server, open_all(server, matches)))

    async def _measure(self, server: Server, opened: Sequence[Opened]) -> Sequence[float]:
        seen: Seen = defaultdict(list)
        ready = asyncio.Semaphore(0)
        watched = list(itertools.islice(itertools.cycle(opened), self.streams))
        followers = [asyncio.create_task(_follow(server, m.path, seen, ready)) for m in watched]
        for _ in followers:
            await asyncio.wait_for(ready.acquire(), PATIENCE)
        start = perf_counter()
        end = start + self.seconds
        movers = [_move(server, opened[number::MOVERS], end) for number in range(MOVERS)]
        made = {each: at for part in await asyncio.gather(*movers) for each, at in part.items()}
        took = perf_counter() - start
        await _all_told(seen, made, Counter(match.path for match in watched))
        for follower in followers:
            follower.cancel()
        await asyncio.gather(*followers, return_exceptions=True)
        delays = [at - made[each] for each, times in seen.items() if each in made for at in times]
        steps = quantiles(delays, n=100)
        return len(made) / took, steps[49] * 1000, steps[98] * 1000


class Connection:
    """A connection of HTTP/1.1 that is kept open."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    @asynccontextmanager
    async def open(cls, server: Server) -> AsyncIterator[Connection]:
        """Connect, retrying for a while."""
        reader, writer = await asyncio.open_connection(HOST, server.port)
        try:
            yield cls(reader, writer)
        finally:
            writer.close()

    async def send(self, request: str, headers: Sequence[str] = (), body: bytes = b"") -> bytes:
        """Send a request and return the head of the answer. Raises `Refused` if it is not 200."""
        lines = (f"{request} HTTP/1.1", f"Host: {HOST}", f"Content-Length: {len(body)}", *headers)
        self.writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        head = await self.reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.partition(b"\r\n")[0]:
            raise Refused(f"{request}: {head.decode()[:200]}")
        return head

    async def enter(self, match: Opened, ply: int) -> None:
        """Enter a move of a match. Raises `Refused` if the match was at another ply."""
        headers = ("Content-Type: application/json", f"Authorization: Bearer {match.token}")
        head = await self.send(f"POST {match.path}", headers, match.body(ply))
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n") if b": " in line)
        answer = await self.reader.readexactly(int(fields[b"content-length"]))
        version = msgspec.json.decode(answer)["version"]
        if version != ply + 1:
            raise Refused(f"{match.path} is at version {version} after move {ply + 1}")


async def _follow(server: Server, path: str, seen: Seen, ready: asyncio.Semaphore) -> None:
    """Note the time of each event until the measurement ends."""
    async with Connection.open(server) as connection:
        await connection.send(f"GET {path.replace('events', 'stream')}?after=0")
        ready.release()
        while line := await connection.reader.readline():
            if line.startswith(b"id: "):
                seen[path, int(line[4:])].append(perf_counter())


async def _move(
    server: Server, matches: Sequence[Opened], end: float
) -> dict[tuple[str, int], float]:
    """Play matches move by move in turn, and return when each move was sent."""
    made: dict[tuple[str, int], float] = {}
    longest = max(len(match.moves) for match in matches)
    async with Connection.open(server) as connection:
        for ply, match in itertools.product(range(longest), matches):
            if perf_counter() > end:
                break
            if ply < len(match.moves):
                made[match.path, ply + 1] = perf_counter()
                await connection.enter(match, ply)
    return made


async def _all_told(
    seen: Seen, made: dict[tuple[str, int], float], followers: Counter[str]
) -> None:
    """Wait until every follower had every move. Raises `Refused` if one is left out."""
    end = perf_counter() + PATIENCE
    while missing := sum(len(seen[each]) < followers[each[0]] for each in made):
        if perf_counter() > end:
            raise Refused(f"{missing} moves of {len(made)} did not come to all who follow them")
        await asyncio.sleep(0.05)
