"""A worker process: the server's end of it, and the program that runs work on a book.

Both ends exchange pickles over the standard input and output of the process.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final, Literal, NamedTuple

from replay.book_file import open_book
from replay.errors import StoreError
from replay.processes import settle_worker
from replay.store import Location

NICE: Final = 10
"""The niceness of a worker, which yields to the process that answers requests."""

MEMORY_LIMIT: Final = 1024**3
"""A worker's address space in bytes."""

IDLE_NICE: Final = 19
"""The niceness of a process whose work may wait for all other processes."""

PROCESSOR_LIMIT: Final = 10
"""Processor seconds for one job, about as long as people wait; then the system ends the process."""

LONG_LIMIT: Final = 30
"""Processor seconds for an import or an archive, whose size has a limit of its own."""

EXIT_TIMEOUT: Final = 5.0
"""Seconds that a process has to exit once its pipes are closed; then it is killed."""

OUT_OF_TIME: Final = "was ended by SIGXCPU"
"""How a process that has used up its `PROCESSOR_LIMIT` ends."""

PROGRAM: Final = (
    "import pickle, sys; sys.path[:] = pickle.loads(pickle.load(sys.stdin.buffer)); "
    "import plybook_command; "  # finds our packages first
    "from service.workers.process import main; main()"
)
"""The program of the process: its first message is the path of the server."""

SAFE_PATH: Final = "-P"
"""The option of Python that keeps the current folder off the path: its files must not run."""

Cause = Literal["start", "memory", "time", "ended"]
"""Why work was not finished: the process could not start, the work took more memory or more time
than there is for one job, or the process ended otherwise."""


class Order(NamedTuple):
    """Work to do: a function, its arguments after the book, and its limit of processor seconds."""

    work: Callable[..., Any]
    args: tuple[Any, ...]
    seconds: int = PROCESSOR_LIMIT


class WorkerFailed(Exception):
    """Raised when a worker process cannot finish its work. `how` says how the process ended."""

    def __init__(self, cause: Cause, how: str) -> None:
        super().__init__(how)
        self.cause: Final = cause
        self.how: Final = how


class WorkerProcess:
    """A process that does one job after another. It starts with the first job.

    `run` and `close` block, so threads call them. `kill` may be called meanwhile.
    """

    def __init__(self, location: Location, nice: int = NICE) -> None:
        self._location = location
        self._nice = nice
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = False

    @property
    def ending(self) -> str | None:
        """How the process ended, or `None` while it can do more work."""
        code = None if self._process is None else self._process.poll()
        if code is not None:
            return _exit_words(code)
        return "is being ended" if self._killed else None

    def run(self, order: Order) -> Any:
        """Return `work(book, *args)`, run in the worker process.

        Raises its errors, and `WorkerFailed`.
        """
        job = pickle.dumps((self._location, order), pickle.HIGHEST_PROTOCOL)
        process = self._process or self._start()
        try:
            result, error = pickle.loads(_exchange(process, job))
        except (OSError, EOFError, pickle.UnpicklingError):
            how = self._end()
            raise WorkerFailed("time" if how == OUT_OF_TIME else "ended", how) from None
        if isinstance(error, MemoryError):
            raise WorkerFailed("memory", f"needed more than {MEMORY_LIMIT} bytes of memory")
        if error is not None:
            raise error
        return result

    def kill(self) -> None:
        """End the process at once, even while it starts or runs."""
        self._killed = True
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process, and wait until it has exited."""
        self.kill()
        self._end()

    def _start(self) -> subprocess.Popen[bytes]:
        """Return the process when it is ready. Raises `WorkerFailed`."""
        command = [sys.executable, SAFE_PATH, "-c", PROGRAM, str(self._nice)]
        try:
            process = self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        except OSError as error:
            raise WorkerFailed("start", f"could not be started: {error.strerror}") from None
        if self._killed:  # before there was a process
            process.kill()
        try:
            _exchange(process, pickle.dumps(sys.path))
        except (OSError, EOFError, pickle.UnpicklingError):
            raise WorkerFailed("start", self._end()) from None
        return process

    def _end(self) -> str:
        """Wait until the process has exited, and return how."""
        self._killed, process = True, self._process
        if process is None:
            return "never started"
        try:
            process.wait(EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
        with suppress(OSError), process:  # closes both pipes
            pass
        return _exit_words(process.wait())


def _exchange(process: subprocess.Popen[bytes], message: bytes) -> bytes:
    """Send a message, and return the answer. Raises the errors of the pipes and of `pickle`."""
    assert process.stdin is not None
    assert process.stdout is not None
    pickle.dump(message, process.stdin)
    process.stdin.flush()
    answer: bytes = pickle.load(process.stdout)
    return answer


def _exit_words(code: int) -> str:
    """Return how a process ended: by a signal, or with an exit status."""
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"ended with exit status {code}"


def main() -> None:
    """Do the work that arrives in a worker process, until the server closes the pipe."""
    arriving, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # only answers are written between answers
    _write(answers, b"")  # the answer to the path: the process is ready
    _settle()
    with suppress(EOFError):
        while True:
            _write(answers, _answer(pickle.load(arriving)))


def _write(answers: IO[bytes], answer: bytes) -> None:
    pickle.dump(answer, answers)
    answers.flush()


def _answer(job: bytes) -> bytes:
    """Return the pickled result of a job and `None`, or `None` and its error."""
    try:
        return _pickled((_run(*pickle.loads(job)), None))
    except Exception as error:
        return _pickled((None, error))


def _pickled(answer: Any) -> bytes:
    return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)


def _run(location: Location, order: Order) -> Any:
    """Return `work(book, *args)` with the current book of a file or a database server."""
    _bound_time(order.seconds)
    if isinstance(location, Path) and not location.exists():  # opening would create it
        raise StoreError(f"{location} is gone")
    with open_book(location) as book:
        _yield_to_others()
        return order.work(book, *order.args)


def _yield_to_others() -> None:
    """Take on the niceness, only now: to import modules takes a nice process minutes at worst."""
    if os.name == "posix":
        os.setpriority(os.PRIO_PROCESS, 0, int(sys.argv[1]))


def _settle() -> None:
    settle_worker()
    if os.name == "posix":
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, _hard(resource.RLIMIT_AS)))


def _bound_time(seconds: int) -> None:
    if os.name == "posix":
        import resource  # not on Windows

        until = int(time.process_time()) + seconds + 1
        resource.setrlimit(resource.RLIMIT_CPU, (until, _hard(resource.RLIMIT_CPU)))


def _hard(limit: int) -> int:
    import resource  # not on Windows

    return resource.getrlimit(limit)[1]
