"""The upkeep of a store: rebuild what is derived, probe the disk, observe commits, close."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from replay.store.protocol.position_index import IndexedMatch
from replay.store.protocol.summaries import Summary
from replay.store.protocol.texts import IndexedTexts


class Condition(Struct, frozen=True):
    """How a store is doing: bytes in its write-ahead log, and bytes free on its disk.

    `None` is unknown: the disk of a database server cannot be seen from here.
    """

    log: int | None
    free: int | None


class Observer(Protocol):
    """A listener to the transactions of a store. It is called in the thread that writes."""

    def committed(self, seconds: float, writes: int = 1) -> None:
        """Note that a transaction was made durable, how long that took, and of how many writes.

        The futures of these writes are done next, in the same thread.
        """
        ...

    def failed(self) -> None:
        """Note that a transaction failed because of the disk."""
        ...


class Upkeep(Protocol):
    """The upkeep of a store, for an operator.

    `shared_location` is the file or the URL by which another process can open the same store, or
    `None`. A store `is_local` if a read waits for no network: it takes microseconds, so that an
    event loop may read.
    """

    shared_location: Path | str | None
    is_local: bool

    def rebuild_indexes(self) -> Future[None]:
        """Rebuild what reading relies on from the streams and events, all or nothing.

        A backend whose database looks after its indexes itself may do nothing.
        """
        ...

    def replace_derived(
        self,
        summaries: Mapping[int, Summary],
        moves: Mapping[int, IndexedMatch],
        texts: Mapping[int, IndexedTexts],
    ) -> Future[None]:
        """Replace all summaries, moves by position and texts by these, all or nothing.

        Readers see all of the old or all of the new. Matches that were purged meanwhile are left
        out, and so are texts whose facts differ. Matches that have grown meanwhile, or have no
        summary here, are due.
        """
        ...

    def probe(self) -> Future[None]:
        """Write durably as a test, and leave no trace.

        It changes no `data_version`, unless a write has failed just before. The future raises
        `StoreError` if writes would fail.
        """
        ...

    def condition(self) -> Condition:
        """Return how the store is doing. Raises `StoreError` if its disk does not answer."""
        ...

    def observe(self, observer: Observer) -> None:
        """Report every transaction to an observer, which replaces the one before.

        Its methods must return quickly and raise nothing.
        """
        ...

    def close(self) -> None:
        """Finish the queued writes and release every resource. Closing twice is no error.

        Writes that were submitted before are stored and acknowledged; every later call raises
        `StoreError`.
        """
        ...
