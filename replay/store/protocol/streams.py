"""The streams of a store: look one up, list matches, trash and delete them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from concurrent.futures import Future
from typing import Final, Protocol

from msgspec import Struct

from replay.store.protocol.facts import Fact

CARRIER: Final = "~"
"""The first character of a carrier's public id. No match has an id that begins so."""


class Stream(Struct, frozen=True):
    """A stored stream; `head` is the version of its last event, `head_hash` its hash.

    `origin` is the hash that its own first event builds upon: that of the header, and for a fork
    of the last event it shares with its parent (of the parent's header, if it shares none).
    A carrier is no match any more: it was deleted for good, and forks share its events.
    """

    id: int
    public_id: str
    kind: str
    header: bytes
    subject: int | None
    parent: int | None
    fork_version: int | None
    fork_ply: int | None
    origin: bytes
    head: int
    head_hash: bytes
    trashed: bool

    @property
    def is_carrier(self) -> bool:
        """Whether only its forks need it."""
        return self.public_id.startswith(CARRIER)


class Streams(Protocol):
    """Streams by number, id and kinship.

    Everything in a `Stream` but `head`, `head_hash` and `trashed` stays as it was created, until
    a purge turns a match into a carrier or removes it. Another thread or process may append,
    trash or purge between two calls, so a `Stream` describes a moment.
    """

    def find(self, public_id: str) -> Stream:
        """Return the match whose public id is this, or begins so (at least 4 characters).

        A match in the trash is found, a carrier is not. An exact id wins over a longer one. Case
        counts. Raises `UnknownMatch`, or `AmbiguousMatch` if several ids begin so.
        """
        ...

    def stream(self, stream: int) -> Stream:
        """Return a stream of any kind by its number, also a carrier. Raises `UnknownMatch`."""
        ...

    def notes(self, subject: int) -> Stream | None:
        """Return the stream of annotations of a match, or `None` if it has none."""
        ...

    def forks(self, stream: int) -> list[Stream]:
        """Return the direct forks of a stream, oldest first, with those in the trash.

        Raises `UnknownMatch`.
        """
        ...

    def matches(
        self, *, trashed: bool = False, before: int | None = None, having: Fact | None = None
    ) -> Iterator[Stream]:
        """Return all matches, newest first: those in the trash, or those that are not.

        `before` leaves out the stream of that number and all newer ones, `having` those without
        the fact. Carriers are left out. Taking a few must be cheap however many there are, so a
        backend reads them page by page; each page may see a later moment, but no match comes
        twice, and none is left out that fits all along.
        """
        ...

    def trash(self, stream: int, trashed: bool = True) -> Future[None]:
        """Put a match into the trash, or take it out. Repeating it changes nothing."""
        ...

    def purge(
        self,
        stream: int,
        taking: Collection[int] = (),
        leaving: Collection[int] = (),
        facts: Collection[str] = (),
    ) -> Future[None]:
        """Delete a match with its notes for good, and the forks `taking` that descend from it.

        Its facts, capabilities, private values, hooks and index entries are deleted with it. The
        deleted data must soon be unreadable in the backend's files too.

        For the forks `leaving` a carrier takes the place of the stream they fork from. It keeps
        the number, the header, the events they share and those of the facts that `facts` names;
        its public id is `~` and its number. A carrier shrinks when a fork is purged, and goes with
        the last one. Raises `Usage`, and deletes nothing, if any other fork needs the log.
        """
        ...
