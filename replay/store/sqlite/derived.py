"""Indexes and derived tables: compare them with the streams and events, or rebuild them.

Summaries, moves and texts are derived where games are known; here they are only replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from replay.errors import UnknownMatch
from replay.store import segments
from replay.store.protocol import IndexedMatch, IndexedTexts, Summary
from replay.store.search_words import words
from replay.store.sqlite import log, position_index, queries, search_index, summaries
from replay.store.sqlite.sqlite_library import Connection

STREAMS: Final = "SELECT id, parent_id, ifnull(fork_version, 0) FROM streams ORDER BY id"
SEGMENTS: Final = "SELECT stream, lo, hi, src FROM segments ORDER BY stream, lo"
WRONG_HEADS: Final = """
    SELECT s.public_id FROM streams AS s
    LEFT JOIN events AS e ON e.stream = s.id AND e.version = s.head
    WHERE s.head_hash IS NOT ifnull(e.hash, s.origin) OR s.head IS NOT ifnull(
        (SELECT max(version) FROM events WHERE stream = s.id), ifnull(s.fork_version, 0)
    ) ORDER BY s.id
"""
VOCABULARY: Final = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary "
    "USING fts5vocab('main', 'texts_fts', 'instance')"
)
INSTANCES: Final = "SELECT term, doc, offset FROM temp.vocabulary"
REBUILD_WORDS: Final = "INSERT INTO texts_fts (texts_fts) VALUES ('rebuild')"


def wrong_heads(connection: Connection) -> list[str]:
    """Return the ids of the matches whose head is not their last event."""
    return [str(row[0], "utf-8") for row in connection.execute(WRONG_HEADS).fetchall()]


def wrong_segments(connection: Connection) -> list[int]:
    """Return the numbers of the streams whose segments do not follow from where they fork."""
    right = segments.of_all(connection.execute(STREAMS).fetchall())
    found: dict[int, list[segments.Segment]] = {}
    for number, *segment in connection.execute(SEGMENTS).fetchall():
        found.setdefault(number, []).append((segment[0], segment[1], segment[2]))
    return sorted(number for number in right | found if right.get(number) != found.get(number))


def are_words_right(connection: Connection) -> bool:
    """Tell whether full-text search has the words of the texts, all of them and no others."""
    texts = connection.execute("SELECT id, text, words FROM texts").fetchall()
    if any(" ".join(words(str(text, "utf-8"))) != str(found, "utf-8") for _, text, found in texts):
        return False
    connection.execute(VOCABULARY)
    return _digest(_places(texts)) == _digest(connection.execute(INSTANCES))


def rebuild_indexes(connection: Connection) -> None:
    """Rebuild the indexes, the segments and the words of full-text search."""
    connection.execute("REINDEX")
    connection.execute("DELETE FROM segments")
    for number, parent, base in connection.execute(STREAMS).fetchall():
        log.put_segments(connection, number, parent, base)
    connection.execute(REBUILD_WORDS)


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


def _places(texts: Iterable[tuple[int, bytes, bytes]]) -> Iterator[tuple[bytes, int, int]]:
    for number, _, found in texts:
        for offset, word in enumerate(found.split()):
            yield word, number, offset


def _digest(places: Iterable[tuple[bytes, int, int]]) -> tuple[int, int]:
    """Return a digest of places that does not depend on their order."""
    count = total = 0
    for place in places:
        count += 1
        total += hash(tuple(place))
    return count, total
