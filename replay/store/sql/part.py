"""The base of the parts of a store: connections that read, and the thread that writes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Concatenate, ParamSpec, TypeVar

from replay.store.connection_pool import ConnectionPool
from replay.store.sql.dialect import Connection
from replay.store.writer_thread import WriterThread

T = TypeVar("T")
P = ParamSpec("P")


class SqlPart:
    """Run queries on a connection that reads, and writes on the one of the writer thread."""

    # Each backend has its own class of connections; what it gives fits `Connection`.
    _readers: ConnectionPool[Any]
    _writer: WriterThread[Any]

    def _query(
        self, query: Callable[Concatenate[Any, P], T], *args: P.args, **names: P.kwargs
    ) -> T:
        with self._readers.lend() as connection:
            return query(connection, *args, **names)

    def _query_at_once(
        self, query: Callable[Concatenate[Any, P], T], *args: P.args, **names: P.kwargs
    ) -> T:
        """Run a query of several statements, which read the same moment."""

        def read(connection: Connection) -> T:
            with connection.transaction():
                return query(connection, *args, **names)

        return self._query(read)

    def _submit(
        self, write: Callable[Concatenate[Any, P], T], *args: P.args, **names: P.kwargs
    ) -> Future[T]:
        return self._writer.submit(lambda connection: write(connection, *args, **names))

    def _submit_within_epoch(
        self, write: Callable[Concatenate[Any, P], T], *args: P.args, **names: P.kwargs
    ) -> Future[T]:
        """Queue a write that takes nobody a right to write, so that the epoch lasts."""
        return self._writer.submit(
            lambda connection: write(connection, *args, **names), ends_epoch=False
        )

    def _submit_erasure(
        self, erase: Callable[Concatenate[Any, P], bool], *args: P.args, **names: P.kwargs
    ) -> Future[None]:
        """Queue a write that returns whether it erased something, to be cleaned up after it."""

        def write(connection: Connection) -> None:
            if erase(connection, *args, **names):
                self._erased(connection)

        return self._writer.submit(write)

    def _erased(self, connection: Any) -> None:
        """Note that something was erased in the current transaction, where that leaves bytes."""
