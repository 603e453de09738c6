"""Append events to streams of a book in PostgreSQL.

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
from replay.store.postgres import events
from replay.store.sql import queries, summaries
from replay.store.sql.dialect import Connection, Cursor
from replay.store.types import Append, Appended, NewEvent, StoredEvent, Stream, Summary
from replay.store.writer_thread import Answer

STREAMS: Final = f"{queries.STREAM} WHERE id = ANY(?)"
KNOWN: Final = """
    SELECT a.stream, a.id FROM unnest(?::bigint[], ?::bytea[]) AS a(stream, id)
    JOIN segments AS s ON s.stream = a.stream
    JOIN events AS e ON e.stream = s.src AND e.event_id = a.id
    WHERE e.version BETWEEN s.lo AND s.hi
"""
SUMMARISE: Final = f"""
    INSERT INTO summaries (stream, {summaries.COLUMNS})
    SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bigint[],
        ?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::bytea[], ?::boolean[])
    {summaries.REPLACE}
"""


class AppendBatch:
    """The appends of a group, each to the streams as the previous appends leave them.

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
        self._asked = _send_streams(connection, {append.stream for append in appends})
        self._asked_ids = _send_known(connection, asked)
        self._streams: dict[int, Stream] = {}
        self._known: set[tuple[int, bytes]] = set()

    def do(self) -> list[Answer]:
        """Append in order; an append that is refused stores nothing."""
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
        """Append after the earlier appends.

        Raises as `Log.append` does, and then appends nothing.
        """
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
        if self._summaries:  # first, as the triggers of events read summaries
            rows = [(number, *astuple(each)) for number, each in self._summaries.items()]
            self._connection.execute(SUMMARISE, [list(each) for each in zip(*rows, strict=True)])
        events.insert(self._connection, self._new)

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
            found += events.present(self._connection, append.stream, append.events)
        return sorted(found, key=lambda event: event.version)

    def _extend(self, stream: Stream, added: Sequence[NewEvent]) -> Appended:
        new = chain_events(stream.head, stream.head_hash, added)
        if not new:
            return Appended((), stream.head_hash)
        last = new[-1]
        self._streams[stream.id] = replace(stream, head=last.version, head_hash=last.hash)
        self._new += [(stream.id, event) for event in new]
        self._ids |= {(stream.id, event.id): event for event in new}
        return Appended(tuple(new), last.hash)


def _send_streams(connection: Connection, numbers: Collection[int]) -> Cursor:
    """Send a query for streams by their numbers; a missing stream is left out."""
    inside = [number for number in numbers if 0 < number <= validation.MAX_VERSION]
    return connection.execute(STREAMS, (inside,))


def _send_known(connection: Connection, asked: Collection[tuple[int, bytes]]) -> Cursor:
    """Send a query for the pairs of a stream and an event id that are stored."""
    inside = [(number, event) for number, event in asked if 0 < number <= validation.MAX_VERSION]
    numbers, ids = [number for number, _ in inside], [event for _, event in inside]
    return connection.execute(KNOWN, (numbers, ids))
