"""Indexes and derived tables: compare them with the streams and events, or rebuild them.

Summaries, moves and texts are derived where games are known; here they are only replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from replay.errors import UnknownMatch
from replay.store import segments
from replay.store.protocol import IndexedMatch, IndexedTexts, Summary
from replay.store.sql import position_index, queries, search_index, summaries
from replay.store.sql.dialect import Connection

STREAMS: Final = "SELECT id, parent_id, coalesce(fork_version, 0) FROM streams ORDER BY id"
SEGMENTS: Final = "SELECT stream, lo, hi, src FROM segments ORDER BY stream, lo"
WRONG_HEADS: Final = """
    SELECT s.public_id FROM streams AS s
    LEFT JOIN events AS e ON e.stream = s.id AND e.version = s.head
    WHERE (s.head_hash = coalesce(e.hash, s.origin)) IS NOT TRUE OR (s.head = coalesce(
        (SELECT max(version) FROM events WHERE stream = s.id), s.fork_version, 0
    )) IS NOT TRUE ORDER BY s.id
"""


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
    right = segments.segments_by_stream(connection.execute(STREAMS).fetchall())
    found: dict[int, list[segments.Segment]] = {}
    for number, lo, hi, src in connection.execute(SEGMENTS).fetchall():
        found.setdefault(number, []).append((lo, hi, src))
    return {number for number in right | found if right.get(number) != found.get(number)}


def rebuild_indexes(connection: Connection) -> None:
    """Rebuild the indexes of the database, and the segments."""
    connection.reindex()
    connection.execute("DELETE FROM segments")
    right = segments.segments_by_stream(connection.execute(STREAMS).fetchall())
    rows = [(number, *each) for number, several in right.items() for each in several]
    connection.insert_all("segments", rows)


def replace(
    connection: Connection,
    known: Mapping[int, Summary],
    moves: Mapping[int, IndexedMatch],
    texts: Mapping[int, IndexedTexts],
) -> None:
    """Replace all summaries, moves and texts of matches."""
    position_index.forget_all(connection)
    search_index.forget_all(connection)
    summaries.replace(connection, {each: known[each] for each in _there(connection, known)})
    for number in _there(connection, moves):
        position_index.put(connection, number, moves[number])
    for number in _there(connection, texts):
        found = texts[number]
        search_index.index(connection, number, found.texts, found.notes, found.facts)


def _there(connection: Connection, numbers: Iterable[int]) -> Iterator[int]:
    for number in numbers:
        try:
            queries.writable(connection, number)
        except UnknownMatch:  # it was purged meanwhile
            continue
        yield number
