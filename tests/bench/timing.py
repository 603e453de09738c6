"""Timing two things against each other on a machine that others use as well."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import NamedTuple

Work = Callable[[], int]
"""Does some work and returns how many units it was: moves, nodes, turns."""


class Job(NamedTuple):
    """Work to be timed, and work of the same kind to compare it with.

    `aim` is the least ratio of the two speeds that is good enough, if there is such an aim.
    """

    subject: str
    measure: str
    work: Work
    yardstick: Work
    aim: float | None = None
    note: str = ""


class Timed(NamedTuple):
    """A job's medians: units a second, and how many times as fast it is as its yardstick."""

    job: Job
    speed: float
    ratio: float

    @property
    def reached(self) -> bool:
        """Whether the aim is reached, where there is one."""
        return self.job.aim is None or self.ratio >= self.job.aim


def timed(jobs: Sequence[Job], rounds: int) -> list[Timed]:
    """Time each job once a round, between two runs of its yardstick.

    What slows the machine for a while so falls on both sides of a ratio, or on few rounds.
    """
    # What the jobs prepared is not theirs to have collected over and over.
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
