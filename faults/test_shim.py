"""The shim finds a database that does not sync, and its disk fails on demand."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

import pytest

from faults import shim
from faults.power import DATABASE, WAL, Disk, Kind, Power, changes
from replay.store.sqlite.driver import sqlite3

pytestmark = [pytest.mark.slow, pytest.mark.faults]

NAME: Final = "numbers.db"
NUMBERS: Final = 100
WRITER: Final = f"""
import os, sys
from replay.store.sqlite.driver import sqlite3
database, synchronous, journal = sys.argv[1:]
connection = sqlite3.connect(database, isolation_level=None)
while True:
    try:
        connection.execute("PRAGMA synchronous = " + synchronous)
        break
    except sqlite3.OperationalError as error:  # a failing disk may refuse to open the database
        print(error, file=sys.stderr)
for number in range({NUMBERS}):
    try:
        connection.execute("INSERT INTO numbers VALUES (?)", (number,))
    except sqlite3.OperationalError as error:
        print(error, file=sys.stderr)
    else:
        print(number, os.path.getsize(journal) if os.path.exists(journal) else 0)
"""
"""A program that prints each stored number and the length of the journal at that time."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    made = tmp_path / NAME
    with closing(sqlite3.connect(made)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE numbers (number INTEGER)")
        connection.commit()
    return made


def write_numbers(
    database: Path, synchronous: str, journal: Path, environment: dict[str, str]
) -> tuple[dict[int, int], str]:
    """Return the place in the journal at which each number was stored, and the errors of others."""
    ran = subprocess.run(
        [sys.executable, "-c", WRITER, str(database), synchronous, str(journal)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    pairs = (line.split() for line in ran.stdout.splitlines())
    return {int(number): int(place) for number, place in pairs}, ran.stderr


def numbers(database: Path) -> set[int]:
    with closing(sqlite3.connect(database)) as connection:
        return {number for (number,) in connection.execute("SELECT number FROM numbers")}


def lost_in_cuts(database: Path, library: Path, synchronous: str) -> int:
    """Cut the power after each number; return how many numbers stored by then are lost."""
    folder, journal = database.parent, database.with_name("journal")
    power = Power(Disk(folder, NAME), journal)
    environment = shim.journaling(library, database, journal)
    places, complaints = write_numbers(database, synchronous, journal, environment)
    assert (len(places), complaints) == (NUMBERS, "")
    rng, lost = Random(1), 0
    for number, place in places.items():
        left = folder / str(number)
        left.mkdir()
        power.cut(place, left, NAME, rng)
        lost += len(set(range(number + 1)) - numbers(left / NAME))
    return lost


def test_a_database_that_syncs_loses_nothing(database, disk_library):
    assert lost_in_cuts(database, disk_library, "FULL") == 0


def test_power_cuts_lose_numbers_of_unsynced_database(database, disk_library):
    assert lost_in_cuts(database, disk_library, "OFF") > 0


def test_power_cuts_lose_numbers_of_rarely_synced_log(database, disk_library):
    assert lost_in_cuts(database, disk_library, "NORMAL") > 0


def test_journal_has_writes_and_syncs(database, disk_library):
    journal = database.with_name("journal")
    environment = shim.journaling(disk_library, database, journal)
    write_numbers(database, "FULL", journal, environment)
    seen = {(change.kind, change.file) for change in changes(journal)}
    for file in (DATABASE, WAL):
        assert {(Kind.WRITTEN, file), (Kind.SYNC_BEGUN, file), (Kind.SYNC_DONE, file)} <= seen
    assert {(Kind.CREATED, WAL), (Kind.UNLINKED, WAL)} <= seen


@pytest.mark.parametrize(
    ("write_error", "sync_error", "complaint"),
    [(errno.ENOSPC, 0, "full"), (errno.EIO, 0, "I/O"), (0, errno.EIO, "I/O")],
)
def test_failing_disk_keeps_stored_numbers(
    database, disk_library, write_error, sync_error, complaint
):
    disk = shim.FailingDisk(disk_library, database, database.with_name("control"))
    disk.fail(write_error, sync_error, 200)
    stored, complaints = write_numbers(database, "FULL", database, disk.environment)
    assert complaint in complaints
    assert 0 < len(stored) < NUMBERS
    assert set(stored) <= numbers(database)
