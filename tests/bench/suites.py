"""The suites of benchmarks; to add one, write a module with `jobs()` and name it here."""

from __future__ import annotations

from itertools import chain
from typing import Final

from tests.bench import refereeing, rereading
from tests.bench.timing import Job

SUITES: Final = (refereeing, rereading)


def jobs() -> list[Job]:
    """Return the jobs of all suites."""
    return list(chain.from_iterable(suite.jobs() for suite in SUITES))
