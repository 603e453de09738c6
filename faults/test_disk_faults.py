"""A full or failing disk causes 503s and loses nothing acknowledged; then the server recovers."""

from __future__ import annotations

import errno
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import pytest

from faults import shim
from faults.conftest import Budget
from faults.ledger import Census, Ledger, read_stored
from faults.players import playing, wait_for_recovery
from faults.rounds import repeat
from faults.server import Server, sleep
from faults.verification import complaints

pytestmark = [pytest.mark.slow, pytest.mark.faults]

PLAYERS: Final = 4
MAX_EVENTS: Final = 20_000
"""The number of acknowledgements after which a new book is begun."""
LOGGED: Final = 10_000
"""The limit of logged bytes per fault: its cause, and not each request."""
ERRORS: Final = (
    (errno.ENOSPC, 0),
    (errno.EIO, 0),
    (0, errno.EIO),
    (0, errno.ENOSPC),
    (errno.ENOSPC, errno.EIO),
)
"""The errors of writing and syncing."""


class Round(NamedTuple):
    """The faults of a book, and the fate of its acknowledged changes."""

    faults: int
    refused: int
    census: Census
    complaints: list[str]
    log: str

    @property
    def whole(self) -> bool:
        quiet = "Traceback" not in self.log and len(self.log) < LOGGED * self.faults
        return self.census.whole and not self.complaints and quiet


def test_failing_disk_loses_nothing(tmp_path, budget, figures, disk_library):
    rng = Random()
    rounds = repeat(
        tmp_path,
        budget,
        lambda folder: fail_again_and_again(folder, disk_library, budget, rng),
        reserve=5,
    )
    figures(
        "disk faults",
        faults=sum(each.faults for each in rounds),
        refused_with_503=sum(each.refused for each in rounds),
        acknowledged=sum(each.census.acknowledged for each in rounds),
        lost=sum(len(each.census.lost) for each in rounds),
        doubled=sum(len(each.census.doubled) for each in rounds),
        not_verified=sum(len(each.complaints) for each in rounds),
        bytes_logged=sum(len(each.log) for each in rounds),
    )
    assert any(each.refused for each in rounds)
    assert not [each for each in rounds if not each.whole]


def fail_again_and_again(folder: Path, library: Path, budget: Budget, rng: Random) -> Round:
    """Let the disk of one book fail until the time is up or the book is large enough."""
    database, ledger, faults = folder.resolve() / "book.db", Ledger(), 0
    disk = shim.FailingDisk(library, database, folder / "control")
    server = Server(database, disk.environment)
    server.start()
    try:
        with playing(server, ledger, PLAYERS, seed=rng.randrange(2**32)) as players:
            while (budget.left > 5 and len(ledger) < MAX_EVENTS) or not faults:
                sleep(rng.uniform(0.2, 1))
                disk.fail(*rng.choice(ERRORS), rng.choice((50, 300, 1000)))
                faults += 1
                sleep(rng.uniform(0.2, 3))
                disk.heal()
                wait_for_recovery(server, ledger, players)
        server.stop()
    finally:
        disk.heal()
        server.kill()
    found = list(complaints(database))
    refused = sum(player.client.refused for player in players)
    return Round(
        faults, refused, ledger.census(read_stored(database)), found, server.log.read_text()
    )
