"""The epoch of a store: while it lasts, rights and heads that were read in it are valid."""

from __future__ import annotations

from typing import Final, NamedTuple

from replay.errors import Outdated

MAX_HEADS: Final = 10_000
"""The number of heads remembered; an epoch without a write but appends can be long."""


class Head(NamedTuple):
    """The version and the hash of the last event of a stream."""

    version: int
    hash: bytes


class Epoch:
    """The number of the epoch, and the heads of the streams that were appended to in it.

    Only the writer thread changes it. The database gives a counter that other writers change when
    they end an epoch. Heads may be remembered only if each of their commits changes it: then no
    other transaction can change a head, and the remembered one is exact. The counter may leave out
    the commits of this writer, which remembers them.
    """

    def __init__(self) -> None:
        self.number = 0
        self._heads: dict[int, Head] = {}
        self.ending = False
        """Whether a write since the last commit ends the epoch."""
        self._last_seen: int | None = None

    def begin(self, counter: int) -> bool:
        """End the epoch if others have changed the counter since; return whether they have.

        The writer has begun a transaction.
        """
        if counter == self._last_seen:
            return False
        self._last_seen = counter
        self._end()
        return True

    def own(self, counter: int) -> None:
        """Note the counter after a commit of this writer, in case it counts these commits, too."""
        self._last_seen = counter

    def written(self) -> None:
        """Note a write that ends the epoch with its commit."""
        self.forget()
        self.ending = True

    def committed(self) -> None:
        """End the epoch if that is due, before anything is acknowledged."""
        if self.ending:
            self._end()

    def reconnected(self) -> None:
        """End the epoch, as the counters of two connections cannot be compared."""
        self._last_seen = None
        self._end()

    def head(self, stream: int, number: int | None) -> Head | None:
        """Return the head of a stream, if it is known.

        Raises `Outdated` if a number is given, and the epoch has a different one.
        """
        if number is not None and number != self.number:
            raise Outdated
        return self._heads.get(stream)

    def check(self, number: int | None) -> None:
        """Raise `Outdated` if a number is given, and the epoch has a different one."""
        if number is not None and number != self.number:
            raise Outdated

    def remember(self, stream: int, head: Head) -> None:
        """Remember the head of a stream, as of the current transaction."""
        if len(self._heads) >= MAX_HEADS:
            self._heads.clear()
        self._heads[stream] = head

    def forget(self) -> None:
        """Forget all heads, because a transaction was rolled back, or may have been."""
        self._heads.clear()

    def _end(self) -> None:
        self.forget()
        self.ending = False
        self.number += 1
