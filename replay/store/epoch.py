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

    Only the writer thread changes it. A backend gives a number that others change when they end an
    epoch. Heads may be remembered only where others change it by every commit: then no other
    transaction can change a head, and the remembered one is exact. The number may leave out the
    commits of the writer's own connection, which remembers them.
    """

    def __init__(self) -> None:
        self.number = 0
        self._heads: dict[int, Head] = {}
        self.ending = False
        """Whether a write since the last commit ends the epoch."""
        self._told: int | None = None

    def begin(self, told: int) -> bool:
        """End the epoch if others have ended it: then the number is another. Return whether it is.

        The writer has begun a transaction.
        """
        if told == self._told:
            return False
        self._told = told
        self._end()
        return True

    def own(self, told: int) -> None:
        """Note the number after a commit of the writer's own, where it counts those too."""
        self._told = told

    def written(self) -> None:
        """Note a write that ends the epoch: as soon as it is committed and can be read."""
        self.forget()
        self.ending = True

    def committed(self) -> None:
        """End the epoch if it must, before anything is acknowledged."""
        if self.ending:
            self._end()

    def reconnected(self) -> None:
        """End the epoch, as what two connections tell cannot be compared."""
        self._told = None
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
        self.ending = False
        self.number += 1
