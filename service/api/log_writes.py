"""Write to a match's log: once per idempotency key, and only at the expected version."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from litestar import Response
from msgspec import Struct
from msgspec.structs import replace

from replay.book import Book
from replay.errors import PlybookError, Refused, Stale
from replay.record.match_record import MatchRecord
from replay.referee import entering
from service.api.presenters import about, answer, current
from service.http.access import AnyRequest, MatchAccess, TheBook, find_match
from service.http.idempotency import REUSED, derive_id, find_or_make, retry_key
from service.http.preconditions import check_room, demand, expected_version, refusal, stale
from service.http.problems import Problem
from service.settings import Settings

HEADERS: Final = ("If-Match", "Idempotency-Key")
"""The headers of a request that writes to the log."""

OTHERS: Final = "these ids, or this Idempotency-Key, belong to other events already"

Making = Callable[[MatchRecord], Sequence[entering.Entry]]
"""Builds the events to append to a match. Raises `Refused` and `Usage`."""

Describing = Callable[[MatchRecord], Struct]
"""Describes the match after a write, for the answer."""


class LogWrite(NamedTuple):
    """A request to write to the log of a match at the version that its body expects."""

    request: AnyRequest
    book: TheBook
    settings: Settings
    visit: MatchAccess
    expected: int | None

    def check(self) -> MatchRecord:
        """Return the current match, if the request could write to it.

        Raises `Problem` 400 for an invalid `Idempotency-Key`, 412 if the version is not the
        expected one.
        """
        retry_key(self.request)
        try:
            demand(self.visit.record, self._expected())
        except Stale as error:
            raise self._missed(error) from None
        return self.visit.record

    async def standing(self, make: Making) -> Response[bytes]:
        """Append the built events and answer the resulting standing."""
        return await self.log(make, lambda now: about(self.book, self.visit, now, now.ply()))

    async def log(self, make: Making, describe: Describing) -> Response[bytes]:
        """Append the built events, unless a retry finds them logged, and answer the match.

        Raises `Problem` 409 if an event is refused, 412 if the version is not the expected one.
        """

        def write() -> Response[bytes]:
            now = self._log(make)
            return answer(describe(now), headers=current(now))

        return await asyncio.to_thread(write)

    def _log(self, make: Making) -> MatchRecord:
        key = retry_key(self.request)
        self._expected()  # a retry is validated as well
        ids = [derive_id(self.visit.caller, f"0:{key}")] if key else []
        match = self.visit.record.id
        try:
            return find_or_make(
                ids,
                lambda: find_logged(self.book, match, ids, make),
                lambda: self._append(ids, make),
            )
        except Stale as error:
            raise self._missed(error) from None
        except Refused as error:
            raise refusal(self.book, self.visit.record, error, None) from None

    def _expected(self) -> int | None:
        return expected_version(self.request, self.expected, self.visit.record.match.version)

    def _append(self, ids: Sequence[bytes], make: Making) -> MatchRecord:
        book, record = self.book, self.check()
        events = make(record)
        check_room(self.settings, record, len(events))
        judged = entering.judge(book, record, events)
        actor = self.visit.caller.actor
        write = entering.append(book, record, judged, actor=actor, ids=ids)
        return book.publish(record, judged.stretches, write.result())

    def _missed(self, error: Stale) -> Problem:
        return stale(self.book, error, self.visit)


def find_logged(book: Book, match: str, ids: Sequence[bytes], make: Making) -> MatchRecord | None:
    """Return the match as the events with these ids left it, if they are in the log.

    They are rebuilt and refereed again at the version of the first request. Raises `Problem` 409 if
    the logged events are different.
    """
    now = find_match(book, match)
    first = next((stored.version for stored in now.log if stored.id in ids), None)
    if first is None:
        return None
    before = now.at_version(first - 1)
    try:
        again = entering.judge(book, before, make(before)).events
    except PlybookError:
        raise Problem(409, OTHERS, REUSED) from None
    version = before.match.version + len(again)
    if now.events[before.match.version : version] != again:
        raise Problem(409, OTHERS, REUSED)
    return _as_left(now, version)


def _as_left(now: MatchRecord, version: int) -> MatchRecord:
    """Return a match as of a version, including its head."""
    then = now.at_version(version)
    stream = replace(now.stream, head=version, head_hash=now.entry(version).hash)
    return replace(then, stream=stream)
