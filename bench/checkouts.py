"""Measure rows on one checkout, or on two in turn; each row in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from bench.row import Figure, NotMeasured
from bench.worker import Failed, Message, Ready, Sampled
from tests.paths import ROOT

OVERLAID = ("bench", "tests", "fixtures")
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
        self._name = name
        self._state: Ready | Failed
        self._samples: list[Sequence[float]] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.worker", name],
            cwd=checkout,  # the first place from which Python imports, before what is installed
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def prepare(self) -> int:
        """Wait until the row is prepared; return how often it wants to be measured."""
        message = self._next()
        assert not isinstance(message, Sampled)
        self._state = message
        return message.rounds if isinstance(message, Ready) else 0

    def measure(self) -> None:
        """Measure once, unless the row has failed."""
        if isinstance(self._state, Failed):
            return
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write("\n")
            self._process.stdin.flush()
        message = self._next()
        if isinstance(message, Sampled):
            self._samples.append(message.values)
        else:
            self._state = message

    def measured(self) -> Measured:
        """Return the values measured so far."""
        if isinstance(self._state, Failed):
            return Measured(self._name, failed=self._state.why)
        return Measured(self._name, self._state.figures, self._samples, self._state.explained)

    def close(self) -> None:
        self._process.communicate()

    def _next(self) -> Message:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            return Failed(f"its process ended with status {self._process.wait()}")
        message: Message = msgspec.json.decode(line, type=Message)
        return message


def measure(name: str, checkouts: Sequence[Path], rounds: int | None) -> list[Measured]:
    """Measure a row on each checkout, in turn within each round.

    A row that fails on one checkout is measured on the others.
    """
    with ExitStack() as stack:
        workers = [stack.enter_context(closing(Worker(name, each))) for each in checkouts]
        wanted = [worker.prepare() for worker in workers]
        for _ in range(rounds or max(wanted)):
            for worker in workers:
                worker.measure()
        return [worker.measured() for worker in workers]


@contextmanager
def commit(ref: str) -> Iterator[Path]:
    """Check out a commit beside this checkout, with the benchmarks, tests and fixtures of this one.

    Raises `NotMeasured` if there is no such commit.
    """
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder, "checkout")
        _git("worktree", "add", "--detach", str(checkout), ref)
        try:
            for name in OVERLAID:
                with suppress(FileNotFoundError):  # an older commit lacks the folder
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
