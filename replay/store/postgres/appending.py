"""Append events to streams: those of many appends together, in two round trips.

The caller's transaction has locked the book, so nobody else writes meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple, replace

from replay.errors import PlybookError
from replay.store import validation
from replay.store.epoch import Epoch
from replay.store.postgres import events
from replay.store.protocol import Appended, NewEvent, StoredEvent, Stream, Summary
from replay.store.sql import queries, summaries
from replay.store.sql.dialect import Connection
from replay.store.writer_thread import Answer

SUMMARISE: Final = f"""
    INSERT INTO summaries (stream, {summaries.COLUMNS})
    SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::bigint[],
        ?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::bytea[])
    {summaries.REPLACE}
"""


class PipelinedAppend(Struct, frozen=True):
    """Events to append to a stream at the expected version, if the epoch lasts."""

    epoch: Epoch
    stream: int
    expected: int
    events: Sequence[NewEvent]
    summary: Summary | None
    within: int | None

    def __call__(self, connection: Connection) -> Appended:
        """Append them alone."""
        together = AppendBatch(connection, [self])
        together.receive()
        appended = together.append(self)
        together.store()
        return appended


class AppendBatch:
    """The appends of a group: the streams as they are after those that were judged.

    It asks for what it needs when it is made, so that other questions go along with these.
    """

    def __init__(self, connection: Connection, appends: Sequence[PipelinedAppend]) -> None:
        self._connection = connection
        self._appends = appends
        self._new: list[tuple[int, StoredEvent]] = []
        self._ids: dict[tuple[int, bytes], StoredEvent] = {}
        self._summaries: dict[int, Summary] = {}
        asked = [(append.stream, event.id) for append in appends for event in append.events]
        self._asked = events.send_streams(connection, {append.stream for append in appends})
        self._asked_ids = events.send_known(connection, asked)
        self._streams: dict[int, Stream] = {}
        self._known: set[tuple[int, bytes]] = set()

    def do(self) -> list[Answer]:
        """Append one after the other; a refused one stores nothing."""
        self.receive()
        answers = [self._attempt(append) for append in self._appends]
        self.store()
        return answers

    def receive(self) -> None:
        """Receive what was asked for."""
        self._streams = {row[0]: queries.as_stream(row) for row in self._asked.fetchall()}
        self._known = {(row[0], row[1]) for row in self._asked_ids.fetchall()}

    def _attempt(self, append: PipelinedAppend) -> Answer:
        try:
            return Answer(self.append(append))
        except PlybookError as error:
            return Answer(None, error)

    def append(self, append: PipelinedAppend) -> Appended:
        """Append upon those before. Raises as `Log.append` does, and then appends nothing."""
        append.epoch.check(append.within)
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

    def store(self) -> None:
        """Store what was appended."""
        if self._summaries:  # before the events: their triggers look at them
            rows = [(number, *astuple(each)) for number, each in self._summaries.items()]
            self._connection.execute(SUMMARISE, [list(each) for each in zip(*rows, strict=True)])
        events.insert(self._connection, self._new)

    def _writable(self, number: int) -> Stream:
        stream = self._streams.get(number)
        if stream is None or stream.is_carrier:
            raise validation.unknown_stream_error(number)
        return stream

    def _found(self, append: PipelinedAppend) -> list[StoredEvent]:
        """Return the events that are in the stream already, in their order."""
        places = [(append.stream, event.id) for event in append.events]
        found = [self._ids[place] for place in places if place in self._ids]
        if any(place in self._known for place in places):
            found += events.present(self._connection, append.stream, append.events)
        return sorted(found, key=lambda event: event.version)

    def _extend(self, stream: Stream, events: Sequence[NewEvent]) -> Appended:
        new = validation.chain_events(stream.head, stream.head_hash, events)
        if not new:
            return Appended((), stream.head_hash)
        last = new[-1]
        self._streams[stream.id] = replace(stream, head=last.version, head_hash=last.hash)
        self._new += [(stream.id, event) for event in new]
        self._ids |= {(stream.id, event.id): event for event in new}
        return Appended(tuple(new), last.hash)
