"""The `Store` protocol over a database of PostgreSQL."""

from __future__ import annotations

import contextlib
from pathlib import Path

from replay.store.postgres import schema
from replay.store.postgres.change_feed import PostgresChangeFeed
from replay.store.postgres.connections import PATIENCE, Readers
from replay.store.postgres.facts import PostgresFacts
from replay.store.postgres.hooks import PostgresHooks
from replay.store.postgres.library import ERRORS, shown, translate_error
from replay.store.postgres.listener import Listener
from replay.store.postgres.log import PostgresLog
from replay.store.postgres.position_index import PostgresPositionIndex
from replay.store.postgres.search_index import PostgresTexts
from replay.store.postgres.streams import PostgresStreams
from replay.store.postgres.summaries import PostgresSummaries
from replay.store.postgres.tokens import PostgresTokens
from replay.store.postgres.upkeep import PostgresUpkeep
from replay.store.postgres.writer_thread import Writer


class PostgresStore(
    PostgresStreams,
    PostgresLog,
    PostgresChangeFeed,
    PostgresFacts,
    PostgresTokens,
    PostgresHooks,
    PostgresSummaries,
    PostgresTexts,
    PostgresPositionIndex,
    PostgresUpkeep,
):
    """Event streams in one database, for any number of threads, processes and machines.

    Opening makes one connection; the one that writes waits for the first write.
    """

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        """Open the database, and make the tables if it has none. Raises `StoreError`."""
        self.name = shown(url)
        self.shared_location: Path | str | None = url
        with contextlib.ExitStack() as opened:  # closed in reverse order
            self._readers = Readers(url)
            opened.callback(self._readers.close)
            self._writer = Writer(url, patience)
            opened.callback(self._writer.close)
            self._listener = Listener(url)
            opened.callback(self._listener.close)
            if self._query(schema.version, self.name) < schema.SCHEMA:
                self._migrate(url)
            self._opened = opened.pop_all()

    def close(self) -> None:
        """Finish the queued writes and close the connections."""
        self._opened.close()

    def _migrate(self, url: str) -> None:
        try:
            schema.migrate(url)
        except ERRORS as error:
            raise translate_error(error, self.name) from error
