"""The service's log: its format, internal errors, and rate limits for lines of clients.

An exception's message may contain a sealed move or a token, so it is omitted.
"""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any, Final

from litestar import Request

from replay.errors import DamagedMatch, FileChanged, StoreError
from replay.record.match_creation import MATCH_ID
from service.http.trace_context import REQUEST_ID

FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
TIME: Final = "%Y-%m-%dT%H:%M:%S%z"

MINUTE: Final = 60.0

OF_CLIENTS: Final = ("uvicorn.error", "asyncio", "opentelemetry.")
"""The prefixes of loggers whose lines clients, or an absent collector of spans, can cause."""

CONFIG: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"seldom": {"()": "service.http.logs.Seldom"}},
    "formatters": {"plain": {"format": FORMAT, "datefmt": TIME}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "plain",
            "filters": ["seldom"],
            "stream": "ext://sys.stderr",
        }
    },
    "root": {"handlers": ["stderr"], "level": "WARNING"},
}
"""The `logging.config` dictionary. It has no colours: files and programs read the log."""


class Seldom(logging.Filter):
    """Pass a client-triggered line once a minute, with the number of lines suppressed."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._last: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        if not record.name.startswith(OF_CLIENTS):
            return True
        key, now = f"{record.name} {record.msg}"[:200], self._now()
        last, left_out = self._last.get(key, (-MINUTE, 0))
        if now - last < MINUTE:
            self._last[key] = last, left_out + 1
            return False
        self._last = {k: seen for k, seen in self._last.items() if now - seen[0] < MINUTE}
        self._last[key] = now, 0
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out} more like this since the last line)"
            record.args = ()
        return True


LOG: Final = logging.getLogger("plybook.service")

REPEAT_INTERVAL: Final = 60.0
"""Seconds between two log lines about one cause."""


class Causes:
    """Log a cause that fails many requests at once, then once a minute with a count."""

    def __init__(self) -> None:
        self._gate = threading.Lock()
        self._lines: dict[str, tuple[float, int]] = {}

    def log(self, error: StoreError) -> None:
        """Log the store's failure, unless it was logged less than a minute ago.

        The store itself logs `FileChanged` once.
        """
        if not isinstance(error, FileChanged):
            self.log_line(error.reason, str(error))

    def log_line(self, cause: str, line: str) -> None:
        """Log a line about a cause, unless such a line was logged less than a minute ago."""
        now = time.monotonic()
        with self._gate:
            logged, more = self._lines.get(cause, (-REPEAT_INTERVAL, 0))
            if now - logged < REPEAT_INTERVAL:
                self._lines[cause] = logged, more + 1
                return
            self._lines[cause] = now, 0
        LOG.error("%s%s", line, f"; {more} more times since the last such line" if more else "")


CAUSES: Final = Causes()


def log_failure(what: str, error: Exception) -> None:
    """Log the failure of a background task and its cause."""
    if not _is_known(error):
        LOG.error("%s: %s", what, trace(error))


def damage(error: DamagedMatch) -> str:
    """Return the log's sentence about a damaged match, without its content, which may be sealed."""
    return f"{error.match} is damaged; `plybook verify {error.match}` says where"


def _is_known(error: BaseException) -> bool:
    """Log a failing store or a damaged match by its cause only, the same for every request."""
    if isinstance(error, StoreError):
        CAUSES.log(error)
    elif isinstance(error, DamagedMatch):
        CAUSES.log_line(error.match, damage(error) + (error.place and f" ({error.place})"))
    return isinstance(error, StoreError | DamagedMatch)


def log_error(request: Request[Any, Any, Any], error: BaseException) -> None:
    """Log a failure: the route (its path may contain a token), the match and its version."""
    if _is_known(error):
        return
    route = request.scope.get("path_template", "")
    about = _match(request) + _id(request)
    LOG.error("%s %s failed%s\n%s", request.method, route, about, trace(error))


def log_worker(request: Request[Any, Any, Any], work: str, how: str) -> None:
    """Log how the worker process of a request ended, once a minute for each kind of work."""
    route = request.scope.get("path_template", "")
    about = _match(request) + _id(request)
    line = f"{request.method} {route}{about}: the worker process for {work} {how}"
    CAUSES.log_line(f"{work} {how}", line)


def log_idle_worker(how: str) -> None:
    """Log how an idle worker process ended."""
    CAUSES.log_line(f"idle {how}", f"an idle worker process {how}")


def trace(error: BaseException) -> str:
    """Return the traceback of an exception and its causes for the log, without messages."""
    return "\n".join(line for each in _chain(error) for line in _trace_lines(each))


def _id(request: Request[Any, Any, Any]) -> str:
    """Return words for the id of a request, as in the access log; empty without an id."""
    found = request.scope.get(REQUEST_ID)
    return f", request {found}" if found else ""


def _match(request: Request[Any, Any, Any]) -> str:
    """Name the match of a request, and its version if it is already known."""
    match = str(request.path_params.get("match", ""))
    known = request.app.state.live.book.cache.named(match)
    if known is not None:
        return f" for match {match} at version {known.match.version}"
    return f" for match {match}" if MATCH_ID.fullmatch(match) else ""


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    there: BaseException | None = error
    while there is not None and id(there) not in seen:
        seen.add(id(there))
        yield there
        there = there.__cause__ or there.__context__


def _trace_lines(error: BaseException) -> Iterator[str]:
    kind = type(error)
    yield f"{kind.__module__}.{kind.__qualname__}"
    for frame in traceback.extract_tb(error.__traceback__):
        yield f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}'
