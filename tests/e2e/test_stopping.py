"""A server that stops while many write and follow: streams say so, and the process ends."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable
from contextlib import closing
from itertools import cycle
from typing import Any, NamedTuple

import httpx

from replay.book import Book
from replay.store import open_store
from tests.e2e.living import Living, plybook
from tests.waiting import PATIENCE

WRITERS = 32
STREAMS = 200
"""Seconds for anything here, on a busy machine."""

UNLIMITED = tuple(
    f"--{limit}=0" for limit in ("requests-per-minute", "matches-per-hour", "streams-per-address")
)
FORMS = ("text/event-stream", "application/x-ndjson")


class Heard(NamedTuple):
    """The text a follower heard until its stream ended, and whether it ended by itself."""

    form: str
    text: str
    whole: bool


class Load:
    """Writers and followers of matches, each with its own connection."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self.answered: dict[str, int] = {}
        """The last version by match that a writer was told."""
        self.refusals: list[str] = []
        self.following = 0

    async def write(self) -> None:
        """Open a match, and enter a move and take it back until the server is gone."""
        opened = (await self._client.post("/matches", json={"game": "poptrix"})).json()
        match, host = opened["match"], {"Authorization": f"Bearer {opened['tokens']['host']}"}
        requests = (("events", {"events": [{"text": "M@c1"}]}), ("takeback", {"ply": 0}))
        for path, body in cycle(requests):
            url = f"/matches/{match}/{path}"
            try:
                answer = await self._client.post(url, json=body, headers=host)
            except httpx.TransportError:
                return
            if answer.status_code != 200:
                self.refusals.append(answer.text)
                return
            self.answered[match] = answer.json()["version"]

    async def follow(self, match: str, form: str) -> Heard:
        text = ""
        url, headers = f"/matches/{match}/stream?after=0", {"Accept": form}
        try:
            async with self._client.stream("GET", url, headers=headers) as answer:
                async for part in answer.aiter_text():
                    self.following += not text
                    text += part
        except httpx.TransportError:
            return Heard(form, text, whole=False)
        return Heard(form, text, whole=True)


async def _stop_under_load(living: Living) -> tuple[Load, list[Heard]]:
    """Send SIGTERM while all write and follow, and return what they heard."""
    limits = httpx.Limits(max_connections=None)
    url = living.client.base_url
    async with (
        asyncio.timeout(PATIENCE),
        httpx.AsyncClient(base_url=url, timeout=PATIENCE, limits=limits) as client,
        asyncio.TaskGroup() as tasks,
    ):
        load = Load(client)
        for _ in range(WRITERS):
            tasks.create_task(load.write())
        while len(load.answered) < WRITERS:
            await asyncio.sleep(0.01)
        matches = list(load.answered)
        followers = [
            tasks.create_task(load.follow(matches[place % WRITERS], FORMS[place // WRITERS % 2]))
            for place in range(STREAMS)
        ]
        while load.following < STREAMS:
            await asyncio.sleep(0.01)
        living.process.send_signal(signal.SIGTERM)
    return load, [each.result() for each in followers]


def _closing(heard: Heard) -> Any:
    """Return the data of the last event, which must be the closing one."""
    if heard.form == FORMS[1]:
        last = json.loads(heard.text.splitlines()[-1])
        assert (last["event"], last["id"]) == ("closing", None)
        return last["data"]
    lines = heard.text.strip().splitlines()[-3:]
    assert lines[1] == "event: closing"
    closing = json.loads(lines[2].removeprefix("data: "))
    assert lines[0] == f"retry: {closing['retry']}"
    return closing


def test_loaded_server_stops_with_retry_hints(start: Callable[..., Living]) -> None:
    living = start(*UNLIMITED)
    load, heard = asyncio.run(_stop_under_load(living))
    assert living.wait() in (0, -signal.SIGTERM)
    assert living.log.read_text() == ""
    assert load.refusals == []
    assert [each for each in heard if not each.whole] == []
    pauses = {_closing(each)["retry"] for each in heard}
    assert len(pauses) > STREAMS / 10, "they do not all come back at the same time"
    assert plybook(living.db, "verify").returncode == 0
    with closing(open_store(living.db)) as store:
        book = Book(store)
        for match, version in load.answered.items():
            assert book.open(match).match.version >= version
