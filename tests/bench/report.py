"""Format the measurements as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.bench.timing import Timed

ROW = "{:14} {:18} {:>12} {:>9} {:>6}  {}"


def lines(results: Iterable[Timed]) -> Iterator[str]:
    """Yield the lines of the table: one per job, with speed, ratio and aim."""
    yield ROW.format("", "", "a second", "× chess", "aim", "").rstrip()
    for timed in results:
        job = timed.job
        aim = f"{job.aim:.1f}" if job.aim else ""
        verdict = "" if job.aim is None else "reached" if timed.reached else "missed"
        speed, ratio = f"{timed.speed:,.0f}", f"{timed.ratio:.2f}"
        yield ROW.format(job.subject, job.measure, speed, ratio, aim, verdict).rstrip()
