"""The changes of the store after a cursor: one feed, for streams, hooks and mirrors.

The table `changes` has a row for each match, with the number of its last change, and of the last
change of each kind. A second row records that a match was withdrawn or deleted. Triggers number the
changes, so no writing program can forget to.

One connection numbers an era. A number of a different history is in a different era, so the name of
the era distinguishes a restored store from the original.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final, Literal, get_args

from replay.store import validation
from replay.store.feed_types import VISIBILITY, Change, ChangeCursor, Changes, What
from replay.store.sql.dialect import Connection, Row
from replay.store.sql.part import SqlPart, reads, reads_snapshot

WHAT: Final[tuple[What, ...]] = get_args(What)
LAST: Final = "SELECT coalesce((SELECT max(number) FROM changes), 0)"
LAST_OF: Final = """
    SELECT max(number) FROM changes WHERE root = (
        SELECT root FROM changes JOIN streams ON streams.id = entry WHERE public_id = ?
    )
"""
ERA: Final = (
    "coalesce((SELECT name FROM eras WHERE first <= {number} ORDER BY first DESC LIMIT 1), '')"
)
STATE: Final = (
    f"SELECT last.number, {ERA.format(number='last.number')}, {ERA.format(number='?')} "
    f"FROM ({LAST} AS number) AS last"
)
SINCE: Final = f"""
    SELECT c.number, {ERA.format(number="c.number")}, c.entry, coalesce(c.id, s.public_id), c.root,
        c.at, c.public, s.public_id, s.head, s.trashed,
        (SELECT value FROM facts WHERE stream = c.root AND name = '{VISIBILITY}'),
        {", ".join(f"c.{each}" for each in WHAT)}
    FROM changes AS c LEFT JOIN streams AS s ON s.id = abs(c.entry)
    WHERE c.number > ? AND {{scope}} ORDER BY c.number LIMIT ?
"""
BEGIN: Final = f"""
    INSERT INTO eras (first, name) VALUES (({LAST}) + 1, ?)
    ON CONFLICT (first) DO UPDATE SET name = excluded.name
"""


class ChangeFeed(SqlPart):
    """News of the whole store, from every process that writes to it.

    Numbers grow in the order in which changes become visible, even if several processes write, and
    are never used again. A match that changes again moves to its new number, so that the feed has
    each match once. The feed has the changes of all data that are read with a match, but not of
    capabilities, hooks and derived data.
    """

    @reads_snapshot
    def changes(
        self,
        connection: Connection,
        cursor: ChangeCursor | None,
        limit: int | None = None,
        *,
        public: bool = False,
    ) -> Changes:
        """Return the changes after a cursor, of at most `limit` matches; without one, begin now.

        With `public` only matches that are public, or were, are read.

        A follower who continues from cursor to cursor misses no change. When the store was
        restored, or has lost commits, the cursor of a follower who has seen more belongs to a
        different history. The kinds of changes since the cursor are in `what`.
        """
        number = 0 if cursor is None else cursor.number
        last, newest, era = connection.execute(STATE, (number,)).fetchone()
        now = ChangeCursor(last, newest)
        if cursor is None:
            return Changes(now, ())
        if number > last or cursor.feed not in ("", era):
            return Changes(now, None)
        most = validation.MAX_VERSION if limit is None else limit
        query = SINCE.format(scope="c.public" if public else "true")
        rows = connection.execute(query, (number, most)).fetchall()
        found = tuple(_change(row, number) for row in rows)
        return Changes(found[-1].cursor if len(found) == most else now, found)

    @reads
    def last_change(self, connection: Connection, match: str | None) -> int | None:
        """Return the number of the last change, as the function `last_change` does."""
        return last_change(connection, match)

    def data_version(self) -> int:
        """Return a number that differs after every commit, of any process.

        Cheaper than any query, and meaningless beyond this store object. It may change without
        cause. Read it before the query it guards, or a change in between remains unseen.
        """
        raise NotImplementedError

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call the function after each commit that the database reports.

        SQLite reports only the commits of this store. PostgreSQL reports the commits of all
        processes while its connection lasts; so it calls the function after each connection too.
        One call may report many commits, or none. Followers compare `data_version`, and poll it for
        commits that are not reported.

        The function is called in a thread of the store, must return quickly and raises nothing.
        Several may be registered. None is called after `close`.
        """
        raise NotImplementedError

    def tell(self, text: str) -> None:
        """Send a text of one line and less than 8,000 bytes to all processes, without storing it.

        Other processes may miss the text. SQLite delivers only the last text.
        """
        raise NotImplementedError

    def on_told(self, callback: Callable[[str], None]) -> None:
        """Call the function with each text from another process, as `on_change` does.

        A process hears others from its first `on_change` on, and with SQLite when it calls `hear`.
        """
        raise NotImplementedError

    def hear(self) -> None:
        """Look for texts that another process has sent, if the database does not report them."""


def last_change(connection: Connection, match: str | None) -> int | None:
    """Return the number of the last change of a match and its variations, or of the whole book."""
    found = connection.execute(LAST) if match is None else connection.execute(LAST_OF, (match,))
    number: int | None = found.fetchone()[0]
    return number


def begin_era(connection: Connection) -> None:
    """Begin a new era of the change feed, with the next number."""
    connection.execute(BEGIN, (secrets.token_hex(4),))


def _change(row: Row, after: int) -> Change:
    number, feed, entry, match, root, at, public, there, head, trash, value, *numbers = row
    state: Literal["there", "trashed", "withdrawn", "deleted"] = "trashed" if trash else "there"
    if entry < 0:
        state = "withdrawn" if there == match else "deleted"
    what = tuple(each for each, last in zip(WHAT, numbers, strict=True) if last > after)
    version = 0 if entry < 0 else head
    return Change(
        number, feed, abs(entry), match, root, at, what, version, state, bool(public), value
    )
