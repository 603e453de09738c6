"""Matches to play over HTTP: opened beforehand, their moves known."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from bench.books import long_match
from bench.load.servers import Client, Server
from domain.entry import move_text
from domain.games import BUILT_IN
from domain.match import Match
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from tests.paths import FIXTURES

OPENERS: Final = 8
"""The number of connections that open matches."""
BATCH: Final = 500
"""The number of moves entered at a time where none is timed."""


class Plan(NamedTuple):
    """A match to play: the body that opens it, and its move texts."""

    opening: dict[str, Any]
    tokens: Sequence[str]


class Opened(NamedTuple):
    """An opened match: the path of its events, the host's token, and the remaining moves."""

    path: str
    token: str
    moves: Sequence[str]

    def body(self, first: int, after: int | None = None) -> bytes:
        """Return the request that enters moves, one by default, at their expected version."""
        events = [{"text": token} for token in self.moves[first : after or first + 1]]
        return msgspec.json.encode({"events": events, "expected": first})


def plans() -> Iterator[Plan]:
    """Yield the recorded matches of all games in turn, again and again, in a fixed order."""
    rng = Random(1)
    games = [_recorded(slug) for slug in BUILT_IN]
    for plays in games:
        rng.shuffle(plays)
    return itertools.chain.from_iterable(zip(*map(itertools.cycle, games), strict=True))


def long_plan(moves: int) -> Plan:
    return _plan(long_match(moves))


def open_all(server: Server, chosen: Sequence[Plan]) -> list[Opened]:
    """Open matches over HTTP, several at a time, and return them in their order."""
    here = threading.local()
    with ExitStack() as connections:

        def connect() -> None:
            here.client = connections.enter_context(closing(Client(server)))

        with ThreadPoolExecutor(OPENERS, initializer=connect) as pool:
            return list(pool.map(lambda plan: _open(here.client, plan), chosen))


def play(client: Client, match: Opened, moves: int) -> None:
    """Enter the first moves of a match, many at a time."""
    for first in range(0, moves, BATCH):
        client.post(match.path, match.body(first, min(first + BATCH, moves)), match.token)


def _open(client: Client, plan: Plan) -> Opened:
    answer = client.post("/matches", msgspec.json.encode(plan.opening))
    path = f"/matches/{answer['match']}/events"
    return Opened(path, answer["tokens"]["host"], plan.tokens)


def _recorded(slug: str) -> list[Plan]:
    records = read_records((FIXTURES / slug / "games.ply").read_text())
    return [_plan(record.match) for record in records if isinstance(record, Record)]


def _plan(match: Match) -> Plan:
    options = {name: str(value) for name, value in msgspec.structs.asdict(match.options).items()}
    opening = {"game": match.game.slug, "options": options, "seats": match.seats}
    return Plan(opening, [move_text.write(match.game, ply.event) for ply in match.line])
