"""The changes of a store, for those who follow it live: cheap enough to be asked all the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct


class ChangeCursor(Struct, frozen=True):
    """How far somebody has followed a whole store: the last event of all, and the newest stream.

    `event` is a position in the order in which events were stored, `stream` whose event it is;
    both are 0 where there is none.
    """

    event: int
    stream: int
    newest: int


class Changes(Struct, frozen=True):
    """The changes after a cursor: the streams with new events, and those that are new.

    `streams` has a match also if its notes have new events. `None` means that anything may have
    changed. `cursor` is the place to continue from.
    """

    cursor: ChangeCursor
    streams: frozenset[int] | None


class ChangeFeed(Protocol):
    """News of the whole store, whichever process wrote it."""

    def changes(self, cursor: ChangeCursor | None) -> Changes:
        """Return which streams have new events since a cursor; without one, begin now with none.

        A follower who goes on from cursor to cursor misses no event: positions of events and
        numbers of streams must become visible in their order, even if several processes write.
        When the last event seen was purged, `streams` is `None`. Purges, the trash, facts and
        capabilities are no events and not reported, but they change `data_version`.
        """
        ...

    def data_version(self) -> int:
        """Return a number that differs after anything was stored, by whichever process.

        Cheaper than any query, and meaningless beyond this store object. It may change without
        cause. Read it before the query it guards, or a change in between goes unseen.
        """
        ...

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call a function soon after anything was stored, as far as the backend is told of it.

        SQLite is told of the commits of this store alone. PostgreSQL is told of those of all
        processes while its connection lasts; so it calls the function after each connection too.
        One call may stand for many commits, or for none. Followers compare `data_version`, and poll
        it for commits of which the backend was not told.

        The function is called in a thread of the store, must return quickly and raises nothing.
        Several may be registered. None is called after `close`.
        """
        ...
