"""A match of a server, as the player of a seat follows it and enters moves over HTTP."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import httpx
import msgspec
from msgspec import Struct

from domain.position import Awaited
from replay.errors import PlybookError, StoreError, Usage

TIMEOUT: Final = 60.0
"""Seconds without a byte after which a connection counts as broken; a stream has heartbeats."""
MAX_SILENCE: Final = 600.0
"""Seconds after which a server that does not answer is given up."""
PAUSE: Final = 1.0
"""Seconds before another try, unless the server says otherwise."""
AGAIN: Final = (429, 503)
STALE: Final = 412


class Entry(Struct, frozen=True):
    """An event of the line; without a token it is hidden."""

    seat: int | None
    token: str | None
    note: str


class News(Struct, frozen=True):
    """A version of the log: `kept` plies of the line before stay, then comes `line`."""

    version: int
    kept: int
    line: tuple[Entry, ...]
    awaiting: tuple[Awaited, ...]
    outcome: dict[str, Any] | None


class You(Struct, frozen=True):
    """The role of the caller."""

    seat: int | None


class Standing(Struct, frozen=True):
    """The state of a match."""

    rules: str
    seats: int
    options: dict[str, Any]
    version: int
    quiet: bool
    awaiting: tuple[Awaited, ...]
    outcome: dict[str, Any] | None
    you: You


class Secrets(Struct, frozen=True):
    """Secret moves of a kind."""

    sample: tuple[str, ...]


class Legal(Struct, frozen=True):
    """The legal moves at a version, by seat."""

    version: int
    legal: dict[str, tuple[str, ...]]
    secret: dict[str, tuple[Secrets, ...]] = {}


class Fault(Struct, frozen=True):
    """A problem of a request."""

    detail: str
    clause: str = ""


class RefusedThere(PlybookError):
    """The server refused an event or a request."""


class RemoteMatch:
    """A match of a server, and the token of one of its seats."""

    def __init__(self, url: str, match: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        try:
            self._client = httpx.Client(base_url=url, headers=headers, timeout=TIMEOUT)
        except (httpx.InvalidURL, ValueError) as error:
            example = "use one like http://localhost:8000"
            raise Usage(f"{url!r} is not a valid address; {example}") from error
        self._path = f"/matches/{match}"

    def __enter__(self) -> RemoteMatch:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close()

    def standing(self) -> Standing:
        """Return the state of the match. Raises `RefusedThere`, or `Usage` without a seat."""
        try:
            answer = self._client.get(self._path)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise StoreError(f"{self._client.base_url} does not answer: {error}") from None
        standing = msgspec.json.decode(_checked(answer).content, type=Standing)
        if standing.you.seat is None:
            raise Usage("this token has no seat; use the token in a player's invitation")
        return standing

    def legal(self, seat: int) -> Legal:
        """Return the legal moves of the seat."""
        answer = self._ask("GET", f"/legal?all=true&seat={seat}")
        return msgspec.json.decode(_checked(answer).content, type=Legal)

    def enter(self, token: str, expected: int) -> None:
        """Enter a token, once, unless the match is no longer at the expected version.

        Raises `RefusedThere`.
        """
        body = {"events": [{"token": token}], "expected": expected}
        key = {"Idempotency-Key": str(uuid.uuid4())}
        answer = self._ask("POST", "/events", json=body, headers=key)
        if answer.status_code != STALE:
            _checked(answer, f"{token} is refused: ")

    def follow(self, after: int) -> Iterator[News]:
        """Yield what happens after a version, resuming each broken stream.

        Raises `RefusedThere` if the match may no longer be read.
        """
        waiting = Patience()
        while True:
            with suppress(httpx.HTTPError):
                for news in self._stream(after, waiting):
                    after = news.version
                    yield news
                    waiting.restart()
            waiting.pause()

    def _stream(self, after: int, waiting: Patience) -> Iterator[News]:
        """Yield what happens after a version, until the stream ends."""
        resume = {"Last-Event-ID": str(after)}
        with self._client.stream("GET", f"{self._path}/stream", headers=resume) as stream:
            if stream.is_error:
                stream.read()
            if stream.status_code in AGAIN:
                return
            _checked(stream)
            waiting.restart()
            for line in stream.iter_lines():
                name, _, text = line.partition(": ")
                if name == "retry":
                    waiting.seconds = int(text) / 1000
                elif name == "data" and '"kept":' in text:
                    yield msgspec.json.decode(text, type=News)

    def _ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request, again and again until it is answered. Raises `StoreError`."""
        waiting = Patience()
        while True:
            with suppress(httpx.HTTPError):
                answer = self._client.request(method, self._path + path, **options)
                if answer.status_code not in AGAIN:
                    return answer
                waiting.seconds = float(answer.headers.get("Retry-After", PAUSE))
            waiting.pause()


class Patience:
    """Waits for a server between tries, `seconds` each time, and gives up after a while."""

    def __init__(self) -> None:
        self.seconds = PAUSE
        self.restart()

    def restart(self) -> None:
        """Begin anew, as the server has answered."""
        self._since = time.monotonic()

    def pause(self) -> None:
        """Wait. Raises `StoreError` if the server has not answered for too long."""
        if time.monotonic() > self._since + MAX_SILENCE:
            raise StoreError(f"the server has not answered for {MAX_SILENCE:.0f} seconds")
        time.sleep(self.seconds)


def _checked(answer: httpx.Response, what: str = "") -> httpx.Response:
    """Return an answer. Raises `RefusedThere` with the problem."""
    if answer.is_error:
        try:
            fault = msgspec.json.decode(answer.content, type=Fault)
        except msgspec.DecodeError:
            fault = Fault(f"the server answered {answer.status_code}")
        clause = f" ({fault.clause})" if fault.clause else ""
        raise RefusedThere(f"{what}{fault.detail}{clause}")
    return answer
