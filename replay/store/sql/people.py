"""Who played: the events of a match's people, and the erasable texts of these events.

The names among the metadata are derived from the events: one function writes both.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import astuple

from replay.errors import Diverged
from replay.store.people_chain import Change, chain, changes, fold
from replay.store.sql import queries, search_index
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, erases, reads_snapshot
from replay.store.types import Author, KeptPeople, PersonEvent, PersonText, Stream

SEAT: Final = re.compile("Seat([1-9])")
UNNAMED: Final = ("", "?")
SALT_BYTES: Final = 16
EVENTS: Final = (
    "SELECT number, event, seat, other, author, at, after_version, reason, name, hash "
    "FROM people WHERE stream = ? ORDER BY number"
)
TEXTS: Final = (
    "SELECT number, kind, salt, text FROM people_texts WHERE stream = ? ORDER BY number, kind"
)


def names_among(metadata: Mapping[str, str]) -> dict[int, str]:
    """Return the names of players among metadata, by seat."""
    found = ((SEAT.fullmatch(name), value) for name, value in metadata.items())
    return {int(seat[1]): value for seat, value in found if seat and value not in UNNAMED}


class People(SqlPart):
    """The people of matches. Metadata are changed by the other parts, which note it here."""

    @reads_snapshot
    def people(self, connection: Connection, stream: int) -> KeptPeople:
        """Return the events of a match's people, their texts, and the names that stand."""
        standing = names_among(queries.metadata(connection, stream))
        return KeptPeople(_events(connection, stream), _texts(connection, stream), standing)

    @erases
    def copy_people(
        self,
        connection: Connection,
        stream: int,
        metadata: Mapping[str, str],
        people: KeptPeople,
    ) -> bool:
        """Replace the metadata of a copy, and add the events of its people that it lacks.

        Raises `Diverged` if the copy has others.
        """
        queries.writable(connection, stream)
        before, kept = queries.metadata(connection, stream), _events(connection, stream)
        if kept != people.events[: len(kept)]:
            raise Diverged("the other book has other events of who played; copy into a new one")
        connection.execute("DELETE FROM facts WHERE stream = ?", (stream,))
        connection.put_metadata(stream, metadata)
        connection.execute("DELETE FROM people_texts WHERE stream = ?", (stream,))
        put(connection, stream, people.events[len(kept) :], people.texts)
        search_index.forget(connection, stream)
        return any(metadata.get(name) != text for name, text in before.items())


def note(
    connection: Connection,
    stream: Stream,
    before: Mapping[str, str],
    after: Mapping[str, str],
    author: Author,
) -> None:
    """Note what changes in the names among metadata; an erasure takes a person's texts.

    Names from before names were events are found then.
    """
    was, now = names_among(before), names_among(after)
    if was == now:
        return
    known = _events(connection, stream.id)
    found = [] if known else [Change("found", seat, 0, name) for seat, name in was.items()]
    last = known[-1] if known else None
    salts = iter(lambda: secrets.token_bytes(SALT_BYTES), b"")
    changed = [*found, *changes(was, now)]
    events, texts = chain(stream.origin, last, changed, author, stream.head, salts)
    erased = fold([*known, *events]).erased
    for number in erased:
        connection.execute(
            "DELETE FROM people_texts WHERE stream = ? AND number = ?", (stream.id, number)
        )
    put(connection, stream.id, events, [each for each in texts if each.number not in erased])


def put(
    connection: Connection, stream: int, events: Sequence[PersonEvent], texts: Sequence[PersonText]
) -> None:
    """Add events after the last one, and texts."""
    connection.insert_all("people", [(stream, *astuple(each)) for each in events])
    connection.insert_all("people_texts", [(stream, *astuple(each)) for each in texts])


def _events(connection: Connection, stream: int) -> list[PersonEvent]:
    return [PersonEvent(*row) for row in connection.execute(EVENTS, (stream,)).fetchall()]


def _texts(connection: Connection, stream: int) -> list[PersonText]:
    return [PersonText(*row) for row in connection.execute(TEXTS, (stream,)).fetchall()]
