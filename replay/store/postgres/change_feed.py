"""The changes of the store, whichever process wrote them."""

from __future__ import annotations

from collections.abc import Callable

from replay.store.postgres.library import Connection
from replay.store.postgres.listener import Listener
from replay.store.sql.change_feed import SqlChangeFeed


class PostgresChangeFeed(SqlChangeFeed):
    """The part `ChangeFeed` of the protocol."""

    _listener: Listener

    def data_version(self) -> int:
        return self._query(data_version)

    def on_change(self, callback: Callable[[], None]) -> None:
        self._listener.add(callback)


def data_version(connection: Connection) -> int:
    """Return the number of transactions that stored something."""
    row = connection.execute("SELECT changes FROM plybook").fetchone()
    return row[0] if row else 0
