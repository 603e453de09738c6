"""Append events to a stream of a SQLite file.

An append is usually of one event upon a remembered head, and needs no query. All such appends of a
group are written with two statements.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import astuple

from replay.store import validation
from replay.store.epoch import Epoch, Head
from replay.store.hash_chain import chain_events
from replay.store.sql import summaries
from replay.store.sqlite import events
from replay.store.sqlite.dialect import SqliteConnection
from replay.store.sqlite.driver import sqlite3
from replay.store.types import Append, Appended, StoredEvent


def append_at_known_heads(
    connection: SqliteConnection, epoch: Epoch, appends: Sequence[Append]
) -> list[Appended] | None:
    """Append one event to each of several streams without looking anything up.

    Return `None` and write nothing unless every append succeeds. The id of an event can only be in
    the stream itself: then the statement fails.
    """
    new: dict[int, StoredEvent] = {}
    rows = []
    for append in appends:
        head, summary = epoch.head(append.stream, append.epoch), append.summary
        if head is None or head.version != append.expected or len(append.events) != 1:
            return None
        if append.stream in new or (summary is not None and summary.head != head.version + 1):
            return None  # a repetition is answered whatever its summary says
        validation.check_events(append.events)
        (new[append.stream],) = chain_events(head.version, head.hash, append.events)
        if summary is not None:
            rows.append((append.stream, *astuple(summary)))
    connection.execute("SAVEPOINT known")
    try:
        connection.executemany(summaries.PUT, rows)
        events.insert(connection, new.items())
    except sqlite3.IntegrityError:
        connection.execute("ROLLBACK TO known")
        return None
    finally:
        if connection.in_transaction:  # SQLite may have rolled back
            connection.execute("RELEASE known")
    for stream, event in new.items():
        epoch.remember(stream, Head(event.version, event.hash))
    return [Appended((event,), event.hash) for event in new.values()]


def append_at_stored_head(connection: SqliteConnection, epoch: Epoch, append: Append) -> Appended:
    """Append the events, or find that they are there already."""
    stream, known = events.stream_to_extend(connection, append.stream, append.events)
    validation.check_events(append.events)
    if known:
        found = events.present(connection, append.stream, append.events)
        return validation.repeated_append(append.events, found)
    validation.check_head(stream, append.expected)
    if append.summary is not None:
        validation.check_summary(append.summary, append.expected + len(append.events))
        summaries.put(connection, append.stream, append.summary)
    new = chain_events(stream.head, stream.head_hash, append.events)
    connection.put_events(stream.id, new)
    head_hash = new[-1].hash if new else stream.head_hash
    if stream.parent is None:  # the ids of a fork's events may be in its parent
        epoch.remember(stream.id, Head(stream.head + len(new), head_hash))
    return Appended(tuple(new), head_hash)
