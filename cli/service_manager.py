"""Notify a service manager, such as systemd, that the server answers (sd_notify)."""

from __future__ import annotations

import os
import socket
from typing import Final

ADDRESS: Final = "NOTIFY_SOCKET"
"""The variable that names the socket of a service manager that waits for a message."""
READY: Final = b"READY=1"


def notify_ready() -> None:
    """Send `READY=1` to the service manager, if it waits for that.

    Raises `OSError` if its socket cannot be reached: it would wait in vain.
    """
    address = os.environ.get(ADDRESS, "")
    if not address:
        return
    abstract = address.startswith("@")  # a socket without a file begins with a zero byte
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.connect("\0" + address[1:] if abstract else address)
        told.send(READY)
