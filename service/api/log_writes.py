"""Write to the log of a match: once under a key, and only upon the version expected."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from litestar import Response
from msgspec.structs import replace

from replay.book import Book
from replay.errors import PlybookError, Refused, Stale
from replay.match_record import MatchRecord
from replay.referee import entering
from service.api.presenters import about, answer, current, in_thread
from service.http.access import AnyRequest, TheBook, Visit, find_match
from service.http.idempotency import derive_id, once, retry_key
from service.http.preconditions import check_room, demand, expected_version, refusal, stale
from service.http.problems import Problem
from service.settings import Settings

HEADERS: Final = ("If-Match", "Idempotency-Key")
"""The headers of a request that writes to the log."""

OTHERS: Final = "these ids, or this Idempotency-Key, belong to other events already"

Making = Callable[[MatchRecord], Sequence[entering.Entry]]
"""Makes what is entered, for the match as it stands. Raises `Refused` and `Usage`."""


class LogWrite(NamedTuple):
    """A request to write to the log of a match, upon the version that its body expects."""

    request: AnyRequest
    book: TheBook
    settings: Settings
    visit: Visit
    expected: int | None

    def check(self) -> MatchRecord:
        """Return the match as it was found. Raises `Problem` 412 if others were quicker."""
        try:
            demand(self.visit.recorded, expected_version(self.request, self.expected))
        except Stale as error:
            raise self._missed(error) from None
        return self.visit.recorded

    async def standing(self, make: Making) -> Response[bytes]:
        """Log what is made, and answer how the match stands then."""
        now = await self.log(make)
        return answer(about(self.book, self.visit, now, now.ply()), headers=current(now))

    async def log(self, make: Making) -> MatchRecord:
        """Log what is made for the match, unless it was before, and return the match with it.

        Raises `Problem` 409 if it is refused, 412 if others were quicker.
        """
        key = retry_key(self.request)
        expected_version(self.request, self.expected)  # a retry is to be well formed as well
        ids = [derive_id(self.visit.caller, f"0:{key}")] if key else []
        match = self.visit.recorded.id
        try:
            return await once(
                ids,
                lambda: in_thread(lambda: find_logged(self.book, match, ids, make)),
                lambda: self._append(ids, make),
            )
        except Stale as error:
            raise self._missed(error) from None
        except Refused as error:
            raise refusal(self.visit.recorded, error, None) from None

    async def _append(self, ids: Sequence[bytes], make: Making) -> MatchRecord:
        book, recorded = self.book, self.check()
        judged = await in_thread(lambda: self._judged(make))
        actor = self.visit.caller.actor
        appended = await asyncio.wrap_future(
            entering.append(book, recorded, judged, actor=actor, ids=ids)
        )
        return book.publish(recorded, judged.stretches, appended)

    def _judged(self, make: Making) -> entering.Judged:
        events = make(self.visit.recorded)
        check_room(self.settings, self.visit.recorded, len(events))
        return entering.judge(self.book, self.visit.recorded, events)

    def _missed(self, error: Stale) -> Problem:
        return stale(find_match(self.book, self.visit.recorded.id), error, self.visit)


def find_logged(book: Book, match: str, ids: Sequence[bytes], make: Making) -> MatchRecord | None:
    """Return the match as the events with these ids left it, if they were logged before.

    They are made and judged again for the match as it was then. Raises `Problem` 409 if what was
    logged is something else.
    """
    now = find_match(book, match)
    first = next((stored.version for stored in now.log if stored.id in ids), None)
    if first is None:
        return None
    before = now.at_version(first - 1)
    try:
        again = entering.judge(book, before, make(before)).events
    except PlybookError:
        raise Problem(409, OTHERS) from None
    version = before.match.version + len(again)
    if now.events[before.match.version : version] != again:
        raise Problem(409, OTHERS)
    return _as_left(now, version)


def _as_left(now: MatchRecord, version: int) -> MatchRecord:
    """Return a match as the event of a version left it, its head too."""
    then = now.at_version(version)
    stream = replace(now.stream, head=version, head_hash=now.entry(version).hash)
    return replace(then, stream=stream)
