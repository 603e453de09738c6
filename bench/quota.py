"""A quota of the processor's time for some processes, by a control group of Linux."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from bench.row import NotMeasured

FIRST: Final = Path("/sys/fs/cgroup/cpu")
SECOND: Final = Path("/sys/fs/cgroup")
MEMBERS: Final = "cgroup.procs"


@contextmanager
def limited(quota: int, period: int) -> Iterator[Path]:
    """Yield a file that takes the ids of processes: they get a quota of each period, before others.

    Both are microseconds. Raises `NotMeasured` without the right to make control groups.
    """
    root = FIRST if (FIRST / MEMBERS).exists() else SECOND  # the version of control groups
    settings = {
        FIRST: {"cpu.shares": 262144, "cpu.cfs_period_us": period, "cpu.cfs_quota_us": quota},
        SECOND: {"cpu.weight": 10000, "cpu.max": f"{quota} {period}"},
    }
    with ExitStack() as stack:
        try:
            group = Path(mkdtemp(prefix="plybook-", dir=root))
            stack.callback(_remove, group, root)
            for name, value in settings[root].items():
                (group / name).write_text(str(value))
        except OSError as error:
            raise NotMeasured(f"a quota takes root and control groups: {error}") from None
        yield group / MEMBERS


def _remove(group: Path, root: Path) -> None:
    """Move all processes of a group back, and remove it."""
    while left := (group / MEMBERS).read_text().split():
        with suppress(OSError):
            (root / MEMBERS).write_text(left[0])
    group.rmdir()


def family(process: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield process
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        for child in children.read_text().split():
            yield from family(int(child))
