"""The facts of streams: player names and tags."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future

from replay.store import validation
from replay.store.sqlite import queries, search_index
from replay.store.sqlite.part import Part
from replay.store.sqlite.sqlite_library import Connection


class SqliteFacts(Part):
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
    put(connection, number, facts)
    search_index.forget(connection, number)
    return any(name in before and before[name] != facts[name] for name in facts)


def put(connection: Connection, number: int, facts: Mapping[str, str | None]) -> None:
    """Set facts, or with `None` erase them."""
    for name, value in facts.items():
        if value is None:
            connection.execute("DELETE FROM facts WHERE stream = ? AND name = ?", (number, name))
        else:
            connection.execute(
                "INSERT INTO facts (stream, name, value) VALUES (?, ?, ?) "
                "ON CONFLICT (stream, name) DO UPDATE SET value = excluded.value",
                (number, name, value),
            )
