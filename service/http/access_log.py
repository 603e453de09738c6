"""The access log: a line for each request, as text or JSON, without queries, tokens and bodies.

This is *safer* than the middleware of Litestar, which logs queries, and so the tokens in them
(`tests/service/http/test_access_log.py`).
"""

from __future__ import annotations

import logging
import queue
import random
import re
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, BinaryIO, Final, Literal, NamedTuple
from urllib.parse import quote

import msgspec
from litestar.types import ASGIApp, Message, Receive, Send

from service.http.head_requests import ASKED
from service.http.logs import TIME
from service.http.trace_context import REQUEST_ID, trace_of

Form = Literal["text", "json"]

METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
"""The methods that are logged by name; clients can invent others."""
OTHER: Final = "other"

HEADER: Final = b"x-request-id"
WELL_FORMED: Final = re.compile(rb"[A-Za-z0-9._:=/+@~-]{1,128}")
"""The ids of requests that are taken from callers."""

LOG: Final = logging.getLogger("plybook.service")

TOKEN_LIKE: Final = re.compile(r"[A-Za-z0-9_-]{24,}")
"""The parts of any path that are masked: tokens have 32 characters."""

MASK: Final = "***"
PLAIN: Final = "/:@!$&'()*+,;=~"
"""The characters of a path that need no escape, besides letters and digits."""

WRITE_INTERVAL: Final = 0.05
"""Seconds for which lines are gathered."""

MAX_WAITING: Final = 10_000
"""The most lines that wait to be written; if the log is read too slowly, further lines are
dropped."""


class AnsweredRequest(NamedTuple):
    """An answered request; `status` is `None` if the caller left before the answer began."""

    time: float
    request: str
    method: str
    path: str
    status: int | None
    ms: float
    bytes: int
    trace: str | None


class AccessLog:
    """The lines of one application. A thread writes them, so that no answer waits for a pipe."""

    def __init__(self, form: Form, out: BinaryIO | None = None) -> None:
        """Write to `out`, by default the standard output."""
        self._line = _as_json if form == "json" else _as_text
        self._out = out or _standard_output()
        self._entries: queue.SimpleQueue[AnsweredRequest | None] = queue.SimpleQueue()
        self._lost = 0
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Wrap an application: log each request, and add its id to the answer."""

        async def logged(scope: Any, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                await self._log(app, scope, receive, send)
            else:
                await app(scope, receive, send)

        return logged

    def close(self) -> None:
        """Write the remaining lines and end the thread."""
        self._closing.set()
        if self._thread is not None:
            self._entries.put(None)
            self._thread.join()

    async def _log(self, app: ASGIApp, scope: Any, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        request = scope[REQUEST_ID] = _identify(scope["headers"])
        trace = trace_of(scope)
        status: int | None = None
        length = 0

        async def answering(message: Message) -> None:
            nonlocal status, length
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (HEADER, request.encode())]
            elif message["type"] == "http.response.body":
                length += len(message["body"])
            await send(message)

        asked = scope.get(ASKED, scope["method"])
        try:
            await app(scope, receive, answering)
        finally:
            milliseconds = (time.perf_counter() - began) * 1000
            length = 0 if asked == "HEAD" else length
            path = scope["path"]
            told = (request, asked, path, status, milliseconds, length, trace and trace.id)
            self._put(AnsweredRequest(time.time(), *told))

    def _put(self, entry: AnsweredRequest) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="plybook-access-log")
            self._thread.daemon = True
            self._thread.start()
        if self._entries.qsize() < MAX_WAITING:
            self._entries.put(entry)
        else:
            self._lost += 1

    def _run(self) -> None:
        while (entry := self._entries.get()) is not None:
            self._closing.wait(WRITE_INTERVAL)
            gathered = [entry, *self._waiting()]
            self._write([each for each in gathered if each is not None])
            if gathered[-1] is None:
                return

    def _waiting(self) -> Iterator[AnsweredRequest | None]:
        for _ in range(self._entries.qsize()):
            yield self._entries.get()

    def _write(self, entries: list[AnsweredRequest]) -> None:
        lost, self._lost = self._lost, 0
        lines = b"".join(map(self._line, entries))
        try:
            self._out.write(lines)
            self._out.flush()
        except (OSError, ValueError):  # the reader of the pipe has ended
            pass
        if lost:
            LOG.warning("the access log is read too slowly: %d lines were dropped", lost)


def _standard_output() -> BinaryIO:
    return sys.stdout.buffer


def masked(path: str) -> str:
    """Return a path for the log: escaped, with anything that may be a token masked."""
    return quote(TOKEN_LIKE.sub(MASK, path), safe=PLAIN, errors="replace")


def _identify(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """Return a request's id if it has a well-formed id, or a new id."""
    for name, value in headers:
        if name == HEADER and WELL_FORMED.fullmatch(value):
            return value.decode()
    return f"{random.getrandbits(128):032x}"


def _as_text(entry: AnsweredRequest) -> bytes:
    told = "-" if entry.status is None else str(entry.status)
    when = time.strftime(TIME, time.localtime(entry.time))
    trace = f" trace={entry.trace}" if entry.trace else ""
    return (
        f"{when} INFO plybook.access: {_method(entry)} {masked(entry.path)} {told} "
        f"{entry.ms:.2f}ms {entry.bytes}B request={entry.request}{trace}\n"
    ).encode()


def _as_json(entry: AnsweredRequest) -> bytes:
    told = {
        "time": datetime.fromtimestamp(entry.time, UTC).isoformat(timespec="milliseconds"),
        "method": _method(entry),
        "path": masked(entry.path),
        "ms": round(entry.ms, 2),
    }
    return msgspec.json.encode(entry._asdict() | told) + b"\n"


def _method(entry: AnsweredRequest) -> str:
    return entry.method if entry.method in METHODS else OTHER
