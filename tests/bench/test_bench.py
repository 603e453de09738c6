"""The benchmarks run on every game. Speed is not asserted, as it depends on the machine."""

from __future__ import annotations

import pytest

from domain.games import BUILT_IN

pytest.importorskip("chess", reason="the benchmarks compare with python-chess: extra `bench`")

from tests.bench import report, suites
from tests.bench.timing import Job, timed

pytestmark = pytest.mark.slow


def test_every_job_runs_and_every_game_is_covered():
    results = timed(suites.jobs(), rounds=1)
    assert {result.job.subject for result in results} >= set(BUILT_IN)
    assert all(result.speed > 0 and result.ratio > 0 for result in results)
    assert len(list(report.lines(results))) == len(results) + 1


def test_a_ratio_compares_units_of_work():
    half, whole = (lambda: sum(range(1000)) and 1), (lambda: sum(range(1000)) and 2)
    [result] = timed([Job("sums", "added", whole, half, aim=0.1)], rounds=9)
    assert result.reached
    [slow] = timed([Job("sums", "added", half, whole, aim=1e9)], rounds=1)
    assert not slow.reached
