"""The facts of streams: player names and tags."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Final

from replay.store import validation
from replay.store.postgres import queries, search_index
from replay.store.postgres.library import Connection
from replay.store.postgres.part import Part
from replay.store.search_words import folded

PUT: Final = """
    INSERT INTO facts (stream, name, value, folded)
    SELECT %s, a.name, a.value, a.folded FROM unnest(%s::text[], %s::text[], %s::text[])
        WITH ORDINALITY AS a(name, value, folded, place) ORDER BY a.place
    ON CONFLICT (stream, name) DO UPDATE SET value = excluded.value, folded = excluded.folded
"""


class PostgresFacts(Part):
    """The part `Facts` of the protocol."""

    def facts(self, stream: int) -> dict[str, str]:
        return self._query(queries.facts, stream)

    def set_facts(self, stream: int, facts: Mapping[str, str | None]) -> Future[None]:
        return self._submit(set_facts, stream, facts)


def set_facts(connection: Connection, number: int, facts: Mapping[str, str | None]) -> None:
    """Set facts, or with `None` erase them."""
    queries.writable(connection, number)
    validation.check_facts(facts)
    erased = [name for name, value in facts.items() if value is None]
    if erased:
        connection.execute(
            "DELETE FROM facts WHERE stream = %s AND name = ANY(%s)", (number, erased)
        )
    put(connection, number, {name: value for name, value in facts.items() if value is not None})
    search_index.forget(connection, number)


def put(connection: Connection, number: int, facts: Mapping[str, str]) -> None:
    """Set facts."""
    if facts:
        values = list(facts.values())
        connection.execute(PUT, (number, list(facts), values, list(map(folded, values))))
