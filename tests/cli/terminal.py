"""A terminal in which a command runs, as a person sees it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

from tests.waiting import PATIENCE

TERM = "xterm"
TOKEN = re.compile(r"\x1b\[[?0-9;]*([A-Za-z])|(.)", re.DOTALL)


class Terminal:
    """`plybook` with some arguments in a terminal of a given size."""

    def __init__(self, db: Path | str, *arguments: str, columns: int = 80, rows: int = 24) -> None:
        self.columns, self.rows = columns, rows
        self.ours, self.theirs = pty.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(self.theirs)
        environment = {name: text for name, text in os.environ.items() if name != "COLUMNS"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from cli import main; main()", *arguments],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env=environment | {"TERM": TERM, "PLYBOOK_DB": str(db), "NO_COLOR": "1"},
            # The hidden prompt opens the terminal by the name /dev/tty.
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        self.all = self.seen = ""

    def press(self, typed: str) -> None:
        os.write(self.ours, typed.encode())

    def wait_for(self, pattern: str) -> str:
        """Read until the pattern appears; return what came up to its end, and discard it."""
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.seen)):
            assert time.monotonic() < deadline, self.all[-2000:]
            if select.select([self.ours], [], [], 0.2)[0]:
                with contextlib.suppress(OSError):
                    read = os.read(self.ours, 65536).decode(errors="replace")
                    self.all += read
                    self.seen += read
        passed = self.seen[: found.end()]
        self.seen = self.seen[found.end() :]
        return passed

    def screen(self) -> list[str]:
        lines, row, column = [""] * self.rows, 0, 0
        for command, character in TOKEN.findall(self.all):
            if command == "H":
                row = column = 0
            elif command == "K":
                lines[row] = lines[row][:column]
            elif command == "J":
                lines[row:] = [lines[row][:column], *[""] * (self.rows - row - 1)]
            elif character == "\r":
                column = 0
            elif character == "\n" or (character.isprintable() and column == self.columns):
                row, column = row + 1, 0 if column == self.columns else column
            if row == self.rows:
                lines, row = [*lines[1:], ""], row - 1
            if character.isprintable() and character:
                before = lines[row][:column].ljust(column)
                lines[row] = before + character + lines[row][column + 1 :]
                column += 1
        return lines

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)
