"""Many long matches in turn, to one match."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.load import servers
from tests.bench.load.matches import Opened, long_plan, open_all, play
from tests.bench.load.servers import Client, Server
from tests.bench.row import Figure, Row, Sample


@dataclass(frozen=True)
class ManyMatches(Row):
    """One connection makes the next move in each of the matches, all at the same ply; then as many
    moves in one match from that ply on. CPU is that of the server process.
    """

    matches: int = 300
    plies: int = 600

    @property
    def figures(self) -> Sequence[Figure]:
        where = f"{self.matches} matches at ply {self.plies}"
        return (
            Figure(f"CPU of a move in turn in {where} to one match's", at_most=1.3),
            Figure(f"CPU of a move in turn in {where}", "ms"),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        plan = long_plan(self.plies + self.matches)
        with (
            tempfile.TemporaryDirectory() as folder,
            servers.plybook(Path(folder, "book.db")) as server,
            closing(Client(server)) as client,
        ):

            def opened(count: int) -> list[Opened]:
                found = open_all(server, [plan] * count)
                for match in found:
                    play(client, match, self.plies)
                return found

            many, rounds = opened(self.matches), iter(range(self.plies, len(plan.tokens)))

            def sample() -> Sequence[float]:
                ply = next(rounds)
                in_turn = _cost(server, client, [(match, ply) for match in many])
                [one] = opened(1)
                plies = range(self.plies, self.plies + self.matches)
                alone = _cost(server, client, [(one, ply) for ply in plies])
                return in_turn / alone, in_turn * 1000

            yield sample


def _cost(server: Server, client: Client, moves: Sequence[tuple[Opened, int]]) -> float:
    """Return the seconds of the server's CPU time per move."""
    before = server.cpu()
    for match, ply in moves:
        client.post(match.path, match.body(ply), match.token)
    return (server.cpu() - before) / len(moves)
