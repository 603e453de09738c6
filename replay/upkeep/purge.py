"""Delete a match and its variations permanently; forks of other owners stay, without names."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from replay.access import visibility
from replay.book import Book
from replay.errors import Damaged, Usage
from replay.record.match_record import header_of
from replay.store.types import Stream

MAX_NAMED = 5
"""The most variations that an error names."""


class Purged(Struct, frozen=True):
    """A match that was deleted permanently, its deleted variations, and the forks that stay.

    The remaining forks keep the events that they share with it, and none of its other data.
    """

    match: str
    variations: tuple[str, ...]
    left: tuple[str, ...]


def purge(book: Book, stream: Stream, *, variations: bool = False) -> Purged:
    """Delete a match permanently, with its own `variations` if requested.

    A fork that is played on, or has its own tokens, belongs to somebody else. Such a fork stays,
    with its variations. Raises `Usage` if the match has variations of its own and `variations` is
    false.
    """
    deleted, others = _forks(book, stream)
    if deleted and not variations:
        names = ", ".join(each.public_id for each in deleted[:MAX_NAMED])
        more = f" and {len(deleted) - MAX_NAMED} more" if len(deleted) > MAX_NAMED else ""
        raise Usage(
            f"{stream.public_id} cannot be deleted for good while its variations need its log:"
            f" {names}{more}; --variations (over HTTP variations=true) deletes them with it,"
            " or leave it in the trash"
        )
    book.store.purge(
        stream.id,
        taking={each.id for each in deleted},
        leaving={each.id for each in others},
        metadata=(
            visibility.FACT,
        ),  # or a variation that stays would become visible to more people
    ).result()
    return Purged(stream.public_id, tuple(_ids(deleted)), tuple(_ids(others)))


def _forks(book: Book, stream: Stream) -> tuple[list[Stream], list[Stream]]:
    """Return the forks to delete with a match, and the remaining forks of all of them."""
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
    except Damaged:  # the owner of the fork cannot be determined
        return False
    return header.kind == "variation" and not book.store.keys(fork.id)


def _ids(streams: list[Stream]) -> Iterator[str]:
    return (each.public_id for each in streams if not each.is_carrier)
