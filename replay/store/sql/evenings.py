"""Evenings by id, and by the digest of the link that is a host's key of their matches."""

from __future__ import annotations

from typing import Final

from msgspec.structs import astuple

from replay.errors import Conflict
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, reads, writes, writes_within_epoch
from replay.store.types import Evening

COLUMNS: Final = ", ".join(Evening.__struct_fields__)
ONE: Final = f"SELECT {COLUMNS} FROM evenings WHERE id = ?"
ALL: Final = f"SELECT {COLUMNS} FROM evenings ORDER BY created, id"
OF_LINK: Final = f"SELECT {COLUMNS} FROM evenings WHERE digest = ? ORDER BY created DESC, id"
ALIKE: Final = "SELECT id FROM evenings WHERE digest = ? AND title = ? AND date = ? AND id <> ?"
PUT: Final = (
    f"INSERT INTO evenings ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) "
    "DO UPDATE SET digest = excluded.digest, title = excluded.title, shown = excluded.shown"
)


class Evenings(SqlPart):
    """Evenings. Their matches have the digest among their keys, and the id among their facts."""

    @writes_within_epoch
    def put_evening(self, connection: Connection, evening: Evening) -> None:
        """Add an evening, or replace its digest, title and visibility.

        Raises `Conflict` if its link has another one with this title and this date.
        """
        alike = (evening.digest, evening.title, evening.date, evening.id)
        there = connection.execute(ALIKE, alike).fetchone()
        if there is not None:
            raise Conflict(
                f"this link has an evening {evening.title!r} on {evening.date} already: "
                f"{there[0]}; use that one, or another title"
            )
        before = connection.execute(ONE, (evening.id,)).fetchone()
        connection.execute(PUT, astuple(evening))
        if before is not None and Evening(*before).title != evening.title:
            self._note_erasure(connection)

    @reads
    def evening(self, connection: Connection, name: str) -> Evening | None:
        """Return the evening with an id, or `None`."""
        row = connection.execute(ONE, (name,)).fetchone()
        return None if row is None else Evening(*row)

    @reads
    def evenings(self, connection: Connection, digest: bytes | None = None) -> list[Evening]:
        """Return the evenings of a link, the newest first, or all of them, the oldest first."""
        query, values = (ALL, ()) if digest is None else (OF_LINK, (digest,))
        return [Evening(*row) for row in connection.execute(query, values).fetchall()]

    @writes
    def replace_link(self, connection: Connection, before: bytes, after: bytes) -> None:
        """Replace the digest of a link in its evenings and in all keys of matches."""
        for table in ("evenings", "keys"):
            connection.execute(f"UPDATE {table} SET digest = ? WHERE digest = ?", (after, before))
