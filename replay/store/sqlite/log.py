"""Append events to streams, and read them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import NamedTuple

from replay.store import validation
from replay.store.epoch import Epoch, Head
from replay.store.protocol import Appended, NewEvent, StoredEvent, Summary
from replay.store.sql import summaries
from replay.store.sql.log import SqlLog
from replay.store.sqlite import events
from replay.store.sqlite.dialect import SqliteConnection
from replay.store.sqlite.sqlite_library import sqlite3


class SqliteLog(SqlLog):
    """The part `Log` of the protocol."""

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
        return self._query(events.read, stream, after, validation.LAST if until is None else until)


class Append(NamedTuple):
    """Events to append to a stream at the expected version, if the epoch lasts."""

    epoch: Epoch
    stream: int
    expected: int
    events: Sequence[NewEvent]
    summary: Summary | None
    within: int | None

    def at_known_head(self, connection: SqliteConnection) -> Appended | None:
        """Append one event without looking anything up, or return `None` and write nothing.

        The id of the event is in the stream itself, if anywhere: then the statement fails.
        """
        head = self.epoch.head(self.stream, self.within)
        if head is None or head.version != self.expected or len(self.events) != 1:
            return None
        validation.check_events(self.events)
        (new,) = validation.chain_events(head.version, head.hash, self.events)
        self._summarise(connection, new.version)
        try:
            position = events.insert(connection, self.stream, new)
        except sqlite3.IntegrityError:
            if self.summary is not None:
                _withdraw_summary(connection, self.stream)
            return None
        events.seal(connection, position, new)
        self.epoch.remember(self.stream, Head(new.version, new.hash))
        return Appended((new,), new.hash)

    def at_stored_head(self, connection: SqliteConnection) -> Appended:
        """Append the events, or find that they are there already."""
        stream, known = events.stream_to_extend(connection, self.stream, self.events)
        validation.check_events(self.events)
        if known:
            return validation.repeated_append(
                self.events, events.present(connection, self.stream, self.events)
            )
        validation.check_head(stream, self.expected)
        self._summarise(connection, self.expected + len(self.events))
        new = validation.chain_events(stream.head, stream.head_hash, self.events)
        connection.put_events(stream.id, new)
        head_hash = new[-1].hash if new else stream.head_hash
        if stream.parent is None:  # the ids of a fork's events may be in its parent
            self.epoch.remember(stream.id, Head(stream.head + len(new), head_hash))
        return Appended(tuple(new), head_hash)

    def _summarise(self, connection: SqliteConnection, head: int) -> None:
        if self.summary is not None:
            validation.check_summary(self.summary, head)
            summaries.put(connection, self.stream, self.summary)


def _withdraw_summary(connection: SqliteConnection, number: int) -> None:
    """Delete a summary whose events could not be stored after it; that of the match is due."""
    connection.execute("DELETE FROM summaries WHERE stream = ?", (number,))
    connection.execute("INSERT OR IGNORE INTO summaries_due VALUES (?)", (number,))
