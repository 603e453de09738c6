"""Connections to the database: one that writes, and a bounded number that read."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, Final, LiteralString

import psycopg
from psycopg import IsolationLevel, conninfo

from replay.errors import StoreError
from replay.store import readers
from replay.store.postgres.library import ERRORS, Connection, shown, translate_error

OLDEST: Final = 15
"""The oldest version of PostgreSQL that is supported."""
DEFAULTS: Final = {
    "application_name": "plybook",
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}
"""Settings of a connection, in seconds, where the URL says nothing else."""
DURABLE: Final = """
    SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
        WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('default_transaction_read_only', 'off', false),
    set_config('jit', 'off', false), set_config('lock_timeout', %s, false)
"""
"""A statement reads what was committed before it, so also before the lock that it waited for.

Queries are short: to compile one would take longer than to run it.
"""
READ_ONLY: Final = """
    SELECT set_config('default_transaction_read_only', 'on', false), set_config('jit', 'off', false)
"""
PATIENCE: Final = 5.0
"""Seconds to wait for another program that writes."""


def connect(url: str, settings: LiteralString, values: Sequence[str] = ()) -> Connection:
    """Open a connection. Raises `StoreError` if the server does not suit, and `ERRORS`."""
    given = conninfo.conninfo_to_dict(url)
    missing: dict[str, Any] = {name: DEFAULTS[name] for name in DEFAULTS if name not in given}
    connection = psycopg.connect(url, autocommit=True, client_encoding="utf8", **missing)
    try:
        _check_server(connection, shown(url))
        connection.execute(settings, values)
    except BaseException:
        connection.close()
        raise
    return connection


def writing(url: str, patience: float = PATIENCE) -> Connection:
    """Open a connection whose commits are durable; it waits for others some seconds."""
    return connect(url, DURABLE, (f"{int(patience * 1000)}ms",))


def reading(url: str) -> Connection:
    """Open a connection that cannot write. Each of its transactions reads one moment."""
    connection = connect(url, READ_ONLY)
    connection.isolation_level = IsolationLevel.REPEATABLE_READ
    return connection


def is_alive(connection: Connection) -> bool:
    """Tell whether a connection is open, as far as that is known without asking the server."""
    with contextlib.suppress(*ERRORS):
        for _ in range(2):  # a farewell, and the end
            connection.pgconn.consume_input()  # what has arrived: it waits for nothing
    return not connection.closed


class Readers(readers.Readers[Connection]):
    """Connections that read."""

    _errors = ERRORS

    def __init__(self, url: str) -> None:
        super().__init__(shown(url))
        self._url = url

    def _open(self) -> Connection:
        return reading(self._url)

    def _give_back(self, connection: Connection) -> None:
        if connection.closed:  # the others may be as dead: the server was restarted, or is gone
            self._close_idle()
        else:
            super()._give_back(connection)

    def _translated(self, error: Exception) -> Exception:
        return translate_error(error, self._name)


def _check_server(connection: Connection, name: str) -> None:
    version = connection.info.server_version // 10_000
    if version < OLDEST:
        raise StoreError(f"{name} is PostgreSQL {version}; {OLDEST} or newer is needed")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(
            f"{name} has the encoding {encoding}; make one with `createdb --encoding UTF8`"
        )
