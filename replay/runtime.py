"""The abilities of a platform that Plybook uses: threads, processes and durable files.

A process of an operating system has all three. In a tab of a browser, Python (Emscripten) has no
threads, processes and sockets, and its `fdatasync`, which SQLite calls, answers 0 and does nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple


class Runtime(NamedTuple):
    """The abilities of the program that Plybook runs in."""

    is_parallel: bool
    """Whether it can start threads and processes. Otherwise the caller does all work itself."""
    has_sockets: bool
    """Whether it can call other machines."""
    make_durable: Callable[[Path], None] | None = None
    """Called with a written file before its content is announced. Raises `OSError`.

    `None` if SQLite's commit is durable by itself.
    """


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


PROCESS: Final = Runtime(is_parallel=True, has_sockets=True)
TAB: Final = Runtime(is_parallel=False, has_sockets=False, make_durable=_sync)
RUNTIME: Final = TAB if sys.platform == "emscripten" else PROCESS
"""The runtime of this program."""
