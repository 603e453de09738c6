"""Calls of the project's own functions over HTTP for a move, a fork, an annotation, and a page."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

import httpx

from bench.row import Figure, Row, Sample
from replay.book import Book
from replay.store import open_store
from service.app import create_app
from tests.paths import ROOT
from tests.waiting import PATIENCE

ROOMS: Final = tuple(str(ROOT / room) for room in ("domain", "replay", "service", "cli"))

SETTLING: Final = 0.05
"""Seconds for the writer's thread to finish its work after an answer."""

TRIES: Final = 12

SETUP: Final = ("M@c1", "S@c6")

WRITES: Final[dict[str, tuple[str, dict[str, Any] | None]]] = {
    "move": ("events", {"events": [{"text": "c1>L@c3"}]}),
    "fork": ("forks", {"ply": 1}),
    "annotation": ("annotations", {"ply": 1, "comment": "a comment"}),
    "page": ("", None),
}
"""The path and the body of each write; the page of a match has no body."""

FIRST: Final[dict[str, tuple[str, dict[str, Any] | None]]] = {
    "fork": WRITES["fork"],
    "annotation": ("annotations", {"ply": 1, "comment": "another comment"}),
    "page": WRITES["page"],
}
"""A write of the same kind before the counted one: it fills caches, as the moves of `SETUP` do."""

Calls = Counter[str]
"""The number of calls of each function, by file and name."""

Post = Callable[[str, dict[str, Any] | None], Awaitable[None]]
"""Posts a body to a path of a match, or gets its page."""


@dataclass(frozen=True)
class Calling(Row):
    """Calls of functions in `domain`, `replay`, `service` and `cli` for one write over ASGI: a move
    without followers of the match and with one, a fork, and an annotation; and for the host's page.
    """

    rounds: ClassVar[int] = 1

    @property
    def figures(self) -> Sequence[Figure]:
        return (
            Figure("calls for a move over HTTP", "", at_most=185),
            Figure("calls for a move over HTTP with a follower", "", at_most=322),
            Figure("calls for a fork over HTTP", "", at_most=334),
            Figure("calls for an annotation over HTTP", "", at_most=246),
            Figure("calls for the page of a match", "", at_most=2_600),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        writes = ("move", False), ("move", True), *((each, False) for each in list(WRITES)[1:])
        yield lambda: [fewest(*counted).total() for counted in writes]


class Recorder:
    """Counts the calls of the project's own functions, in every thread."""

    def __init__(self) -> None:
        self.calls: Calls = Counter()
        self.on = False

    def __call__(self, frame: Any, event: str, argument: Any) -> None:
        """Count a call, as `sys.setprofile` reports it."""
        code = frame.f_code
        own = code.co_filename.startswith(ROOMS) and code.co_filename.endswith(".py")
        if self.on and event == "call" and own:  # a template is not a function
            self.calls[f"{code.co_filename[len(str(ROOT)) + 1 :]}:{code.co_qualname}"] += 1


def fewest(write: str, followed: bool = False) -> Calls:
    """Return the fewest calls of several writes, as work in the background can only add calls."""
    return min((asyncio.run(count(write, followed)) for _ in range(TRIES)), key=Calls.total)


async def count(write: str, followed: bool = False) -> Calls:
    """Return the calls for a write, with or without one follower of the match."""
    recorder = Recorder()
    threading.setprofile(recorder)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "book.db")
        app = create_app(Book(store))
        try:
            async with (
                app.lifespan(),
                httpx.AsyncClient(
                    transport=httpx.ASGITransport(app=app), base_url="http://plybook"
                ) as client,
            ):
                match, post = await opened(client)
                follower = Follower(app, match) if followed else None
                if follower is not None:
                    await follower.start()
                for token in SETUP:
                    await post("events", {"events": [{"text": token}]})
                    if follower is not None:
                        await follower.next()
                if write in FIRST:
                    await post(*FIRST[write])
                await asyncio.sleep(SETTLING)
                recorder.on = True
                sys.setprofile(recorder)  # not before, as it slows the start of the service
                await post(*WRITES[write])
                if follower is not None:
                    await follower.next()
                await asyncio.sleep(SETTLING)  # the writer's thread may be slower than the answer
                recorder.on = False
                if follower is not None:
                    await follower.stop()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            store.close()
    return recorder.calls


async def opened(client: httpx.AsyncClient) -> tuple[str, Post]:
    """Open a match, and return its id and a function that posts to a path of it as the host."""
    match = (await client.post("/matches", json={"game": "poptrix"})).json()
    headers = {"Authorization": f"Bearer {match['tokens']['host']}"}

    async def post(path: str, body: dict[str, Any] | None) -> None:
        if body is None:
            answer = await client.get(f"/m/{match['match']}", headers=headers)
        else:
            url = f"/matches/{match['match']}/{path}"
            answer = await client.post(url, json=body, headers=headers)
        answer.raise_for_status()

    return match["match"], post


class Follower:
    """A follower of a match's stream, over ASGI: `httpx` would wait for its end."""

    def __init__(self, app: Any, match: str) -> None:
        self._app = app
        self._path = f"/matches/{match}/stream"
        self._sent: asyncio.Queue[bytes] = asyncio.Queue()
        self._left = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Open the stream, and wait for the state of the match."""
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "path": self._path,
            "raw_path": self._path.encode(),
            "query_string": b"",
            "root_path": "",
            "scheme": "http",
            "headers": [(b"host", b"plybook")],
            "client": ("127.0.0.1", 1),
            "server": ("plybook", 80),
        }
        self._task = asyncio.create_task(self._app(scope, self._receive, self._send))
        await self._until(b"event: standing")

    async def next(self) -> None:
        """Wait for the next event of the log."""
        await self._until(b"event: logged")

    async def stop(self) -> None:
        """Close the stream."""
        self._left.set()
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _until(self, mark: bytes) -> None:
        async with asyncio.timeout(PATIENCE):
            while mark not in await self._sent.get():
                pass

    async def _receive(self) -> dict[str, Any]:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        await self._sent.put(message.get("body", b""))
