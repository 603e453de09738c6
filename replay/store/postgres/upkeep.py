"""Upkeep of the store: rebuild what is derived, probe the database, observe commits."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path

from replay.store.postgres import change_feed, derived
from replay.store.postgres.part import Part
from replay.store.protocol import Condition, IndexedMatch, IndexedTexts, Observer, Summary


class PostgresUpkeep(Part):
    """The part `Upkeep` of the protocol, but for `close`."""

    shared_location: Path | str | None
    is_local = False

    def rebuild_indexes(self) -> Future[None]:
        return self._submit(derived.rebuild_indexes)

    def replace_derived(
        self,
        summaries: Mapping[int, Summary],
        moves: Mapping[int, IndexedMatch],
        texts: Mapping[int, IndexedTexts],
    ) -> Future[None]:
        return self._submit(derived.replace, summaries, moves, texts)

    def probe(self) -> Future[None]:
        return self._writer.probe()

    def condition(self) -> Condition:
        self._query(change_feed.data_version)  # it answers
        return Condition(None, None)

    def observe(self, observer: Observer) -> None:
        self._writer.observer = observer
