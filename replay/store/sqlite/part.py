"""The base of the parts of the store: connections that read, and the thread that writes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Concatenate, ParamSpec, TypeVar

from replay.store.sqlite.connections import Readers
from replay.store.sqlite.sqlite_library import Connection
from replay.store.sqlite.writer_thread import Writer

T = TypeVar("T")
P = ParamSpec("P")


class Part:
    """Run queries on a connection that reads, and writes on the one of the writer thread."""

    _readers: Readers
    _writer: Writer

    def _query(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **names: P.kwargs
    ) -> T:
        with self._readers.lend() as connection:
            return query(connection, *args, **names)

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

    def _submit_erasure(
        self, erase: Callable[Concatenate[Connection, P], bool], *args: P.args, **names: P.kwargs
    ) -> Future[None]:
        """Queue a write that returns whether it erased something, to be cleaned up after it."""
        cleaning = self._writer.cleaning

        def write(connection: Connection) -> None:
            if erase(connection, *args, **names):
                cleaning.owe()

        return self._writer.submit(write)
