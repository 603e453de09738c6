"""The log: create streams with their first events, and erase notes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import Final

from msgspec.structs import astuple, replace

from replay.store import validation
from replay.store.hash_chain import header_hash
from replay.store.protocol import Creation, IndexedMatch, NewEvent, NewStream, Stream
from replay.store.sql import position_index, queries, search_index, summaries, tokens
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart

TAKEN: Final = "SELECT 1 FROM streams WHERE (kind = ? AND public_id = ?) OR subject = ? LIMIT 1"
RELATED: Final = f"{queries.STREAM} WHERE id IN (?, ?)"
LAST_SHARED: Final = (
    "SELECT e.hash FROM segments AS s JOIN events AS e ON e.stream = s.src "
    "WHERE s.stream = ? AND e.version = ? AND e.version BETWEEN s.lo AND s.hi"
)
INSERT_STREAM: Final = (
    f"INSERT INTO streams ({', '.join(queries.NAMES)}) "
    f"VALUES ({queries.placeholders(queries.NAMES)})"
)
SHARE: Final = (
    "INSERT INTO segments SELECT ?, lo, CASE WHEN hi < ? THEN hi ELSE ? END, src FROM segments "
    "WHERE stream = ? AND lo <= ?"
)
OWN: Final = "INSERT INTO segments VALUES (?, ?, ?, ?)"


class SqlLog(SqlPart):
    """The part `Log` of the protocol, but for `append` and `read`."""

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

    def private_value(self, stream: int, name: str) -> bytes | None:
        return self._query(queries.private_value, stream, name)

    def private_values(self, stream: int) -> dict[str, bytes]:
        return self._query(queries.private_values, stream)

    def erase_notes(self, subject: int, ids: Collection[bytes]) -> Future[None]:
        return self._submit_erasure(erase_notes, subject, ids)


def create_all(connection: Connection, creations: Sequence[Creation]) -> list[Stream]:
    """Create streams one after the other; a fork may follow the one it forks from."""
    made: list[Stream] = []
    for one in creations:
        made.append(_create(connection, validation.resolve_parent(one, made), one))
    return made


def _create(connection: Connection, new: NewStream, one: Creation) -> Stream:
    """Create a stream with its first events, facts, notes, private values and capabilities."""
    validation.check_stream(new)
    validation.check_events(one.events)
    validation.check_facts(one.facts)
    validation.check_held(one.held)
    stream = _start(connection, new)
    if new.parent is not None and (found := connection.present(stream.id, one.events)):
        raise validation.event_ids_taken_error(found)
    _derive(connection, stream, one)
    stored = validation.chain_events(stream.head, stream.head_hash, one.events)
    connection.put_events(stream.id, stored)
    connection.put_facts(stream.id, one.facts)
    if one.notes:
        notes = validation.notes_of(stream)
        _create(connection, notes, Creation(notes, one.notes))
    tokens.hold(connection, stream.id, one.held)
    for key in one.keys:
        tokens.put(connection, stream.id, key)
    if not stored:
        return stream
    return replace(stream, head=stored[-1].version, head_hash=stored[-1].hash)


def _derive(connection: Connection, stream: Stream, one: Creation) -> None:
    """Store what was derived from a match before it was created."""
    head = stream.head + len(one.events)
    if one.summary is not None:
        validation.check_summary(one.summary, head)
        summaries.put(connection, stream.id, one.summary)
    if one.steps is not None:
        position_index.put(connection, stream.id, IndexedMatch(head, one.steps, one.moves))
    if one.texts is not None:
        search_index.put(connection, stream.id, one.texts, len(one.notes))


def erase_notes(connection: Connection, subject: int, ids: Collection[bytes]) -> bool:
    """Delete notes of a match, and store the others as a new stream; return whether it has any."""
    match = queries.writable(connection, subject)
    notes = queries.notes(connection, subject)
    if notes is None:
        return False
    kept = validation.as_new_events(connection.events(notes.id, 0, notes.head), ids)
    connection.delete_stream(notes.id)
    if kept:
        new = validation.notes_of(match)
        _create(connection, new, Creation(new, kept))
    search_index.forget(connection, subject)
    return True


def _start(connection: Connection, new: NewStream) -> Stream:
    """Insert a stream without events."""
    # All questions before the first answer: a server gets them together.
    asked = (
        connection.execute(TAKEN, (new.kind, new.public_id, new.subject)),
        connection.execute(RELATED, (new.subject, new.parent)),
        connection.execute(LAST_SHARED, (new.parent, queries.clamp_version(new.fork_version or 0))),
        connection.execute(connection.NEXT_STREAM),
    )
    taken, related, shared, [(number,)] = [cursor.fetchall() for cursor in asked]
    streams = {row[0]: queries.as_stream(row) for row in related}
    if new.subject is not None:
        validation.check_subject(_of(streams, new.subject))
    if taken:
        raise validation.match_id_taken_error(new)
    before = b""
    if new.parent is not None:
        validation.check_fork(new, _of(streams, new.parent))
        before = shared[0][0] if shared else streams[new.parent].origin
    stream = _new_stream(number, new, header_hash(new.header, before))
    _insert(connection, stream)
    return stream


def _of(streams: Mapping[int, Stream], number: int) -> Stream:
    if number not in streams:
        raise validation.unknown_stream_error(number)
    return streams[number]


def _new_stream(number: int, new: NewStream, origin: bytes) -> Stream:
    return Stream(
        id=number,
        public_id=new.public_id,
        kind=new.kind,
        header=new.header,
        subject=new.subject,
        parent=new.parent,
        fork_version=new.fork_version,
        fork_ply=new.fork_ply,
        origin=origin,
        head=new.fork_version or 0,
        head_hash=origin,
        trashed=False,
    )


def _insert(connection: Connection, stream: Stream) -> None:
    """Insert a stream, and which streams' events it reads: its parent's, then its own."""
    number, public_id, kind, header, *rest = astuple(stream)
    connection.execute(INSERT_STREAM, (number, public_id, kind, header.decode(), *rest))
    if stream.parent is not None:
        connection.execute(SHARE, (stream.id, *[stream.head] * 2, stream.parent, stream.head))
    connection.execute(OWN, (stream.id, stream.head + 1, validation.LAST, stream.id))
