"""Several servers on one book, and short ways to use them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from faults.client import Answer, Client, Door
from faults.server import Server
from faults.verification import complaints
from replay.store import Location
from tests.browser.nginx import BEHIND
from tests.waiting import PATIENCE

OPTIONS: Final = ("--hooks-anywhere", f"--heartbeat={10 * PATIENCE}", *BEHIND)
"""A hook may call this machine, and a heartbeat does not hide that news is missing."""


class Opened(NamedTuple):
    """An opened match: its id and the token of its host."""

    id: str
    host: str


@contextmanager
def serving(
    database: Location, folder: Path, ports: Sequence[int] = (0, 0)
) -> Iterator[list[Server]]:
    """Run a server for each port on one book. In the end, none may have logged a traceback."""
    with ExitStack() as running:
        servers = []
        for number, port in enumerate(ports, 1):
            log = folder / f"server-{number}.log"
            server = Server(database, log=log, port=port, options=OPTIONS)
            running.callback(server.stop)
            server.start()
            servers.append(server)
        yield servers
    for server in servers:
        logged = server.log.read_text()
        assert "Traceback" not in logged, logged[-3000:]


def wrong(database: Location) -> list[str]:
    """Return the complaints of `verify` and `doctor` about a book.

    The tests' own PostgreSQL does not wait for its disk, and `doctor` says so.
    """
    return [each for each in complaints(database) if not each.startswith("doctor: durability")]


def ask(door: Door, method: str, path: str, body: Any = None, *, token: str = "") -> Answer:
    """Return the final answer of a server over a connection of its own."""
    with closing(Client(door, threading.Event())) as client:
        return client.ask(method, path, body, token=token)


def open_match(door: Door, **body: Any) -> Opened:
    answer = ask(door, "POST", "/matches", {"game": "poptrix", **body})
    assert answer.status == 201, answer
    return Opened(answer.json["match"], answer.json["tokens"]["host"])


def play(door: Door, match: Opened, token: str) -> int:
    """Enter a move and return the version after it."""
    path, body = f"/matches/{match.id}/events", {"events": [{"text": token}]}
    answer = ask(door, "POST", path, body, token=match.host)
    assert answer.status == 200, answer
    return int(answer.json["version"])


@contextmanager
def follow(door: Door, path: str, token: str = "") -> Iterator[Iterator[tuple[str, Any]]]:
    """Follow a stream: each event with its data. Raises `TimeoutError` if none ever comes."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with closing(door.connect(PATIENCE)) as connection:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        answer.readline()  # the first heartbeat: the server follows from here on
        yield _events(iter(answer.readline, b""))


def _events(lines: Iterator[bytes]) -> Iterator[tuple[str, Any]]:
    kind = ""
    for line in lines:
        name, _, text = line.decode().strip().partition(": ")
        if name == "event":
            kind = text
        elif name == "data":
            yield kind, json.loads(text)
