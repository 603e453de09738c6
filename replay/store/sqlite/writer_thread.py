"""The writer thread: it owns the only writing connection and commits in groups.

The jobs that arrive while a group is made durable form the next group: one transaction, one
fsync, a savepoint for each job. Futures are answered after the commit.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from replay.errors import FileChanged, PlybookError, StoreError
from replay.store import validation
from replay.store.protocol import Observer
from replay.store.sqlite import disk, queries
from replay.store.sqlite.cleaning import PAUSE, Cleaning
from replay.store.sqlite.connections import writing
from replay.store.sqlite.epoch import Epoch
from replay.store.sqlite.identity import INDEX, LOG, Files
from replay.store.sqlite.lock import Lock
from replay.store.sqlite.sqlite_library import ERRORS, Connection, is_of_disk, translate_error

T = TypeVar("T")
GROUP: Final = 1000


class Job(NamedTuple):
    """A function that writes, and the future of its result.

    `quick` does the same in the usual case without a savepoint, or else returns `None`.
    """

    work: Callable[[Connection], Any]
    future: Future[Any]
    quick: Callable[[Connection], Any] | None
    ends_epoch: bool


class Answer(NamedTuple):
    """The result of a job, or the error by which it failed and left nothing behind."""

    result: Any
    error: Exception | None = None


class Writer:
    """A queue of jobs and the thread that does them. The thread starts with the first job."""

    def __init__(
        self, path: Path, timeout: float, files: Files, lock: Lock, settings: Sequence[str]
    ) -> None:
        self.commits = 0
        """Transactions committed so far: fewer than jobs, where they came in groups."""
        self.observer: Observer | None = None
        self._path = path
        self._timeout = timeout
        self._files = files
        self._lock = lock
        self._settings = settings
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._gate = threading.Lock()  # nothing enters the queue after the closing `None`
        self._thread: threading.Thread | None = None
        self._closed = False
        self._connection: Connection | None = None
        self._failing = False
        self.cleaning = Cleaning(path)
        """The clean-up that is due after erasures; a job that erases asks for it."""
        self.epoch = Epoch()

    def submit(
        self,
        work: Callable[[Connection], T],
        quick: Callable[[Connection], T | None] | None = None,
        *,
        ends_epoch: bool = True,
    ) -> Future[T]:
        """Queue a job. If it raises, its future raises the same, and nothing of it is stored."""
        future: Future[T] = Future()
        with self._gate:
            if not self._closed:
                if self._thread is None:
                    self._start()
                self._jobs.put(Job(work, future, quick, ends_epoch))
                return future
        future.set_exception(validation.closed())
        return future

    def probe(self) -> Future[None]:
        """Queue an attempt to write. It leaves nothing."""
        return self.submit(self._probe)

    def close(self) -> None:
        """Finish the queued jobs, refuse later ones, and close the file."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="plybook-writer", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        group: list[Job] = []
        try:
            while group := self._next_group():
                self._commit([job for job in group if job.future.set_running_or_notify_cancel()])
        finally:
            self._refuse(group)
            if self._connection is not None:
                self.cleaning.at_close(self._connection)
            self._drop_connection()

    def _next_group(self) -> list[Job]:
        """Wait for a job and take all others in the queue. Empty if the store is being closed."""
        group: list[Job] = []
        job = self._next_job()
        with contextlib.suppress(queue.Empty):
            while job is not None:
                group.append(job)
                if len(group) == GROUP:
                    return group
                job = self._jobs.get_nowait()
        if job is None and group:
            self._jobs.put(None)  # for the next round
        return group

    def _next_job(self) -> Job | None:
        """Wait for a job, and clean up after erasures meanwhile."""
        while self.cleaning.owed and self._connection is not None:
            try:
                return self._jobs.get(timeout=PAUSE)
            except queue.Empty:
                self.cleaning.while_idle(self._connection)
        return self._jobs.get()

    def _commit(self, jobs: list[Job]) -> None:
        try:
            connection = self._begun()
        except Exception as error:
            self._fail(jobs, error)
            return
        try:
            self.epoch.begin(connection)
            answers = [self._attempt(connection, job) for job in jobs]
            begun = time.perf_counter()
            connection.execute("COMMIT")
            self.epoch.committed()
            self._files.check()  # before anything is acknowledged
        except StoreError as error:
            self._fail(jobs, error)
        except Exception as error:
            self._drop_connection()
            self._commit_singly(jobs, error)
        else:
            self.commits += 1
            if self.observer is not None:
                self.observer.committed(time.perf_counter() - begun, len(jobs))
            self.cleaning.after_commit(connection)
            self._answer(jobs, answers)

    def _commit_singly(self, jobs: list[Job], error: Exception) -> None:
        """Commit the jobs of a failed group one by one: only those at fault fail again."""
        if len(jobs) == 1:
            self._answer(jobs, [Answer(None, error)])
        else:
            for job in jobs:
                self._commit([job])

    def _begun(self) -> Connection:
        if self._connection is None:
            self._connection = writing(self._path, self._timeout, self._files.check, self._settings)
            self.epoch.reconnected()
            self._files.note()
        self._files.check()
        self._connection.execute("BEGIN IMMEDIATE")
        return self._connection

    def _attempt(self, connection: Connection, job: Job) -> Answer:
        """Do one job of a group. Raises only if SQLite gave up the whole transaction."""
        try:
            done = job.quick and job.quick(connection)
        except PlybookError as error:
            return Answer(None, error)
        if done is not None:
            return Answer(done)
        connection.execute("SAVEPOINT job")
        try:
            answer = Answer(job.work(connection))
        except Exception as error:
            if not connection.in_transaction:
                raise
            connection.execute("ROLLBACK TO job")
            answer = Answer(None, error)
            self.epoch.forget()
        if job.ends_epoch:
            self.epoch.written()
        connection.execute("RELEASE job")
        return answer

    def _fail(self, jobs: list[Job], error: Exception) -> None:
        """Answer all jobs with an error that none of them caused."""
        self._answer(jobs, [Answer(None, error)] * len(jobs))
        if isinstance(error, FileChanged):
            self._save()

    def _save(self) -> None:
        """Checkpoint the log into the database that was opened, after a file changed.

        That completes a database that was only renamed, and empties a log that SQLite would use
        for the new file of that name. It is left alone if another program may have it open.
        """
        if self._connection is not None and self._files.has((LOG, INDEX)) and self._lock.is_alone():
            with contextlib.suppress(*ERRORS):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._drop_connection()

    def _drop_connection(self) -> None:
        """Close the connection, which rolls back what it has begun."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _probe(self, connection: Connection) -> None:
        """Write beside the database, and after a failure to the database itself.

        A commit wakes all followers, so that one is the exception.
        """
        disk.write_probe(self._path)
        if self._failing:
            version = queries.schema_version(connection)
            connection.execute(f"PRAGMA user_version = {version}")

    def _answer(self, jobs: list[Job], answers: list[Answer]) -> None:
        errors = [answer.error for answer in answers if answer.error is not None]
        self._failing = any(map(is_of_disk, errors))
        if self._failing and self.observer is not None:
            self.observer.failed()
        for job, answer in zip(jobs, answers, strict=True):
            if answer.error is None:
                job.future.set_result(answer.result)
            else:
                job.future.set_exception(self._translated(answer.error))

    def _translated(self, error: Exception) -> Exception:
        return translate_error(error, self._path) if isinstance(error, ERRORS) else error

    def _refuse(self, group: list[Job]) -> None:
        """Leave no future waiting when the thread ends, even if it ends by a fault."""
        with self._gate:
            self._closed = True
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                group += [job] if job else []
        for job in group:
            with contextlib.suppress(InvalidStateError):  # answered or cancelled already
                job.future.set_exception(StoreError("the store closed before this was written"))
