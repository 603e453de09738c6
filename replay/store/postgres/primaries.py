"""If several hosts take writes, choose the host that was promoted last.

A primary that was replaced may come back by itself. Each promotion begins a timeline with a higher
number, so the highest one is that of the primary.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from psycopg import conninfo

from replay.errors import StoreError
from replay.store.postgres.library import ERRORS, Connection, shown

TIMELINE: Final = (
    "SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int"
)
_highest: Final[dict[str, int]] = {}
"""The highest timeline that this process has seen, by URL."""


def choose_newest(url: str, connection: Connection, settings: Mapping[str, Any]) -> Connection:
    """Return a connection to the host of a URL that was promoted last: this one, or another.

    The first call of a process looks at all hosts. Raises `ERRORS`, and `StoreError` if only a
    primary answers that was replaced.
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
            f"{shown(url)}: a server answers that was replaced as the primary, and the primary "
            "does not; make the old one a standby",
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
    """Return the timeline of a primary: how often a standby was promoted, and one."""
    [(timeline,)] = connection.execute(TIMELINE).fetchall()
    return int(timeline)
