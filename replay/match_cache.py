"""A cache of folded matches, so that only new events are folded."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

from replay.match_record import MatchRecord

MOST: Final = 256
"""The capacity of the cache, in matches."""


class MatchCache:
    """An LRU cache of folded matches. It is thread-safe."""

    def __init__(self) -> None:
        self._matches: OrderedDict[int, MatchRecord] = OrderedDict()
        self._numbers: dict[str, int] = {}
        self._lock = threading.Lock()

    def put(self, recorded: MatchRecord) -> None:
        """Add a match, unless the cache has a later version of it."""
        number = recorded.stream.id
        with self._lock:
            before = self._matches.get(number)
            if before is not None and before.match.version > recorded.match.version:
                return
            self._matches[number] = recorded
            self._matches.move_to_end(number)
            self._numbers[recorded.id] = number
            if len(self._matches) > MOST:
                _, left = self._matches.popitem(last=False)
                self._numbers.pop(left.id, None)

    def of(self, stream: int) -> MatchRecord | None:
        """Return the cached match of a stream, possibly an old version, or `None`."""
        with self._lock:
            kept = self._matches.get(stream)
            if kept is not None:
                self._matches.move_to_end(stream)
            return kept

    def named(self, match: str) -> MatchRecord | None:
        """Return the cached match with this full id, possibly an old version, or `None`."""
        with self._lock:
            number = self._numbers.get(match)
            return None if number is None else self._matches.get(number)

    def drop(self, recorded: MatchRecord) -> None:
        """Remove a match from the cache."""
        with self._lock:
            self._matches.pop(recorded.stream.id, None)
            self._numbers.pop(recorded.id, None)
