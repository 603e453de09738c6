"""The option of the fault jobs, and a line of figures for each below pytest's summary."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import pytest

FIGURES: Final = "figures"
"""The name of the report property that carries a job's line, also from a worker of xdist."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fault-minutes",
        type=float,
        default=1.0,
        metavar="MINUTES",
        help="how long each fault job runs (1 by default); select the jobs with -m faults",
    )


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reports = (each for kind in terminalreporter.stats.values() for each in kind)
    if lines := sorted(set(_figures(reports))):
        terminalreporter.section("figures of the fault jobs")
        for line in lines:
            terminalreporter.write_line(line)


def _figures(reports: Iterable[Any]) -> Iterable[str]:
    for report in reports:
        for name, value in getattr(report, "user_properties", ()):
            if name == FIGURES:
                yield str(value)
