"""The base of the parts of the store: connections that read, and the thread that writes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Concatenate, ParamSpec, TypeVar

from psycopg import OperationalError

from replay.errors import StoreError
from replay.store.postgres.connections import Readers
from replay.store.postgres.library import Connection
from replay.store.writer_thread import WriterThread

T = TypeVar("T")
P = ParamSpec("P")


class Part:
    """Run queries on a connection that reads, and writes on the one of the writer thread."""

    _readers: Readers
    _writer: WriterThread[Connection]

    def _query(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **names: P.kwargs
    ) -> T:
        lent: Connection | None = None
        try:
            with self._readers.lend() as connection:
                lent = connection
                return query(connection, *args, **names)
        except StoreError as error:
            if lent is None or not (lent.closed and isinstance(error.__cause__, OperationalError)):
                raise
        with self._readers.lend() as connection:  # the server may have been restarted
            return query(connection, *args, **names)

    def _query_at_once(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **names: P.kwargs
    ) -> T:
        """Run a query of several statements, which read the same moment."""

        def read(connection: Connection) -> T:
            with connection.transaction():
                return query(connection, *args, **names)

        return self._query(read)

    def _submit(
        self, write: Callable[Concatenate[Connection, P], T], *args: P.args, **names: P.kwargs
    ) -> Future[T]:
        return self._writer.submit(lambda connection: write(connection, *args, **names))

    def _submit_within_epoch(
        self, write: Callable[Concatenate[Connection, P], T], *args: P.args, **names: P.kwargs
    ) -> Future[T]:
        """Queue a write that takes nobody a right to write, so that the epoch lasts."""
        return self._writer.submit(
            lambda connection: write(connection, *args, **names), ends_epoch=False
        )
