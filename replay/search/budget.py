"""How much a search may do: a number of playouts, or a time."""

from __future__ import annotations

import time
from collections.abc import Callable

Enough = Callable[[int], bool]
"""Whether a number of playouts is enough."""


def for_seconds(seconds: float, now: Callable[[], float] = time.monotonic) -> Enough:
    """Return a budget that ends after some seconds from now, and not before one playout."""
    end = now() + seconds
    return lambda playouts: playouts > 0 and now() >= end


def for_playouts(most: int) -> Enough:
    """Return a budget of a number of playouts."""
    return lambda playouts: playouts >= most
