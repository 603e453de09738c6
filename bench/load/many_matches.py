"""Many long matches in turn, compared with few."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.load import servers
from bench.load.matches import Opened, long_plan, open_all, play
from bench.load.servers import Client, Server
from bench.row import Figure, Row, Sample

ROUNDS = 20
"""The matches have moves for so many rounds."""


@dataclass(frozen=True)
class ManyMatches(Row):
    """32 connections make a move in each of 300 matches at ply 600, each connection in its own
    matches in turn; then as many moves in one match of each connection, which the moves before
    keep in the cache. CPU is that of the server process.
    """

    matches: int = 300
    plies: int = 600
    connections: int = 32

    @property
    def figures(self) -> Sequence[Figure]:
        where = f"CPU of a move, {self.matches} matches in turn at ply {self.plies}"
        return Figure(f"{where}, to hot ones", at_most=1.3), Figure(where, "ms")

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        each = -(-self.matches // self.connections)
        plan = long_plan(self.plies + ROUNDS * (each + 1))
        with (
            tempfile.TemporaryDirectory() as folder,
            servers.plybook(Path(folder, "book.db")) as server,
        ):
            opened = open_all(server, [plan] * (self.matches + self.connections))
            with closing(Client(server)) as client:
                for match in opened:
                    play(client, match, self.plies)
            many, hot = opened[: self.matches], opened[self.matches :]
            hands = [many[number :: self.connections] for number in range(self.connections)]
            rounds = iter(range(ROUNDS))

            def sample() -> Sequence[float]:
                number = next(rounds)
                ply, later = self.plies + number, self.plies + number * (each + 1)
                in_turn = _cost(server, [[(match, ply) for match in hand] for hand in hands])
                _cost(server, [[(match, later)] for match in hot])
                plies = range(later + 1, later + 1 + each)
                alone = _cost(server, [[(match, at) for at in plies] for match in hot])
                return in_turn / alone, in_turn * 1000

            yield sample


def _cost(server: Server, hands: Sequence[Sequence[tuple[Opened, int]]]) -> float:
    """Make the moves of each connection; return the seconds of the server's CPU time per move."""
    before = server.cpu()
    with ThreadPoolExecutor(len(hands)) as pool:
        made = sum(pool.map(functools.partial(_make, server), hands))
    return (server.cpu() - before) / made


def _make(server: Server, moves: Sequence[tuple[Opened, int]]) -> int:
    # A connection kept for the next round would be closed by then.
    with closing(Client(server)) as client:
        for match, ply in moves:
            client.post(match.path, match.body(ply), match.token)
    return len(moves)
