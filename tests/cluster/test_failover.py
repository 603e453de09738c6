"""The primary of PostgreSQL dies under two servers, and its synchronous standby takes over."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Final, NamedTuple

import psycopg
import pytest

from faults.followers import following
from faults.ledger import Census, Event, Ledger, read_stored
from faults.players import playing, wait_for_play, wait_for_recovery
from faults.rounds import repeat
from faults.server import sleep
from tests.cluster.serving import serving, wrong
from tests.replay.store.postgres_server import Server as Postgres
from tests.replay.store.postgres_server import database_of, running, standby_of, url_of

pytestmark = [pytest.mark.postgres, pytest.mark.faults]

PLAYERS: Final = 3
"""The players at each server."""
ROUND: Final = 20.0
"""The seconds that a round takes, about."""


Disturb = Callable[[Postgres, Postgres, Ledger], None]
"""The disturbance of a primary and its standby before the primary is killed."""


class Round(NamedTuple):
    """A failover: the seconds to the first acknowledged event, and the fate of all of them.

    They count from the kill, and from the moment at which the promotion was asked for.
    """

    since_kill: float
    since_promotion: float
    census: Census
    unstored: list[Event]
    complaints: list[str]

    @property
    def whole(self) -> bool:
        return self.census.whole and not (self.unstored or self.complaints)


def keep_in_step(primary: Postgres, standby: Postgres, ledger: Ledger) -> None:
    """Do not disturb the standby."""


def cut_off(primary: Postgres, standby: Postgres, ledger: Ledger) -> None:
    """Cut the standby off, and give players time for acknowledgements of events that it lacks."""
    standby.run("ALTER SYSTEM SET primary_conninfo = ''")
    standby.run("SELECT pg_reload_conf()")
    with psycopg.connect(primary.url("postgres"), autocommit=True) as connection:
        while connection.execute("SELECT 1 FROM pg_stat_replication").fetchone():
            time.sleep(0.01)
    wait_for_play(ledger, 50, seconds=3)


@pytest.mark.parametrize("disturb", [keep_in_step, cut_off])
def test_standby_has_all_acknowledged_events(disturb, tmp_path, budget, figures):
    rng = Random()
    rounds = repeat(tmp_path, budget, lambda folder: fail_over(folder, disturb, rng), reserve=ROUND)
    figures(
        f"failover to a standby, {disturb.__name__.replace('_', ' ')}",
        failovers=len(rounds),
        acknowledged=sum(each.census.acknowledged for each in rounds),
        lost=sum(len(each.census.lost) for each in rounds),
        doubled=sum(len(each.census.doubled) for each in rounds),
        streamed_but_not_stored=sum(len(each.unstored) for each in rounds),
        not_verified=sum(len(each.complaints) for each in rounds),
        seconds_from_the_kill_to_an_event=shown([each.since_kill for each in rounds]),
        seconds_from_the_promotion_to_an_event=shown([each.since_promotion for each in rounds]),
    )
    assert [each for each in rounds if not each.whole] == []


def shown(seconds: list[float]) -> str:
    return f"{median(seconds):.1f} (at most {max(seconds):.1f})"


def fail_over(folder: Path, disturb: Disturb, rng: Random) -> Round:
    """Kill the primary of one book under load, and promote its standby."""
    ledger = Ledger(time.monotonic)
    with running() as primary, standby_of(primary) as standby:
        url = url_of(database_of(primary.new_book()), primary, standby)
        primary.wait_for_standby()
        with (
            serving(url, folder) as servers,
            playing(servers[0], ledger, PLAYERS, seed=rng.randrange(2**32)) as some,
            playing(servers[1], ledger, PLAYERS, seed=rng.randrange(2**32)) as others,
            following(servers[1], ledger, some[:2]) as followers,
        ):
            wait_for_play(ledger, 100)
            sleep(rng.uniform(0, 2))
            disturb(primary, standby, ledger)
            killed = time.monotonic()
            primary.kill()
            sleep(rng.uniform(0, 3))  # until a server notices
            promoted = time.monotonic()
            standby.promote()
            for server in servers:
                wait_for_recovery(server, ledger, [*some, *others])
        first = next(at for at in ledger.places() if at > promoted)
        stored = read_stored(url)
        return Round(
            first - killed,
            first - promoted,
            ledger.census(stored),
            [event for each in followers for event in each.heard if event not in stored],
            wrong(url),
        )
