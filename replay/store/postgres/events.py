"""The events of streams: read them, look for their ids, append them.

The appends of a group take two round trips together. The caller's transaction has locked the book,
so no other program writes meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from msgspec.structs import astuple, replace

from replay.errors import PlybookError
from replay.store import validation
from replay.store.epoch import Epoch
from replay.store.hash_chain import chain_events
from replay.store.sql import queries, summaries
from replay.store.sql.dialect import Connection, Cursor, Row
from replay.store.types import Append, Appended, NewEvent, StoredEvent, Stream, Summary
from replay.store.writer_thread import Answer

EVENT: Final = (
    "SELECT e.version, e.event_id, e.type, e.actor, e.at, e.data, e.hash, x.payload "
    "FROM segments AS s JOIN events AS e ON e.stream = s.src "
)
SEALED: Final = "LEFT JOIN sealed AS x ON x.event = e.pos WHERE s.stream = ? "
SLICE: Final = (
    f"{EVENT} AND e.version BETWEEN greatest(s.lo, ?) AND least(s.hi, ?) {SEALED} "
    "ORDER BY e.version"
)
BY_ID: Final = (
    f"{EVENT} AND e.event_id = ANY(?) {SEALED} AND e.version BETWEEN s.lo AND s.hi "
    "ORDER BY e.version"
)
STREAMS: Final = f"{queries.STREAM} WHERE id = ANY(?)"
KNOWN: Final = """
    SELECT a.stream, a.id FROM unnest(?::bigint[], ?::bytea[]) AS a(stream, id)
    JOIN segments AS s ON s.stream = a.stream
    JOIN events AS e ON e.stream = s.src AND e.event_id = a.id
    WHERE e.version BETWEEN s.lo AND s.hi
"""
INSERT: Final = """
    INSERT INTO events (pos, stream, version, event_id, type, actor, at, data, hash)
    SELECT (SELECT coalesce(max(pos), 0) FROM events) + a.place,
        a.stream, a.version, a.id, a.type, a.actor, a.at, a.data, a.hash
    FROM unnest(?::bigint[], ?::bigint[], ?::bytea[], ?::text[], ?::text[], ?::bigint[],
        ?::text[], ?::bytea[])
        WITH ORDINALITY AS a(stream, version, id, type, actor, at, data, hash, place)
    ORDER BY a.place
"""
SEAL: Final = """
    INSERT INTO sealed SELECT e.pos, a.payload
    FROM unnest(?::bigint[], ?::bigint[], ?::bytea[]) AS a(stream, version, payload)
    JOIN events AS e ON e.stream = a.stream AND e.version = a.version
"""


def read(connection: Connection, number: int, after: int, until: int) -> list[StoredEvent]:
    """Return the events of a stream, shared ones included, with after < version <= until."""
    bounds = (queries.clamp_version(after) + 1, queries.clamp_version(until), number)
    found = [_event(row) for row in connection.execute(SLICE, bounds).fetchall()]
    return found or list(queries.require_stream(connection, number))


def present(connection: Connection, number: int, new: Sequence[NewEvent]) -> list[StoredEvent]:
    """Return the events of a stream that have the ids of new ones, in their order."""
    rows = connection.execute(BY_ID, ([event.id for event in new], number)).fetchall()
    return [_event(row) for row in rows]


def send_streams(connection: Connection, numbers: Collection[int]) -> Cursor:
    """Send a query for streams by their numbers; a missing stream is left out."""
    inside = [number for number in numbers if 0 < number <= validation.MAX_VERSION]
    return connection.execute(STREAMS, (inside,))


def send_known(connection: Connection, asked: Collection[tuple[int, bytes]]) -> Cursor:
    """Send a query for the pairs of a stream and an event id that are stored."""
    inside = [(number, event) for number, event in asked if 0 < number <= validation.MAX_VERSION]
    numbers, ids = [number for number, _ in inside], [event for _, event in inside]
    return connection.execute(KNOWN, (numbers, ids))


def insert(connection: Connection, new: Sequence[tuple[int, StoredEvent]]) -> None:
    """Store events with the numbers of their streams, each stream's in the order of versions."""
    if not new:
        return
    rows = [
        (number, one.version, one.id, one.type, one.actor, one.at, one.data.decode(), one.hash)
        for number, one in new
    ]
    connection.execute(INSERT, [list(column) for column in zip(*rows, strict=True)])
    sealed = [(number, one.version, one.sealed) for number, one in new if one.sealed is not None]
    if sealed:
        connection.execute(SEAL, [list(column) for column in zip(*sealed, strict=True)])


def _event(row: Row) -> StoredEvent:
    version, event_id, kind, actor, at, data, hashed, sealed = row
    return StoredEvent(version, event_id, kind, actor, at, data.encode(), hashed, sealed)


SUMMARISE: Final = f"""
    INSERT INTO summaries (stream, {summaries.COLUMNS})
    SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bigint[],
        ?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::bytea[])
    {summaries.REPLACE}
"""


class AppendBatch:
    """The appends of a group, each upon the streams as the ones before it left them.

    It sends its queries when it is made, so that other statements travel with them.
    """

    def __init__(self, connection: Connection, epoch: Epoch, appends: Sequence[Append]) -> None:
        self._connection = connection
        self._epoch = epoch
        self._appends = appends
        self._new: list[tuple[int, StoredEvent]] = []
        self._ids: dict[tuple[int, bytes], StoredEvent] = {}
        self._summaries: dict[int, Summary] = {}
        asked = [(append.stream, event.id) for append in appends for event in append.events]
        self._asked = send_streams(connection, {append.stream for append in appends})
        self._asked_ids = send_known(connection, asked)
        self._streams: dict[int, Stream] = {}
        self._known: set[tuple[int, bytes]] = set()

    def do(self) -> list[Answer]:
        """Append one after the other; a refused one stores nothing."""
        self._receive()
        answers = [self._attempt(append) for append in self._appends]
        self._store()
        return answers

    def _receive(self) -> None:
        """Receive the answers to the queries."""
        self._streams = {row[0]: queries.as_stream(row) for row in self._asked.fetchall()}
        self._known = {(row[0], row[1]) for row in self._asked_ids.fetchall()}

    def _attempt(self, append: Append) -> Answer:
        try:
            return Answer(self._append(append))
        except PlybookError as error:
            return Answer(None, error)

    def _append(self, append: Append) -> Appended:
        """Append after those before. Raises as `Log.append` does, and then appends nothing."""
        self._epoch.check(append.epoch)
        stream = self._writable(append.stream)
        validation.check_events(append.events)
        if found := self._found(append):
            return validation.repeated_append(append.events, found)
        validation.check_head(stream, append.expected)
        head = append.expected + len(append.events)
        if append.summary is not None:
            validation.check_summary(append.summary, head)
            self._summaries[stream.id] = append.summary
        return self._extend(stream, append.events)

    def _store(self) -> None:
        """Store the summaries and events of all appends."""
        if self._summaries:  # before the events: their triggers look at them
            rows = [(number, *astuple(each)) for number, each in self._summaries.items()]
            self._connection.execute(SUMMARISE, [list(each) for each in zip(*rows, strict=True)])
        insert(self._connection, self._new)

    def _writable(self, number: int) -> Stream:
        stream = self._streams.get(number)
        if stream is None or stream.is_carrier:
            raise validation.unknown_stream_error(number)
        return stream

    def _found(self, append: Append) -> list[StoredEvent]:
        """Return the events that are in the stream already, in their order."""
        ids = [(append.stream, event.id) for event in append.events]
        found = [self._ids[each] for each in ids if each in self._ids]
        if any(each in self._known for each in ids):
            found += present(self._connection, append.stream, append.events)
        return sorted(found, key=lambda event: event.version)

    def _extend(self, stream: Stream, events: Sequence[NewEvent]) -> Appended:
        new = chain_events(stream.head, stream.head_hash, events)
        if not new:
            return Appended((), stream.head_hash)
        last = new[-1]
        self._streams[stream.id] = replace(stream, head=last.version, head_hash=last.hash)
        self._new += [(stream.id, event) for event in new]
        self._ids |= {(stream.id, event.id): event for event in new}
        return Appended(tuple(new), last.hash)
