"""Matches that were folded before, so that only what is new has to be."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

from replay.match_record import MatchRecord

MOST: Final = 256
"""How many matches are kept."""


class MatchCache:
    """The matches that were looked at last. Safe to use from several threads."""

    def __init__(self) -> None:
        self._matches: OrderedDict[int, MatchRecord] = OrderedDict()
        self._numbers: dict[str, int] = {}
        self._lock = threading.Lock()

    def put(self, recorded: MatchRecord) -> None:
        """Keep a match, unless it is kept as it stood later."""
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
        """Return the match of a stream as it once stood, if it is kept."""
        with self._lock:
            kept = self._matches.get(stream)
            if kept is not None:
                self._matches.move_to_end(stream)
            return kept

    def named(self, match: str) -> MatchRecord | None:
        """Return the match with this id, the whole of it, as it once stood, if it is kept."""
        with self._lock:
            number = self._numbers.get(match)
            return None if number is None else self._matches.get(number)

    def drop(self, recorded: MatchRecord) -> None:
        """Forget a match."""
        with self._lock:
            self._matches.pop(recorded.stream.id, None)
            self._numbers.pop(recorded.id, None)
