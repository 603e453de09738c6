"""Watch a file, and read each of its states that lasts."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Final

from cli.record_files import STDIN
from replay.errors import Usage
from replay.formats import record_link

PAUSE: Final = 0.5
"""The seconds between two looks at the file."""
PATIENCE: Final = 10
"""The looks after which a file is read that never stays the same."""
ENDING: Final = (signal.SIGINT, signal.SIGTERM)
"""The signals that end the watch."""
State = tuple[int, int, int]
"""When a file was changed, its size, and which file it is."""


def states(file: Path) -> Iterator[None]:
    """Yield when a file has changed and stayed the same for a moment, until a signal ends that.

    A file that is written just now may end within a move. Ctrl-C and `kill` take effect between two
    states, so that work on a state is finished.
    """
    ended = Event()
    before = [signal.signal(each, lambda *_: ended.set()) for each in ENDING]
    try:
        seen, last, looks = None, None, 0
        while not ended.is_set():
            now = _state(file)
            looks = looks + 1 if now != seen else 0
            if now and now != seen and (now == last or looks > PATIENCE):
                seen, looks = now, 0
                yield
            last = now
            ended.wait(PAUSE)
    finally:
        for each, handler in zip(ENDING, before, strict=True):
            signal.signal(each, handler)


def check_file(files: list[Path]) -> Path:
    """Return the only file to watch. Raises `Usage` for anything else."""
    if len(files) != 1 or files[0] == STDIN or record_link.is_link(str(files[0])):
        raise Usage("--follow watches one file; name it")
    return files[0]


def _state(file: Path) -> State | None:
    """Return the state of a file that is not empty, or `None`."""
    try:
        found = file.stat()
    except OSError:  # the file is being replaced
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino) if found.st_size else None
