"""The store over a database of PostgreSQL."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from psycopg import OperationalError

from replay.errors import StoreError
from replay.store.postgres import schema
from replay.store.postgres.connecting import LOCK_TIMEOUT, PostgresPool
from replay.store.postgres.dialect import PostgresConnection
from replay.store.postgres.driver import ERRORS, shown, translate_error
from replay.store.postgres.listener import CHANNEL, Listener
from replay.store.postgres.writer_thread import PostgresWriter
from replay.store.sql.dialect import Connection
from replay.store.sql.part import reads
from replay.store.sql.store import Store
from replay.store.types import Condition

T = TypeVar("T")
WAITING: Final = (
    "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' "
    "AND datname = current_database() AND query_start < clock_timestamp() - interval '1 second')"
)


class PostgresStore(Store):
    """Event streams in one database, for any number of threads, processes and machines.

    Opening makes one connection; the first write makes another.
    """

    is_local = False

    def __init__(self, url: str, patience: float = LOCK_TIMEOUT) -> None:
        """Open the database, and make the tables if they are missing. Raises `StoreError`."""
        self.name = shown(url)
        self.shared_location: Path | str | None = url
        with contextlib.ExitStack() as opened:  # closed in reverse order
            self._readers = PostgresPool(url)
            opened.callback(self._readers.close)
            self._writer = PostgresWriter(url, patience)
            opened.callback(self._writer.close)
            self._listener = Listener(url)
            opened.callback(self._listener.close)
            if self._query(schema.version, self.name) < schema.SCHEMA:
                self._migrate(url)
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Finish the queued writes and close the connections."""
        self._opened.close()

    def condition(self) -> Condition:
        self.data_version()  # the server answers
        return Condition(None, None)

    def obstacle(self) -> str | None:
        """Return whether commits wait for a standby."""
        return "commits wait for a standby that is away" if self._query(_has_waiting) else None

    @reads
    def data_version(self, connection: Connection) -> int:
        """Return the number of transactions of PostgreSQL that stored something."""
        row = connection.execute("SELECT changes FROM plybook").fetchone()
        return row[0] if row else 0

    def on_change(self, callback: Callable[[], None]) -> None:
        self._listener.add(callback)

    @reads
    def tell(self, connection: Connection, text: str) -> None:
        connection.execute("SELECT pg_notify(?, ?)", (CHANNEL, text))

    def on_told(self, callback: Callable[[str], None]) -> None:
        self._listener.told.add(callback)

    def _query(self, query: Callable[..., T], *args: Any, **names: Any) -> T:
        lent: PostgresConnection | None = None
        try:
            with self._readers.lend() as connection:
                lent = connection
                return query(connection, *args, **names)
        except StoreError as error:
            if lent is None or not (lent.closed and isinstance(error.__cause__, OperationalError)):
                raise
        return super()._query(query, *args, **names)  # the server may have been restarted

    def _migrate(self, url: str) -> None:
        try:
            schema.migrate(url)
        except ERRORS as error:
            raise translate_error(error, self.name) from error


def _has_waiting(connection: Connection) -> bool:
    return bool(connection.execute(WAITING).fetchone()[0])
