"""The `Store` protocol over a SQLite file."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Final

from replay.store import validation
from replay.store.protocol import (
    Appended,
    Capability,
    ChangeCursor,
    Changes,
    Condition,
    Creation,
    Fact,
    Hit,
    Hook,
    IndexedLine,
    IndexedMatch,
    IndexedStep,
    IndexedTexts,
    MoveCount,
    NewEvent,
    NewStream,
    Observer,
    StoredEvent,
    Stream,
    Text,
    Unlike,
)
from replay.store.sqlite import (
    change_feed,
    database_file,
    derived,
    disk,
    hooks,
    lock,
    position_index,
    purging,
    queries,
    search_index,
    statements,
)
from replay.store.sqlite.connections import Readers
from replay.store.sqlite.identity import Files
from replay.store.sqlite.sqlite_library import Connection
from replay.store.sqlite.writer_thread import Writer

PATIENCE: Final = 5.0
"""Seconds to wait for another process that writes."""


class SqliteStore:
    """Event streams in one file, for any number of threads and several processes.

    Nothing but a look at the file and one read-only connection happens before the first write.
    """

    def __init__(self, path: Path, timeout: float = PATIENCE) -> None:
        """Open the database, made if there is no file. Raises `StoreError`."""
        self.path = database_file.prepare(path)
        self._lock = lock.acquire(self.path, timeout)
        self._files = Files(self.path)
        self._readers = Readers(self.path, timeout, self._files)
        self._watch = change_feed.Watch(self.path, timeout, self._files)
        self._writer = Writer(self.path, timeout, self._files, self._lock)
        try:
            self._bring_up_to_date()
            self._lock.share(self._files)
        except BaseException:
            self.close()
            raise

    def create(
        self,
        stream: NewStream,
        events: Sequence[NewEvent] = (),
        facts: Mapping[str, str] | None = None,
        notes: Sequence[NewEvent] = (),
    ) -> Future[Stream]:
        """Create a stream with its first events, facts and notes, all or nothing."""
        new = Creation(stream, events, facts or {}, notes)
        return self._writer.submit(lambda to: statements.create_all(to, [new])[0])

    def create_all(self, creations: Sequence[Creation]) -> Future[list[Stream]]:
        """Create streams, and forks of those among them, all or nothing."""
        return self._writer.submit(lambda to: statements.create_all(to, creations))

    def append(self, stream: int, expected: int, events: Sequence[NewEvent]) -> Future[Appended]:
        """Append events at the expected version, all or nothing."""
        return self._writer.submit(lambda to: statements.append(to, stream, expected, events))

    def read(self, stream: int, after: int = 0, until: int | None = None) -> list[StoredEvent]:
        """Return the events of a stream (a fork's shared part included) with after < version."""
        with self._readers.lend() as connection:
            last = validation.LAST if until is None else until
            return queries.events(connection, stream, after, last)

    def find(self, public_id: str) -> Stream:
        """Return the match whose public id is this or begins so (at least 4 characters)."""
        public_id = validation.as_text(public_id)
        with self._readers.lend() as connection:
            return validation.the_one(public_id, queries.beginning(connection, public_id))

    def stream(self, stream: int) -> Stream:
        """Return a stream by its number."""
        with self._readers.lend() as connection:
            return queries.stream(connection, stream)

    def notes(self, subject: int) -> Stream | None:
        """Return the stream of annotations of a match, if there is one."""
        with self._readers.lend() as connection:
            return queries.notes(connection, subject)

    def forks(self, stream: int) -> list[Stream]:
        """Return the forks of a stream, oldest first, also those in the trash."""
        with self._readers.lend() as connection:
            return queries.forks(connection, stream)

    def matches(
        self, *, trashed: bool = False, before: int | None = None, having: Fact | None = None
    ) -> Iterator[Stream]:
        """Return all matches, newest first, those in the trash or those that are not."""
        last = validation.LAST if before is None else before
        while page := self._page(trashed, last, having):  # no read stays open between pages
            yield from page
            last = page[-1].id

    def facts(self, stream: int) -> dict[str, str]:
        """Return the mutable facts of a stream in their order: player names, tags."""
        with self._readers.lend() as connection:
            return queries.facts(connection, stream)

    def set_facts(self, stream: int, facts: Mapping[str, str | None]) -> Future[None]:
        """Set facts, or with `None` erase them. They are outside the hash chain."""

        def work(to: Connection) -> None:
            if statements.set_facts(to, stream, facts):
                self._writer.cleaning.owe()

        return self._writer.submit(work)

    def private_value(self, stream: int, name: str) -> bytes | None:
        """Return a private value that a stream was created with, if it was with one."""
        with self._readers.lend() as connection:
            return queries.private_value(connection, stream, name)

    def add_key(self, stream: int, digest: bytes, role: str, seat: int | None) -> Future[None]:
        """Add a capability: the SHA-256 of a token, and what its bearer may do."""
        return self._writer.submit(lambda to: statements.add_key(to, stream, digest, role, seat))

    def key(self, stream: int, digest: bytes) -> tuple[str, int | None] | None:
        """Return role and seat of a capability of this stream, if it is one."""
        with self._readers.lend() as connection:
            return queries.key(connection, stream, digest)

    def keys(self, stream: int) -> list[Capability]:
        """Return the capabilities of a stream."""
        with self._readers.lend() as connection:
            return queries.keys(connection, stream)

    def matches_for_token(self, digest: bytes) -> list[Stream]:
        """Return the matches that have a capability with this digest, oldest first."""
        with self._readers.lend() as connection:
            return queries.matches_for_token(connection, digest)

    def drop_key(self, stream: int, digest: bytes) -> Future[None]:
        """Forget a capability, if there is such a one."""
        return self._writer.submit(lambda to: statements.drop_key(to, stream, digest))

    def add_hook(self, hook: Hook) -> Future[None]:
        """Add a hook to a stream."""
        return self._writer.submit(lambda to: hooks.add(to, hook))

    def hooks(self, stream: int | None = None) -> list[Hook]:
        """Return the hooks of a stream, or of all, oldest first."""
        with self._readers.lend() as connection:
            return hooks.hooks(connection, stream)

    def hooks_due(self) -> list[Hook]:
        """Return the hooks that lack events of their match, the first due first."""
        with self._readers.lend() as connection:
            return hooks.hooks_due(connection)

    def claim_hook(self, hook: str, now: int, until: int) -> Future[Hook | None]:
        """Let one server have a hook to itself until then, to call it, if it is to be called."""
        return self._writer.submit(lambda to: hooks.claim(to, hook, now, until))

    def put_hook(self, hook: Hook) -> Future[None]:
        """Note how far a hook has come, and let go of it, if it is claimed as it was."""
        return self._writer.submit(lambda to: hooks.put(to, hook))

    def revive_hook(self, hook: str, due: int) -> Future[None]:
        """Let a hook be called as if it had never failed."""
        return self._writer.submit(lambda to: hooks.revive(to, hook, due))

    def drop_hook(self, hook: str) -> Future[None]:
        """Forget a hook, if there is such a one."""
        return self._writer.submit(lambda to: hooks.drop(to, hook))

    def trash(self, stream: int, trashed: bool = True) -> Future[None]:
        """Put a match into the trash, or take it out."""
        return self._writer.submit(lambda to: statements.set_trashed(to, stream, trashed))

    def purge(
        self,
        stream: int,
        taking: Collection[int] = (),
        leaving: Collection[int] = (),
        facts: Collection[str] = (),
    ) -> Future[None]:
        """Delete a match and its notes for good, with the forks `taking`."""

        def work(to: Connection) -> None:
            purging.purge(to, stream, taking, leaving, facts)
            self._writer.cleaning.owe()

        return self._writer.submit(work)

    def erase_notes(self, subject: int, ids: Collection[bytes]) -> Future[None]:
        """Delete notes of a match for good, and rebuild the hash chain of the others."""

        def work(to: Connection) -> None:
            statements.erase_notes(to, subject, ids)
            self._writer.cleaning.owe()

        return self._writer.submit(work)

    def matches_to_index(self) -> list[Stream]:
        """Return the matches with notes or facts that search does not know yet."""
        with self._readers.lend() as connection:
            return search_index.outdated(connection)

    def index(
        self, stream: int, texts: Sequence[Text], notes: int, facts: Mapping[str, str]
    ) -> Future[None]:
        """Let a match be found by these texts, made from its first `notes` notes and its facts."""
        return self._writer.submit(lambda to: search_index.index(to, stream, texts, notes, facts))

    def search(self, query: str, limit: int, before: int | None = None) -> list[Hit]:
        """Return texts of matches where every word of the query begins a word."""
        last = validation.LAST if before is None else before
        with self._readers.lend() as connection:
            return search_index.hits(connection, query, limit, last)

    def forget_texts(self) -> Future[None]:
        """Forget all texts: every match is outdated then."""
        return self._writer.submit(search_index.forget_all)

    def unindexed_matches(self) -> list[Stream]:
        """Return the matches whose line is not known, or not as it stands now, oldest first."""
        with self._readers.lend() as connection:
            return position_index.unindexed_matches(connection)

    def index_match(
        self, stream: int, head: int, line: IndexedLine, steps: Sequence[IndexedStep]
    ) -> Future[None]:
        """Let the line of a match be known as it stands at a version."""
        return self._writer.submit(
            lambda to: position_index.index_match(to, stream, head, line, steps)
        )

    def indexed_lines(self) -> list[tuple[Stream, IndexedLine]]:
        """Return the lines that are known, oldest match first, without the trash."""
        with self._readers.lend() as connection:
            return position_index.lines(connection)

    def move_counts(self, key: bytes, without: Fact | Unlike | None = None) -> list[MoveCount]:
        """Count the moves made in the position of a key, by seat, token, kind and result."""
        with self._readers.lend() as connection:
            return position_index.move_counts(connection, key, without)

    def forget_index(self) -> Future[None]:
        """Forget all lines: every match is unsurveyed then."""
        return self._writer.submit(position_index.forget_all)

    def indexed_match(self, stream: int) -> IndexedMatch | None:
        """Return what is known of the line of a match, if anything is."""
        with self._readers.lend() as connection:
            return position_index.surveyed(connection, stream)

    def indexed_texts(self, stream: int) -> IndexedTexts | None:
        """Return the texts that a match is found by, if there are any."""
        with self._readers.lend() as connection:
            return search_index.indexed(connection, stream)

    def rebuild_indexes(self) -> Future[None]:
        """Rebuild indexes, segments and the words of full-text search."""
        return self._writer.submit(derived.rebuild_indexes)

    def replace_derived(
        self, surveys: Mapping[int, IndexedMatch], texts: Mapping[int, IndexedTexts]
    ) -> Future[None]:
        """Put these lines and texts of matches in place of all there are."""
        return self._writer.submit(lambda to: derived.replace(to, surveys, texts))

    def changes(self, cursor: ChangeCursor | None) -> Changes:
        """Return which streams have new events since a cursor; without one, begin here."""
        with self._readers.lend() as connection:
            return change_feed.changes(connection, cursor)

    def data_version(self) -> int:
        """Return a number that is another one after anything was stored, by whichever process."""
        return self._watch.touched()

    def probe(self) -> Future[None]:
        """Write durably as a test, and leave no trace."""
        return self._writer.probe()

    def condition(self) -> Condition:
        """Return the size of the log and the room beside it."""
        return disk.condition(self.path)

    def observe(self, observer: Observer) -> None:
        """Report every commit to an observer."""
        self._writer.observer = observer

    def close(self) -> None:
        """Finish what is queued and let go of the file."""
        self._watch.close()
        self._readers.close()  # first: the last to leave tidies up, and only a writer can
        self._writer.close()
        self._lock.release()

    def _page(self, trashed: bool, before: int, having: Fact | None) -> list[Stream]:
        with self._readers.lend() as connection:
            if having is None:
                return queries.page(connection, trashed, before)
            return queries.page_having(connection, trashed, before, having)

    def _bring_up_to_date(self) -> None:
        with self._readers.lend() as connection:
            version = queries.schema_version(connection)
            if queries.has_log(connection):  # it keeps them open until the store is closed
                self._files.note()
        database_file.check_schema(self.path, version)
        if version < database_file.SCHEMA:
            from replay.store.sqlite import migrations  # imports sqlite-utils, which takes its time

            self._writer.submit(migrations.migrate).result()
