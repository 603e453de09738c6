"""What is done to the tables, each inside a savepoint of the writer's transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from replay.store import validation
from replay.store.hash_chain import header_hash
from replay.store.protocol import Appended, Creation, NewEvent, NewStream, StoredEvent, Stream
from replay.store.sqlite import purging, queries, search_index
from replay.store.sqlite.sqlite_library import Connection

INSERT_STREAM: Final = (
    "INSERT INTO streams (public_id, kind, header, subject, parent_id, fork_version, fork_ply, "
    "origin, head, head_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_EVENT: Final = (
    "INSERT INTO events (stream, version, event_id, type, actor, at, data, hash) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
SHARE: Final = (
    "INSERT INTO segments SELECT ?, lo, min(hi, ?), src FROM segments WHERE stream = ? AND lo <= ?"
)
PUT_KEY: Final = (
    "INSERT INTO keys VALUES (?, ?, ?, ?) ON CONFLICT (stream, digest) "
    "DO UPDATE SET role = excluded.role, seat = excluded.seat"
)


def _create(connection: Connection, new: NewStream, one: Creation) -> Stream:
    """Create a stream with what it begins with."""
    validation.check_stream(new)
    validation.check_events(one.events)
    validation.check_facts(one.facts)
    validation.check_held(one.held)
    _check_free(connection, new)
    stream = _start(connection, new)
    if found := queries.present(connection, stream.id, one.events):
        raise validation.used(found)
    _extend(connection, stream, one.events)
    _put_facts(connection, stream.id, one.facts)
    if one.notes:
        notes = validation.notes_of(stream)
        _create(connection, notes, Creation(notes, one.notes))
    for name, value in one.held.items():
        connection.execute("INSERT INTO held VALUES (?, ?, ?)", (stream.id, name, value))
    for key in one.keys:
        connection.execute(PUT_KEY, (stream.id, *key))
    return queries.stream(connection, stream.id)


def create_all(connection: Connection, creations: Sequence[Creation]) -> list[Stream]:
    """Create streams one after the other; a fork may follow the one it forks from."""
    made: list[Stream] = []
    for one in creations:
        made.append(_create(connection, validation.placed(one, made), one))
    return made


def append(
    connection: Connection, number: int, expected: int, events: Sequence[NewEvent]
) -> Appended:
    """Append events at the expected version, or find that they are there already."""
    stream, known = queries.stream_to_extend(connection, number, events)
    validation.check_events(events)
    if known:
        return validation.repeated(events, queries.present(connection, number, events))
    validation.check_head(stream, expected)
    return _extend(connection, stream, events)


def set_facts(connection: Connection, number: int, facts: Mapping[str, str | None]) -> bool:
    """Set facts, or with `None` erase them; tell whether any had another value before."""
    queries.writable(connection, number)
    validation.check_facts(facts)
    before = queries.facts(connection, number)
    _put_facts(connection, number, facts)
    search_index.forget(connection, number)
    return any(name in before and before[name] != facts[name] for name in facts)


def erase_notes(connection: Connection, subject: int, ids: Collection[bytes]) -> None:
    """Delete notes of a match, and store the others as a new stream."""
    match = queries.writable(connection, subject)
    notes = queries.notes(connection, subject)
    if notes is None:
        return
    kept = validation.without(queries.events(connection, notes.id, 0, notes.head), ids)
    purging.delete(connection, notes.id)
    if kept:
        new = validation.notes_of(match)
        _create(connection, new, Creation(new, kept))
    search_index.forget(connection, subject)


def add_key(
    connection: Connection, number: int, digest: bytes, role: str, seat: int | None
) -> None:
    """Add a capability, or change what it allows."""
    queries.writable(connection, number)
    connection.execute(PUT_KEY, (number, digest, role, seat))


def drop_key(connection: Connection, number: int, digest: bytes) -> None:
    """Forget a capability, if there is such a one."""
    queries.stream(connection, number)
    connection.execute("DELETE FROM keys WHERE stream = ? AND digest = ?", (number, digest))


def set_trashed(connection: Connection, number: int, trashed: bool) -> None:
    """Put a match into the trash, or take it out."""
    queries.writable(connection, number)
    connection.execute("UPDATE streams SET trashed = ? WHERE id = ?", (trashed, number))


def _check_free(connection: Connection, new: NewStream) -> None:
    if new.subject is not None:
        validation.check_subject(queries.stream(connection, new.subject))
        if queries.notes(connection, new.subject):
            raise validation.taken(new)
    query = "SELECT 1 FROM streams WHERE kind = ? AND public_id = ?"
    if connection.execute(query, (new.kind, new.public_id)).fetchone():
        raise validation.taken(new)


def _start(connection: Connection, new: NewStream) -> Stream:
    origin = header_hash(new.header, _parent_hash(connection, new))
    base = new.fork_version or 0
    row = (
        new.public_id,
        new.kind,
        new.header.decode(),
        new.subject,
        new.parent,
        new.fork_version,
        new.fork_ply,
        origin,
        base,
        origin,
    )
    number = connection.execute(INSERT_STREAM, row).lastrowid
    assert number is not None
    put_segments(connection, number, new.parent, base)
    return queries.stream(connection, number)


def put_segments(connection: Connection, number: int, parent: int | None, base: int) -> None:
    """Note whose events a stream has: up to `base` those its parent has, then its own."""
    connection.execute(SHARE, (number, base, parent, base))
    own = (number, base + 1, validation.LAST, number)
    connection.execute("INSERT INTO segments VALUES (?, ?, ?, ?)", own)


def _put_facts(connection: Connection, number: int, facts: Mapping[str, str | None]) -> None:
    for name, value in facts.items():
        if value is None:
            connection.execute("DELETE FROM facts WHERE stream = ? AND name = ?", (number, name))
        else:
            connection.execute(
                "INSERT INTO facts (stream, name, value) VALUES (?, ?, ?) "
                "ON CONFLICT (stream, name) DO UPDATE SET value = excluded.value",
                (number, name, value),
            )


def _parent_hash(connection: Connection, new: NewStream) -> bytes:
    if new.parent is None:
        return b""
    parent = queries.stream(connection, new.parent)
    validation.check_fork(new, parent)
    fork = new.fork_version or 0
    if not fork:
        return parent.origin
    return queries.events(connection, parent.id, fork - 1, fork)[0].hash


def _extend(connection: Connection, stream: Stream, events: Sequence[NewEvent]) -> Appended:
    new = validation.chained(stream.head, stream.head_hash, events)
    for event in new:
        _insert(connection, stream.id, event)
    return Appended(tuple(new), new[-1].hash if new else stream.head_hash)


def _insert(connection: Connection, number: int, event: StoredEvent) -> None:
    row = (
        number,
        event.version,
        event.id,
        event.type,
        event.actor,
        event.at,
        event.data.decode(),
        event.hash,
    )
    position = connection.execute(INSERT_EVENT, row).lastrowid
    if event.sealed is not None:
        connection.execute("INSERT INTO sealed VALUES (?, ?)", (position, event.sealed))
