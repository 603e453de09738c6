"""Call functions after every change that a server makes to the book: `LISTEN` and `NOTIFY`."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from selectors import EVENT_READ, DefaultSelector
from typing import Final

from replay.errors import PlybookError
from replay.store.postgres.connecting import reading
from replay.store.postgres.driver import ERRORS, Connection
from replay.store.writer_thread import Callback, Callbacks

CHANNEL: Final = "plybook"
"""The channel of `NOTIFY`. A notification without content may stand for several commits."""
LISTEN: Final = f"LISTEN {CHANNEL}"
RETRY_INTERVALS: Final = (0.1, 0.3, 1.0, 3.0, 10.0)
"""Seconds between attempts to connect; the last interval is repeated."""
CLOSE_TIMEOUT: Final = 5.0
"""Seconds that `close` waits for the thread, which may be connecting to a server that is gone."""


class Listener:
    """A connection that listens and the thread that waits for it. Both start with a callback.

    The thread also calls the callbacks whenever it has connected, because it may have missed
    commits before.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._callbacks = Callbacks()
        self.told = Callbacks()
        """The functions that get the content of notifications, once the thread has started."""
        self._thread: threading.Thread | None = None
        self._gate = threading.Lock()
        self._closing = threading.Event()
        self._wake_receiver, self._wake_sender = socket.socketpair()
        """A self-pipe: `close` writes to it to wake the thread."""

    def add(self, callback: Callback) -> None:
        """Call a function after every change that the server announces.

        Raises `StoreError` after `close`.
        """
        self._callbacks.add(callback)
        with self._gate:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="plybook-listener", daemon=True
                )
                self._thread.start()

    def close(self) -> None:
        """End the thread and the connection; then no callback is called any more."""
        self._callbacks.close()
        self.told.close()
        self._closing.set()
        self._wake_sender.close()
        with self._gate:
            thread = self._thread
        if thread is None:
            self._wake_receiver.close()
        elif thread is not threading.current_thread():
            thread.join(CLOSE_TIMEOUT)

    def _run(self) -> None:
        failures = 0
        with self._wake_receiver:
            while not self._closing.is_set():
                with contextlib.suppress(PlybookError, *ERRORS):
                    for texts in self._notifications():
                        failures = 0
                        if "" in texts:
                            self._callbacks.call()
                        for text in filter(None, texts):
                            self.told.call(text)
                self._closing.wait(RETRY_INTERVALS[min(failures, len(RETRY_INTERVALS) - 1)])
                failures += 1

    def _notifications(self) -> Iterator[list[str]]:
        """Connect and yield an empty text; then yield those of notifications when they arrive."""
        with reading(self._url) as connection, DefaultSelector() as selector:
            connection.execute(LISTEN)
            yield [""]
            selector.register(connection.fileno(), EVENT_READ)
            selector.register(self._wake_receiver, EVENT_READ)
            while selector.select() and not self._closing.is_set():
                yield _received(connection)


def _received(connection: Connection) -> list[str]:
    """Return the texts of the notifications that have arrived. Raises one of `ERRORS`."""
    connection.pgconn.consume_input()
    return [each.extra.decode() for each in iter(connection.pgconn.notifies, None)]
