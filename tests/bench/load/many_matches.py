"""Many long matches in turn, to few."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.load import servers
from tests.bench.load.matches import Opened, long_plan, open_all, play
from tests.bench.load.servers import Client, Server
from tests.bench.row import Figure, Row, Sample

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
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            server = stack.enter_context(servers.plybook(Path(folder, "book.db")))
            clients = [
                stack.enter_context(closing(Client(server))) for _ in range(self.connections)
            ]
            opened = open_all(server, [plan] * (self.matches + self.connections))
            for match in opened:
                play(clients[0], match, self.plies)
            many, hot = opened[: self.matches], opened[self.matches :]
            hands = [many[number :: self.connections] for number in range(self.connections)]
            rounds = iter(range(ROUNDS))

            def sample() -> Sequence[float]:
                number = next(rounds)
                ply, later = self.plies + number, self.plies + number * (each + 1)
                in_turn = _cost(
                    server, clients, [[(match, ply) for match in hand] for hand in hands]
                )
                _cost(server, clients, [[(match, later)] for match in hot])
                plies = range(later + 1, later + 1 + each)
                alone = _cost(server, clients, [[(match, at) for at in plies] for match in hot])
                return in_turn / alone, in_turn * 1000

            yield sample


def _cost(
    server: Server, clients: Sequence[Client], hands: Sequence[Sequence[tuple[Opened, int]]]
) -> float:
    """Make the moves of each connection; return the seconds of the server's CPU time per move."""
    before = server.cpu()
    with ThreadPoolExecutor(len(clients)) as pool:
        made = sum(pool.map(_make, clients, hands))
    return (server.cpu() - before) / made


def _make(client: Client, moves: Sequence[tuple[Opened, int]]) -> int:
    for match, ply in moves:
        client.post(match.path, match.body(ply), match.token)
    return len(moves)
