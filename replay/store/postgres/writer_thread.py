"""The writer thread of a database of PostgreSQL.

The row of the table `plybook` is locked in every transaction that writes, so writers in all
processes take turns. Positions of events and numbers of streams become visible in their order
therefore, and a head that was read in a transaction is exact until its commit. All appends of a
group are stored together, in two round trips.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from itertools import groupby
from typing import Final, cast

from psycopg import OperationalError
from psycopg.pq import TransactionStatus

from replay.errors import StoreError
from replay.store.postgres.appending import Append, append_all
from replay.store.postgres.connections import PATIENCE, writing
from replay.store.postgres.library import (
    ERRORS,
    Connection,
    is_of_disk,
    shown,
    translate_error,
)
from replay.store.writer_thread import Answer, Job, WriterThread

LOCK: Final = "SELECT changes FROM plybook FOR UPDATE"
CHANGED: Final = "UPDATE plybook SET changes = changes + 1"
PROBE: Final = "UPDATE plybook SET probes = probes + 1"
GOOD: Final = {TransactionStatus.INTRANS, TransactionStatus.INERROR}


class Writer(WriterThread[Connection]):
    """The thread that owns the only connection of this process that writes."""

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        super().__init__()
        self._url = url
        self._name = shown(url)
        self._patience = patience
        self._connection: Connection | None = None
        self._changes = 0
        """The transactions of all processes before the current one."""
        self._changed = False

    def probe(self) -> Future[None]:
        """Queue an attempt to write. It leaves nothing that anybody reads."""
        return self.submit(self._probe, ends_epoch=False)

    def _begin(self) -> Connection:
        if self._connection is not None:
            try:
                return self._locked(self._connection)
            except OperationalError:  # it may have been lost long ago, with nothing begun
                lost = self._connection.closed
                self._drop_connection()
                if not lost:
                    raise
        self._connection = writing(self._url, self._patience)
        try:
            return self._locked(self._connection)
        except BaseException:
            self._drop_connection()
            raise

    def _locked(self, connection: Connection) -> Connection:
        with connection.pipeline():
            connection.execute("BEGIN")
            locked = connection.execute(LOCK)
        row = locked.fetchone()
        if row is None:
            raise StoreError(f"{self._name} has lost the row of the table plybook")
        (self._changes,), self._changed = row, False
        return connection

    def _attempt_all(self, connection: Connection, jobs: list[Job]) -> list[Answer]:
        self.epoch.begin(self._changes)
        try:
            return list(self._attempts(connection, jobs))
        except OperationalError as error:
            if connection.closed:
                self._drop_connection()
                raise translate_error(error, self._name) from error
            raise

    def _attempts(self, connection: Connection, jobs: list[Job]) -> Iterator[Answer]:
        for kind, some in groupby(jobs, lambda job: type(job.work)):
            if kind is Append:
                self._changed = True
                yield from append_all(connection, [cast("Append", job.work) for job in some])
            else:
                yield from (self._attempt(connection, job) for job in some)

    def _attempt(self, connection: Connection, job: Job) -> Answer:
        """Do one job of a group. Raises only if the whole transaction is lost."""
        self._changed |= job.work != self._probe
        try:
            with connection.pipeline():
                connection.execute("SAVEPOINT job")
                answer = Answer(job.work(connection))
                if job.ends_epoch:
                    self.epoch.written()
                connection.execute("RELEASE job")
        except Exception as error:
            if connection.info.transaction_status not in GOOD:
                raise
            connection.execute("ROLLBACK TO job")
            return Answer(None, error)
        return answer

    def _finish(self, connection: Connection) -> None:
        try:
            with connection.pipeline():
                if self._changed:
                    connection.execute(CHANGED)
                connection.execute("COMMIT")
        except OperationalError as error:
            if connection.closed:
                raise StoreError(
                    f"{self._name}: the connection was lost during a commit, so it is not known "
                    "whether that was stored; look at the match again",
                    "the connection was lost; look at the match again",
                ) from error
            raise
        self.epoch.own(self._changes + self._changed)
        self.epoch.committed()

    def _fail(self, jobs: list[Job], error: Exception) -> None:
        self._drop_connection()
        super()._fail(jobs, error)

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _probe(self, connection: Connection) -> None:
        connection.execute(PROBE)

    def _is_of_disk(self, error: Exception) -> bool:
        return is_of_disk(error)

    def _translated(self, error: Exception) -> Exception:
        return translate_error(error, self._name) if isinstance(error, ERRORS) else error
