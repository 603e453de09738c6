"""Block the writer of a store, so that what is written meanwhile is one group."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def held(store: Any, *, ends_epoch: bool = True) -> Iterator[None]:
    """Block the writer, so that later submissions queue."""
    busy, go_on = threading.Event(), threading.Event()

    def wait(_: object) -> None:
        busy.set()
        go_on.wait(30)

    store._writer.submit(wait, ends_epoch=ends_epoch)
    busy.wait(30)
    try:
        yield
    finally:
        go_on.set()
