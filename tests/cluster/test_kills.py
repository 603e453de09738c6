"""Two servers behind nginx that are killed again and again lose, double and skip nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from faults.followers import following
from faults.ledger import Ledger, read_stored
from faults.players import playing, wait_for_play
from faults.server import sleep
from replay.store import Location
from tests.browser.nginx import free_ports, needs_nginx
from tests.cluster.behind import behind_nginx
from tests.cluster.hooked import hooked, not_arrived
from tests.cluster.receiver import receiving
from tests.cluster.serving import serving, wrong

PLAYERS = 6
FOLLOWED = 3


@pytest.mark.faults
def test_servers_killed_behind_nginx_lose_nothing(
    database: Location, tmp_path: Path, budget, figures
):
    needs_nginx()
    rng, ledger, kills, ports = Random(), Ledger(), 0, free_ports(2)
    with (
        receiving() as receiver,
        serving(database, tmp_path, ports) as servers,
        behind_nginx(tmp_path / "nginx", (ports[0], ports[1])) as door,
    ):
        with (
            playing(
                door, ledger, PLAYERS, seed=rng.randrange(2**32), kind=hooked(receiver)
            ) as players,
            following(door, ledger, players[:FOLLOWED]) as followers,
        ):
            over = budget.began + budget.seconds
            while budget.left > 0 or not kills:
                wait_for_play(ledger, 20)
                sleep(rng.uniform(0, 2), over)
                for server in rng.sample(servers, rng.choice((1, 1, 1, 2))):
                    server.kill()
                    kills += 1
                sleep(rng.uniform(0, 1), over)  # the other one serves alone
                for server in servers:
                    if not server.is_running:
                        server.start()
            wait_for_play(ledger, 100)
        missing = not_arrived(database, receiver, players)
    stored = read_stored(database)
    census = ledger.census(stored)
    unstored = [event for each in followers for event in each.heard if event not in stored]
    found = wrong(database)
    figures(
        f"kills behind nginx ({'PostgreSQL' if isinstance(database, str) else 'a file'})",
        kills=kills,
        acknowledged=census.acknowledged,
        lost=len(census.lost),
        doubled=len(census.doubled),
        streams_resumed=sum(follower.resumed for follower in followers),
        streamed_but_not_stored=len(unstored),
        calls_of_hooks=receiver.calls,
        events_called_again=receiver.repeated,
        events_not_called=len(missing),
        not_verified=len(found),
    )
    assert census.whole
    assert unstored == []
    assert receiver.faults == []
    assert missing == []
    assert found == []


def test_hook_is_called_once_per_event(database, tmp_path):
    ledger = Ledger()
    with receiving() as receiver, serving(database, tmp_path) as servers:
        with (
            playing(servers[0], ledger, 2, seed=1, kind=hooked(receiver)) as some,
            playing(servers[1], ledger, 2, seed=3, kind=hooked(receiver)) as others,
        ):
            wait_for_play(ledger, 400)
        missing = not_arrived(database, receiver, [*some, *others])
    assert receiver.faults == []
    assert missing == []
    assert receiver.repeated == 0
