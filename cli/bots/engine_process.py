"""An engine in a process of its own: it reads lines, and answers `go` with a line."""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import time
from typing import Final

from replay.errors import PlybookError, Usage
from replay.programs.engine_lines import QUIT

MAX_ANSWER: Final = 65_536
"""The longest answer of an engine, in bytes."""
STOPPING: Final = 5.0
"""Seconds in which an engine must end after `quit`."""
ENDING: Final = 1.0
"""Seconds in which an engine that closed its output must end, so that its status is known."""
TOKEN: Final = "PLYBOOK_TOKEN"
"""The environment variable of the token, which an engine does not need."""
INFO: Final = "info"
"""The first word of the lines about a search that chess engines print before their answer."""


class EngineFailed(PlybookError):
    """The engine ended, or did not answer as it should."""


class EngineProcess:
    """A running engine; `seconds` is the longest time for an answer."""

    def __init__(self, command: str, seconds: float) -> None:
        self._seconds = seconds
        self._read = b""
        environment = {name: text for name, text in os.environ.items() if name != TOKEN}
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                env=environment,
            )
        except (OSError, ValueError, IndexError) as error:
            raise Usage(f"{command!r} is not a valid engine: {error}") from None

    def answer(self, line: str) -> str | None:
        """Send a line, and return the answer to `go`. Raises `EngineFailed`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n".encode())
        except OSError:
            raise self._ended() from None
        return self._answer() if line.startswith("go ") else None

    def close(self) -> None:
        """Let the engine end, or kill it."""
        assert self._process.stdin is not None
        with self._process:  # which closes the pipes
            try:
                self.answer(QUIT)
                self._process.stdin.close()
                self._process.wait(STOPPING)
            except (EngineFailed, subprocess.TimeoutExpired):
                self._process.kill()

    def _answer(self) -> str:
        until = time.monotonic() + self._seconds
        while True:
            line = self._line(until)
            if line.split(maxsplit=1)[:1] not in ([], [INFO]):
                return line

    def _line(self, until: float) -> str:
        """Read a line. Raises `EngineFailed`."""
        while b"\n" not in self._read:
            self._read += self._chunk(until)
            if len(self._read) > MAX_ANSWER:
                raise EngineFailed(f"the engine's answer has more than {MAX_ANSWER} bytes")
        line, _, self._read = self._read.partition(b"\n")
        return line.decode(errors="replace")

    def _chunk(self, until: float) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        if not select.select([pipe], [], [], max(0, until - time.monotonic()))[0]:
            raise EngineFailed(f"the engine has not answered for {self._seconds:g} seconds")
        chunk = os.read(pipe, MAX_ANSWER)
        if not chunk:
            raise self._ended()
        return chunk

    def _ended(self) -> EngineFailed:
        """Return words for how the engine ended."""
        try:
            status = self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            return EngineFailed("the engine has closed its input or output, and runs on")
        if status < 0:
            return EngineFailed(
                f"the engine has ended by signal {-status}, {signal.strsignal(-status)}"
            )
        return EngineFailed(f"the engine has ended with status {status}")
