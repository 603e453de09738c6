"""Who played: the events of a match's people, and the erasable texts of these events.

The names among the metadata are derived from the events: one function writes both.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Final

from msgspec.structs import astuple

from replay.errors import Diverged
from replay.store.people_chain import NAME, Change, chain, changes, fold, names_among
from replay.store.sql import queries, search_index
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, erases, reads, reads_snapshot
from replay.store.types import Author, KeptPeople, PeopleHead, PersonEvent, PersonText, Stream

SALT_BYTES: Final = 16
EVENTS: Final = (
    "SELECT number, event, seat, other, author, at, after_version, reason, name, hash "
    "FROM people WHERE stream = ? ORDER BY number"
)
TEXTS: Final = (
    "SELECT number, kind, salt, text FROM people_texts WHERE stream = ? ORDER BY number, kind"
)
HEAD: Final = "SELECT number, hash FROM people_heads WHERE stream = ?"


class People(SqlPart):
    """The people of matches. The other parts change metadata, and note these changes here."""

    @reads_snapshot
    def people(self, connection: Connection, stream: int) -> KeptPeople:
        """Return the people of a match: events, texts, the names that stand, and the head."""
        standing = names_among(queries.metadata(connection, stream))
        events, texts = _events(connection, stream), _texts(connection, stream)
        return KeptPeople(events, texts, standing, _head(connection, stream))

    @reads
    def people_head(self, connection: Connection, stream: int) -> PeopleHead:
        """Return the number and the hash of the last event of a match's people."""
        return _head(connection, stream)

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
    """Note the changes of names among metadata; an erasure deletes all texts of a person.

    It takes those in the match's forks, too, which have copied the names. Names from before names
    were events are found then.
    """
    lost = _note(connection, stream, before, after, author)
    waiting = queries.forks(connection, stream.id) if lost else []
    while waiting:
        fork = waiting.pop()
        waiting += queries.forks(connection, fork.id)
        _erase(connection, fork, lost, author)


def _erase(connection: Connection, fork: Stream, lost: Set[str], author: Author) -> None:
    """Erase the people of a fork who have, or had, a name that the parent has lost."""
    before = queries.metadata(connection, fork.id)
    named = {seat: {name} for seat, name in names_among(before).items()}
    texts = {each.number: each.text for each in _texts(connection, fork.id) if each.kind == NAME}
    for seat, numbers in fold(_events(connection, fork.id)).people.items():
        named.setdefault(seat, set()).update(texts[each] for each in numbers if each in texts)
    gone = {f"Seat{seat}": "?" for seat, names in named.items() if names & lost}
    connection.put_metadata(fork.id, gone)
    _note(connection, fork, before, before | gone, author)
    search_index.forget(connection, fork.id)


def _note(
    connection: Connection,
    stream: Stream,
    before: Mapping[str, str],
    after: Mapping[str, str],
    author: Author,
) -> set[str]:
    """Note the changes of names in a match, and return the names of erased people."""
    was, now = names_among(before), names_among(after)
    if was == now:
        return set()
    return _add(connection, stream, was, changes(was, now), author)


def note_phone(connection: Connection, stream: Stream, seat: int, author: Author) -> None:
    """Note that another phone plays for a seat."""
    names = names_among(queries.metadata(connection, stream.id))
    _add(connection, stream, names, [Change("replaced", seat)], author)


def _add(
    connection: Connection,
    stream: Stream,
    was: Mapping[int, str],
    changed: Iterable[Change],
    author: Author,
) -> set[str]:
    """Add changes after the last event, and return the names of people whom they erase."""
    known = _events(connection, stream.id)
    found = [] if known else [Change("found", seat, 0, name) for seat, name in was.items()]
    forked = [] if known else _forked(connection, stream)
    last = known[-1] if known else None
    salts = iter(lambda: secrets.token_bytes(SALT_BYTES), b"")
    every_change = [*forked, *found, *changed]
    events, texts = chain(stream.origin, last, every_change, author, stream.head, salts)
    erased = fold([*known, *events]).erased
    every = (*_texts(connection, stream.id), *texts)
    lost = {each.text for each in every if each.kind == NAME and each.number in erased}
    for number in erased:
        connection.execute(
            "DELETE FROM people_texts WHERE stream = ? AND number = ?", (stream.id, number)
        )
    put(connection, stream.id, events, [each for each in texts if each.number not in erased])
    return lost


def _forked(connection: Connection, stream: Stream) -> list[Change]:
    """Return the citation of the people of the match that a fork leaves, if they are events."""
    while stream.parent is not None:
        stream = queries.stream(connection, stream.parent)
        if head := _head(connection, stream.id).hash:
            return [Change("forked", 0, cited=head)]
    return []


def put(
    connection: Connection, stream: int, events: Sequence[PersonEvent], texts: Sequence[PersonText]
) -> None:
    """Append events of people and their texts."""
    connection.insert_all("people", [(stream, *astuple(each)) for each in events])
    connection.insert_all("people_texts", [(stream, *astuple(each)) for each in texts])


def _head(connection: Connection, stream: int) -> PeopleHead:
    row = connection.execute(HEAD, (stream,)).fetchone()
    return PeopleHead(*row) if row else PeopleHead()


def _events(connection: Connection, stream: int) -> list[PersonEvent]:
    return [PersonEvent(*row) for row in connection.execute(EVENTS, (stream,)).fetchall()]


def _texts(connection: Connection, stream: int) -> list[PersonText]:
    return [PersonText(*row) for row in connection.execute(TEXTS, (stream,)).fetchall()]
