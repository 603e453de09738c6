"""Matches that were folded before, so that only what is new has to be."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final, NamedTuple

from replay.recorded import Recorded

MOST: Final = 256
"""How many matches are kept."""


class Known(NamedTuple):
    """A match, and the `Store.touched` of a moment when it stood so; `None` if none was seen."""

    recorded: Recorded
    touched: int | None


class Kept:
    """The matches that were looked at last. Safe to use from several threads."""

    def __init__(self) -> None:
        self._matches: OrderedDict[int, Known] = OrderedDict()
        self._numbers: dict[str, int] = {}
        self._lock = threading.Lock()

    def put(self, recorded: Recorded, touched: int | None = None) -> None:
        """Keep a match, unless it is kept as it stood later."""
        number = recorded.stream.id
        with self._lock:
            before = self._matches.get(number)
            if before is not None and before.recorded.match.version > recorded.match.version:
                return
            self._matches[number] = Known(recorded, touched)
            self._matches.move_to_end(number)
            self._numbers[recorded.id] = number
            if len(self._matches) > MOST:
                _, left = self._matches.popitem(last=False)
                self._numbers.pop(left.recorded.id, None)

    def of(self, stream: int) -> Recorded | None:
        """Return the match of a stream as it once stood, if it is kept."""
        with self._lock:
            known = self._matches.get(stream)
        return None if known is None else known.recorded

    def named(self, match: str) -> Known | None:
        """Return what is known of the match with this id, the whole of it."""
        with self._lock:
            number = self._numbers.get(match)
            return None if number is None else self._matches.get(number)

    def drop(self, recorded: Recorded) -> None:
        """Forget a match."""
        with self._lock:
            self._matches.pop(recorded.stream.id, None)
            self._numbers.pop(recorded.id, None)
