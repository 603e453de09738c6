"""Delete a match for good, with its variations; what belongs to others stays, without names."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from replay.access import visibility
from replay.book import Book
from replay.errors import Damaged, Usage
from replay.match_record import header_of
from replay.store.protocol import Stream

NAMED = 5
"""So many variations are named in an error."""


class Purged(Struct, frozen=True):
    """A match that was deleted for good, the variations deleted with it, and the forks that stay.

    The forks that stay keep the events they share with it, and nothing else of it.
    """

    match: str
    variations: tuple[str, ...]
    left: tuple[str, ...]


def purge(book: Book, stream: Stream, *, variations: bool = False) -> Purged:
    """Delete a match for good, and its own `variations` if that is wanted.

    A fork belongs to somebody else if it is played on, or has tokens of its own. Such a fork
    stays, with the variations of it. Raises `Usage` for own variations that are not wanted gone.
    """
    own, others = _forks(book, stream)
    if own and not variations:
        names = ", ".join(each.public_id for each in own[:NAMED])
        more = f" and {len(own) - NAMED} more" if len(own) > NAMED else ""
        raise Usage(
            f"{stream.public_id} cannot be deleted for good while its variations need its log:"
            f" {names}{more}; --variations deletes them with it, or leave it in the trash"
        )
    book.store.purge(
        stream.id,
        taking={each.id for each in own},
        leaving={each.id for each in others},
        facts=(visibility.FACT,),  # or a variation that stays would be open to more people
    ).result()
    return Purged(stream.public_id, tuple(_ids(own)), tuple(_ids(others)))


def _forks(book: Book, stream: Stream) -> tuple[list[Stream], list[Stream]]:
    """Return the variations that go with a match, and the forks of it and them that stay."""
    own: list[Stream] = []
    others: list[Stream] = []
    waiting = [stream]
    while waiting:
        for fork in book.store.forks(waiting.pop().id):
            if fork.is_carrier or not _is_own(book, fork):
                others.append(fork)
            else:
                own.append(fork)
                waiting.append(fork)
    return own, others


def _is_own(book: Book, fork: Stream) -> bool:
    try:
        header = header_of(fork)
    except Damaged:  # nobody can tell whose it is
        return False
    return header.kind == "variation" and not book.store.keys(fork.id)


def _ids(streams: list[Stream]) -> Iterator[str]:
    return (each.public_id for each in streams if not each.is_carrier)
