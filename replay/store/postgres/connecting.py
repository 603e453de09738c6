"""Connections to the database: one that writes, and some that read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, LiteralString

from psycopg import IsolationLevel, conninfo

from replay.errors import StoreError
from replay.store.connection_pool import ConnectionPool
from replay.store.postgres.driver import ERRORS, Connection, shown, translate_error

MIN_VERSION: Final = 15
"""The oldest version of PostgreSQL that is supported."""
DEFAULTS: Final = {
    "application_name": "plybook",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # milliseconds; the others are seconds
}
"""Settings of a connection, unless the URL says otherwise.

Keepalives detect a dead peer within 30 seconds.
"""
PRIMARY: Final = {"target_session_attrs": "read-write"}
"""Connect to the primary, even for reads: a standby may lack the events that were just answered."""
DURABLE: Final = """
    SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
        WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('default_transaction_read_only', 'off', false),
    set_config('jit', 'off', false), set_config('lock_timeout', %s, false)
"""
"""A statement sees every earlier commit, even one made while it waited for a lock.

Queries are short: compiling one would take longer than running it.
"""
COMMIT_TIMEOUT: Final = """
    SELECT extract(epoch FROM coalesce(
        nullif(current_setting('plybook.commit_timeout', true), ''), '10s')::interval)
"""
"""The seconds that a commit may wait for a standby: a setting of the URL, role or database."""
SILENT: Final = """
    SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity AS a JOIN pg_locks AS l USING (pid)
    WHERE l.relation = 'plybook'::regclass AND l.mode = 'RowShareLock' AND l.granted
    AND a.datname = current_database() AND a.usename = current_user
    AND a.application_name = current_setting('application_name')
    AND a.wait_event = 'ClientRead'
    AND a.query_start < clock_timestamp() - make_interval(secs => %s)
"""
SILENCE_LIMIT: Final = 15.0
"""Seconds without a statement after which a process is taken to have stopped."""
READ_ONLY: Final = """
    SELECT set_config('default_transaction_read_only', 'on', false),
    set_config('jit', 'off', false), set_config('statement_timeout',
        CASE current_setting('statement_timeout')
        WHEN '0' THEN %s ELSE current_setting('statement_timeout') END, false)
"""
QUERY_TIMEOUT: Final = "60s"
"""The time for a query, unless the URL, the role or the database sets a different one."""
NO_TIMEOUT: Final = "0"
LOCK_TIMEOUT: Final = 5.0
"""Seconds to wait for another program that writes."""
TIMELINE: Final = (
    "SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int"
)
"""The timeline of a primary. Each promotion begins a timeline with a higher number.

A primary that was replaced may restart, so only the server with the highest timeline is the
primary.
"""
_highest: Final[dict[str, int]] = {}
"""The highest timeline that this process has seen, by URL."""


def connect(url: str, settings: LiteralString, values: Sequence[str] = ()) -> Connection:
    """Open a connection to a PostgreSQL server.

    Raises `StoreError` if the server does not suit, and `ERRORS`.
    """
    given = conninfo.conninfo_to_dict(url)
    several = "," in str(given.get("host", ""))
    defaults = DEFAULTS | (PRIMARY if several else {})
    missing: dict[str, Any] = {name: defaults[name] for name in defaults if name not in given}
    connection = Connection.connect(url, autocommit=True, client_encoding="utf8", **missing)
    try:
        _check_server(connection, shown(url))
        if (given | missing).get("target_session_attrs") == "read-write" and several:
            connection = choose_newest(url, connection, missing)
        connection.execute(settings, values)
    except BaseException:
        connection.close()
        raise
    return connection


def writing(url: str, patience: float = LOCK_TIMEOUT) -> Connection:
    """Open a connection whose commits are durable; it waits some seconds for other writers."""
    return connect(url, DURABLE, (f"{int(patience * 1000)}ms",))


def commit_timeout(connection: Connection) -> float:
    """Return the seconds that a commit may wait for a standby."""
    (seconds,) = connection.execute(COMMIT_TIMEOUT).fetchall()
    return float(seconds[0])


def end_silent(connection: Connection) -> None:
    """End the connections of processes that stopped while they had locked the book.

    A transaction whose program is suspended, or whose machine is gone, would block all others. The
    server's own `idle_in_transaction_session_timeout` does not count in the midst of a pipeline.
    """
    connection.execute(SILENT, (SILENCE_LIMIT,))


def reading(url: str, longest: str = QUERY_TIMEOUT) -> Connection:
    """Open a PostgreSQL connection that cannot write.

    Each transaction sees the database at a single moment.
    """
    connection = connect(url, READ_ONLY, (longest,))
    connection.isolation_level = IsolationLevel.REPEATABLE_READ
    return connection


def is_alive(connection: Connection) -> bool:
    """Return whether a connection is open, as far as that is known without asking the server."""
    with contextlib.suppress(*ERRORS):
        for _ in range(2):  # first a farewell, then the end of the stream
            connection.pgconn.consume_input()  # reads only bytes that have arrived
    return not connection.closed


class PostgresPool(ConnectionPool[Connection]):
    """Connections that read."""

    _errors = ERRORS

    def __init__(self, url: str) -> None:
        super().__init__(shown(url))
        self._url = url

    def _open(self) -> Connection:
        return reading(self._url)

    def _give_back(self, connection: Connection) -> None:
        if connection.closed:  # a server that restarted has closed the others, too
            self._close_idle()
        else:
            super()._give_back(connection)

    def _translated(self, error: Exception) -> Exception:
        return translate_error(error, self._name)


def _check_server(connection: Connection, name: str) -> None:
    version = connection.info.server_version // 10_000
    if version < MIN_VERSION:
        raise StoreError(f"{name} is PostgreSQL {version}; {MIN_VERSION} or newer is needed")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(
            f"{name} has the encoding {encoding}; make a database with `createdb --encoding UTF8`"
        )


def choose_newest(url: str, connection: Connection, settings: Mapping[str, Any]) -> Connection:
    """Return a connection to the host of a URL that was promoted last: this one, or another.

    The first call of a process looks at all hosts. Raises `ERRORS`, and `StoreError` if only a
    replaced primary answers.
    """
    newest = connection
    known = _highest.get(url)
    if known is None or timeline_of(newest) < known:
        for other in _each(url, settings):
            older, newest = sorted((newest, other), key=timeline_of)
            older.close()
    timeline = timeline_of(newest)
    if known is not None and timeline < known:
        newest.close()
        raise StoreError(
            f"{shown(url)}: an old primary answers, and the new one does not;"
            " make the old one a standby",
            "an old primary answers",
        )
    _highest[url] = timeline
    return newest


def _each(url: str, settings: Mapping[str, Any]) -> Iterator[Connection]:
    """Yield a connection to each host that answers and takes writes."""
    given = conninfo.conninfo_to_dict(url)
    hosts = str(given["host"]).split(",")
    ports = str(given.get("port", "")).split(",")
    for host, port in zip(hosts, ports * len(hosts) if len(ports) == 1 else ports, strict=False):
        with contextlib.suppress(*ERRORS):
            alone = {**settings, "host": host, "port": port or None}
            yield Connection.connect(url, autocommit=True, client_encoding="utf8", **alone)


def timeline_of(connection: Connection) -> int:
    """Return the timeline of a primary: one more than the promotions of a standby."""
    [(timeline,)] = connection.execute(TIMELINE).fetchall()
    return int(timeline)
