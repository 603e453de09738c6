"""The changes of the store after a cursor.

The table `changes` has a row for each match, with the number of its last change and those of the
last change of each kind. A match that is public no longer, or was deleted, has another row that
tells that. Triggers number the changes, so no program that writes can forget it.

An era is what one connection numbers. A number belongs to another history if it is in another era
here, so the name of the era tells a restored store from the one that it was.
"""

from __future__ import annotations

import secrets
from typing import Final, Literal, get_args

from replay.store import validation
from replay.store.protocol import Change, ChangeCursor, Changes
from replay.store.protocol.changes import VISIBILITY, What
from replay.store.sql.dialect import Connection, Row
from replay.store.sql.part import SqlPart

WHAT: Final[tuple[What, ...]] = get_args(What)
LAST: Final = "SELECT coalesce((SELECT max(number) FROM changes), 0)"
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


class SqlChangeFeed(SqlPart):
    """The method `changes` of the part `ChangeFeed` of the protocol."""

    def changes(
        self, cursor: ChangeCursor | None, limit: int | None = None, *, public: bool = False
    ) -> Changes:
        return self._query_at_once(changes, cursor, limit, public)


def changes(
    connection: Connection, cursor: ChangeCursor | None, limit: int | None, public: bool
) -> Changes:
    """Return the changes after a cursor, all of one moment."""
    number = 0 if cursor is None else cursor.number
    last, newest, era = connection.execute(STATE, (number,)).fetchone()
    now = ChangeCursor(last, newest)
    if cursor is None:
        return Changes(now, ())
    if number > last or cursor.feed not in ("", era):
        return Changes(now, None)
    most = validation.LAST if limit is None else limit
    query = SINCE.format(scope="c.public" if public else "true")
    rows = connection.execute(query, (number, most)).fetchall()
    found = tuple(_change(row, number) for row in rows)
    return Changes(found[-1].cursor if len(found) == most else now, found)


def begin_era(connection: Connection) -> None:
    """Begin another era, with the next number."""
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
