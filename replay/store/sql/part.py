"""The base of the parts of a store, and the decorators that make a query a method of a part.

A query has a connection as its second parameter. Its decorator gives a method a connection: one
that reads, or the connection of the writer thread. The method that callers see lacks the parameter;
a method that writes returns a future.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Concatenate, ParamSpec, TypeVar

from replay.store.connection_pool import ConnectionPool
from replay.store.sql.dialect import Connection
from replay.store.writer_thread import WriterThread

P = ParamSpec("P")
S = TypeVar("S", bound="SqlPart")
T = TypeVar("T")


class SqlPart:
    """A part of a store: it reads on connections of a pool, and writes in the writer thread."""

    # Each database has its own class of connections that conforms to `Connection`.
    _readers: ConnectionPool[Any]
    _writer: WriterThread[Any]

    def _query(self, query: Callable[..., T], *args: Any, **names: Any) -> T:
        """Call a function with a connection that reads, and with these arguments."""
        with self._readers.lend() as connection:
            return query(connection, *args, **names)

    def _note_erasure(self, connection: Any) -> None:
        """Note that the current transaction erases something, if erasing leaves bytes behind."""


def reads(
    query: Callable[Concatenate[S, Connection, P], T],
) -> Callable[Concatenate[S, P], T]:
    """Lend a query a connection that reads."""

    @functools.wraps(query)
    def read(part: S, /, *args: P.args, **names: P.kwargs) -> T:
        return part._query(functools.partial(query, part), *args, **names)

    return read


def reads_snapshot(
    query: Callable[Concatenate[S, Connection, P], T],
) -> Callable[Concatenate[S, P], T]:
    """Lend a query of several statements a connection on which they all read the same moment."""

    @functools.wraps(query)
    def read(part: S, connection: Connection, /, *args: P.args, **names: P.kwargs) -> T:
        with connection.transaction():
            return query(part, connection, *args, **names)

    return reads(read)


def writes(
    query: Callable[Concatenate[S, Connection, P], T],
) -> Callable[Concatenate[S, P], Future[T]]:
    """Queue a write, which ends the epoch."""

    @functools.wraps(query)
    def write(part: S, /, *args: P.args, **names: P.kwargs) -> Future[T]:
        return part._writer.submit(lambda connection: query(part, connection, *args, **names))

    return write


def writes_within_epoch(
    query: Callable[Concatenate[S, Connection, P], T],
) -> Callable[Concatenate[S, P], Future[T]]:
    """Queue a write that takes away no right to write, so that the epoch lasts."""

    @functools.wraps(query)
    def write(part: S, /, *args: P.args, **names: P.kwargs) -> Future[T]:
        return part._writer.submit(
            lambda connection: query(part, connection, *args, **names), ends_epoch=False
        )

    return write


def erases(
    query: Callable[Concatenate[S, Connection, P], bool],
) -> Callable[Concatenate[S, P], Future[None]]:
    """Queue a write that returns whether it has erased anything, and clean up after it if so."""

    @functools.wraps(query)
    def erase(part: S, connection: Connection, /, *args: P.args, **names: P.kwargs) -> None:
        if query(part, connection, *args, **names):
            part._note_erasure(connection)

    return writes(erase)
