"""The index of full-text search: `texts_fts`, with the words of the table `texts`.

sqlite-utils made it with its triggers, which update it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from replay.store.search_words import words
from replay.store.sqlite.driver import Connection, sqlite3

VOCABULARY: Final = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary "
    "USING fts5vocab('main', 'texts_fts', 'instance')"
)
INSTANCES: Final = "SELECT term, doc, offset FROM temp.vocabulary"
TEXTS: Final = "SELECT id, text, words FROM texts"
REBUILD: Final = "INSERT INTO texts_fts (texts_fts) VALUES ('rebuild')"
OVERWRITES: Final = "SELECT 1 FROM texts_fts_config WHERE k = 'secure-delete' AND v"
MERGE: Final = "INSERT INTO texts_fts (texts_fts, rank) VALUES ('merge', ?)"
MERGE_PAGES: Final = 64
"""Pages of the index that are merged in one step."""
WITH_SECURE_DELETE: Final = (3, 42, 0)
"""The first SQLite whose FTS5 has `secure-delete`."""


def overwrite_deleted_words(connection: Connection) -> None:
    """Let the index overwrite deleted words, if SQLite can."""
    if sqlite3.sqlite_version_info >= WITH_SECURE_DELETE:
        connection.execute("INSERT INTO texts_fts (texts_fts, rank) VALUES ('secure-delete', 1)")


def merge_deleted_words(connection: Connection) -> None:
    """Drop the words of deleted rows from an index that does not overwrite them.

    https://www.sqlite.org/fts5.html#the_merge_command
    """
    can = sqlite3.sqlite_version_info >= WITH_SECURE_DELETE
    if can and connection.execute(OVERWRITES).fetchone():
        return
    pages, before = -MERGE_PAGES, -2  # negative: begin to merge the whole index
    while connection.total_changes - before > 1:
        before = connection.total_changes
        connection.execute(MERGE, (pages,))
        pages = MERGE_PAGES


def are_words_right(connection: Connection) -> bool:
    """Return whether the full-text index has exactly the words of the texts."""
    wrong = any(" ".join(words(text)) != found for _, text, found in connection.execute(TEXTS))
    if wrong:
        return False
    connection.execute(VOCABULARY)
    return _digest(_places(connection.execute(TEXTS))) == _digest(connection.execute(INSTANCES))


def _places(texts: Iterable[tuple[int, str, str]]) -> Iterator[tuple[str, int, int]]:
    for number, _, found in texts:
        for offset, word in enumerate(found.split()):
            yield word, number, offset


def _digest(places: Iterable[tuple[str, int, int]]) -> tuple[int, int]:
    """Return a digest of places that does not depend on their order."""
    count = total = 0
    for place in places:
        count += 1
        total += hash(tuple(place))
    return count, total
