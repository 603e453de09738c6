"""Work in several processes: order, errors, and how far ahead it reads."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from replay import processes
from replay.errors import StoreError, Usage
from replay.processes import AHEAD, ProcessPool
from tests.paths import ROOT

SCRIPT = """
from replay import processes
processes.processors = lambda: 2
if __name__ == "__main__":
    with processes.ProcessPool(abs, abs, 0) as workers:
        print([*workers.put(-1, 1), *workers.rest()])
"""


def twice(number: int) -> tuple[int, int]:
    if number < 0:
        raise Usage(f"{number} is too small")
    if number > 100:
        os._exit(1)
    return 2 * number, os.getpid()


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "processors", lambda: 2)


def test_results_keep_order_and_reading_stays_bounded():
    with ProcessPool(twice, twice, 0) as workers:
        found = [[*workers.put(number, 1)] for number in range(20)]
        assert [len(each) for each in found] == [0] * 2 * AHEAD + [1] * (20 - 2 * AHEAD)
        results = [*(one for each in found for one in each), *workers.rest()]
    assert [double for double, _ in results] == list(range(0, 40, 2))
    assert os.getpid() not in {process for _, process in results}


@pytest.mark.parametrize(("apart", "enough"), [(twice, 10), (None, 0)])
def test_little_work_is_done_in_this_process(apart, enough):
    with ProcessPool(twice, apart, enough) as workers:
        found = [one for number in range(9) for one in workers.put(number, 1)]
        found += workers.rest()
    assert found == [(2 * number, os.getpid()) for number in range(9)]


def test_error_keeps_its_place_among_results():
    with ProcessPool(twice, twice, 0) as workers:
        assert [one for number in (1, -1, 2) for one in workers.put(number, 1)] == []
        results = workers.rest()
        assert next(results)[0] == 2
        with pytest.raises(Usage, match="-1 is too small"):
            next(results)
    with ProcessPool(twice, twice, 0) as workers:
        assert list(workers.put(101, 1)) == []
        with pytest.raises(StoreError, match="ended from outside"):
            list(workers.rest())


def test_processes_run_no_file_of_the_current_folder(tmp_path):
    script, folder, mark = tmp_path / "script.py", tmp_path / "current", tmp_path / "mark"
    script.write_text(SCRIPT)
    folder.mkdir()
    for name in sys.stdlib_module_names:
        (folder / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\nraise ImportError")
    ran = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert (ran.stdout, ran.stderr, mark.exists()) == ("[1]\n", "", False)
