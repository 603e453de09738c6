"""All matches of a caller in one archive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from replay import registry
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.errors import UnknownRuleset, Usage
from replay.formats.archive.writer import ancestors, family_of, write_streams
from replay.library.match_list import ListFilter, is_hidden_line, page_by_page
from replay.record.match_record import header_of
from replay.referee.entering import still_sealed
from replay.store.types import Stream

MAX_MATCHES: Final = 1000
"""The most matches and variations of an archive: to find them costs about that many reads."""


class TakenAlong(NamedTuple):
    """The matches of an archive, each after its parent, and those that cannot be in one yet.

    No book could import the latter: a move in them, or in an ancestor, is still sealed.
    """

    ready: tuple[Stream, ...]
    sealed: tuple[Stream, ...]


def taken_along(book: Book, seen: ReadScope) -> TakenAlong:
    """Return the matches that the caller's tokens open, with ancestors and forks.

    An operator's scope takes all matches of the book. Raises `Usage` for more than `MAX_MATCHES`.
    """
    scope = seen if seen.sees_all else seen.own

    def wanted(stream: Stream) -> bool:
        return scope.may_list(book, stream) and (scope.sees_all or not is_hidden_line(book, stream))

    found: dict[int, Stream] = {}
    for listed in page_by_page(book, ListFilter(), scope):
        before = ancestors(book, listed.stream)
        if all(seen.may_list(book, each) for each in before):
            family = (*before, *family_of(book, listed.stream, wanted))
            found |= {each.id: each for each in family}
        if len(found) > MAX_MATCHES:
            raise Usage(
                f"an archive of all has at most {MAX_MATCHES} matches, and these are more;"
                " archive them one by one, or copy the book with `plybook backup`"
            )
    return _parted(book, [found[number] for number in sorted(found)])  # forks are newer


def _parted(book: Book, streams: Iterable[Stream]) -> TakenAlong:
    ready: list[Stream] = []
    sealed: dict[int, Stream] = {}
    for stream in streams:
        if stream.parent in sealed or _is_sealed(book, stream):
            sealed[stream.id] = stream
        else:
            ready.append(stream)
    return TakenAlong(tuple(ready), tuple(sealed.values()))


def _is_sealed(book: Book, stream: Stream) -> bool:
    with suppress(UnknownRuleset):  # kept as it is
        if registry.find(header_of(stream).rules).has_secrets:
            return any(still_sealed(book.read(stream)))
    return False


def write_everything(book: Book, ready: Sequence[Stream], whole: bool) -> bytes:
    """Return an archive of the matches that are `ready`. Raises as `write_archive`.

    With `whole` retracted notes are in it too.
    """
    return write_streams(book, ready, "all matches", lambda _: whole)
