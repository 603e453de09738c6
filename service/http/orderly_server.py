"""A server that returns when a signal ends it, so that its book is closed in time."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from socket import socket
from types import FrameType
from typing import Final

import uvicorn

STOP_TIMEOUT: Final = 13
"""Seconds for stopping with closing the book, which may clean up for ten after an erasure."""


class OrderlyServer(uvicorn.Server):
    """A server that SIGINT, SIGTERM and SIGHUP stop, in a process that ends soon after."""

    def run(self, sockets: list[socket] | None = None) -> None:
        """Serve until a signal."""
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
            signal.signal(signal.SIGHUP, self.handle_exit)  # the terminal was closed
        with suppress(KeyboardInterrupt):  # Ctrl-C is the usual way to stop a server
            super().run(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop the server at a signal.

        Uvicorn would also raise the signal again, before the book is closed.
        """
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop; leave after some seconds even if threads still wait for a silent database."""
        leaving = threading.Timer(STOP_TIMEOUT, _leave)
        leaving.daemon = True
        leaving.start()
        await super().shutdown(sockets)


def _leave() -> None:
    late = "closing the book took too long; the next start does the rest"
    print(f"plybook: {late}", file=sys.stderr)
    os._exit(0)
