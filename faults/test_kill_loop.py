"""A server that is killed at random moments under load loses, doubles and skips nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from faults.conftest import Budget
from faults.followers import following
from faults.ledger import Census, Event, Ledger, read_stored
from faults.players import playing, wait_for_play
from faults.rounds import repeat
from faults.server import Server, sleep
from faults.verification import complaints

pytestmark = [pytest.mark.slow, pytest.mark.faults]

PLAYERS = 5
FOLLOWED = 2
MAX_EVENTS = 20_000
"""The number of acknowledgements after which a new book is begun."""


class Round(NamedTuple):
    """The kills of a book, and the fate of its acknowledged and streamed events."""

    kills: int
    resumed: int
    census: Census
    unstored: list[Event]
    complaints: list[str]

    @property
    def whole(self) -> bool:
        return self.census.whole and not (self.unstored or self.complaints)


def test_kills_neither_lose_nor_double_an_acknowledged_event(tmp_path, budget, figures):
    rng = Random()
    rounds = repeat(
        tmp_path, budget, lambda folder: kill_again_and_again(folder, budget, rng), reserve=5
    )
    figures(
        "kill loop",
        kills=sum(each.kills for each in rounds),
        acknowledged=sum(each.census.acknowledged for each in rounds),
        lost=sum(len(each.census.lost) for each in rounds),
        doubled=sum(len(each.census.doubled) for each in rounds),
        streams_resumed=sum(each.resumed for each in rounds),
        streamed_but_not_stored=sum(len(each.unstored) for each in rounds),
        not_verified=sum(len(each.complaints) for each in rounds),
    )
    assert all(each.kills for each in rounds)
    assert not [each for each in rounds if not each.whole]


def kill_again_and_again(folder: Path, budget: Budget, rng: Random) -> Round:
    """Kill the server of one book until the time is up or the book is large enough."""
    server, ledger, kills = Server(folder / "book.db"), Ledger(), 0
    server.start()
    over = budget.began + budget.seconds - 5
    try:
        with (
            playing(server, ledger, PLAYERS, seed=rng.randrange(2**32)) as players,
            following(server, ledger, players[:FOLLOWED]) as followers,
        ):
            while (budget.left > 5 and len(ledger) < MAX_EVENTS) or not kills:
                if rng.random() < 0.8:  # the others are killed while they start
                    wait_for_play(ledger, 5)
                sleep(rng.uniform(0, 2), over)
                server.kill()
                kills += 1
                server.start()
            sleep(2, over + 2)
    finally:
        server.kill()
    found = list(complaints(server.database))
    stored = read_stored(server.database)
    return Round(
        kills,
        sum(follower.resumed for follower in followers),
        ledger.census(stored),
        [event for each in followers for event in each.heard if event not in stored],
        found,
    )
