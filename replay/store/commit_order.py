"""The order in which events were stored, over all streams, for those who follow changes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from replay.store.protocol import ChangeCursor


class Order:
    """Whose event was stored at which position, in memory.

    An event comes after the last that is there: once that is purged its position is used again.
    """

    def __init__(self) -> None:
        self._streams: dict[int, int] = {}

    def add(self, stream: int, events: int) -> None:
        """Add new events of a stream."""
        last = self._last()
        self._streams.update(dict.fromkeys(range(last + 1, last + 1 + events), stream))

    def forget(self, stream: int) -> None:
        """Forget the events of a stream."""
        self._streams = {at: owner for at, owner in self._streams.items() if owner != stream}

    def cut(self, stream: int, events: int) -> None:
        """Forget the events of a stream but its first so many."""
        own = [at for at, owner in self._streams.items() if owner == stream]
        for at in own[events:]:
            del self._streams[at]

    def cursor(self, newest: int) -> ChangeCursor:
        """Return a cursor that has followed all of it."""
        last = self._last()
        return ChangeCursor(last, self._streams.get(last, 0), newest)

    def holds(self, cursor: ChangeCursor) -> bool:
        """Tell whether the last event that was followed is still there."""
        return not cursor.event or self._streams.get(cursor.event) == cursor.stream

    def since(self, cursor: ChangeCursor) -> set[int]:
        """Return whose events came after."""
        fresh: Iterator[int] = takewhile(lambda at: at > cursor.event, reversed(self._streams))
        return {self._streams[at] for at in fresh}

    def _last(self) -> int:
        return next(reversed(self._streams), 0)
