"""Delete matches for good, and leave of them what other forks share: the same in every backend."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from replay.store import validation
from replay.store.protocol import Stream


class Purging(Protocol):
    """A transaction that deletes streams."""

    def stream(self, number: int) -> Stream:
        """Return a stream. Raises `UnknownMatch`."""
        ...

    def notes(self, subject: int) -> Stream | None:
        """Return the notes about a match, if there are any."""
        ...

    def forks(self, number: int) -> list[Stream]:
        """Return the forks of a stream, oldest first."""
        ...

    def delete(self, number: int) -> None:
        """Delete everything of a stream."""
        ...

    def carry(self, stream: Stream, until: int, facts: Collection[str] | None) -> None:
        """Replace a stream by a carrier with its events up to a version.

        It keeps the facts of these names, or all.
        """
        ...


def purge(
    here: Purging,
    number: int,
    taking: Collection[int],
    leaving: Collection[int],
    facts: Collection[str],
) -> None:
    """Delete a match, its notes and the forks `taking`; `leaving` are those that stay."""
    if here.stream(number).is_carrier:
        raise validation.unknown(number)
    # A fork is younger than what it leaves, so it goes first.
    for one in sorted({number, *taking}, reverse=True):
        stream = here.stream(one)
        forks = here.forks(one)
        needing = (fork for fork in forks if not (fork.is_carrier or fork.id in leaving))
        if fork := next(needing, None):
            raise validation.forked(stream, fork.public_id)
        _reduce(here, stream, forks, facts)
        _relieve(here, stream.parent)


def _reduce(
    here: Purging, stream: Stream, forks: Sequence[Stream], facts: Collection[str] | None
) -> None:
    """Delete a stream, or replace it by a carrier if it has forks."""
    if notes := here.notes(stream.id):
        here.delete(notes.id)
    if forks:
        here.carry(stream, max(fork.fork_version or 0 for fork in forks), facts)
    else:
        here.delete(stream.id)


def _relieve(here: Purging, number: int | None) -> None:
    """Delete or shorten the carriers that a deleted fork needed."""
    while number is not None:
        stream = here.stream(number)
        if not stream.is_carrier:
            return
        forks = here.forks(number)
        _reduce(here, stream, forks, None)
        number = None if forks else stream.parent
