"""The log of a stream: create it with its first events, append, read, erase notes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import Final

from msgspec.structs import asdict, astuple, replace

from replay.store import validation
from replay.store.hash_chain import chain_events, header_hash
from replay.store.sql import people, position_index, queries, search_index, summaries, tokens
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, erases, reads, writes_within_epoch
from replay.store.types import (
    Append,
    Appended,
    Creation,
    IndexedMatch,
    NewEvent,
    NewStream,
    StoredEvent,
    Stream,
    Summary,
)

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


class Log(SqlPart):
    """Events by stream and version. Only a purge and `erase_notes` delete events.

    The bytes of headers, data and sealed parts are stored unchanged, and hashed as in
    `replay.store.hash_chain`.
    """

    @writes_within_epoch
    def create(
        self,
        connection: Connection,
        stream: NewStream,
        events: Sequence[NewEvent] = (),
        metadata: Mapping[str, str] | None = None,
        notes: Sequence[NewEvent] = (),
    ) -> Stream:
        """Create a stream with its first events, metadata and notes, all or nothing.

        Raises `Usage` if a match of this id exists, or the subject has its notes already.
        """
        return _create(connection, stream, Creation(stream, events, metadata or {}, notes))

    @writes_within_epoch
    def create_all(self, connection: Connection, creations: Sequence[Creation]) -> list[Stream]:
        """Create streams, and forks of those among them, all or nothing, in their order."""
        made: list[Stream] = []
        for one in creations:
            made.append(_create(connection, validation.resolve_parent(one, made), one))
        return made

    def epoch(self) -> int:
        """Return the number of the epoch: no right to write is taken away before its end.

        It ends with every write except appends, new streams, derived data and the progress of
        hooks. In SQLite any write of another process ends it. A write of this process ends the
        epoch before the write's future is done, a write of another process before the next append.
        So an append of the same epoch proves that the capabilities which were read in it are valid,
        and that the match is not in the trash.
        """
        return self._writer.epoch.number

    def append(
        self,
        stream: int,
        expected: int,
        events: Sequence[NewEvent],
        summary: Summary | None = None,
        epoch: int | None = None,
    ) -> Future[Appended]:
        """Append events if the stream is at the version `expected`, all or nothing.

        `summary` is the summary of the match after the events, and becomes visible with them;
        without it the summary of the match is due.

        If several threads or processes append at one version, exactly one succeeds; the others
        raise `Stale` with the current version. An append whose ids are all in the stream already
        (its shared part included), in this order and with the same content, is a repetition: it
        gets the first answer again, whatever `expected` says, and writes nothing. The times, and
        the data of sealed events, may differ in a repetition. Raises `Usage` if only some of the
        ids are there, if they belong to other events, or if the summary is of a different version.
        Other streams may have events of the same id.

        With an `epoch`, raises `Outdated` unless it lasts until the events are stored.
        """
        return self._writer.submit(
            Append(stream, expected, events, summary, epoch), ends_epoch=False
        )

    @reads
    def read(
        self, connection: Connection, stream: int, after: int = 0, until: int | None = None
    ) -> list[StoredEvent]:
        """Return the events with `after < version <= until`, in the order of their versions.

        The part that a fork shares is included. Versions beyond the log are left out.
        """
        return connection.events(stream, after, validation.MAX_VERSION if until is None else until)

    @reads
    def private_value(self, connection: Connection, stream: int, name: str) -> bytes | None:
        """Return a private value of a stream, or `None`."""
        return queries.private_value(connection, stream, name)

    @reads
    def private_values(self, connection: Connection, stream: int) -> dict[str, bytes]:
        """Return all private values of a stream, to copy them with it into another store."""
        return queries.private_values(connection, stream)

    @erases
    def erase_notes(self, connection: Connection, subject: int, ids: Collection[bytes]) -> bool:
        """Erase notes of a match for good; the remaining notes get a new stream and hash chain.

        Their ids, times and data stay, and their versions are renumbered without gaps. The deleted
        data must soon be unreadable in the files of the database too. The match is outdated for
        search afterwards.
        """
        match = queries.writable(connection, subject)
        notes = queries.notes(connection, subject)
        if notes is None:
            return False
        stored = connection.events(notes.id, 0, notes.head)
        kept = [event.as_new() for event in stored if event.id not in ids]
        connection.delete_stream(notes.id)
        if kept:
            new = validation.notes_of(match)
            _create(connection, new, Creation(new, kept))
        search_index.forget(connection, subject)
        return True


def _create(connection: Connection, new: NewStream, one: Creation) -> Stream:
    """Create a stream with its first events, metadata, notes, private values and capabilities."""
    validation.check_stream(new)
    validation.check_events(one.events)
    validation.check_metadata(one.metadata)
    validation.check_held(one.held)
    stream = _start(connection, new)
    if new.parent is not None and (found := connection.present(stream.id, one.events)):
        raise validation.event_ids_taken_error(found)
    connection.put_metadata(stream.id, one.metadata)  # before the summary, whose counts include it
    _derive(connection, stream, one)
    stored = chain_events(stream.head, stream.head_hash, one.events)
    connection.put_events(stream.id, stored)
    if one.notes:
        notes = validation.notes_of(stream)
        _create(connection, notes, Creation(notes, one.notes))
    if one.people:
        people.put(connection, stream.id, one.people.events, one.people.texts)
    else:
        people.note(connection, stream, {}, one.metadata, one.author)
    tokens.hold(connection, stream.id, one.held)
    for key in one.keys:
        tokens.put(connection, stream.id, key)
    if not stored:
        return stream
    return replace(stream, head=stored[-1].version, head_hash=stored[-1].hash)


def _derive(connection: Connection, stream: Stream, one: Creation) -> None:
    """Store the summary, moves and texts that come with a new match."""
    head = stream.head + len(one.events)
    if one.summary is not None:
        validation.check_summary(one.summary, head)
        summaries.put(connection, stream.id, one.summary)
    if one.steps is not None:
        position_index.put(connection, stream.id, IndexedMatch(head, one.steps, one.moves))
    if one.texts is not None:
        search_index.put(connection, stream.id, one.texts, len(one.notes))


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
    head = new.fork_version or 0
    return Stream(
        id=number, **asdict(new), origin=origin, head=head, head_hash=origin, trashed=False
    )


def _insert(connection: Connection, stream: Stream) -> None:
    """Insert a stream, and the segments that it reads: its parent's events, then its own."""
    number, public_id, kind, header, *rest = astuple(stream)
    connection.execute(INSERT_STREAM, (number, public_id, kind, header.decode(), *rest))
    if stream.parent is not None:
        connection.execute(SHARE, (stream.id, *[stream.head] * 2, stream.parent, stream.head))
    connection.execute(OWN, (stream.id, stream.head + 1, validation.MAX_VERSION, stream.id))
