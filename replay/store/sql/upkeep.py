"""The upkeep of a store: rebuild and compare derived tables, probe the disk, observe commits.

Only the caller knows the games and derives summaries, moves and texts; this module only replaces
them. Segments follow from where streams fork: they name the streams whose events a fork reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Final

from msgspec.structs import astuple

from replay.errors import UnknownMatch
from replay.store.sql import position_index, queries, search_index, summaries, tallies
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, writes
from replay.store.types import Condition, Derived
from replay.store.validation import MAX_VERSION
from replay.store.writer_thread import Observer

STREAMS: Final = "SELECT id, parent_id, coalesce(fork_version, 0) FROM streams ORDER BY id"
SEGMENTS: Final = "SELECT stream, lo, hi, src FROM segments ORDER BY stream, lo"
WRONG_HEADS: Final = """
    SELECT s.public_id FROM streams AS s
    LEFT JOIN events AS e ON e.stream = s.id AND e.version = s.head
    WHERE (s.head_hash = coalesce(e.hash, s.origin)) IS NOT TRUE OR (s.head = coalesce(
        (SELECT max(version) FROM events WHERE stream = s.id), s.fork_version, 0
    )) IS NOT TRUE ORDER BY s.id
"""
Segment = tuple[int, int, int]
"""Versions `lo` to `hi` of a stream are events of the stream with this number."""


class Upkeep(SqlPart):
    """The upkeep of a store, for an operator.

    `shared_location` is the file or the URL by which another process can open the same store, or
    `None`. A store `is_local` if a read waits for no network: it takes microseconds, so that an
    event loop may read.
    """

    shared_location: Path | str | None
    is_local: bool

    @writes
    def rebuild_indexes(self, connection: Connection) -> None:
        """Rebuild the indexes of the database, the segments and the tallies, all or nothing."""
        connection.reindex()
        tallies.recount_all(connection)
        position_index.uncount_all(connection)
        connection.execute("DELETE FROM segments")
        rows = connection.execute(STREAMS).fetchall()
        segments = segments_by_stream(rows).items()
        connection.insert_all(
            "segments", [(number, *each) for number, several in segments for each in several]
        )

    @writes
    def replace_derived(
        self,
        connection: Connection,
        derived: Mapping[int, Derived],
    ) -> None:
        """Replace the summaries, moves by position and texts of these matches, all or nothing.

        Matches that were purged meanwhile are left out, and so are texts whose metadata differ.
        Data that are not given, or older than the match by now, are due.
        """
        for number in _existing(connection, derived):
            summary, moves, texts = astuple(derived[number])
            summaries.replace(connection, number, summary)
            position_index.forget(connection, number)
            if moves is not None:
                position_index.put(connection, number, moves)
            search_index.forget(connection, number)
            if texts is not None:
                search_index.replace(connection, number, texts)

    def probe(self) -> Future[None]:
        """Write durably as a test, and leave no trace.

        It changes no `data_version`, unless a write has failed just before. The future raises
        `StoreError` if writes would fail.
        """
        return self._writer.probe()

    def condition(self) -> Condition:
        """Return the condition of the store. Raises `StoreError` if its disk does not answer."""
        raise NotImplementedError

    def obstacle(self) -> str | None:
        """Return the obstacle to storing writes, if a database reports one."""
        return None

    def observe(self, observer: Observer) -> None:
        """Report every transaction to an observer, which replaces the previous observer.

        Its methods must return quickly and raise nothing.
        """
        self._writer.observer = observer

    def close(self) -> None:
        """Finish the queued writes of the store and release every resource. May be called twice.

        Writes that were submitted before are stored and acknowledged; every later call raises
        `StoreError`.
        """
        raise NotImplementedError


def segments_by_stream(streams: Iterable[tuple[int, int | None, int]]) -> dict[int, list[Segment]]:
    """Return the segments of streams: number, parent and version of the fork, oldest first."""
    found: dict[int, list[Segment]] = {}
    for number, parent, base in streams:
        above = found.get(parent, []) if parent is not None else []
        shared = [(lo, min(hi, base), src) for lo, hi, src in above if lo <= base]
        found[number] = [*shared, (base + 1, MAX_VERSION, number)]
    return found


def wrong_heads(connection: Connection) -> list[str]:
    """Return the ids of the matches whose head is not their last event."""
    return [row[0] for row in connection.execute(WRONG_HEADS).fetchall()]


def wrong_segments(connection: Connection) -> list[int]:
    """Return the numbers of the streams whose segments do not follow from where they fork.

    A stream that is made or purged between two queries differs once, and not again.
    """
    differing = _differing_segments(connection)
    return sorted(differing & _differing_segments(connection)) if differing else []


def _differing_segments(connection: Connection) -> set[int]:
    right = segments_by_stream(connection.execute(STREAMS).fetchall())
    found: dict[int, list[Segment]] = {}
    for number, lo, hi, src in connection.execute(SEGMENTS).fetchall():
        found.setdefault(number, []).append((lo, hi, src))
    return {number for number in right | found if right.get(number) != found.get(number)}


def _existing(connection: Connection, numbers: Iterable[int]) -> Iterator[int]:
    for number in numbers:
        try:
            queries.writable(connection, number)
        except UnknownMatch:  # purged meanwhile
            continue
        yield number
