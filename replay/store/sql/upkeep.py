"""Upkeep of the store: rebuild what is derived, probe the database, observe commits."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path

from replay.store.protocol import IndexedMatch, IndexedTexts, Observer, Summary
from replay.store.sql import derived
from replay.store.sql.part import SqlPart


class SqlUpkeep(SqlPart):
    """The part `Upkeep` of the protocol, but for `condition` and `close`."""

    shared_location: Path | str | None
    is_local: bool

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

    def observe(self, observer: Observer) -> None:
        self._writer.observer = observer
