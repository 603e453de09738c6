"""The listeners to a store: an observer of its transactions, and functions called after commits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from replay.store import validation

Callback = Callable[[], None]


class Observer(Protocol):
    """A listener to the transactions of a store. It is called in the thread that writes."""

    def committed(self, seconds: float, writes: int = 1) -> None:
        """Note that a transaction was made durable, how long that took, and of how many writes.

        The futures of these writes are done next, in the same thread.
        """
        ...

    def failed(self) -> None:
        """Note that a transaction failed because of the disk."""
        ...


class Callbacks:
    """The functions that `on_change` registers, until the store is closed."""

    def __init__(self) -> None:
        self._functions: tuple[Callback, ...] = ()
        self._closed = False
        self._lock = threading.RLock()  # a callback may close the store

    def add(self, callback: Callback) -> None:
        """Register a function. Raises `StoreError` after `close`."""
        with self._lock:
            if self._closed:
                raise validation.store_closed_error()
            self._functions += (callback,)

    def call(self) -> None:
        """Call every function."""
        with self._lock:
            for function in self._functions:
                function()

    def close(self) -> None:
        """Wait for calls that run, and call no function any more."""
        with self._lock:
            self._closed = True
            self._functions = ()
