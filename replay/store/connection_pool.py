"""A bounded number of connections that read, each lent to one thread at a time."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from replay.errors import StoreError
from replay.store import validation

MAX_READERS: Final = 8
LEND_TIMEOUT: Final = 5.0
"""Seconds to wait for a connection while all are lent."""


class Closable(Protocol):
    """A connection."""

    def close(self) -> Any:
        """Close the connection."""
        ...


C = TypeVar("C", bound=Closable)


class ConnectionPool(Generic[C]):
    """Connections that read, opened when they are needed and used again."""

    _errors: ClassVar[tuple[type[Exception], ...]] = ()
    """The errors of the backend's library."""

    def __init__(
        self,
        name: str,
        patience: float = LEND_TIMEOUT,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """Make an empty pool; `check` raises `StoreError` if nothing may be read any more."""
        self._check = check
        self._name = name
        self._patience = patience
        self._places = threading.BoundedSemaphore(MAX_READERS)
        self._idle: deque[C] = deque()
        self._closed = False

    @contextlib.contextmanager
    def lend(self) -> Iterator[C]:
        """Lend a connection for one query. Raises `StoreError` and `Damaged`."""
        self._check()
        if not self._places.acquire(timeout=self._patience):
            busy = f"all {MAX_READERS} read connections are busy; try again"
            raise StoreError(f"{self._name}: {busy}", busy)
        try:
            if self._closed:
                raise validation.store_closed_error()
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = self._open()
            try:
                yield connection
            finally:
                self._give_back(connection)
        except self._errors as error:
            raise self._translated(error) from error
        finally:
            self._places.release()

    def close(self) -> None:
        """Close every connection; a connection that is still lent is closed on its return."""
        self._closed = True
        self._close_idle()

    def _open(self) -> C:
        """Open a connection."""
        raise NotImplementedError

    def _translated(self, error: Exception) -> Exception:
        """Translate an error of the library."""
        raise NotImplementedError

    def _give_back(self, connection: C) -> None:
        self._idle.append(connection)
        if self._closed:
            self._close_idle()

    def _close_idle(self) -> None:
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().close()
