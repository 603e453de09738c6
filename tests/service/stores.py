"""Empty stores for the tests of the service: files, or databases of a PostgreSQL server.

On a server, a read by the service in the thread of a running event loop fails: the loop would wait
for the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator

from replay.runtime import PROCESS, TAB, Runtime
from replay.store import temporary_store
from replay.store.postgres.connecting import PostgresPool
from replay.store.postgres.driver import Connection
from replay.store.sql.store import Store
from tests.replay.store.postgres_server import Server, TemporaryPostgresStore

_servers: list[Server] = []
_runtimes: list[Runtime] = [PROCESS]


@contextlib.contextmanager
def on_server(server: Server) -> Iterator[None]:
    """Make all empty stores on a server meanwhile, and refuse reads on event loops."""
    lend = PostgresPool.lend

    @contextlib.contextmanager
    def lend_to_threads(readers: PostgresPool) -> Iterator[Connection]:
        refuse_on_loop()
        with lend(readers) as connection:
            yield connection

    PostgresPool.lend = lend_to_threads  # type: ignore[assignment, method-assign]
    _servers.append(server)
    try:
        yield
    finally:
        _servers.pop()
        PostgresPool.lend = lend  # type: ignore[method-assign]


@contextlib.contextmanager
def without_threads() -> Iterator[None]:
    """Make all empty stores as in a tab of a browser meanwhile."""
    _runtimes.append(TAB)
    try:
        yield
    finally:
        _runtimes.pop()


def empty_store() -> Store:
    """Make an empty store, which is deleted when it is closed."""
    return TemporaryPostgresStore(_servers[-1]) if _servers else temporary_store(_runtimes[-1])


def refuse_on_loop() -> None:
    """Raise `AssertionError` if the service is running in the thread of a running event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        module = frame.f_globals["__name__"]
        if module.startswith("tests.service.") and not module.endswith(".stores"):
            return  # a test may look into its book
        if module.startswith("service."):
            code = frame.f_code
            raise AssertionError(f"{module}.{code.co_name} reads the book on the event loop")
