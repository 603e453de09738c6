"""Time two jobs against each other on a machine with other load."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import NamedTuple

Work = Callable[[], int]
"""Do some work and return the number of its units: moves, nodes, turns."""


class Job(NamedTuple):
    """Work to time, and comparable work.

    `aim` is the smallest acceptable ratio of the two speeds, if the job has an aim.
    """

    subject: str
    measure: str
    work: Work
    yardstick: Work
    aim: float | None = None
    note: str = ""


class Timed(NamedTuple):
    """A job's medians: units per second, and its speed as a multiple of its yardstick's."""

    job: Job
    speed: float
    ratio: float

    @property
    def reached(self) -> bool:
        """Whether the job reaches its aim; `None` without an aim."""
        return self.job.aim is None or self.ratio >= self.job.aim


def timed(jobs: Sequence[Job], rounds: int) -> list[Timed]:
    """Time each job once per round, between two runs of its yardstick.

    A passing slowdown of the machine then affects both sides of a ratio, or only few rounds.
    """
    # The prepared objects of the jobs need no further garbage collection.
    gc.collect()
    gc.freeze()
    try:
        rows = [[_sample(job) for job in jobs] for _ in range(rounds)]
    finally:
        gc.unfreeze()
    by_job = zip(*rows, strict=True)
    return [_summary(job, samples) for job, samples in zip(jobs, by_job, strict=True)]


def _sample(job: Job) -> tuple[float, float]:
    """Return units a second, and the ratio to the yardstick."""
    before, speed, after = map(_speed, (job.yardstick, job.work, job.yardstick))
    return speed, 2 * speed / (before + after)


def _speed(work: Work) -> float:
    start = perf_counter()
    units = work()
    return units / (perf_counter() - start)


def _summary(job: Job, samples: Sequence[tuple[float, float]]) -> Timed:
    speeds, ratios = zip(*samples, strict=True)
    return Timed(job, median(speeds), median(ratios))
