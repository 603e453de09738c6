"""Headers that never end, and large cookies, cost a server little: moves go on beside them."""

from __future__ import annotations

import multiprocessing
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import pytest

from bench.load.servers import cpu_of
from faults.client import Client
from faults.server import Server
from tests.service.workers.processes import needs_proc

pytestmark = [needs_proc, pytest.mark.slow, pytest.mark.faults]

CONNECTIONS: Final = 10
RETRY_INTERVAL: Final = 0.1
"""Seconds until an attacker connects again after its connection was closed."""
PIECE: Final = 64 * 1024
"""About the bytes that an attacker sends at once."""
MAX_COST: Final = 10
"""The largest acceptable CPU time for a connection of an attack, in moves."""
MAX_GROWTH: Final = 100 * 1024 * 1024
"""The largest acceptable growth of the memory in bytes, without the moves that are played."""
EVENT_SIZE: Final = 1500
"""The most bytes that an event takes in a cached match; without an attack it is about 1000."""


class Attack(NamedTuple):
    """A request to send: its beginning, a part sent some times or for ever, and its end."""

    begin: bytes
    part: bytes
    times: int | None = None
    end: bytes = b""


LIST: Final = b"GET /matches?limit=1 HTTP/1.1\r\nHost: a\r\n"
COOKIE: Final = b"plybook-0123456789ab=a.b.c.d.e.f.g.h;"
ATTACKS: Final = {
    "endless_header": Attack(LIST + b"X-A: ", b"a"),
    "many_headers": Attack(LIST, b"a:b\r\n"),
    "endless_address": Attack(b"GET /", b"a"),
    "endless_trailers": Attack(
        b"POST /matches HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"a:b\r\n"
    ),
    "large_cookies": Attack(LIST + b"Cookie: ", COOKIE, 800, b"\r\n\r\n"),
}


def test_moves_continue_despite_large_headers(tmp_path, budget, figures):
    server = Server(tmp_path / "book.db")
    server.start()
    seconds = max(2.0, budget.left / (2 * len(ATTACKS) + 1))
    told: dict[str, Any] = {}
    costs, played = list[float](), 0
    try:
        moves(server, seconds)
        began = memory(server, "VmRSS")
        for name, attack in ATTACKS.items():
            start = cpu_of(server.pid)
            alone = moves(server, seconds)
            move = (cpu_of(server.pid) - start) / len(alone)
            start = cpu_of(server.pid)
            with attacking(server, attack) as opened:
                beside = moves(server, seconds)
            rest = cpu_of(server.pid) - start - move * len(beside)
            costs.append(rest / opened.value / move)
            played += len(alone) + len(beside)
            times = f"{median(alone) * 1000:.1f} -> {median(beside) * 1000:.1f}"
            told[name] = f"{times} ms beside {opened.value} for {costs[-1]:.1f} moves each"
        grown = memory(server, "VmHWM") - began
    finally:
        server.stop()
    figures("large headers", **told, MB_more=grown // 2**20)
    # The time of a move is not asserted: other jobs disturb it as much as an attack does.
    assert max(costs) < MAX_COST, told
    assert grown < MAX_GROWTH + EVENT_SIZE * played


def moves(server: Server, seconds: float) -> list[float]:
    """Play for a while; return the seconds until each move was stored."""
    took: list[float] = []
    with closing(Client(server, threading.Event())) as client:
        opened = client.once("POST", "/matches", {"game": "poptrix"}).json
        path, token = f"/matches/{opened['match']}/events", opened["tokens"]["host"]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            move = ("1:offer-draw", "2:decline-draw")[len(took) % 2]
            start = time.perf_counter()
            answer = client.once("POST", path, {"events": [{"text": move}]}, token=token)
            took.append(time.perf_counter() - start)
            assert answer.status == 200, answer
    return took


@contextmanager
def attacking(server: Server, attack: Attack) -> Iterator[Any]:
    """Attack from another process until the block ends; yields the number of its connections."""
    spawn = multiprocessing.get_context("spawn")
    opened = spawn.Value("i")
    process = spawn.Process(target=attack_on, args=(server.port(), attack, opened), daemon=True)
    process.start()
    try:
        while not opened.value:
            time.sleep(0.01)
        yield opened
    finally:
        process.terminate()
        process.join()


def attack_on(port: int, attack: Attack, opened: Any) -> None:
    """Send the request of an attack over ten connections, again and again; count them."""

    def repeat() -> None:
        while True:
            with closing(socket.create_connection(("127.0.0.1", port))) as connection:
                with opened.get_lock():
                    opened.value += 1
                with suppress(ConnectionError):
                    send(connection, attack)
            time.sleep(RETRY_INTERVAL)

    for _ in range(CONNECTIONS - 1):
        threading.Thread(target=repeat, daemon=True).start()
    repeat()


def send(connection: socket.socket, attack: Attack) -> None:
    """Send the request of an attack to its end. Raises `ConnectionError` when it is closed."""
    connection.sendall(attack.begin)
    while attack.times is None:
        connection.sendall(attack.part * (PIECE // len(attack.part)))
    connection.sendall(attack.part * attack.times + attack.end)
    connection.recv(PIECE)


def memory(server: Server, figure: str) -> int:
    """Return a figure of a server's memory in bytes, as the kernel counts it."""
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(figure))
