"""The service in one event loop, so tests read streams while they send requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
from litestar import Litestar

from replay.book import Book
from replay.store.sql.store import Store
from service.app import create_app
from service.settings import Settings
from service.telemetry import open_telemetry
from tests.service.conftest import OpenedMatch
from tests.service.stores import empty_store
from tests.waiting import PATIENCE


class StreamEvent(NamedTuple):
    event: str
    id: int | None
    data: Any


class Listener:
    """A client of a stream: an ASGI connection that takes chunks only on request."""

    def __init__(self, app: Litestar, url: str, headers: dict[str, str]) -> None:
        path, _, query = url.partition("?")
        sent = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": sent,
            "client": ("192.0.2.7", 1234),
            "server": ("testserver", 80),
            "state": {},
        }
        self._messages: asyncio.Queue[Any] = asyncio.Queue(maxsize=1)
        self._left = asyncio.Event()
        self._asked = False
        self._text = ""
        self.status = 0
        self.headers: dict[str, str] = {}
        self.task = asyncio.ensure_future(app(scope, self._receive, self._messages.put))  # type: ignore[arg-type]

    async def start(self) -> Listener:
        message = await asyncio.wait_for(self._messages.get(), PATIENCE)
        self.status = message["status"]
        self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        return self

    async def piece(self, end: str = "\n\n") -> str | None:
        """Return the next piece of the stream, up to an empty line; `None` at its end."""
        while end not in self._text:
            message = await asyncio.wait_for(self._messages.get(), PATIENCE)
            self._text += message["body"].decode()
            if not message.get("more_body"):
                return None
        piece, _, self._text = self._text.partition(end)
        return piece

    async def next(self) -> StreamEvent | None:
        """Return the next event without comments; `None` at the end."""
        async with asyncio.timeout(PATIENCE):  # heartbeats go on for ever
            while (piece := await self.piece()) is not None:
                fields = dict(line.split(": ", 1) for line in piece.splitlines())
                if "event" in fields:
                    number = int(fields["id"]) if "id" in fields else None
                    return StreamEvent(fields["event"], number, json.loads(fields["data"]))
            return None

    async def leave(self) -> None:
        self._left.set()
        await asyncio.wait_for(self.task, PATIENCE)

    async def _receive(self) -> Any:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}


class LiveService:
    """An application in this event loop, with short ways to open, play and listen."""

    def __init__(self, store: Store, app: Litestar, client: httpx.AsyncClient) -> None:
        self.store = store
        self.app = app
        self.client = client
        self.book = app.state.live.book
        self.feed = app.state.live.feed
        self.listeners: list[Listener] = []

    async def open(self, game: str = "poptrix", **body: Any) -> OpenedMatch:
        return OpenedMatch.of(await self.client.post("/matches", json={"game": game, **body}))

    async def play(self, match: str, who: dict[str, str], *tokens: str) -> httpx.Response:
        events = [{"text": token} for token in tokens]
        url = f"/matches/{match}/events"
        answer = await self.client.post(url, json={"events": events}, headers=who)
        assert answer.status_code == 200, answer.text
        return answer

    async def listen(self, url: str, headers: dict[str, str] | None = None) -> Listener:
        listener = Listener(self.app, url, headers or {})
        self.listeners.append(listener)
        return await listener.start()


@asynccontextmanager
async def live_service(store: Store | None = None, **settings: Any) -> AsyncIterator[LiveService]:
    """Run the service over a store, by default a temporary one."""
    kept = store or empty_store()
    chosen = Settings(**settings)
    app = create_app(Book(kept), chosen, open_telemetry(chosen))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://house") as c:
        opened = LiveService(kept, app, c)
        yield opened
        for listener in opened.listeners:
            await listener.leave()
    if store is None:
        kept.close()


@asynccontextmanager
async def live_match(
    game: str = "poptrix", **settings: Any
) -> AsyncIterator[tuple[LiveService, str, dict[str, str], dict[str, dict[str, str]]]]:
    """Run the service with a match; give its id, and the headers of its host and its seats."""
    async with live_service(**settings) as at:
        yield at, *await at.open(game)
