"""The one way to write to a match's log, for moves and corrections alike.

    key → ids → access → expected version → events → judge → append → publish → answer

A route gives two functions: the first builds the events from the match, the second describes the
match after them.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from replay.book import Book
from replay.errors import Outdated, PlybookError, Refused, Stale, Usage
from replay.record.match_record import MatchRecord
from replay.referee import entering, tries
from replay.referee.guarded import as_told, find_guarded
from replay.referee.scoresheet_pairs import check_unfinished
from service.api.presenters import about
from service.app_state import AppState
from service.http.access import ACCESS, AnyRequest, Caller, MatchAccess, find_match
from service.http.book_reads import read_book
from service.http.caching import JSONAnswer
from service.http.idempotency import REUSED, derive_id, once, retry_key
from service.http.preconditions import check_room, demand, expected_version, refusal, stale
from service.http.problems import Problem
from service.http.rights import RIGHT, ToLog
from service.models.requests import EventEntries

ID: Final = attrgetter("id")

OTHERS: Final = "these ids, or this Idempotency-Key, belong to other events already"

DOUBTFUL: Final = (Problem, Refused, Stale, Outdated, Usage)
"""Failures that may be due to a remembered caller or match that is out of date."""


class Expecting(Protocol):
    """The body of a request that writes to the log."""

    @property
    def expected(self) -> int | None:
        """The version of the match at which to append the events."""


Body = TypeVar("Body", bound=Expecting)
T = TypeVar("T")

Make = Callable[[MatchAccess], Sequence[entering.Entry]]
"""Builds the events to append to a match. Raises `Problem`, `Refused` and `Usage`."""

Describe = Callable[[MatchAccess], Struct]
"""Describes the match after a write, for the answer."""


class LogWrite(NamedTuple, Generic[Body]):
    """A request to append events to the log of a match at the `expected` version.

    The `ids` identify the events in a retry. A write that takes `long` is judged in a thread.
    """

    request: AnyRequest
    live: AppState
    access: MatchAccess
    body: Body
    expected: int | None
    ids: Sequence[bytes]
    long: bool = False

    async def standing(self, make: Make, scene: bool) -> JSONAnswer:
        """Append the events and answer the state of play after them."""
        return await self.answer(make, partial(_standing, self.live.book, scene))

    async def answer(self, make: Make, describe: Describe) -> JSONAnswer:
        """Append the events and answer the description of the match after them."""
        after = await self._replace(long=True).append(make)
        version = after.record.match.version
        return await asyncio.to_thread(lambda: JSONAnswer(describe(after), version))

    async def append(self, make: Make) -> MatchAccess:
        """Append the events, unless a retry finds them logged, and return the match after them.

        Raises `Problem` 409 if an event is refused, 412 if the version is not the expected one.
        """
        if self.access.epoch is None:
            return await self._append_once(make)
        try:
            return await self._append(make)
        except DOUBTFUL:
            return await (await self._looked_up())._append_once(make)

    async def dry_run(self, judge: Callable[[MatchAccess], T]) -> T:
        """Return a function's judgement of the match at the expected version; it stores nothing.

        Raises `Problem` as `append` does.
        """

        def run() -> T:
            demand(self.access.record, self.expected)
            return judge(self.access)

        try:
            return await asyncio.to_thread(run)
        except (Stale, Refused) as error:
            raise await self._problem(error) from None

    async def _looked_up(self) -> LogWrite[Body]:
        """Return the write with its match and caller looked up. Raises `Problem`."""
        return _write(self.request, await _look_up(self.request), self.body)._replace(
            long=self.long
        )

    async def _append_once(self, make: Make) -> MatchAccess:
        try:
            return await once(self.ids, partial(self._find, make), partial(self._append, make))
        except Refused as refused:
            counted = await self._count(make, refused)
            raise await counted._problem(refused) from None
        except Stale as error:
            raise await self._problem(error) from None

    async def _count(self, make: Make, refused: Refused) -> LogWrite[Body]:
        """Log a refused move if the match counts it as a try; return the write after it.

        A retry of the request is the same try. Raises `Problem`.
        """
        live, access = self.live, self.access
        ids = [hashlib.sha256(b"try " + self.ids[0]).digest()[:16]] if self.ids else None
        retried = ids and any(stored.id == ids[0] for stored in access.record.log)
        counts = access.record.header.tries is not None and isinstance(self.body, EventEntries)
        if not counts or retried:
            refused.tries_left = tries.left(access.record, refused.seat or 0) if counts else None
            return self
        judged = await asyncio.to_thread(
            lambda: entering.judge_try(live.book, access.record, refused, make(access))
        )
        if judged is None:
            return self
        write = entering.append(
            live.book,
            access.record,
            judged,
            actor=access.caller.actor,
            ids=ids,
            account=access.caller.host_account,
        )
        try:
            appended = await live.commits.wait(write)
        except Stale as error:
            raise await self._problem(error) from None
        after = live.book.publish(access.record, judged.stretches, appended)
        refused.tries_left = tries.left(after, refused.seat or 0)
        return self._replace(access=MatchAccess(after, access.caller))

    async def _append(self, make: Make) -> MatchAccess:
        live, access = self.live, self.access
        record, caller = access.record, access.caller
        several = isinstance(self.body, EventEntries) and len(self.body.events) > 1
        # What reads the book: the seed of service dice, and whether a scoresheet is done. What
        # takes long: the search for what a dash was.
        reads = record.header.dice == "service" or record.header.unjudged
        if self.long or several or reads or record.match.state.unjudged:
            judged = await asyncio.to_thread(self._judge, make)
        else:
            judged = self._judge(make)
        write = entering.append(
            live.book,
            record,
            judged,
            actor=caller.actor,
            ids=self.ids,
            epoch=access.epoch,
            account=caller.host_account,
        )
        appended = await live.commits.wait(write)
        found = await self._find(make) if appended.repeated else None
        if found is not None:
            return found
        return MatchAccess(live.book.publish(record, judged.stretches, appended), access.caller)

    def _judge(self, make: Make) -> entering.JudgedEvents:
        """Build the events and referee them. Raises `Problem`, `Stale`, and errors of `make`."""
        record = self.access.record
        demand(record, self.expected)
        if record.header.unjudged:
            check_unfinished(self.live.book, record, self.access.caller.seat)
        events = make(self.access)
        check_room(self.live.settings, record, len(events))
        try:
            judged = entering.judge(self.live.book, record, events)
        except Refused as error:
            raise as_told(error, self.access.viewer, record) from None
        if len(events) > 1:
            guarded = find_guarded(self.access.viewer, record, judged.match, 1)
            if guarded:
                raise guarded
        return judged

    async def _find(self, make: Make) -> MatchAccess | None:
        """Return the match as an earlier request with these ids left it, or `None`."""
        found = await asyncio.to_thread(
            find_logged,
            self.live.book,
            self.access.record.id,
            self.ids,
            lambda then: make(replace(self.access, record=then)),
        )
        return None if found is None else replace(self.access, record=found)

    async def _problem(self, error: Stale | Refused) -> Problem:
        """Return the 412 or 409 that describes a failure."""
        book, access = self.live.book, self.access

        def build() -> Problem:
            if isinstance(error, Stale):
                return stale(book, error, access)
            body = self.body
            text = body.events[error.index].text if isinstance(body, EventEntries) else None
            return refusal(book, access, error, text)

        return await read_book(book, build)


def begin(request: AnyRequest, body: Body) -> LogWrite[Body]:
    """Return the write that a request asks for, as the caller whom the guard has identified."""
    return _write(request, request.scope[ACCESS], body)  # type: ignore[typeddict-item]


async def begin_dry_run(request: AnyRequest, body: Body) -> LogWrite[Body]:
    """Return the write as `begin` does, but look up its caller: no append checks them."""
    return _write(request, await _look_up(request), body)


async def _look_up(request: AnyRequest) -> MatchAccess:
    """Return the access of a request to a match that it may write to. Raises `Problem`."""
    right: ToLog = request.scope[RIGHT]  # type: ignore[typeddict-item]
    return await right.look_up(request)


def _write(request: AnyRequest, access: MatchAccess, body: Body) -> LogWrite[Body]:
    expected = expected_version(request, body.expected, access.record.match.version)
    ids = _ids(request, body, access.caller)
    return LogWrite(request, request.app.state.live, access, body, expected, ids)


def _ids(request: AnyRequest, body: object, caller: Caller) -> Sequence[bytes]:
    """Return the ids of the events: from the `Idempotency-Key`, or the entries' own.

    Raises `Problem` 400.
    """
    key = retry_key(request)
    entries = body.events if isinstance(body, EventEntries) else ()
    names = list(filter(None, map(ID, entries)))
    if names and key is not None:
        wrong = "use either an Idempotency-Key or ids of the events, not both"
        raise Problem(400, wrong, path="Idempotency-Key")
    if names and len(set(names)) != len(entries):
        raise Problem(400, "give every event its own id, or no event an id", path="$.events")
    if key is not None:
        names = [f"{number}:{key}" for number in range(len(entries) or 1)]
    return [derive_id(caller, name) for name in names] if names else ()


def find_logged(
    book: Book,
    match: str,
    ids: Sequence[bytes],
    make: Callable[[MatchRecord], Sequence[entering.Entry]],
) -> MatchRecord | None:
    """Return the match as the events with these ids left it, if they are in the log.

    The events are rebuilt and refereed again at the version of the first request. Raises `Problem`
    409 if the logged events are different.
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


def _standing(book: Book, scene: bool, after: MatchAccess) -> Struct:
    return about(book, after, after.record, after.record.ply(), scene=scene)
