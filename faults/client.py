"""A connection to a server that may be down."""

from __future__ import annotations

import http.client
import threading
import time
from typing import Any, Final, NamedTuple, Protocol

import msgspec

ANSWER_TIMEOUT: Final = 30.0
"""The time-out of an answer in seconds."""


class Door(Protocol):
    """A server, or a proxy before several."""

    def connect(self, patience: float) -> http.client.HTTPConnection:
        """Return a connection whose answers come within some seconds. Raises `OSError`."""
        ...


class Answer(NamedTuple):
    """An answer: its status, its `Retry-After` if it has one, and its body."""

    status: int
    retry_after: str | None
    content: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.content)


class Unanswered(Exception):
    """Raised when a client has to stop before its request is answered."""


class Client:
    """Sends requests one at a time, and repeats each under its key until it is answered.

    It also repeats after a 503 with `Retry-After`; `refused` counts those. `sent` is the time of
    the last attempt of the current request.
    """

    def __init__(self, server: Door, stopping: threading.Event) -> None:
        self.refused = 0
        self.sent = 0.0
        self._server = server
        self._stopping = stopping
        self._connection: http.client.HTTPConnection | None = None

    def ask(
        self, method: str, path: str, body: Any = None, *, token: str = "", key: str = ""
    ) -> Answer:
        """Return the final answer. Raises `Unanswered`, and `AssertionError` for any other 5xx."""
        while not self._stopping.is_set():
            try:
                answer = self.once(method, path, body, token=token, key=key)
            except (OSError, http.client.HTTPException):
                self.close()
                self._stopping.wait(0.02)
                continue
            if answer.status < 500:
                return answer
            assert answer.status == 503, (method, path, answer)
            assert (answer.retry_after or "").isdigit(), (method, path, answer)
            self.refused += 1
            self._stopping.wait(0.05)
        raise Unanswered

    def once(
        self, method: str, path: str, body: Any = None, *, token: str = "", key: str = ""
    ) -> Answer:
        """Send a request once. Raises `OSError` or `http.client.HTTPException`."""
        kind = "application/json" if isinstance(body, dict) else "text/plain"
        headers = {"Content-Type": kind} if body else {}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        content = msgspec.json.encode(body) if isinstance(body, dict) else body
        connection = self._connected()
        self.sent = time.monotonic()
        connection.request(method, path, content, headers)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers.get("Retry-After"), answer.read())

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> http.client.HTTPConnection:
        if self._connection is None:
            self._connection = self._server.connect(ANSWER_TIMEOUT)
        return self._connection
