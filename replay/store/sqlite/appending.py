"""Append events to a stream of a SQLite file.

An append is usually of one event upon a remembered head, and needs neither a savepoint nor a query.
"""

from __future__ import annotations

from replay.store import validation
from replay.store.epoch import Epoch, Head
from replay.store.hash_chain import chain_events
from replay.store.sql import summaries
from replay.store.sqlite import events
from replay.store.sqlite.dialect import SqliteConnection
from replay.store.sqlite.driver import sqlite3
from replay.store.types import Append, Appended


def append_at_known_head(
    connection: SqliteConnection, epoch: Epoch, append: Append
) -> Appended | None:
    """Append one event without looking anything up, or return `None` and write nothing.

    The id of the event can only be in the stream itself: then the statement fails.
    """
    head = epoch.head(append.stream, append.epoch)
    if head is None or head.version != append.expected or len(append.events) != 1:
        return None
    if append.summary is not None and append.summary.head != head.version + 1:
        return None  # a repetition is answered whatever its summary says
    validation.check_events(append.events)
    (new,) = chain_events(head.version, head.hash, append.events)
    _summarise(connection, append, new.version)
    try:
        events.insert(connection, append.stream, (new,))
    except sqlite3.IntegrityError:
        if append.summary is not None:
            _withdraw_summary(connection, append.stream)
        return None
    epoch.remember(append.stream, Head(new.version, new.hash))
    return Appended((new,), new.hash)


def append_at_stored_head(connection: SqliteConnection, epoch: Epoch, append: Append) -> Appended:
    """Append the events, or find that they are there already."""
    stream, known = events.stream_to_extend(connection, append.stream, append.events)
    validation.check_events(append.events)
    if known:
        found = events.present(connection, append.stream, append.events)
        return validation.repeated_append(append.events, found)
    validation.check_head(stream, append.expected)
    _summarise(connection, append, append.expected + len(append.events))
    new = chain_events(stream.head, stream.head_hash, append.events)
    connection.put_events(stream.id, new)
    head_hash = new[-1].hash if new else stream.head_hash
    if stream.parent is None:  # the ids of a fork's events may be in its parent
        epoch.remember(stream.id, Head(stream.head + len(new), head_hash))
    return Appended(tuple(new), head_hash)


def _summarise(connection: SqliteConnection, append: Append, head: int) -> None:
    if append.summary is not None:
        validation.check_summary(append.summary, head)
        summaries.put(connection, append.stream, append.summary)


def _withdraw_summary(connection: SqliteConnection, number: int) -> None:
    """Delete a summary whose events could not be stored after it; the match is due then."""
    connection.execute("DELETE FROM summaries WHERE stream = ?", (number,))
    connection.execute("INSERT OR IGNORE INTO summaries_due VALUES (?)", (number,))
