"""The epoch of a store: how long what was read from it is known to be true."""

from __future__ import annotations

from typing import Final, NamedTuple

from replay.errors import Outdated

MOST: Final = 10_000
"""The most heads remembered; an epoch without a write but appends can be long."""


class Head(NamedTuple):
    """The version and the hash of the last event of a stream."""

    version: int
    hash: bytes


class Epoch:
    """The number of the epoch, and the heads of the streams that were appended to in it.

    Only the writer thread changes it. Within a transaction a remembered head is exact: the data
    version tells the commits of others, and beside the transaction there are none. It does not
    tell those of the writer's own connection, which remembers them.
    """

    def __init__(self) -> None:
        self.number = 0
        self._heads: dict[int, Head] = {}
        self._data_version: int | None = None
        self._ending = False

    def begin(self, version: int) -> None:
        """End the epoch if others have committed: then the data version is another.

        The writer has begun a transaction.
        """
        if version != self._data_version:
            self._data_version = version
            self._end()

    def own(self, version: int) -> None:
        """Note the data version after a commit of the writer's own, where it counts those too."""
        self._data_version = version

    def written(self) -> None:
        """Note a write that ends the epoch: as soon as it is committed and can be read."""
        self.forget()
        self._ending = True

    def committed(self) -> None:
        """End the epoch if it must, before anything is acknowledged."""
        if self._ending:
            self._end()

    def reconnected(self) -> None:
        """End the epoch, as the numbers of two connections cannot be compared."""
        self._data_version = None
        self._end()

    def head(self, stream: int, number: int | None) -> Head | None:
        """Return the head of a stream, if it is known.

        Raises `Outdated` unless the epoch has this number, if one is given.
        """
        if number is not None and number != self.number:
            raise Outdated
        return self._heads.get(stream)

    def check(self, number: int | None) -> None:
        """Raise `Outdated` unless the epoch has this number, if one is given."""
        if number is not None and number != self.number:
            raise Outdated

    def remember(self, stream: int, head: Head) -> None:
        """Remember the head of a stream, as of the current transaction."""
        if len(self._heads) >= MOST:
            self._heads.clear()
        self._heads[stream] = head

    def forget(self) -> None:
        """Forget all heads: one was rolled back, or may have been."""
        self._heads.clear()

    def _end(self) -> None:
        self.forget()
        self._ending = False
        self.number += 1
