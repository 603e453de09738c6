"""`plybook serve` as a process that is killed, stopped and restarted on one book."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from replay.store import Location
from tests.waiting import PATIENCE

UNLIMITED: Final = (
    "--requests-per-minute=0",
    "--matches-per-hour=0",
    "--events-per-match=0",
    "--streams-per-address=0",
)
ADDRESS: Final = re.compile(r"http://[a-z0-9.]+:(\d+)")


class NotStarted(Exception):
    """Raised with the log when a server ends at once."""


class Server:
    """A server on one database: a file, or the URL of one in PostgreSQL, which needs a `log`.

    Each start takes a free port, unless a `port` is given, so clients ask for it again.
    """

    def __init__(
        self,
        database: Location,
        environment: Mapping[str, str] | None = None,
        *,
        log: Path | None = None,
        port: int = 0,
        options: Sequence[str] = (),
    ) -> None:
        self.database = database.resolve() if isinstance(database, Path) else database
        self.log = log or Path(self.database).with_suffix(".log")
        self._command = (f"--db={self.database}", f"--port={port}", *UNLIMITED, *options)
        self._environment = os.environ | {"PYTHONUNBUFFERED": "1"} | dict(environment or {})
        self._process: subprocess.Popen[str] | None = None
        self._up = threading.Event()
        self._port = port

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def start(self) -> None:
        """Start, and return when the address is printed. Raises `NotStarted` with the log."""
        with self.log.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "cli", "serve", *self._command],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=self._environment,
            )
        assert self._process.stdout is not None
        found = ADDRESS.search(self._process.stdout.readline())
        if found is None:
            self.stop(signal.SIGKILL)
            raise NotStarted(self.log.read_text()[-2000:])
        self._port = int(found[1])
        self._up.set()

    def port(self) -> int | None:
        """Return the port as soon as the server is up, or `None` after the time-out."""
        return self._port if self._up.wait(1) else None

    def connect(self, patience: float) -> http.client.HTTPConnection:
        """Return a connection whose answers come within some seconds. Raises `OSError`."""
        port = self.port()
        if port is None:
            raise ConnectionRefusedError("no server is up")
        return http.client.HTTPConnection("127.0.0.1", port, timeout=patience)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int | None:
        """Stop a running server, and return its exit status."""
        process, self._process = self._process, None
        self._up.clear()
        if process is None:
            return None
        process.send_signal(how)
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"the server did not stop within {PATIENCE:.0f} s") from None
        finally:
            assert process.stdout is not None
            process.stdout.close()

    def kill(self) -> None:
        self.stop(signal.SIGKILL)


def sleep(seconds: float, over: float = float("inf")) -> None:
    """Sleep for some seconds, but not beyond the time `over` of the monotonic clock."""
    time.sleep(max(min(seconds, over - time.monotonic()), 0))
