"""A server accepts connections once it answers, and tells the service manager so."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.waiting import PATIENCE

SLOW_START = """
import sys
from cli import main
from service.app_state import AppState

start = AppState.start


async def wait_and_start(self):
    print("starting", flush=True)
    sys.stdin.readline()
    await start(self)


AppState.start = wait_and_start
main()
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.parametrize("abstract", [False, True], ids=["file", "abstract"])
def test_starting_server_listens_and_notifies_when_ready(tmp_path: Path, abstract: bool) -> None:
    port, name = free_port(), f"plybook-{os.getpid()}" if abstract else str(tmp_path / "notify")
    command = [sys.executable, "-c", SLOW_START, "serve", f"--port={port}"]
    environment = os.environ | {"NOTIFY_SOCKET": f"@{name}" if abstract else name}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"\0{name}" if abstract else name)
        manager.settimeout(PATIENCE)
        with subprocess.Popen(
            [*command, f"--db={tmp_path / 'book.db'}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        ) as server:
            try:
                assert server.stdin is not None
                assert server.stdout is not None
                assert server.stdout.readline() == "starting\n"
                with pytest.raises(ConnectionRefusedError):
                    socket.create_connection(("127.0.0.1", port), 5).close()
                server.stdin.write("\n")
                server.stdin.flush()
                assert manager.recv(100) == b"READY=1"
                assert (
                    httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=PATIENCE).status_code
                    == 200
                )
            finally:
                server.terminate()
