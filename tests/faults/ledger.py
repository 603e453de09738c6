"""The acknowledged changes, and the comparison of a database with them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from replay.store.sqlite.sqlite_library import sqlite3

MATCHES: Final = "SELECT public_id FROM streams WHERE kind = 'match'"
EVENTS: Final = """
    SELECT streams.public_id, events.version, lower(hex(events.hash))
    FROM events JOIN streams ON streams.id = events.stream WHERE streams.kind = 'match'
"""
COMMENTS: Final = """
    SELECT streams.public_id, json_extract(events.data, '$.text')
    FROM events JOIN streams ON streams.id = events.stream
    WHERE streams.kind = 'notes' AND events.type = 'commented'
"""


class Match(NamedTuple):
    """An opened match."""

    id: str


class Event(NamedTuple):
    """An event of a match; its hash covers it and all earlier events."""

    match: str
    version: int
    hash: str


class Comment(NamedTuple):
    """A comment on a match; each has different words."""

    match: str
    words: str


Thing = Match | Event | Comment
Stored = Counter[Thing]
"""The content of a database, each thing with its count: one is right."""


class Census(NamedTuple):
    """The fate of acknowledged things."""

    acknowledged: int
    lost: list[Thing]
    doubled: list[Thing]

    @property
    def whole(self) -> bool:
        return not (self.lost or self.doubled)


class Ledger:
    """The acknowledged things, each at a time of the `clock`."""

    def __init__(self, clock: Callable[[], float] = lambda: 0.0) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._acknowledged: dict[Thing, float] = {}
        self._versions: dict[str, int] = {}
        self._doubtful: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._acknowledged)

    def acknowledge(self, thing: Thing) -> None:
        with self._lock:
            self._acknowledged[thing] = self._clock()
            if isinstance(thing, Event):
                self._versions[thing.match] = max(thing.version, self.version(thing.match))

    def doubt(self, match: str) -> None:
        """Note an unanswered request about a match: its change may be stored or not."""
        with self._lock:
            self._doubtful[match] += 1

    def version(self, match: str) -> int:
        """Return the last acknowledged version of a match."""
        return self._versions.get(match, 0)

    def until(self, place: float = float("inf")) -> list[Thing]:
        """Return the things that were acknowledged up to a time."""
        with self._lock:
            return [thing for thing, at in self._acknowledged.items() if at <= place]

    def places(self) -> list[float]:
        """Return the time at which each thing was acknowledged, in order."""
        with self._lock:
            return sorted(self._acknowledged.values())

    def lost(self, stored: Stored, place: float = float("inf")) -> list[Thing]:
        """Return the missing things that were acknowledged up to a time."""
        return [thing for thing in self.until(place) if thing not in stored]

    def census(self, stored: Stored) -> Census:
        """Compare with a database that should hold each thing once."""
        return Census(len(self), self.lost(stored), list(self._doubled(stored)))

    def _doubled(self, stored: Stored) -> Iterator[Thing]:
        """Yield doubled things, and events beyond those acknowledged or in doubt."""
        known, doubtful = set(self.until()), Counter(self._doubtful)
        for thing, count in stored.items():
            if count > 1:
                yield thing
            elif isinstance(thing, Event) and thing not in known:
                doubtful[thing.match] -= 1
                if doubtful[thing.match] < 0:
                    yield thing


def read_stored(database: Path) -> Stored:
    """Return the content of a database. Raises `sqlite3.Error`."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        connection.execute("BEGIN")
        return Counter(_things(connection.execute))


def _things(rows: Callable[[str], Iterable[tuple[str, ...]]]) -> Iterator[Thing]:
    yield from (Match(*row) for row in rows(MATCHES))
    yield from (Event(*row) for row in rows(EVENTS))  # type: ignore[arg-type]
    yield from (Comment(*row) for row in rows(COMMENTS))
