"""All parts of a store together, as far as SQLite and PostgreSQL share them."""

from __future__ import annotations

from replay.store.sql.facts import SqlFacts
from replay.store.sql.hooks import SqlHooks
from replay.store.sql.log import SqlLog
from replay.store.sql.position_index import SqlPositionIndex
from replay.store.sql.search_index import SqlTexts
from replay.store.sql.streams import SqlStreams
from replay.store.sql.summaries import SqlSummaries
from replay.store.sql.tokens import SqlTokens
from replay.store.sql.upkeep import SqlUpkeep


class SqlStore(
    SqlStreams,
    SqlLog,
    SqlFacts,
    SqlTokens,
    SqlHooks,
    SqlSummaries,
    SqlTexts,
    SqlPositionIndex,
    SqlUpkeep,
):
    """The protocol `Store` but for what each backend does in its own way."""
