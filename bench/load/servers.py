"""The two server processes, and a client that keeps its connection."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import msgspec

from replay.store import Location
from tests.paths import ROOT
from tests.waiting import PATIENCE

HOST: Final = "127.0.0.1"
UNLIMITED: Final = (
    *("--requests-per-minute", "0"),
    *("--matches-per-hour", "0"),
    *("--streams-per-address", "0"),
)
"""All of the load comes from one address."""


def cpu_of(process: int) -> float:
    """Return the seconds of CPU time that a process has used."""
    # Linux numbers the CPU clocks of other processes so: see clock_getcpuclockid(3).
    return time.clock_gettime(~process << 3 | 2)


class Server(NamedTuple):
    port: int
    process: int

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def cpu(self) -> float:
        """Return the seconds of CPU time that the process has used."""
        return cpu_of(self.process)


class Refused(Exception):
    """Raised for an unsuccessful answer."""


class Client:
    """One connection to a server, kept open."""

    def __init__(self, server: Server) -> None:
        self._connection = http.client.HTTPConnection(HOST, server.port, timeout=PATIENCE)

    def post(self, path: str, body: bytes, token: str | None = None) -> Any:
        """Post JSON and return the answer's. Raises `Refused` for an unsuccessful answer."""
        headers = {"Content-Type": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        self._connection.request("POST", path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            raise Refused(f"{answer.status} from {path}: {content.decode()[:300]}")
        return msgspec.json.decode(content)

    def close(self) -> None:
        self._connection.close()


@contextmanager
def plybook(database: Location) -> Iterator[Server]:
    """Run `plybook serve` on a database."""
    with _running("-m", "cli", "--db", str(database), "serve", *UNLIMITED) as server:
        yield server


@contextmanager
def bare(loop: str, http: str) -> Iterator[Server]:
    """Run the endpoint that stores nothing on a loop and a parser that uvicorn knows."""
    with _running("-m", "bench.load.bare", "--loop", loop, "--http", http) as server:
        yield server


@contextmanager
def _running(*command: str) -> Iterator[Server]:
    port = _free_port()
    process = subprocess.Popen(
        [sys.executable, *command, "--port", str(port)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PLYBOOK_DB": ""},
    )
    try:
        _await(process, port)
        yield Server(port, process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await(process: subprocess.Popen[bytes], port: int) -> None:
    """Wait until the port accepts connections. Raises `Refused` if the server ends first."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            raise Refused(f"the server ended with status {process.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.05)
    raise Refused(f"the server is not up after {PATIENCE:.0f} seconds")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port
