"""Upkeep of the store: rebuild what is derived, probe the disk, observe commits."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path

from replay.store.protocol import Condition, IndexedMatch, IndexedTexts, Observer, Summary
from replay.store.sqlite import derived, disk
from replay.store.sqlite.part import Part


class SqliteUpkeep(Part):
    """The part `Upkeep` of the protocol, but for `close`."""

    path: Path
    shared_location: Path | str | None
    is_local = True

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
        return disk.condition(self.path)

    def observe(self, observer: Observer) -> None:
        self._writer.observer = observer
