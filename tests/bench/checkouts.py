"""Measure rows on one checkout, or on two in turn; each row in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.bench.row import Figure, NotMeasured
from tests.bench.worker import Failed, Message, Ready
from tests.paths import ROOT

OVERLAID = ("tests", "fixtures")
"""The folders that an earlier commit gets from this checkout: both run the same benchmarks."""


class Measured(Struct, frozen=True):
    """A row's figures with their values of each round; or why it was not measured."""

    name: str
    figures: Sequence[Figure] = ()
    rounds: Sequence[Sequence[float]] = ()
    explained: str = ""
    failed: str | None = None

    @property
    def columns(self) -> list[tuple[Figure, list[float]]]:
        """Each figure with its values, one of each round."""
        values = map(list, zip(*self.rounds, strict=True))
        return [] if self.failed else list(zip(self.figures, values, strict=True))


class Worker:
    """A process that measures one row on the packages of a checkout."""

    def __init__(self, name: str, checkout: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.worker", name],
            cwd=checkout,  # the first place from which Python imports, before what is installed
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ready(self) -> Ready:
        """Wait until the row is prepared. Raises `NotMeasured`."""
        message = self._next()
        assert isinstance(message, Ready)
        return message

    def sample(self) -> Sequence[float]:
        """Measure once. Raises `NotMeasured`."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        message = self._next()
        assert not isinstance(message, Ready | Failed)
        return message.values

    def close(self) -> None:
        """Let the process clean up and end."""
        self._process.communicate()

    def _next(self) -> Message:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise NotMeasured(f"its process ended with status {self._process.wait()}")
        message: Message = msgspec.json.decode(line, type=Message)
        if isinstance(message, Failed):
            raise NotMeasured(message.why)
        return message


def measure(name: str, checkouts: Sequence[Path], rounds: int | None) -> list[Measured]:
    """Measure a row on each checkout, in turn within each round.

    A row that fails on one checkout is measured on the others.
    """
    with ExitStack() as stack:
        workers = [stack.enter_context(closing(Worker(name, each))) for each in checkouts]
        found = [_prepared(name, worker) for worker in workers]
        most = rounds or max(
            (ready.rounds for ready in found if isinstance(ready, Ready)), default=0
        )
        samples: list[list[Sequence[float]]] = [[] for _ in workers]
        for _ in range(most):
            for number, worker in enumerate(workers):
                if isinstance(found[number], Ready):
                    try:
                        samples[number].append(worker.sample())
                    except NotMeasured as error:
                        found[number] = Measured(name, failed=str(error))
    return [
        Measured(name, ready.figures, values, ready.explained)
        if isinstance(ready, Ready)
        else ready
        for ready, values in zip(found, samples, strict=True)
    ]


def _prepared(name: str, worker: Worker) -> Ready | Measured:
    try:
        return worker.ready()
    except NotMeasured as error:
        return Measured(name, failed=str(error))


@contextmanager
def commit(ref: str) -> Iterator[Path]:
    """Check out a commit beside this checkout, with the tests and fixtures of this one.

    Raises `NotMeasured` if there is no such commit.
    """
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder, "checkout")
        _git("worktree", "add", "--detach", str(checkout), ref)
        try:
            for name in OVERLAID:
                (checkout / name).rename(Path(folder, name))
                (checkout / name).symlink_to(ROOT / name)
            yield checkout
        finally:
            _git("worktree", "remove", "--force", str(checkout))


def short_name(ref: str = "HEAD") -> str:
    """Return the short hash of a commit. Raises `NotMeasured` if there is no such commit."""
    try:
        return _git("rev-parse", "--short", "--verify", f"{ref}^{{commit}}").strip()
    except NotMeasured:
        raise NotMeasured(f"there is no commit {ref!r}") from None


def _git(*arguments: str) -> str:
    ran = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    if ran.returncode:
        raise NotMeasured(ran.stderr.strip())
    return ran.stdout
