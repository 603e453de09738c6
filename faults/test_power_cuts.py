"""A power cut at any moment leaves every acknowledged change on the disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import pytest

from faults import shim
from faults.conftest import Budget
from faults.ledger import Ledger, Thing, read_stored
from faults.players import playing, wait_for_play
from faults.power import Disk, Power
from faults.server import Server, sleep
from faults.verification import complaints
from replay.store import open_store

pytestmark = [pytest.mark.slow, pytest.mark.faults]

PLAYERS: Final = 4
ENOUGH: Final = 20
PLAYED: Final = 1.5
"""The numbers of events in whose time the moments of cuts are chosen."""
CUTS: Final = 12
"""The number of chosen moments."""
MAX_EVENTS: Final = 3000
"""The size at which a new database is begun, as each cut verifies the whole of it."""
NAME: Final = "book.db"


class Cut(NamedTuple):
    """A database after a power cut: its size, and its faults."""

    folder: Path
    stored: int
    lost: list[Thing]
    invented: list[Thing]
    complaints: list[str]

    @property
    def whole(self) -> bool:
        return not (self.lost or self.invented or self.complaints)


def test_a_power_cut_loses_no_acknowledged_event(tmp_path, budget, figures, disk_library):
    rng, count, acknowledged, bad = Random(), 0, 0, list[Cut]()
    base: Cut | None = None
    while not count or budget.left > 5:
        folder = tmp_path / str(count)
        prepare(folder, base)
        played = Played(folder, disk_library, rng)
        cuts = list(played.cuts(budget, rng))
        count += len(cuts)
        acknowledged += len(played.ledger)
        bad += [cut for cut in cuts if not cut.whole]
        if base is not None and base.whole:
            shutil.rmtree(base.folder.parent)
        base = cuts[-1]
    figures(
        "power cuts",
        cuts=count,
        acknowledged=acknowledged,
        lost=sum(len(cut.lost) for cut in bad),
        never_written=sum(len(cut.invented) for cut in bad),
        corrupt=sum(bool(cut.complaints) for cut in bad),
    )
    assert not bad


def prepare(folder: Path, base: Cut | None) -> None:
    """Make a folder with a database: the last one, or a new one if that is large."""
    folder.mkdir()
    if base is None or base.stored > MAX_EVENTS:
        open_store(folder / NAME).close()
        return
    for left in base.folder.glob(f"{NAME}*"):
        shutil.copy(left, folder / left.name)


class Played:
    """Play for a while on a journalled disk, beginning with the files of a folder."""

    def __init__(self, folder: Path, library: Path, rng: Random) -> None:
        database, journal = folder / NAME, folder / "journal"
        self.folder = folder
        self.before = read_stored(database)
        self.power = Power(Disk(folder, NAME), journal)
        self.ledger = Ledger(lambda: journal.stat().st_size)
        server = Server(database, shim.journaling(library, database, journal))
        server.start()
        try:
            with playing(server, self.ledger, PLAYERS, seed=rng.randrange(2**32)):
                wait_for_play(self.ledger, ENOUGH)
                sleep(PLAYED)
        finally:
            server.kill()
        self.after = read_stored(database)

    def cuts(self, budget: Budget, rng: Random) -> Iterator[Cut]:
        """Cut the power right after acknowledgements, and at other random moments, in order."""
        acknowledged = self.ledger.places()
        assert acknowledged, "nothing was played"
        places = [rng.choice(acknowledged) for _ in range(CUTS // 2)]
        places += [rng.uniform(0, acknowledged[-1]) for _ in range(CUTS - len(places))]
        for number, place in enumerate(sorted(places)):
            if number and budget.left < 3:
                return
            folder = self.folder / str(number)
            folder.mkdir()
            self.power.cut(place, folder, NAME, rng)
            yield self._look(folder, place)

    def _look(self, folder: Path, place: float) -> Cut:
        opened = shutil.copytree(folder, folder / "opened")  # the next round recovers the others
        stored = read_stored(opened / NAME)
        lost = [thing for thing in self.before if thing not in stored]
        lost += self.ledger.lost(stored, place)
        invented = [thing for thing in stored if thing not in self.after]
        return Cut(folder, len(stored), lost, invented, list(complaints(opened / NAME)))
