"""The changes of a store: one feed with one number, for streams, hooks and mirrors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, Protocol

from msgspec import Struct

What = Literal[
    "opened",
    "events",
    "names",
    "tags",
    "notes",
    "visibility",
    "details",
    "trash",
]
"""What changes of a match: its log, its facts by their names, its notes, whether it is trashed."""

VISIBILITY: Final = "access.visibility"
"""The fact of a match on which it depends who may list it and its variations."""


class ChangeCursor(Struct, frozen=True):
    """How far somebody has followed a store: the number of the last change seen.

    `feed` names the history that this number belongs to, if there is one. An empty name is not
    compared.
    """

    number: int = 0
    feed: str = ""


class Change(Struct, frozen=True):
    """A match that has changed, at the number of its last change, and what changed at `at`.

    `feed` is the history of the number, `version` the head of the match, `at` in milliseconds since
    1970. `root` is the match that a variation analyses, or the match itself, and `visibility` the
    fact of that one. A match that was `withdrawn` is public no longer; it has another entry, of
    what changed. Of one that was `deleted` only its id is left. `public` tells whether a match is
    public; of one of these two, whether it was.
    """

    number: int
    feed: str
    stream: int
    match: str
    root: int
    at: int
    what: tuple[What, ...]
    version: int
    state: Literal["there", "trashed", "withdrawn", "deleted"]
    public: bool
    visibility: str | None

    @property
    def cursor(self) -> ChangeCursor:
        """The place to continue from after this change."""
        return ChangeCursor(self.number, self.feed)


class Changes(Struct, frozen=True):
    """The changes after a cursor, in the order of their numbers, each match at its last change.

    `None` means that the cursor does not belong to this history: whoever follows it must begin
    anew. `cursor` is the place to continue from.
    """

    cursor: ChangeCursor
    found: tuple[Change, ...] | None

    @property
    def streams(self) -> frozenset[int] | None:
        """The streams of the matches that have changed; `None` if any may have."""
        return None if self.found is None else frozenset(each.stream for each in self.found)


class ChangeFeed(Protocol):
    """News of the whole store, whichever process wrote it.

    Numbers grow in the order in which changes become visible, even if several processes write, and
    are never used again. A match that changes again moves to its new number, so that the feed has
    each match once. It has a change of everything that is read with a match; capabilities, hooks
    and derived data are not told.
    """

    def changes(
        self, cursor: ChangeCursor | None, limit: int | None = None, *, public: bool = False
    ) -> Changes:
        """Return what changed since a cursor, at most `limit` matches; without one, begin now.

        With `public` only matches that are public, or were, are read.

        A follower who goes on from cursor to cursor misses no change. When the store was restored,
        or has lost commits, the cursor of a follower who has seen more belongs to another history.
        `what` tells the kinds of changes since the cursor.
        """
        ...

    def data_version(self) -> int:
        """Return a number that differs after anything was stored, by whichever process.

        Cheaper than any query, and meaningless beyond this store object. It may change without
        cause. Read it before the query it guards, or a change in between goes unseen.
        """
        ...

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call the function after each commit that the backend is told of.

        SQLite is told of the commits of this store alone. PostgreSQL is told of those of all
        processes while its connection lasts; so it calls the function after each connection too.
        One call may stand for many commits, or for none. Followers compare `data_version`, and poll
        it for commits of which the backend was not told.

        The function is called in a thread of the store, must return quickly and raises nothing.
        Several may be registered. None is called after `close`.
        """
        ...
