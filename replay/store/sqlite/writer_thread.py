"""The writer thread of a SQLite file: a savepoint for each job, one fsync for a group."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path

from replay.errors import FileChanged, PlybookError
from replay.runtime import Runtime
from replay.store.sql.change_feed import begin_era
from replay.store.sqlite import database_file
from replay.store.sqlite.appending import append_at_known_heads, append_at_stored_head
from replay.store.sqlite.connecting import schema_version, writing
from replay.store.sqlite.database_file import SCHEMA
from replay.store.sqlite.dialect import SqliteConnection
from replay.store.sqlite.driver import ERRORS, is_of_disk, translate_error
from replay.store.sqlite.erasure import Cleaning
from replay.store.sqlite.lock import Lock
from replay.store.sqlite.replaced_files import INDEX, LOG, Files
from replay.store.types import Append
from replay.store.writer_thread import Answer, Callbacks, Job, WriterThread


class SqliteWriter(WriterThread[SqliteConnection]):
    """The thread that owns the only connection that writes to the file."""

    def __init__(
        self,
        path: Path,
        timeout: float,
        files: Files,
        lock: Lock,
        settings: Sequence[str],
        runtime: Runtime,
    ) -> None:
        super().__init__(runtime)
        self._path = path
        self._log = Path(f"{path}{LOG}")
        self._timeout = timeout
        self._files = files
        self._lock = lock
        self._settings = settings
        self._connection: SqliteConnection | None = None
        self._has_era = False
        """Whether the connection has begun an era.

        The first write begins it, unless it is a probe.
        """
        self.cleaning = Cleaning(path, files)
        """The clean-up that is due after erasures; a job that erases asks for it."""
        self.callbacks = Callbacks()
        """The functions to call after each commit."""

    def probe(self) -> Future[None]:
        """Queue an attempt to write. It leaves nothing."""
        return self.submit(self._probe)

    def look_for_erasures(self) -> None:
        """Queue a look at the erasures of earlier processes, to clean up after them."""
        self.submit(_write_nothing, ends_epoch=False)

    def _next_job(self) -> Job | None:
        """Wait for a job, and clean up after erasures meanwhile."""
        cleaning = self.cleaning
        while cleaning.pending and self._connection is not None:
            try:
                return self._jobs.get(timeout=cleaning.wait)
            except queue.Empty:
                cleaning.rest(self._connection, lambda: not self._jobs.empty())
        return self._jobs.get()

    def _begin(self) -> SqliteConnection:
        if self._connection is None:
            self._connection = writing(self._path, self._timeout, self._files.check, self._settings)
            self.epoch.reconnected()
            self._has_era = False
            self._files.note()
        self._files.check()
        self._connection.execute("BEGIN IMMEDIATE")
        return self._connection

    def _store(self, connection: SqliteConnection, jobs: list[Job]) -> tuple[list[Answer], float]:
        of_others = self.epoch.begin(connection.execute("PRAGMA data_version").fetchone()[0])
        if not self._has_era:
            self._begin_era(connection, jobs)
        answers = self._append(connection, jobs)
        if answers is None:
            several = len(jobs) > 1
            answers = [self._attempt(connection, job, again=several) for job in jobs]
        if of_others:
            self.cleaning.look(connection)
        begun = time.perf_counter()
        connection.execute("COMMIT")
        if self._runtime.make_durable:
            self._flush(self._runtime.make_durable)
        self.epoch.committed()
        self._files.check()  # before anything is acknowledged
        seconds = time.perf_counter() - begun
        self.cleaning.after_commit(connection)
        return answers, seconds

    def _flush(self, make_durable: Callable[[Path], None]) -> None:
        try:
            make_durable(self._log)
        except OSError as error:  # SQLite has committed: it is not known whether that will last
            raise database_file.disk_failure(error, self._path) from error

    def _begin_era(self, connection: SqliteConnection, jobs: Sequence[Job]) -> None:
        writes = any(job.work != self._probe for job in jobs)
        if writes and schema_version(connection) == SCHEMA:  # otherwise the job is a migration
            begin_era(connection)
            self._has_era = True

    def _answer(self, jobs: Sequence[Job], answers: Sequence[Answer]) -> None:
        super()._answer(jobs, answers)
        self.callbacks.call()  # last: the answered caller has the match that followers would read

    def _append(self, connection: SqliteConnection, jobs: Sequence[Job]) -> list[Answer] | None:
        """Do jobs that append one event each together, or return `None` and write nothing."""
        appends = [
            job.work for job in jobs if isinstance(job.work, Append) and job.condition is None
        ]
        if len(appends) < len(jobs):
            return None
        try:
            appended = append_at_known_heads(connection, self.epoch, appends)
        except PlybookError as error:
            return [Answer(None, error)] if len(jobs) == 1 else None
        return None if appended is None else [*map(Answer, appended)]

    def _attempt(self, connection: SqliteConnection, job: Job, *, again: bool) -> Answer:
        """Do one job, `again` if its group failed: another job may be the faulty one.

        Raises only if SQLite gave up the whole transaction.
        """
        if again and (answers := self._append(connection, [job])):
            return answers[0]
        connection.execute("SAVEPOINT job")
        try:
            if job.condition is not None:
                job.check(connection)
            if isinstance(job.work, Append):
                answer = Answer(append_at_stored_head(connection, self.epoch, job.work))
            else:
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

    def _rest(self) -> None:
        if self._connection is not None and self.cleaning.pending and not self.cleaning.wait:
            self.cleaning.rest(self._connection, lambda: False)

    def _at_end(self) -> None:
        if self._connection is not None and self.cleaning.pending and self._lock.is_alone():
            self.cleaning.finish(self._connection)

    def _fail(self, jobs: list[Job], error: Exception) -> None:
        super()._fail(jobs, error)
        if isinstance(error, FileChanged):
            self._save()

    def _save(self) -> None:
        """Checkpoint the log into the database that was opened, after a file changed.

        The checkpoint completes a database that was only renamed, and empties a log that SQLite
        would use for the new file of that name. The file is left alone if another program may have
        it open.
        """
        if self._connection is not None and self._files.has((LOG, INDEX)) and self._lock.is_alone():
            with contextlib.suppress(*ERRORS):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._drop_connection()

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _probe(self, connection: SqliteConnection) -> None:
        """Write to the disk of the database, and after a failure to the database itself.

        A commit wakes all followers, so the second write is rare.
        """
        database_file.write_probe(self._path)
        if self._failing:
            version = schema_version(connection)
            connection.execute(f"PRAGMA user_version = {version}")

    def _is_of_disk(self, error: Exception) -> bool:
        return is_of_disk(error)

    def _translated(self, error: Exception) -> Exception:
        return translate_error(error, self._path) if isinstance(error, ERRORS) else error


def _write_nothing(_: SqliteConnection) -> None:
    """Write nothing; the transaction itself finds erasures."""
