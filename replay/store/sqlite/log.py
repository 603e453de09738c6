"""The log: create streams, append events and read them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import Final, NamedTuple

from replay.store import validation
from replay.store.epoch import Epoch, Head
from replay.store.hash_chain import header_hash
from replay.store.protocol import (
    Appended,
    Creation,
    IndexedMatch,
    NewEvent,
    NewStream,
    StoredEvent,
    Stream,
    Summary,
)
from replay.store.sqlite import (
    facts,
    position_index,
    purging,
    queries,
    search_index,
    summaries,
    tokens,
)
from replay.store.sqlite.part import Part
from replay.store.sqlite.sqlite_library import Connection, sqlite3

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


class SqliteLog(Part):
    """The part `Log` of the protocol."""

    def create(
        self,
        stream: NewStream,
        events: Sequence[NewEvent] = (),
        facts: Mapping[str, str] | None = None,
        notes: Sequence[NewEvent] = (),
    ) -> Future[Stream]:
        new = Creation(stream, events, facts or {}, notes)
        return self._writer.submit(
            lambda connection: create_all(connection, [new])[0], ends_epoch=False
        )

    def create_all(self, creations: Sequence[Creation]) -> Future[list[Stream]]:
        return self._submit_within_epoch(create_all, creations)

    def epoch(self) -> int:
        return self._writer.epoch.number

    def append(
        self,
        stream: int,
        expected: int,
        events: Sequence[NewEvent],
        summary: Summary | None = None,
        epoch: int | None = None,
    ) -> Future[Appended]:
        append = Append(self._writer.epoch, stream, expected, events, summary, epoch)
        return self._writer.submit(append.at_stored_head, append.at_known_head, ends_epoch=False)

    def read(self, stream: int, after: int = 0, until: int | None = None) -> list[StoredEvent]:
        last = validation.LAST if until is None else until
        return self._query(queries.events, stream, after, last)

    def private_value(self, stream: int, name: str) -> bytes | None:
        return self._query(queries.private_value, stream, name)

    def private_values(self, stream: int) -> dict[str, bytes]:
        return self._query(queries.private_values, stream)

    def erase_notes(self, subject: int, ids: Collection[bytes]) -> Future[None]:
        return self._submit_erasure(erase_notes, subject, ids)


def _create(connection: Connection, new: NewStream, one: Creation) -> Stream:
    """Create a stream with its first events, facts, notes, private values and capabilities."""
    validation.check_stream(new)
    validation.check_events(one.events)
    validation.check_facts(one.facts)
    validation.check_held(one.held)
    _check_free(connection, new)
    stream = _start(connection, new)
    if new.parent is not None and (found := queries.present(connection, stream.id, one.events)):
        raise validation.used(found)
    _extend(connection, stream, one.events)
    _derive(connection, stream, one)
    facts.put(connection, stream.id, one.facts)
    if one.notes:
        notes = validation.notes_of(stream)
        _create(connection, notes, Creation(notes, one.notes))
    for name, value in one.held.items():
        connection.execute("INSERT INTO held VALUES (?, ?, ?)", (stream.id, name, value))
    for key in one.keys:
        tokens.put(connection, stream.id, key)
    return queries.stream(connection, stream.id)


def _derive(connection: Connection, stream: Stream, one: Creation) -> None:
    """Store what was derived from a match before it was created."""
    head = stream.head + len(one.events)
    if one.summary is not None:
        validation.check_summary(one.summary, head)
        summaries.summarise(connection, stream.id, one.summary)
    if one.steps is not None:
        position_index.put(connection, stream.id, IndexedMatch(head, one.steps, one.moves))
    if one.texts is not None:
        search_index.put(connection, stream.id, one.texts, len(one.notes))


def create_all(connection: Connection, creations: Sequence[Creation]) -> list[Stream]:
    """Create streams one after the other; a fork may follow the one it forks from."""
    made: list[Stream] = []
    for one in creations:
        made.append(_create(connection, validation.placed(one, made), one))
    return made


class Append(NamedTuple):
    """Events to append to a stream at the expected version, if the epoch lasts."""

    epoch: Epoch
    stream: int
    expected: int
    events: Sequence[NewEvent]
    summary: Summary | None
    within: int | None

    def at_known_head(self, connection: Connection) -> Appended | None:
        """Append one event without looking anything up, or return `None` and write nothing.

        The id of the event is in the stream itself, if anywhere: then the statement fails.
        """
        head = self.epoch.head(self.stream, self.within)
        if head is None or head.version != self.expected or len(self.events) != 1:
            return None
        validation.check_events(self.events)
        (new,) = validation.chained(head.version, head.hash, self.events)
        self._summarise(connection, new.version)
        try:
            position = _insert(connection, self.stream, new)
        except sqlite3.IntegrityError:
            if self.summary is not None:
                summaries.withdraw(connection, self.stream)
            return None
        _seal(connection, position, new)
        self.epoch.remember(self.stream, Head(new.version, new.hash))
        return Appended((new,), new.hash)

    def at_stored_head(self, connection: Connection) -> Appended:
        """Append the events, or find that they are there already."""
        stream, known = queries.stream_to_extend(connection, self.stream, self.events)
        validation.check_events(self.events)
        if known:
            found = queries.present(connection, self.stream, self.events)
            return validation.repeated(self.events, found)
        validation.check_head(stream, self.expected)
        self._summarise(connection, self.expected + len(self.events))
        appended = _extend(connection, stream, self.events)
        if stream.parent is None:  # the ids of a fork's events may be in its parent
            version = self.expected + len(self.events)
            self.epoch.remember(stream.id, Head(version, appended.head_hash))
        return appended

    def _summarise(self, connection: Connection, head: int) -> None:
        if self.summary is not None:
            validation.check_summary(self.summary, head)
            summaries.put(connection, self.stream, self.summary)


def erase_notes(connection: Connection, subject: int, ids: Collection[bytes]) -> bool:
    """Delete notes of a match, and store the others as a new stream; return whether it has any."""
    match = queries.writable(connection, subject)
    notes = queries.notes(connection, subject)
    if notes is None:
        return False
    kept = validation.without(queries.events(connection, notes.id, 0, notes.head), ids)
    purging.delete(connection, notes.id)
    if kept:
        new = validation.notes_of(match)
        _create(connection, new, Creation(new, kept))
    search_index.forget(connection, subject)
    return True


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
    """Store which streams' events a stream reads: up to `base` its parent's, then its own."""
    connection.execute(SHARE, (number, base, parent, base))
    own = (number, base + 1, validation.LAST, number)
    connection.execute("INSERT INTO segments VALUES (?, ?, ?, ?)", own)


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
        _seal(connection, _insert(connection, stream.id, event), event)
    return Appended(tuple(new), new[-1].hash if new else stream.head_hash)


def _insert(connection: Connection, number: int, event: StoredEvent) -> int | None:
    """Store an event, and return its position."""
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
    return connection.execute(INSERT_EVENT, row).lastrowid


def _seal(connection: Connection, position: int | None, event: StoredEvent) -> None:
    """Store what only the owner of an event may read yet, if there is something."""
    if event.sealed is not None:
        connection.execute("INSERT INTO sealed VALUES (?, ?)", (position, event.sealed))
