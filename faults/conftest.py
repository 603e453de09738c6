"""Fixtures of the fault jobs: their time budget, and the line of figures that ends each job."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from faults import shim
from faults.reporting import FIGURES

Report = Callable[..., None]


class Budget:
    """The time that a job may take, counted from its construction."""

    def __init__(self, minutes: float) -> None:
        self.began = time.monotonic()
        self.seconds = minutes * 60

    @property
    def left(self) -> float:
        return self.began + self.seconds - time.monotonic()


@pytest.fixture
def budget(request: pytest.FixtureRequest) -> Budget:
    return Budget(request.config.getoption("--fault-minutes"))


@pytest.fixture
def figures(record_property: Callable[[str, object], None], budget: Budget) -> Report:
    """Report a job's line of figures: call it before the assertions, so that it always shows."""

    def report(job: str, **values: Any) -> None:
        listed = ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in values.items())
        took = time.monotonic() - budget.began
        record_property(FIGURES, f"{job}: {listed} ({took:.0f} s)")

    return report


@pytest.fixture(scope="session")
def disk_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled shim. Skips if there is no C compiler."""
    if shim.compiler() is None:
        pytest.skip("the shim between server and disk needs gcc")
    return shim.build(tmp_path_factory.mktemp("disk"))
