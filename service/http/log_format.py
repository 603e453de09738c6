"""The service's log format, and rate limits for lines that clients can trigger."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, Final

FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
TIME: Final = "%Y-%m-%dT%H:%M:%S%z"

MINUTE: Final = 60.0

OF_CLIENTS: Final = ("uvicorn.error", "asyncio", "opentelemetry.")
"""The beginnings of the names of loggers whose lines others can trigger at will: clients, or a
collector of spans that is away."""

CONFIG: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"seldom": {"()": "service.http.log_format.Seldom"}},
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
