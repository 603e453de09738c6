"""The log of a stream: create streams, append events, read them.

A stream is a header and a log of events, versions 1, 2, 3 … A fork shares its parent's log up to
`fork_version` (nothing is copied) and goes on from there. Every event carries a hash that chains
it to the one before; the first to the hash of the header.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol

from msgspec import Struct

from replay.store.protocol.position_index import IndexedStep, WrittenMove
from replay.store.protocol.streams import Stream
from replay.store.protocol.summaries import Summary
from replay.store.protocol.texts import Text
from replay.store.protocol.tokens import Capability


class NewStream(Struct, frozen=True):
    """A stream to be created. `header` is JSON and hashed byte for byte.

    `kind` is `match` or `notes` (annotations of the match `subject`). A fork names its parent
    and the address where it leaves it.
    """

    public_id: str
    header: bytes
    kind: str = "match"
    subject: int | None = None
    parent: int | None = None
    fork_version: int | None = None
    fork_ply: int | None = None


class NewEvent(Struct, frozen=True):
    """An event to be appended. `id` (16 bytes) makes a repeated append recognisable.

    `at` is milliseconds since 1970, `data` JSON. `sealed` is what only its owner may read yet:
    it is stored apart, and `data` holds a salted digest of it.
    """

    id: bytes
    type: str
    actor: str
    at: int
    data: bytes
    sealed: bytes | None = None


class StoredEvent(Struct, frozen=True):
    """An event of a stream, with its version and its hash."""

    version: int
    id: bytes
    type: str
    actor: str
    at: int
    data: bytes
    hash: bytes
    sealed: bytes | None = None


class Creation(Struct, frozen=True):
    """A stream to be created with its first events and facts.

    `notes` are the first events of its stream of annotations, which is created if there are any.
    `fork_of` is the index, among the streams created together, of the parent whose number is not
    known yet; `stream.parent` is `None` then. `held` are private values by name, which no answer,
    export or archive contains; `keys` are capabilities that open it at once. `summary` is that of
    a match after its events, `steps` are its moves by position and `moves` the same as written,
    `texts` those it is found by; without them an indexer follows.
    """

    stream: NewStream
    events: Sequence[NewEvent] = ()
    facts: Mapping[str, str] = {}
    notes: Sequence[NewEvent] = ()
    fork_of: int | None = None
    held: Mapping[str, bytes] = {}
    keys: Sequence[Capability] = ()
    summary: Summary | None = None
    steps: Sequence[IndexedStep] | None = None
    moves: tuple[WrittenMove, ...] = ()
    texts: Sequence[Text] | None = None


class Appended(Struct, frozen=True):
    """The answer to an append: its events as they are stored, and the hash of the last.

    `repeated` means that the events were there already (same ids), and nothing was written.
    """

    events: tuple[StoredEvent, ...]
    head_hash: bytes
    repeated: bool = False

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of the events."""
        return tuple(event.version for event in self.events)


class Log(Protocol):
    """Events by stream and version. Only a purge and `erase_notes` delete events.

    A backend must store the bytes of headers, data and sealed parts as they are, and compute the
    hashes as `replay.store.hash_chain` does. `replay.store.validation` has the checks and the
    errors that are the same in every backend.
    """

    def create(
        self,
        stream: NewStream,
        events: Sequence[NewEvent] = (),
        facts: Mapping[str, str] | None = None,
        notes: Sequence[NewEvent] = (),
    ) -> Future[Stream]:
        """Create a stream with its first events, facts and notes, all or nothing.

        Raises `Usage` if a match of this id exists, or the subject has its notes already.
        """
        ...

    def create_all(self, creations: Sequence[Creation]) -> Future[list[Stream]]:
        """Create streams, and forks of those among them, all or nothing, in their order."""
        ...

    def epoch(self) -> int:
        """Return the number of the epoch: while it lasts, nobody loses a right to write.

        It ends with any write but appends, new streams, derived data and the progress of hooks; a
        backend that cannot tell what another process wrote ends it with any write of another. A
        write of this process has ended it when its future is done; one of another process ends it
        by the next append. So the capabilities
        that were read in an epoch, and that a match was not in the trash, are still true if an
        append in the same epoch succeeds.
        """
        ...

    def append(
        self,
        stream: int,
        expected: int,
        events: Sequence[NewEvent],
        summary: Summary | None = None,
        epoch: int | None = None,
    ) -> Future[Appended]:
        """Append events if the stream is at the version `expected`, all or nothing.

        `summary` is that of the match after them, and becomes visible with them; without one the
        summary of the match is due.

        Of several appends at one version exactly one succeeds, whichever threads and processes
        they come from; the others raise `Stale` with the version now. An append whose ids are all
        in the stream already (its shared part included), in this order and with the same content,
        is a repetition: it is answered as the first time, whatever `expected` is, and writes
        nothing. The times, and the data of sealed events, may differ in a repetition. Raises
        `Usage` if only some of the ids are there, if they belong to other events, or if the
        summary is of another version. Other streams may have events of the same id.

        With an `epoch`, raises `Outdated` unless it lasts until the events are stored.
        """
        ...

    def read(self, stream: int, after: int = 0, until: int | None = None) -> list[StoredEvent]:
        """Return the events with `after < version <= until`, in the order of their versions.

        The part that a fork shares is included. Versions beyond the log are no error.
        """
        ...

    def private_value(self, stream: int, name: str) -> bytes | None:
        """Return a private value of a stream, or `None`."""
        ...

    def private_values(self, stream: int) -> dict[str, bytes]:
        """Return all private values of a stream, to copy them with it into another store."""
        ...

    def erase_notes(self, subject: int, ids: Collection[bytes]) -> Future[None]:
        """Delete notes of a match for good; the others get a new stream and hash chain.

        Their ids, times and data stay, their versions close up. The deleted data must soon be
        unreadable in the backend's files too. The match is outdated for search afterwards.
        """
        ...
