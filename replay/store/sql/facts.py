"""The facts of streams: player names and tags."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future

from replay.store import validation
from replay.store.sql import queries, search_index
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart


class SqlFacts(SqlPart):
    """The part `Facts` of the protocol."""

    def facts(self, stream: int) -> dict[str, str]:
        return self._query(queries.facts, stream)

    def set_facts(self, stream: int, facts: Mapping[str, str | None]) -> Future[None]:
        return self._submit_erasure(set_facts, stream, facts)


def set_facts(connection: Connection, number: int, facts: Mapping[str, str | None]) -> bool:
    """Set facts, or with `None` erase them; return whether an old value was erased."""
    queries.writable(connection, number)
    validation.check_facts(facts)
    before = queries.facts(connection, number)
    for name, value in facts.items():
        if value is None:
            connection.execute("DELETE FROM facts WHERE stream = ? AND name = ?", (number, name))
    kept = {name: value for name, value in facts.items() if value is not None}
    connection.put_facts(number, kept)
    search_index.forget(connection, number)
    return any(name in before and before[name] != facts[name] for name in facts)
