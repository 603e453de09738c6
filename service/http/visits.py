"""Remember who called: within an epoch of the store a visit needs no look-up."""

from __future__ import annotations

from typing import Final

from replay.book import Book
from service.http.access import AnyRequest, Caller, MatchAccess, visit

REMEMBERED: Final = 10_000
"""The most callers remembered."""

Key = tuple[str | None, ...]


class AccessCache:
    """The callers who may write to a match, by the match and the headers that identify them.

    A remembered visit carries its epoch, for the append to check. So it serves only an append. If
    that fails, the visit may be out of date: look it up and try again.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self._epoch = 0
        self._callers: dict[Key, Caller] = {}

    def recall(self, request: AnyRequest, match: str) -> MatchAccess | None:
        """Return a visit that is remembered from this epoch, or `None`."""
        epoch = self._book.store.epoch()
        if epoch != self._epoch:
            self._callers.clear()
            self._epoch = epoch
        caller = self._callers.get(_key(request, match))
        record = self._book.cache.recall(match) if caller else None
        return MatchAccess(record, caller, epoch) if caller and record else None

    async def look_up(self, request: AnyRequest, match: str) -> MatchAccess:
        """Look up a visit, and remember its caller if they may write. Raises errors of `visit`."""
        epoch = self._book.store.epoch()  # before anything is read
        found = await visit(request, match)
        if found.caller.may_write and epoch == self._epoch:
            if len(self._callers) >= REMEMBERED:
                self._callers.clear()
            self._callers[_key(request, match)] = found.caller
        return found


def _key(request: AnyRequest, match: str) -> Key:
    """Return all that `visit` takes from a request; cookies count without a header only."""
    headers = request.headers
    token = headers.get("authorization")
    if token is not None:
        return match, token
    return match, headers.get("cookie"), headers.get("origin"), headers.get("host")
