"""Log events once: a retry is answered as the first time, a stale writer told what it missed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from litestar import Response
from msgspec.structs import replace

from domain.match import LogEvent
from replay import codec
from replay.errors import PlybookError, Refused, Stale
from replay.match_record import MatchRecord
from replay.referee import entering
from service.api.presenters import about, answer, current, in_thread
from service.http.access import AnyRequest, TheBook, Visit, find_match
from service.http.preconditions import (
    OTHERS,
    check_room,
    demand,
    event_id,
    expected_version,
    refusal,
    retry_key,
    stale,
)
from service.http.problems import Problem
from service.settings import Settings

HEADERS = ("If-Match", "Idempotency-Key")
"""The headers that are taken with what is logged here."""

Making = Callable[[MatchRecord], Sequence[LogEvent]]
"""Makes the events for a match. Raises `Refused` and `Usage`."""


class IdempotentAppend(NamedTuple):
    """A request to log events, made for the match, upon the version that the body expects."""

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
        author, key = self.visit.caller, retry_key(self.request)
        expected_version(self.request, self.expected)  # a retry is to be well formed as well
        name = self.book.new_id() if key is None else event_id(author, f"0:{key}")
        try:
            if key is not None and (then := await self._repeated(name, make)):
                return then
            self.check()
            return await self._append(name, make)
        except Stale as error:
            if then := await self._repeated(name, make):
                return then
            raise self._missed(error) from None
        except Refused as error:
            raise refusal(self.visit.recorded, error, None) from None

    async def _append(self, name: bytes, make: Making) -> MatchRecord:
        book, recorded = self.book, self.visit.recorded
        judged = await in_thread(lambda: self._judged(make))
        actor = self.visit.caller.actor
        appended = await asyncio.wrap_future(
            entering.append(book, recorded, judged, actor=actor, ids=[name])
        )
        return book.publish(recorded, judged.stretches, appended)

    def _judged(self, make: Making) -> entering.Judged:
        events = make(self.visit.recorded)
        check_room(self.settings, self.visit.recorded, len(events))
        return entering.judge(self.book, self.visit.recorded, events)

    async def _repeated(self, name: bytes, make: Making) -> MatchRecord | None:
        return await in_thread(lambda: self._found(name, make))

    def _found(self, name: bytes, make: Making) -> MatchRecord | None:
        """Return what came of the events, the first with this id, if they were logged before.

        Raises `Problem` 409 if those were others.
        """
        now = find_match(self.book, self.visit.recorded.id)
        stored = next((each for each in now.log if each.id == name), None)
        if stored is None:
            return None
        before = now.at_version(stored.version - 1)
        try:
            events = list(make(before))
            count = len(entering.judge(self.book, before, events).events)
        except PlybookError:
            raise Problem(409, OTHERS) from None
        logged = now.log[before.match.version :][: len(events)]
        if events != [codec.decode(now.game, each) for each in logged]:
            raise Problem(409, OTHERS)
        return _left(now, before.match.version + count)

    def _missed(self, error: Stale) -> Problem:
        return stale(find_match(self.book, self.visit.recorded.id), error, self.visit)


def _left(now: MatchRecord, version: int) -> MatchRecord:
    """Return a match as the event of a version left it, its head too."""
    then = now.at_version(version)
    stream = replace(now.stream, head=version, head_hash=now.entry(version).hash)
    return replace(then, stream=stream)
