"""Pictures and checks of some callers, beside one who always asks for long work."""

from __future__ import annotations

import http.client
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import ClassVar, Final

import httpx
import msgspec

from bench import books
from bench.load import servers
from bench.load.servers import HOST, Refused, Server
from bench.row import Figure, Row, Sample
from plybook import open_book
from tests.waiting import PATIENCE

STRANGER: Final = "127.0.0.2"
"""The address of the caller who asks for long work; the others have `HOST`."""
HEIGHT: Final = 501
"""The pieces of the stack on that caller's page."""
PLIES: Final = 100
ASKED: Final = 10
"""The pictures, and the checks, that are timed."""
PHONES: Final = 20
PICTURES: Final = 5
"""The pictures that each phone asks for at once."""
CHECKED: Final = b'[Game "poptrix"]\n\n1. M@c1 2. S@c6 *\n'


def ask(server: Server, path: str, body: bytes | None = None, source: str = HOST) -> float:
    """Return the seconds until a request is answered. Raises `Refused` unless its status is 200."""
    begin = perf_counter()
    connection = http.client.HTTPConnection(
        HOST, server.port, timeout=PATIENCE, source_address=(source, 0)
    )
    with closing(connection):
        headers = {"Content-Type": "text/plain"} if body else {}
        connection.request("POST" if body else "GET", path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
    if answer.status != 200:
        raise Refused(f"{answer.status} from {path}: {content.decode(errors='replace')[:200]}")
    return perf_counter() - begin


@contextmanager
def serving() -> Iterator[tuple[Server, str]]:
    """Serve a book with a match of Power Play, and yield the path of its record."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "book.db")
        with open_book(file) as book:
            match = books.store(book, books.long_match(PLIES))
        with servers.plybook(file) as server:
            yield server, f"/matches/{match}/record"


@dataclass(frozen=True)
class BesideLongWork(Row):
    """One caller asks, without a pause, for pages of a free board with a stack of 501 pieces.
    Meanwhile another address asks for ten pictures and ten checks, one after another.
    """

    height: int = HEIGHT
    rounds: ClassVar[int] = 1

    @property
    def figures(self) -> Sequence[Figure]:
        return (
            Figure("a picture or check beside long work, median", "s", at_most=1),
            Figure("a picture or check beside long work, slowest", "s", at_most=10),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with serving() as (server, path):
            page = f"{pile(server, self.height)}/record?format=html"
            numbers = count()
            yield lambda: _beside(
                server, path, lambda: ask(server, f"{page}&ply={next(numbers)}", source=STRANGER)
            )


@dataclass(frozen=True)
class BesideImports(Row):
    """One caller sends, without a pause, text records that take seconds to referee. Meanwhile
    another address asks for ten pictures and ten checks, one after another.
    """

    records: int = 99
    rounds: ClassVar[int] = 1

    @property
    def figures(self) -> Sequence[Figure]:
        return (
            Figure(f"a picture or check beside {self.records} records, median", "s", at_most=1),
            Figure(f"a picture or check beside {self.records} records, slowest", "s", at_most=10),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with serving() as (server, path):
            answer = httpx.get(f"http://{HOST}:{server.port}{path}?format=ply").text
            long, numbers = (answer + "\n") * self.records, count()

            def work() -> float:
                body = f"{long};{next(numbers)}".encode()
                return ask(server, "/records?dry_run=true", body, source=STRANGER)

            yield lambda: _beside(server, path, work)


def _beside(server: Server, path: str, work: Callable[[], object]) -> Sequence[float]:
    ended = threading.Event()

    def occupy() -> None:
        while not ended.is_set():
            work()

    stranger = threading.Thread(target=occupy)
    stranger.start()
    took = []
    try:
        for number in range(ASKED):
            took.append(ask(server, f"{path}?format=png&ply={number}"))
            took.append(ask(server, "/records/check", CHECKED + b";%d" % number))
    finally:
        ended.set()
        stranger.join()
    return median(took), max(took)


def pile(server: Server, height: int) -> str:
    """Return the path of a match whose board has the stack."""
    with closing(servers.Client(server)) as client:
        opened = client.post("/matches", b'{"game": "free-board"}')
        path, token = f"/matches/{opened['match']}", opened["tokens"]["host"]
        moves = ["b@a1", *["b@b1", "b1+a1"] * (height - 1)]
        for first in range(0, len(moves), 50):
            events = [{"text": move} for move in moves[first : first + 50]]
            client.post(f"{path}/events", msgspec.json.encode({"events": events}), token)
    return path


@dataclass(frozen=True)
class Phones(Row):
    """Twenty phones of one address ask for five different pictures each, all at once."""

    phones: int = PHONES
    rounds: ClassVar[int] = 1

    @property
    def figures(self) -> Sequence[Figure]:
        pictures = f"{self.phones} phones of one address, {PICTURES} pictures each"
        return (
            Figure(f"{pictures}: served", "", at_least=self.phones * PICTURES),
            Figure(f"{pictures}: slowest", "s"),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with serving() as (server, path):

            def sample() -> Sequence[float]:
                paths = [f"{path}?format=png&ply={ply}" for ply in range(self.phones * PICTURES)]
                with ThreadPoolExecutor(len(paths)) as phones:
                    took = list(phones.map(lambda each: ask(server, each), paths))
                return len(took), max(took)

            yield sample
