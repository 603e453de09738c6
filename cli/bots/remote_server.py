"""A server over HTTP and a match on it: requests until they are answered, streams that resume."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, Final
from urllib.parse import urlsplit

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
GONE: Final = 410


class Message(Struct, frozen=True):
    """A message of a stream: its event, and its data in JSON."""

    event: str
    data: str


class Fault(Struct, frozen=True):
    """A problem of a request."""

    detail: str
    clause: str = ""
    tries_left: int | None = None

    def __str__(self) -> str:
        return f"{self.detail} ({self.clause})" if self.clause else self.detail


class RefusedThere(PlybookError):
    """The server refused an event or a request."""


class RemoteServer:
    """A server, and the token for requests to it."""

    def __init__(self, url: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        try:
            address = urlsplit(url)
            if address.scheme not in ("http", "https") or not address.hostname:
                raise ValueError("this is no address of a server")
            self._client = httpx.Client(base_url=url, headers=headers, timeout=TIMEOUT)
        except (httpx.InvalidURL, ValueError) as error:
            example = "use one like http://localhost:8000"
            raise Usage(f"{url!r} is not a valid address; {example}") from error

    def __enter__(self) -> RemoteServer:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close()

    def get(self, path: str) -> httpx.Response:
        """Return the answer of a server that answers at once. Raises `RefusedThere`."""
        try:
            return checked(self._client.get(path))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise StoreError(f"{self._client.base_url} does not answer: {error}") from None

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request to the server, again and again until it is answered.

        Raises `StoreError`.
        """
        waiting = Patience()
        while True:
            with suppress(httpx.HTTPError):
                answer = self._client.request(method, path, **options)
                if answer.status_code not in AGAIN:
                    return answer
                waiting.seconds = _retry_after(answer)
            waiting.pause()

    def follow(self, path: str, after: int | None = None) -> Iterator[Message]:
        """Yield the messages of a stream after an id, resuming it each time that it breaks.

        The stream starts over if the server has a different history. Raises `RefusedThere` if it
        may no longer be read.
        """
        waiting, place = Patience(), {} if after is None else {"Last-Event-ID": str(after)}
        while True:
            with suppress(httpx.HTTPError):
                for message in self._stream(path, place, waiting):
                    yield message
                    waiting.restart()
            waiting.pause()

    def _stream(self, path: str, place: dict[str, str], waiting: Patience) -> Iterator[Message]:
        """Yield messages until the stream ends, and note the place after each."""
        with self._client.stream("GET", path, headers=place) as stream:
            if stream.is_error:
                stream.read()
            if stream.status_code == GONE:
                place.clear()
            if stream.status_code in (*AGAIN, GONE):
                return
            checked(stream)
            waiting.restart()
            event, after = "", None
            for line in stream.iter_lines():
                name, _, text = line.partition(": ")
                if name == "retry":
                    waiting.seconds = int(text) / 1000
                elif name == "id":
                    after = text
                elif name == "event":
                    event = text
                elif name == "data":
                    yield Message(event, text)
                    place |= {"Last-Event-ID": after} if after else {}
                    after = None


def _retry_after(answer: httpx.Response) -> float:
    """Return the seconds to wait that `Retry-After` gives as a number or a date (RFC 9110, 10.2.3).

    Any other header counts as missing, and a wait longer than `MAX_SILENCE` counts as
    `MAX_SILENCE`.
    """
    said = answer.headers.get("Retry-After", "")
    try:
        wait = (
            float(said)
            if said.isdecimal()
            else parsedate_to_datetime(said).timestamp() - time.time()
        )
    except ValueError:
        return PAUSE
    return min(max(wait, 0.0), MAX_SILENCE)


class Patience:
    """Waits for a server between tries, `seconds` each time, and gives up after a while."""

    def __init__(self) -> None:
        self.seconds = PAUSE
        self.restart()

    def restart(self) -> None:
        """Reset the waiting time, because the server has answered."""
        self._since = time.monotonic()

    def pause(self) -> None:
        """Wait before the next request to the server.

        Raises `StoreError` if the server has not answered for too long.
        """
        if time.monotonic() > self._since + MAX_SILENCE:
            raise StoreError(f"the server has not answered for {MAX_SILENCE:.0f} seconds")
        time.sleep(self.seconds)


def checked(answer: httpx.Response, what: str = "") -> httpx.Response:
    """Return an answer of the server. Raises `RefusedThere` for a problem."""
    fault = fault_of(answer)
    if fault is not None:
        raise RefusedThere(f"{what}{fault}")
    return answer


def fault_of(answer: httpx.Response) -> Fault | None:
    """Return the problem in a server's answer; `None` if the answer is no problem."""
    if not answer.is_error:
        return None
    try:
        return msgspec.json.decode(answer.content, type=Fault)
    except msgspec.DecodeError:
        return Fault(f"the server answered {answer.status_code}")


STALE: Final = 412
LOGGED: Final = "logged"
"""The message of a stream about an event of the log."""


class HeardMove(Struct, frozen=True):
    """An event of the line; it is hidden if it has no `text`, its move text."""

    seat: int | None
    text: str | None
    note: str


class News(Struct, frozen=True):
    """A version of the log: the first `kept` plies of the line stay, then `line` follows."""

    version: int
    kept: int
    line: tuple[HeardMove, ...]
    awaiting: tuple[Awaited, ...]
    outcome: dict[str, Any] | None


class OwnRole(Struct, frozen=True):
    """The role of the caller."""

    seat: int | None


class Standing(Struct, frozen=True):
    """The state of a match."""

    rules: str
    seats: int
    options: dict[str, Any]
    version: int
    unjudged: bool
    awaiting: tuple[Awaited, ...]
    outcome: dict[str, Any] | None
    you: OwnRole
    start: str | None = None


class Secrets(Struct, frozen=True):
    """Secret moves of one kind."""

    sample: tuple[str, ...]


class Legal(Struct, frozen=True):
    """The legal moves at a version, by seat."""

    version: int
    legal: dict[str, tuple[str, ...]]
    secret: dict[str, tuple[Secrets, ...]] = {}


class RemoteMatch:
    """A match on a server, with a token of a seat in it."""

    def __init__(self, server: RemoteServer, match: str) -> None:
        self._server = server
        self._path = f"/matches/{match}"

    def standing(self) -> Standing:
        """Fetch the state of the match from the server.

        Raises `RefusedThere`, or `Usage` without a seat.
        """
        answer = self._server.get(self._path)
        standing = msgspec.json.decode(answer.content, type=Standing)
        if standing.you.seat is None:
            raise Usage("this token has no seat; use the token in a player's invitation")
        return standing

    def legal(self, seat: int) -> Legal:
        """Fetch the legal moves of the seat from the server."""
        answer = self._server.ask("GET", f"{self._path}/legal?all=true&seat={seat}")
        return msgspec.json.decode(checked(answer).content, type=Legal)

    def enter(self, text: str, expected: int) -> str | None:
        """Enter a move text, once, unless the match is no longer at the expected version.

        Return the refusal if the match counts it as a try. Raises `RefusedThere` for any other
        refusal.
        """
        body = {"events": [{"text": text}], "expected": expected}
        key = {"Idempotency-Key": str(uuid.uuid4())}
        answer = self._server.ask("POST", f"{self._path}/events", json=body, headers=key)
        fault = None if answer.status_code == STALE else fault_of(answer)
        if fault is not None and fault.tries_left is None:
            raise RefusedThere(f"{text} is refused: {fault}")
        return None if fault is None else str(fault)

    def follow(self, after: int) -> Iterator[News]:
        """Yield the server's news of the match after a version.

        Raises as `RemoteServer.follow` does.
        """
        for message in self._server.follow(f"{self._path}/stream", after):
            if message.event == LOGGED:
                yield msgspec.json.decode(message.data, type=News)
