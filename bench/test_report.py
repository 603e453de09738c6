"""Reports have the same values as text, as JSON and as a page."""

from __future__ import annotations

import pytest

from bench import report
from bench.checkouts import Measured
from bench.machine import describe
from bench.row import Figure

FAST = Figure("moves to bare requests", at_least=0.5)
FEW = Figure("calls", "", at_most=1000)
SEEN = Figure("moves", "/s")
ROW = Measured(
    "move", (FAST, FEW, SEEN), [(0.4, 1234, 10), (0.6, 900, 20), (0.7, 800, 90)], "By it."
)
GONE = Measured("gone", failed="wrk is not installed")


@pytest.mark.parametrize(
    ("figure", "value", "reached"),
    [
        (FAST, 0.5, True),
        (FAST, 0.49, False),
        (FEW, 1000, True),
        (FEW, 1001, False),
        (SEEN, 1, None),
    ],
)
def test_a_value_reaches_its_aim_or_misses_it(figure, value, reached):
    assert figure.reached(value) is reached


def test_text_report_shows_median_spread_aim_verdict():
    cells = [" ".join(line.split()) for line in report.lines(ROW)]
    assert cells == [
        "move moves to bare requests 0.6 × 0.4 – 0.7 ≥ 0.5 reached",
        "move calls 900 800 – 1,234 ≤ 1,000 reached",
        "move moves 20 /s 10 – 90",
    ]
    [told] = report.lines(GONE)
    assert "not measured: wrk is not installed" in told


def test_json_report_has_rounds_medians_and_verdicts():
    told = report.plain(ROW)
    assert told["medians"] == [0.6, 900, 20]
    assert told["reached"] == [True, True, None]
    assert told["rounds"][0] == (0.4, 1234, 10)
    assert report.plain(GONE)["failed"] == "wrk is not installed"


def test_median_decides_whether_an_aim_is_missed():
    slow = Measured("move", (FAST, FEW), [(0.4, 900), (0.4, 900), (0.9, 900)])
    assert [report.is_missed(each) for each in (ROW, GONE, slow)] == [False, False, True]


def test_page_report_has_rows_and_machine():
    page = report.markdown([ROW, ROW, GONE], describe("abc1234"), "python -m bench --write")
    assert "| move | calls | 900 | 800 – 1,234 | ≤ 1,000 | reached |" in page
    assert "| gone | not measured: wrk is not installed |" in page
    assert "- `move`, `move`: By it." in page
    for described in ("processor", "cores", "memory", "python", "sqlite", "kernel", "load"):
        assert f"| {described} |" in page


def test_comparison_shows_ratios_of_rounds():
    before = Measured("move", (SEEN, FEW), [(10, 0), (20, 0)])
    now = Measured("move", (SEEN, FEW), [(20, 0), (60, 5)])
    first, second = (" ".join(line.split()) for line in report.compared(before, now, "abc"))
    assert first == "move moves × 2.5 2 – 3 15 → 40 /s"
    assert second == "move calls ≤ 1,000 0 → 2.5"
    [told] = report.compared(GONE, ROW, "abc")
    assert "cannot be run at abc: wrk is not installed" in told
