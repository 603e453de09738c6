"""The rows run at tiny sizes. Speed is not asserted, as it depends on the machine."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from plybook import open_book

pytest.importorskip("chess", reason="the benchmarks compare with python-chess: extra `bench`")

from bench import books, checkouts, commands, rows
from bench.animating import Animating, DrawingPlies
from bench.calls import Calling
from bench.contests import Contests
from bench.evening import EveningPage
from bench.games import Blockade, CubePyramid, Poptrix, PowerPlay, PyramidBall, to_yardstick
from bench.generating import Generating
from bench.growth import Growth
from bench.importing import Importing
from bench.learning import Learning
from bench.listing import Listing
from bench.load.account import FollowingAccount
from bench.load.fairness import BesideImports, BesideLongWork, Phones
from bench.load.following import Following
from bench.load.lengths import LongMatch
from bench.load.many_matches import ManyMatches
from bench.load.moves import Moves, check_stored
from bench.load.servers import Refused
from bench.load.several import SeveralServers
from bench.pocket import Pocket
from bench.reading import Reading, ReadingPostgres
from bench.reconstructing import Reconstructing
from bench.refereeing import Refereeing
from bench.reopening import Reopening
from bench.row import NotMeasured, Row, explain
from bench.sampling import Sampling
from bench.upkeep import Upkeep
from bench.verifying import Verifying
from domain.games import BUILT_IN
from replay.search.playouts import for_playouts
from tests.paths import ROOT

TINY = (
    Moves(connections=2, seconds=1),
    ManyMatches(matches=4, plies=6, connections=2),
    LongMatch(late=30),
    Following(streams=10, seconds=1),
    FollowingAccount(seats=20, seconds=1),
    SeveralServers(connections=2, seconds=1),
    BesideImports(records=2),
    BesideLongWork(height=20),
    Phones(phones=2),
    DrawingPlies(plies=20),
    Calling(),
    Poptrix(100),
    Blockade(100),
    PowerPlay(100),
    PyramidBall(100),
    CubePyramid(100),
    Generating(nodes=20),
    Refereeing(moves=20),
    Sampling(items=2),
    Reconstructing(matches=1),
    Contests(1, partial(for_playouts, 2)),
    Learning(steps=20),
    Reopening(plies=20),
    Importing(matches=5),
    Listing(matches=3),
    Verifying(matches=5),
    Animating(plies=20),
    Growth(matches=20),
    EveningPage(matches=5),
    Reading(matches=20),
    ReadingPostgres(matches=20),
    Upkeep(matches=20),
    Pocket(percent=200),
)


@pytest.mark.slow
@pytest.mark.parametrize("row", TINY, ids=lambda row: type(row).__name__)
def test_row_gives_each_figure_a_value(row: Row) -> None:
    with ExitStack() as stack:
        try:
            sample = stack.enter_context(row.prepared())
        except NotMeasured as missing:
            pytest.skip(str(missing))
        for _ in range(2):
            values = sample()
            assert len(values) == len(row.figures)
            # A difference of two times may be negative on so few matches.
            assert all(map(math.isfinite, values))
    assert explain(row)


def test_row_names_cover_rows_and_games() -> None:
    named = {name: rows.find(name) for name in (*rows.names(full=False), *rows.names(full=True))}
    assert {type(row) for row in named.values()} == {type(row) for row in TINY}
    assert named.keys() >= BUILT_IN.keys()


@pytest.mark.parametrize("name", ["nonsense", "list:", "list:many", "list:-1"])
def test_unknown_row_refusal_lists_all_names(name: str) -> None:
    with pytest.raises(NotMeasured, match=r"no row .*http-move, .*growth"):
        rows.split(name)


def test_a_ratio_compares_units_of_work() -> None:
    def half() -> int:
        return sum(range(100_000)) and 1

    def whole() -> int:
        return half() + 999

    assert to_yardstick(whole, half) > 10
    assert to_yardstick(half, whole) < 0.1


def test_a_grown_book_is_sound(tmp_path: Path) -> None:
    ids = books.grow(tmp_path / "book.db", 12, plies=9)
    assert len(set(ids)) == 12
    commands.run(tmp_path / "book.db", "verify")
    commands.run(tmp_path / "book.db", "doctor")
    with open_book(tmp_path / "book.db") as book:
        assert max(len(book.open(match).match.line) for match in ids) == 9


def test_row_fails_if_answers_are_unstored(tmp_path: Path) -> None:
    books.grow(tmp_path / "book.db", 2, plies=5)  # ten events
    check_stored(tmp_path / "book.db", 10)
    with pytest.raises(Refused, match="11 moves were answered, and only 10 are stored"):
        check_stored(tmp_path / "book.db", 11)


@pytest.mark.slow
def test_failed_row_does_not_affect_others() -> None:
    [failed] = checkouts.measure("nonsense", [ROOT], rounds=1)
    assert failed.failed is not None
    assert "no row 'nonsense'" in failed.failed
    assert failed.columns == []
    [good] = checkouts.measure("calls", [ROOT], rounds=1)
    assert [len(values) for _, values in good.columns] == [1] * len(Calling().figures)


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no checkout")
def test_commit_is_measured_by_current_benchmarks() -> None:
    printed = "import domain, bench; print(domain.__file__, bench.__file__)"
    with checkouts.commit("HEAD") as checkout:
        ran = subprocess.run(
            [sys.executable, "-c", printed], cwd=checkout, capture_output=True, text=True
        )
        assert ran.stdout.split() == [
            str(checkout / "domain" / "__init__.py"),
            str(checkout / "bench" / "__init__.py"),
        ]
        assert (checkout / "bench").resolve() == ROOT / "bench"
        before, now = checkouts.measure("calls", [checkout, ROOT], rounds=1)
        assert before.failed is now.failed is None
    assert not checkout.exists()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no checkout")
def test_an_unknown_commit_is_refused() -> None:
    with pytest.raises(NotMeasured, match="no commit 'nonsense'"):
        checkouts.short_name("nonsense")


def test_a_row_whose_process_dies_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    [died] = checkouts.measure("calls", [ROOT], rounds=1)
    assert died.failed == "its process ended with status 1"
