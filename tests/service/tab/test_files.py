"""The files of a tab, in Node over files that lose unflushed bytes: a cut loses no move."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from replay.book import Book
from replay.store.sqlite import SqliteStore
from service.tab.building import WORKER
from service.tab.packing import WEB
from tests.contract import test_recorded_cases as recorded
from tests.verification import verify_all

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).with_name("power_cuts.mjs")
FAULTS = {
    "a durable file is told too early": ("fsync: () =>", "fsync: () => 0 &&"),
    "the log begins anew before the database": ("else if (name === LOG && anew)", "else if (0)"),
}
"""A place in `files.js`, and what is put there."""


def losses(site: Path, folder: Path, fault: tuple[str, str] = ("", "")) -> list[str]:
    """Play with files that lose writes, and describe the cuts after which something is missing."""
    worker, out = folder / "worker", folder / "cuts"
    worker.mkdir()
    out.mkdir()
    for name in WORKER:
        shutil.copy(WEB / name, worker)
    files, (before, after) = worker / "files.js", fault
    assert before in files.read_text()
    files.write_text(files.read_text().replace(before, after, 1) if before else files.read_text())
    (worker / "package.json").write_text('{"type": "module"}')
    record = recorded.text("poptrix", "games.ply").split("\n[Game ")[0]
    ran = subprocess.run(
        ["node", PROGRAM, site, worker, out, "7"],
        input=" ".join(recorded.tokens(record)),
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    told = json.loads(ran.stdout.splitlines()[-1])
    assert told["cuts"] > 10
    return [f"{cut.name}: {loss}" for cut in sorted(out.iterdir()) if (loss := lost(cut))]


def lost(cut: Path) -> str | None:
    """Return the missing or damaged parts after a cut, in words."""
    acknowledged = json.loads((cut / "acknowledged.json").read_text())
    database = cut / "book.db"
    if not database.read_bytes()[:1].strip(b"\0"):
        database.unlink()  # a file without a byte counts as missing
    try:
        with closing(SqliteStore(database)) as store:
            heads = {stream.public_id: stream.head for stream in store.matches()}
            faults = [each.words() for each in verify_all(Book(store)) if not each.ok]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    behind = [match for match, head in acknowledged.items() if heads.get(match, 0) < head]
    return f"behind: {behind}" if behind else next(iter(faults), None)


def test_power_cut_loses_no_acknowledged_move(site, tmp_path):
    assert losses(site, tmp_path) == []


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_planted_file_fault_is_found(site, tmp_path, fault):
    assert losses(site, tmp_path, fault)
