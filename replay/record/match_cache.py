"""A cache of matches within a number of bytes, and the bytes that a match takes."""

from __future__ import annotations

import gc
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from operator import attrgetter
from sys import getsizeof
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from domain.game import Game
from replay.record.match_record import MatchRecord
from replay.store.types import StoredEvent, Stream

SAMPLE: Final = 8
"""The number of last events that are measured; earlier events are assumed to be like them."""

ROUNDING: Final = 8
"""Bytes lost with an object on average, as memory is allocated in multiples of 16 bytes."""

USUAL: Final = 1024
"""Bytes per event if there are too few to measure."""

POINTERS: Final = 4 * 8
"""Bytes per event in the tuples of a match: log, decoded events, line, and times spent."""

COPIES: Final = 2
"""The copies of an event's text in memory: as stored, and decoded."""

DATA: Final = attrgetter("data")

SHARED: Final = (type, FunctionType, ModuleType, Game)
"""Types of objects that belong to no match."""


class _Sample(NamedTuple):
    """Bytes of a match without events, and per event without its text; measured at a version."""

    start: int
    per_event: int
    version: int


class MatchSizes:
    """Estimates the bytes of matches from their numbers of events, and the lengths of their texts.

    The bytes per event are measured for each game with its options, and again when a match is twice
    as long as any before it. The measurement follows references, so it works for every game.
    """

    def __init__(self) -> None:
        self._samples: dict[Hashable, _Sample] = {}

    def whole(self, record: MatchRecord) -> int:
        """Return the bytes of a match."""
        return self._sample(record).start + self.added(record, 0)

    def added(self, record: MatchRecord, version: int) -> int:
        """Return the bytes that a match has grown by since a version."""
        added = record.log[version:]
        return self._sample(record).per_event * len(added) + _texts(added)

    def _sample(self, record: MatchRecord) -> _Sample:
        match = record.match
        kind = match.game, match.options, match.seats
        sample = self._samples.get(kind)
        if sample is None or match.version >= 2 * max(sample.version, SAMPLE):
            sample = self._samples[kind] = _measure(record)
        return sample


def _measure(record: MatchRecord) -> _Sample:
    """Measure the last events, without the objects that they share with those before them."""
    seen = set[int]()
    start = _bytes([record.stream, record.header, record.match.start], seen)
    spent = record.times.spent if record.times else ()
    if record.match.version < SAMPLE:
        return _Sample(start, USUAL, 0)
    parts: tuple[tuple[Any, ...], ...] = record.log, record.events, record.match.line, spent
    _bytes((one for part in parts for one in part[-2 * SAMPLE : -SAMPLE]), seen)
    size = _bytes((one for part in parts for one in part[-SAMPLE:]), seen)
    last = record.log[-SAMPLE:]
    per_event = POINTERS + max(0, size - _texts(last)) // SAMPLE
    return _Sample(start, per_event, record.match.version)


def _texts(events: Iterable[StoredEvent]) -> int:
    return COPIES * sum(map(len, map(DATA, events)))


def _bytes(reached: Iterable[Any], seen: set[int]) -> int:
    """Return the bytes of all objects that can be reached and are not among those seen before."""
    size = 0
    while new := {id(one): one for one in reached if id(one) not in seen}:
        seen.update(new)
        own = [one for one in new.values() if not isinstance(one, SHARED)]
        size += sum(map(getsizeof, own)) + ROUNDING * len(own)
        reached = gc.get_referents(*own)
    return size


CAPACITY: Final = 64 * 1024 * 1024
"""The default capacity in bytes, for a command."""


class _Entry(NamedTuple):
    record: MatchRecord
    bytes: int


class MatchCache:
    """An LRU cache of folded matches, limited by their estimated bytes. It is thread-safe.

    A `capacity` of 0 means no limit. The match that was used last always stays.
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
        """Add a match, unless the cache has a later version of this match."""
        number, version = record.stream.id, record.match.version
        with self._lock:
            before = self._entries.get(number)
            if before is not None and before.record.match.version > version:
                return
            if before is None:
                size = self._sizes.whole(record)
            else:
                size = before.bytes + self._sizes.added(record, before.record.match.version)
                self.bytes -= before.bytes
            self._entries[number] = _Entry(record, size)
            self._entries.move_to_end(number)
            self._numbers[record.stream.public_id] = number
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
        """Return the cached match with this full id, possibly an old version, and count the hit."""
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
        match = entry.record.stream.public_id
        # A purged match can be restored with the same id as another stream.
        if self._numbers.get(match) == number:
            del self._numbers[match]
