"""The changes of all matches that a caller may see, in pages of one numbered feed."""

from __future__ import annotations

from contextlib import suppress
from typing import Final, Literal

from msgspec import Struct

from replay.access import visibility
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.errors import AnotherHistory, Damaged, UnknownMatch
from replay.library.match_list import is_hidden_line
from replay.store.feed_types import Change, ChangeCursor

LOOKED: Final = 1000
"""Some so many changes are examined for a page, part by part, until it is full."""

Told = Literal[
    "opened",
    "events",
    "names",
    "tags",
    "notes",
    "visibility",
    "details",
    "seats",
    "trashed",
    "restored",
]
"""The kinds of changes are as in the store, with two for the trash instead of one."""


class SeenChange(Struct, frozen=True):
    """A change as a caller sees it.

    A `gone` match can no longer be read: it was deleted, trashed, hidden or made private. Its
    change has no kinds, except that an operator sees that it was `trashed`.
    """

    number: int
    feed: str
    stream: int
    match: str
    gone: bool
    at: int
    what: tuple[Told, ...] = ()
    version: int | None = None


class ChangePage(Struct, frozen=True):
    """A page of changes, the place to continue from, and whether there are more now."""

    changes: tuple[SeenChange, ...]
    cursor: ChangeCursor
    more: bool


def page(book: Book, scope: ReadScope, after: ChangeCursor, limit: int) -> ChangePage:
    """Return the first changes after a place that the caller may see, each match once.

    A page may have fewer changes than the limit, or none, and still have more after it. Raises
    `AnotherHistory` if the place is not one of this book.
    """
    holds_nothing = not scope.token_streams and scope.key is None
    is_stranger = holds_nothing and scope.shown <= {visibility.PUBLIC}
    seen, cursor = dict[int, SeenChange](), after
    part = max(limit + 1, LOOKED // 10)
    for _ in range(-(-LOOKED // part)):
        news = book.store.changes(cursor, part, public=is_stranger)
        if news.found is None:
            raise AnotherHistory(cursor.number)
        for each in news.found:
            if (change := _seen(book, scope, each)) is None:
                continue
            seen.pop(change.stream, None)  # changed again since an earlier part
            if len(seen) == limit:
                last = list(seen.values())[-1]
                return ChangePage(tuple(seen.values()), ChangeCursor(last.number, last.feed), True)
            seen[change.stream] = change
        cursor = news.cursor
        if len(news.found) < part:
            return ChangePage(tuple(seen.values()), cursor, False)
    return ChangePage(tuple(seen.values()), cursor, True)


def now(book: Book) -> ChangeCursor:
    """Return the place in the feed of changes after all of them."""
    return book.store.changes(None).cursor


def _seen(book: Book, scope: ReadScope, change: Change) -> SeenChange | None:
    """Return a change as a caller sees it, or `None` if they may not know of it."""
    listed = _may_list(book, scope, change)
    if change.state == "withdrawn":
        return None if listed or not _was_seen(scope, change) else _gone(change)
    if change.state == "deleted":
        return _gone(change) if _was_seen(scope, change) else None
    if not listed:
        return None
    if change.state == "trashed":
        return _gone(change, ("trashed",) if scope.sees_all else ())
    if not scope.sees_all and change.stream != change.root and _is_hidden(book, change):
        return _gone(change)
    return SeenChange(
        change.number,
        change.feed,
        change.stream,
        change.match,
        False,
        change.at,
        tuple("restored" if each == "trash" else each for each in change.what),
        change.version,
    )


def _may_list(book: Book, scope: ReadScope, change: Change) -> bool:
    facts = {} if change.visibility is None else {visibility.FACT: change.visibility}
    is_shown = visibility.read_visibility(facts) in scope.shown
    return is_shown or scope.opens(book, (change.stream, change.root))


def _was_seen(scope: ReadScope, change: Change) -> bool:
    return scope.sees_all or (change.public and visibility.PUBLIC in scope.shown)


def _is_hidden(book: Book, variation: Change) -> bool:
    with suppress(UnknownMatch, Damaged):  # deleted meanwhile, or unreadable
        return is_hidden_line(book, book.store.stream(variation.stream))
    return True


def _gone(change: Change, what: tuple[Told, ...] = ()) -> SeenChange:
    return SeenChange(
        change.number, change.feed, change.stream, change.match, True, change.at, what
    )
