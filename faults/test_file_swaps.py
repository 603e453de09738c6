"""The files of a database are replaced or removed under a server, which then refuses writes."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import pytest

from faults.client import Client
from faults.ledger import Ledger, Thing, read_stored
from faults.players import Player, playing, wait_for_play
from faults.rounds import repeat
from faults.server import NotStarted, Server, sleep
from faults.verification import complaints

pytestmark = [pytest.mark.slow, pytest.mark.faults]

PLAYERS: Final = 4
NAME: Final = "book.db"


SWAPS: Final[dict[str, Callable[[Path], object]]] = {
    "replace the database": lambda folder: (folder / "copy.db").replace(folder / NAME),
    "remove the database": lambda folder: (folder / NAME).unlink(),
    "remove the log": lambda folder: (folder / f"{NAME}-wal").unlink(),
    "remove the index": lambda folder: (folder / f"{NAME}-shm").unlink(),
}


class Swap(NamedTuple):
    """The result of a swap: the acknowledgements, and those too late or lost."""

    what: str
    acknowledged: int
    late: list[Thing]
    lost: list[Thing]
    complaints: list[str]

    @property
    def whole(self) -> bool:
        return not (self.late or self.lost or self.complaints)


def test_swapped_file_loses_no_acknowledged_event(tmp_path, budget, figures):
    rng, kinds = Random(), itertools.cycle(SWAPS)
    swaps = repeat(
        tmp_path,
        budget,
        lambda folder: swap_under_load(folder, next(kinds), rng),
        reserve=8,
        least=len(SWAPS),
    )
    figures(
        "file swaps",
        swaps=len(swaps),
        acknowledged=sum(each.acknowledged for each in swaps),
        acknowledged_too_late=sum(len(each.late) for each in swaps),
        lost=sum(len(each.lost) for each in swaps),
        not_verified=sum(len(each.complaints) for each in swaps),
    )
    assert not [each for each in swaps if not each.whole]


def swap_under_load(folder: Path, swap: str, rng: Random) -> Swap:
    """Swap a file during play, stop the server and restart it on the files in the folder."""
    server, ledger = Server(folder / NAME), Ledger(sent)
    how = rng.choice((signal.SIGKILL, signal.SIGINT))
    server.start()
    try:
        with playing(server, ledger, PLAYERS, seed=rng.randrange(2**32)):
            wait_for_play(ledger, 20)
            sleep(rng.uniform(0, 1))
            shutil.copy(folder / NAME, folder / "copy.db")
            sleep(rng.uniform(0.1, 0.5))
            hold(folder)
            SWAPS[swap](folder)
            swapped = time.monotonic()
            sleep(1)
            check_refused(server)
    finally:
        server.stop(how)
    early = set(ledger.until(swapped))
    found = restart(server, folder)
    stored = read_stored(folder / "held" / NAME) | read_stored(folder / NAME)
    return Swap(
        f"{swap} and {how.name}",
        len(ledger),
        [thing for thing in ledger.until() if thing not in early],
        ledger.lost(stored),
        found,
    )


def sent() -> float:
    """Return the time at which the running player sent its current request."""
    player = threading.current_thread()
    assert isinstance(player, Player)
    return player.client.sent


def hold(folder: Path) -> None:
    """Keep the files that the server has open, whatever happens to their names."""
    held = folder / "held"
    held.mkdir()
    for name in (NAME, f"{NAME}-wal"):
        (held / name).hardlink_to(folder / name)


def check_refused(server: Server) -> None:
    with closing(Client(server, threading.Event())) as client:
        assert client.once("GET", "/readyz").status == 503
        refused = client.once("POST", "/matches", {"game": "poptrix"})
        assert (refused.status, bool(refused.retry_after)) == (503, True), refused


def restart(server: Server, folder: Path) -> list[str]:
    """Start the server on the files in the folder, and return the faults of the database.

    It may refuse files that do not belong together; with the old database put back, it starts.
    """
    try:
        server.start()
    except NotStarted:
        os.replace(folder / "held" / NAME, folder / "again.db")
        (folder / "held" / NAME).hardlink_to(folder / "again.db")
        os.replace(folder / "again.db", folder / NAME)
        server.start()
    server.stop()
    return list(complaints(server.database))
