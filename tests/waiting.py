"""How tests wait for other threads, processes and pages, however slow the machine is.

A test waits for a condition and never for a time. What goes well waits no longer than it must.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

PATIENCE: Final = 180.0
"""Seconds after which a wait fails.

Two cores that run four workers, each with servers and a browser, leave a nice process a fiftieth of
a core.
"""

_PAUSE: Final = 0.02


def eventually(condition: Callable[[], T]) -> T:
    """Return the first true value of a condition. Fails if there is none in time."""
    over = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < over, "it did not come about"
        time.sleep(_PAUSE)
    return found


async def wait_until(condition: Callable[[], T]) -> T:
    """Return the first true value of a condition, while the event loop goes on."""
    async with asyncio.timeout(PATIENCE):
        while not (found := condition()):
            await asyncio.sleep(_PAUSE)
    return found
