"""The writer thread of a database of PostgreSQL.

The row of the table `plybook` is locked in every transaction that writes, so writers in all
processes take turns. Therefore positions of events and numbers of streams become visible in their
order, and a head that was read in a transaction is exact until its commit.

Statements are sent in a pipeline: the thread waits only for the answers that it reads. So a group
of any number of appends takes two round trips: one for the lock and the heads, one for the events
and the commit.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager
from itertools import groupby
from typing import Any, Final

from psycopg import OperationalError, Pipeline
from psycopg.errors import Diagnostic

from replay.errors import StoreError
from replay.store.postgres.appending import AppendBatch
from replay.store.postgres.connecting import (
    LOCK_TIMEOUT,
    commit_timeout,
    end_silent,
    is_alive,
    writing,
)
from replay.store.postgres.driver import (
    ERRORS,
    Connection,
    is_of_disk,
    is_of_server,
    is_passing,
    shown,
    translate_error,
)
from replay.store.postgres.listener import CHANNEL
from replay.store.sql.change_feed import begin_era
from replay.store.sql.dialect import Cursor
from replay.store.types import Append
from replay.store.writer_thread import Answer, Job, WriterThread

LOCK: Final = "SELECT epochs FROM plybook FOR UPDATE"
CHANGED: Final = f"""
    UPDATE plybook SET changes = changes + 1, epochs = epochs + %s
    RETURNING pg_notify('{CHANNEL}', '')
"""
WAIT_FOR_STANDBY: Final = "SyncRepWaitForLSN"
"""The function of PostgreSQL that waits; its warning has no code of its own."""
MAX_TRIES: Final = 3
"""How often to try a group that another program, or a server turned standby, aborted."""
PROBE: Final = "UPDATE plybook SET probes = probes + 1"


class PostgresWriter(WriterThread[Connection]):
    """The thread that owns the only connection of this process that writes."""

    def __init__(self, url: str, patience: float = LOCK_TIMEOUT) -> None:
        super().__init__()
        self._url = url
        self._name = shown(url)
        self._patience = patience
        self._connection: Connection | None = None
        self._pipeline: AbstractContextManager[Pipeline] | None = None
        """The pipeline of the current transaction."""
        self._lock: Cursor | None = None
        """The lock that was asked for, until its answer is read."""
        self._epochs = 0
        """The transactions of all processes that ended an epoch, before the current one."""
        self._has_era = False
        """Whether the connection has begun an era.

        The first write begins it, unless it is a probe.
        """
        self._changed = False
        self._longest = 0.0
        """The seconds that a commit may take."""
        self._alone = False
        """Whether the server gave up waiting for its standby: the commit is only on its disk."""

    def probe(self) -> Future[None]:
        """Queue an attempt to write. It leaves nothing that is ever read."""
        return self.submit(self._probe, ends_epoch=False)

    def _begin(self) -> Connection:
        if self._connection is not None and not is_alive(self._connection):
            self._drop_connection()
        if self._connection is None:
            self._connection = writing(self._url, self._patience)
            self.epoch.reconnected()  # perhaps to a standby that lacks the last commits
            self._has_era = False
            end_silent(self._connection)
            self._longest = commit_timeout(self._connection)
            self._connection.add_notice_handler(self._note_notice)
        pipeline = self._pipeline = self._connection.pipeline()
        pipeline.__enter__()
        self._connection.execute("BEGIN")
        self._lock = self._connection.execute(LOCK)
        self._changed = self._alone = False
        return self._connection

    def _store(self, connection: Connection, jobs: list[Job]) -> tuple[list[Answer], float]:
        try:
            return self._try(connection, jobs, MAX_TRIES)
        except ERRORS as error:
            # Without a connection or the lock none of the jobs can be at fault.
            lost = self._connection is None or self._connection.closed or self._lock is not None
            if lost or is_of_server(error) or is_passing(error):
                raise translate_error(error, self._name) from error
            raise

    def _try(
        self, connection: Connection, jobs: list[Job], tries: int
    ) -> tuple[list[Answer], float]:
        try:
            return self._try_once(connection, jobs)
        except ERRORS as error:
            if tries == 1 or not is_passing(error):
                raise
        self._drop_connection()
        return self._try(self._begin(), jobs, tries - 1)

    def _try_once(self, connection: Connection, jobs: list[Job]) -> tuple[list[Answer], float]:
        answers = list(self._attempts(connection, jobs))
        begun = time.perf_counter()
        self._commit_all(connection)
        return answers, time.perf_counter() - begun

    def _attempts(self, connection: Connection, jobs: list[Job]) -> Iterator[Answer]:
        if not self._has_era and any(job.work != self._probe for job in jobs):
            begin_era(connection)
            self._has_era = True
        for batched, some in groupby(jobs, _is_batched):
            group = list(some)
            if batched:
                appends = [job.work for job in group if isinstance(job.work, Append)]
                batch = AppendBatch(connection, self.epoch, appends)
                self._note_lock()
                self._changed = True
                yield from batch.do()
            else:
                self._note_lock()
                yield from (self._attempt(connection, job) for job in group)

    def _note_lock(self) -> None:
        """Wait for the lock of the book, and begin another epoch if others have ended it."""
        if self._lock is not None:
            row = self._lock.fetchone()
            self._lock = None
            if row is None:
                raise StoreError(f"{self._name} has lost the row of the table plybook")
            self._epochs = row[0]
            self.epoch.begin(self._epochs)

    def _attempt(self, connection: Connection, job: Job) -> Answer:
        """Do one job of a group. Raises if the database refuses it: the transaction is lost."""
        self._changed |= job.work != self._probe
        connection.execute("SAVEPOINT job")
        try:
            job.check(connection)
            answer = self._do(connection, job.work)
        except ERRORS:
            raise
        except Exception as error:
            connection.execute("ROLLBACK TO job")
            answer = Answer(None, error)
        else:
            if job.ends_epoch:
                self.epoch.written()
        connection.execute("RELEASE job")
        return answer

    def _do(self, connection: Connection, work: Callable[[Any], Any] | Append) -> Answer:
        if isinstance(work, Append):
            return AppendBatch(connection, self.epoch, [work]).do()[0]
        return Answer(work(connection))

    def _commit_all(self, connection: Connection) -> None:
        ended = int(self._changed and self.epoch.ending)
        connection.deadline = deadline = time.monotonic() + self._longest
        try:
            if self._changed:
                connection.execute(CHANGED, (ended,))
            connection.execute("COMMIT")
            self._end_pipeline()
        except OperationalError as error:
            if connection.closed:
                is_late = time.monotonic() >= deadline
                late = f"the database or its standby did not answer in {self._longest:g} seconds"
                raise self._unknown(late if is_late else "the connection was lost") from error
            raise
        finally:
            connection.deadline = None
        if self._alone:
            raise self._unknown("the wait for a standby was cancelled")
        self.epoch.own(self._epochs + ended)
        self.epoch.committed()

    def _unknown(self, reason: str) -> StoreError:
        return StoreError(
            f"{self._name}: {reason} during a commit, so it is not known "
            "whether the change was stored; look at the match again",
            f"{reason}; look at the match again",
        )

    def _note_notice(self, notice: Diagnostic) -> None:
        """Note that the wait for a standby was cancelled, which the commit survives."""
        self._alone |= notice.source_function == WAIT_FOR_STANDBY

    def _end_pipeline(self) -> None:
        """Wait for the answers of all statements. Raises the first of their errors."""
        pipeline, self._pipeline = self._pipeline, None
        if pipeline is not None:
            pipeline.__exit__(None, None, None)

    def _fail(self, jobs: list[Job], error: Exception) -> None:
        self._drop_connection()
        super()._fail(jobs, error)

    def _drop_connection(self) -> None:
        with contextlib.suppress(*ERRORS):
            self._end_pipeline()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _probe(self, connection: Connection) -> None:
        connection.execute(PROBE)

    def _is_of_disk(self, error: Exception) -> bool:
        return is_of_disk(error)

    def _translated(self, error: Exception) -> Exception:
        return translate_error(error, self._name) if isinstance(error, ERRORS) else error


def _is_batched(job: Job) -> bool:
    """Return whether a job is an append without a condition, which may share a transaction."""
    return isinstance(job.work, Append) and job.condition is None
