"""The store over a SQLite file, and over a temporary one."""

from __future__ import annotations

import contextlib
import tempfile
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from replay.runtime import RUNTIME, Runtime
from replay.store.sql.store import Store
from replay.store.sqlite import connecting, database_file, erasure, lock
from replay.store.sqlite.dialect import SqliteConnection
from replay.store.sqlite.erasure import Cleaning
from replay.store.sqlite.replaced_files import Files
from replay.store.sqlite.writer_thread import SqliteWriter
from replay.store.types import Condition
from replay.store.writer_thread import Callbacks

WRITE_TIMEOUT: Final = 5.0
"""Seconds to wait for another process that writes."""


class SqliteStore(Store):
    """Event streams in one file, for any number of threads and several processes.

    Opening looks at the file and opens one read-only connection; the rest waits for the first
    write.
    """

    is_local = True
    _writer: SqliteWriter

    def __init__(
        self,
        path: Path,
        timeout: float = WRITE_TIMEOUT,
        settings: Sequence[str] = connecting.DURABLE,
        runtime: Runtime = RUNTIME,
    ) -> None:
        """Open the database, and create a missing file. Raises `StoreError`."""
        self.path = database_file.prepare(path)
        self.shared_location: Path | str | None = self.path if runtime.is_parallel else None
        # The stack closes its members in reverse order.
        with lock.gate(self.path, timeout), contextlib.ExitStack() as opened:
            self._lock = lock.acquire(self.path, timeout)
            opened.callback(self._lock.release)
            self._files = Files(self.path)
            self._writer = SqliteWriter(
                self.path, timeout, self._files, self._lock, settings, runtime
            )
            self._callbacks = self._writer.callbacks
            opened.callback(self._callbacks.close)
            self._told = Callbacks()
            opened.callback(self._told.close)
            opened.callback(self._writer.close)
            # Before the writer: only that can clean up, if no reader is left.
            self._readers = connecting.SqlitePool(self.path, timeout, self._files)
            opened.callback(self._readers.close)
            self._watch = connecting.Watch(self.path, timeout, self._files)
            opened.callback(self._watch.close)
            self._bring_up_to_date()
            self._lock.share(self._files)
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Finish the queued writes and release the files."""
        with lock.gate(self.path, patience=None):
            self._opened.close()

    def condition(self) -> Condition:
        return database_file.disk_condition(self.path)

    def data_version(self) -> int:
        return self._watch.data_version()

    def on_change(self, callback: Callable[[], None]) -> None:
        self._callbacks.add(callback)

    def tell(self, text: str) -> None:
        self._lock.tell(text)
        self._told.call(text)

    def hear(self) -> None:
        if text := self._lock.told():
            self._told.call(text)

    def on_told(self, callback: Callable[[str], None]) -> None:
        self._told.add(callback)

    def erasure_due(self) -> int | None:
        with self._readers.lend() as connection:
            return erasure.due_since(connection)

    def compact(self) -> int | None:
        """Write the file anew without the bytes of erased rows, for as long as it takes.

        Return when the oldest clean-up became due, if readers or a full disk prevented it. Other
        programs may read meanwhile; their writes wait.
        """
        with contextlib.closing(
            connecting.writing(self.path, WRITE_TIMEOUT, self._files.check)
        ) as connection:
            Cleaning(self.path, self._files).finish(connection, float("inf"))
        return self.erasure_due()

    def _note_erasure(self, connection: SqliteConnection) -> None:
        self._writer.cleaning.schedule(connection)

    def _bring_up_to_date(self) -> None:
        with self._readers.lend() as connection:
            version = connecting.schema_version(connection)
            if connecting.has_log(connection):  # it keeps the files open until the store is closed
                self._files.note()
            is_pending = erasure.due_since(connection) is not None
        database_file.check_schema(self.path, version)
        if version < database_file.SCHEMA:
            from replay.store.sqlite import migrations  # imports sqlite-utils, which takes its time

            self._writer.submit(migrations.migrate).result()
        elif is_pending:
            self._writer.look_for_erasures()


class TemporaryStore(SqliteStore):
    """A store that is deleted when it is closed, and at the latest with this object.

    It lies in a folder for temporary files. It does not wait for the disk, so it does not outlive a
    loss of power.
    """

    def __init__(self, runtime: Runtime = RUNTIME) -> None:
        """Create an empty store. Raises `StoreError`."""
        folder = tempfile.TemporaryDirectory(prefix="plybook-", ignore_cleanup_errors=True)
        with contextlib.ExitStack() as made:
            made.callback(folder.cleanup)
            path = Path(folder.name, "book.db")
            path.write_bytes(database_file.empty_database())
            super().__init__(path, settings=connecting.TEMPORARY, runtime=runtime)
            self.shared_location = None
            made.push(self._opened.pop_all())
            self._opened = made.pop_all()
        weakref.finalize(self, self._opened.close)
