"""Erased words are gone after a kill, and repeated erasures delay no moves."""

from __future__ import annotations

import itertools
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

import pytest

from faults.client import Client
from faults.players import Playing
from faults.rounds import repeat
from faults.server import Server, sleep
from faults.verification import complaints

pytestmark = [pytest.mark.slow, pytest.mark.faults]

SHARE_RESTED: Final = 0.1
"""The part of the rounds that wait for the server's own clean-up, a minute after its start."""
MATCHES: Final = 40
RENAMINGS: Final = 400
"""How often a name or tag is changed before all are erased: pages are split by that."""
FACTS: Final = ("Seat1", "Event", "Site")
MAX_WORDS: Final = 150
REST: Final = 120.0
"""Seconds in which a small book is cleaned up, even on a busy machine."""
SIZE: Final = 60
"""Megabytes of the book in which somebody erases again and again."""
MOVE_DELAYS: Final = (1.0, 1.2)
"""Seconds from an erasure to a move: a clean-up after a second of rest would be under way."""
MAX_SLOWDOWN: Final = 2.5
"""The median of a server that erases, in that of one that does not on the same machine."""


class Round(NamedTuple):
    """A kill after erasures: those acknowledged and owed, and the copies of erased words."""

    erased: int
    owed: int
    killed: int
    running: int
    stopped: int
    complaints: list[str]

    @property
    def whole(self) -> bool:
        return not (self.running or self.stopped or self.complaints)


def test_no_kill_leaves_erased_words(tmp_path, budget, figures):
    rng = Random()
    rounds = repeat(
        tmp_path, budget, lambda folder: erase_and_kill(folder / "book.db", rng), reserve=10
    )
    figures(
        "erasures",
        kills=len(rounds),
        erased_names_and_tags=sum(each.erased for each in rounds),
        owed_after_kills=sum(each.owed for each in rounds),
        copies_after_kills=sum(each.killed for each in rounds),
        copies_after_a_rest=sum(each.running for each in rounds),
        copies_after_stops=sum(each.stopped for each in rounds),
        not_verified=sum(len(each.complaints) for each in rounds),
    )
    assert sum(each.erased for each in rounds)
    assert not [each for each in rounds if not each.whole]


def test_repeated_erasures_delay_no_moves(tmp_path, budget, figures):
    seconds = max(budget.left, 20)
    with ExitStack() as running:
        clients = []
        for name in ("erased.db", "kept.db"):
            server = Server(tmp_path / name)
            running.callback(server.stop)
            server.start()
            with closing(Client(server, threading.Event())) as client:
                opened(client)
            server.stop()
            enlarge(tmp_path / name)
            server.start()
            clients.append(running.enter_context(closing(Client(server, threading.Event()))))
        beside, alone = moves(clients, seconds)
    times = median(beside) / median(alone)
    figures(
        "erasing again and again",
        erasures=len(beside),
        ms_median_alone=round(median(alone), 1),
        ms_median_beside=round(median(beside), 1),
        ms_longest_alone=round(max(alone)),
        ms_longest_beside=round(max(beside)),
        times_the_median=round(times, 1),
    )
    assert times < MAX_SLOWDOWN


def erase_and_kill(book: Path, rng: Random) -> Round:
    """Erase names and tags, kill the server, let it rest after a restart, and stop it."""
    server = Server(book)
    server.start()
    try:
        with closing(Client(server, threading.Event())) as client:
            marks = renamed(client, rng)
            erased = list(erase(client, marks, rng.randint(1, MATCHES)))
        sleep(rng.choice((0, 0, rng.uniform(0, 1))))
        server.kill()
        killed, owing = copies(book, erased), owed(book)
        server.start()
        running = 0
        if rng.random() < SHARE_RESTED:
            over = time.monotonic() + REST
            while owed(book) and time.monotonic() < over:
                sleep(0.1)
            running = copies(book, erased)
    finally:
        server.stop()
    found = list(complaints(book))
    return Round(len(erased), owing, killed, running, copies(book, erased), found)


def renamed(client: Client, rng: Random) -> dict[Playing, str]:
    """Open matches and change their names and tags at random; return the word in all of each."""
    marks = {opened(client): uuid.uuid4().hex for _ in range(MATCHES)}
    for _ in range(RENAMINGS):
        match = rng.choice(list(marks))
        fact = rng.choice(FACTS)
        words = ["word"] * rng.randrange(12 if fact == "Seat1" else MAX_WORDS)
        tag(client, match, {fact: " ".join([marks[match], *words])})
    return marks


def erase(client: Client, marks: dict[Playing, str], count: int) -> Iterator[str]:
    """Erase names and tags of some matches; yield the word of each that is acknowledged."""
    for match in list(marks)[:count]:
        tag(client, match, dict.fromkeys(FACTS, ""))
        yield marks[match]


def opened(client: Client) -> Playing:
    answer = client.ask("POST", "/matches", {"game": "poptrix"})
    assert answer.status == 201, answer
    return Playing(answer.json["match"], answer.json["tokens"]["host"])


def tag(client: Client, match: Playing, tags: dict[str, str]) -> None:
    path = f"/matches/{match.id}"
    if "Seat1" in tags:
        body = {"players": {"1": tags["Seat1"]}}
        answer = client.ask("PATCH", f"{path}/people", body, token=match.token)
        assert answer.status == 200, answer
    others = {name: value for name, value in tags.items() if name != "Seat1"}
    answer = client.ask("PATCH", f"{path}/tags", {"tags": others}, token=match.token)
    assert answer.status == 200, answer


def copies(book: Path, marks: list[str]) -> int:
    files = [Path(f"{book}{suffix}") for suffix in ("", "-wal", "-shm")]
    data = b"".join(file.read_bytes() for file in files if file.exists())
    return sum(data.count(mark.encode()) for mark in marks)


def owed(book: Path) -> int:
    """Return how many erasures are still to be cleaned up after."""
    with closing(sqlite3.connect(f"{book.as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute("SELECT count(*) FROM erasures").fetchone()[0]


def enlarge(book: Path) -> None:
    """Give a match private values of many megabytes."""
    with closing(sqlite3.connect(book)) as connection:
        for number in range(SIZE):
            row = (f"filling {number}", 2**20)
            connection.execute("INSERT INTO held SELECT 1, ?, randomblob(?)", row)
        connection.commit()


def moves(clients: Sequence[Client], seconds: float) -> Sequence[Sequence[float]]:
    """Play at two servers as people do for a while, each time after a request of another client.

    At the first server it erases. Return the milliseconds until each move was stored.
    """
    took: list[tuple[float, ...]] = []
    rng, over = Random(1), perf_counter() + seconds
    tagged, played = ([opened(client) for client in clients] for _ in range(2))
    for token in itertools.cycle(("1:offer-draw", "2:decline-draw")):
        for client, match in zip(clients, tagged, strict=True):
            tag(client, match, {"Event": "words"})
        tag(clients[0], tagged[0], {"Event": ""})
        sleep(rng.uniform(*MOVE_DELAYS))
        if perf_counter() > over:
            break
        took.append(tuple(map(partial(_timed, token), clients, played)))
    return list(zip(*took, strict=True))


def _timed(token: str, client: Client, match: Playing) -> float:
    start = perf_counter()
    path, body = f"/matches/{match.id}/events", {"events": [{"text": token}]}
    assert client.ask("POST", path, body, token=match.token).status == 200
    return (perf_counter() - start) * 1000
