"""The acknowledged changes, and the comparison of a database with them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg

from replay.store import Location
from replay.store.sqlite.driver import sqlite3

MATCHES: Final = "SELECT public_id FROM streams WHERE kind = 'match'"
EVENTS: Final = """
    SELECT streams.public_id, events.version, {hex}
    FROM events JOIN streams ON streams.id = events.stream WHERE streams.kind = 'match'
"""
COMMENTS: Final = """
    SELECT streams.public_id, {text}
    FROM events JOIN streams ON streams.id = events.stream
    WHERE streams.kind = 'notes' AND events.type = 'commented'
"""
SQLITE: Final = {"hex": "lower(hex(events.hash))", "text": "json_extract(events.data, '$.text')"}
POSTGRES: Final = {"hex": "encode(events.hash, 'hex')", "text": "events.data::jsonb ->> 'text'"}


class Match(NamedTuple):
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


def read_stored(database: Location) -> Stored:
    """Return the content of a database. Raises `sqlite3.Error` and `psycopg.Error`."""
    if isinstance(database, Path):
        with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as file:
            file.execute("BEGIN")
            return Counter(_things(file.execute, SQLITE))
    with psycopg.connect(database) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        return Counter(_things(connection.execute, POSTGRES))


def _things(
    rows: Callable[[Any], Iterable[tuple[Any, ...]]], spelled: dict[str, str]
) -> Iterator[Thing]:
    yield from (Match(*row) for row in rows(MATCHES))
    yield from (Event(*row) for row in rows(EVENTS.format(**spelled)))
    yield from (Comment(*row) for row in rows(COMMENTS.format(**spelled)))
