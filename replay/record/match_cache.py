"""A cache of folded matches, so that only new events are folded."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final, NamedTuple

from replay.record.match_record import MatchRecord
from replay.record.match_size import MatchSizes
from replay.store.protocol import Stream

CAPACITY: Final = 64 * 1024 * 1024
"""The default capacity in bytes, for a command."""


class _Entry(NamedTuple):
    record: MatchRecord
    bytes: int


class MatchCache:
    """An LRU cache of folded matches, bounded by their estimated bytes. It is thread-safe.

    A `capacity` of 0 is no bound. The match that was used last always stays.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self.capacity = capacity
        self.bytes = 0
        self.hits = 0
        self.misses = 0
        self.evictions = 0
        self._entries: OrderedDict[int, _Entry] = OrderedDict()
        self._numbers: dict[str, int] = {}
        self._sizes = MatchSizes()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def put(self, record: MatchRecord) -> None:
        """Add a match, unless the cache has a later version of it."""
        number, version = record.stream.id, record.match.version
        with self._lock:
            before = self._entries.get(number)
            if before is not None and before.record.match.version > version:
                return
            if before is None:
                size = self._sizes.whole(record)
            else:
                size = before.bytes + self._sizes.added(record, before.record.match.version)
            self._remove(number)
            self._entries[number] = _Entry(record, size)
            self._numbers[record.id] = number
            self.bytes += size
            while self.bytes > self.capacity > 0 and len(self._entries) > 1:
                self._remove(next(iter(self._entries)))
                self.evictions += 1

    def current(self, stream: Stream) -> MatchRecord | None:
        """Return the cached match of a stream if it is at the head; count a hit or a miss."""
        with self._lock:
            kept = self._used(stream.id)
            if kept is not None and kept.stream == stream and kept.match.version == stream.head:
                self.hits += 1
                return kept
            self.misses += 1
            return None

    def of(self, stream: int) -> MatchRecord | None:
        """Return the cached match of a stream, possibly an old version, or `None`."""
        with self._lock:
            return self._used(stream)

    def named(self, match: str) -> MatchRecord | None:
        """Return the cached match with this full id, possibly an old version, or `None`."""
        with self._lock:
            number = self._numbers.get(match)
            return None if number is None else self._entries[number].record

    def recall(self, match: str) -> MatchRecord | None:
        """Return the cached match with this full id as it was last known, and count the hit."""
        with self._lock:
            number = self._numbers.get(match)
            if number is None:
                return None
            self.hits += 1
            return self._used(number)

    def drop(self, record: MatchRecord) -> None:
        """Remove a match from the cache."""
        with self._lock:
            self._remove(record.stream.id)

    def _used(self, number: int) -> MatchRecord | None:
        entry = self._entries.get(number)
        if entry is None:
            return None
        self._entries.move_to_end(number)
        return entry.record

    def _remove(self, number: int) -> None:
        entry = self._entries.pop(number, None)
        if entry is None:
            return
        self.bytes -= entry.bytes
        # A purged match can be restored with the same id as another stream.
        if self._numbers.get(entry.record.id) == number:
            del self._numbers[entry.record.id]
