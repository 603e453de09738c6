"""Live streams of one match."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Final, Literal, NamedTuple

from litestar.params import QueryParameter
from litestar.response.base import ASGIResponse
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.names import UNNAMED, Names
from replay.annotations.current import count_notes
from replay.book import MAX_UNQUEUED, Book
from replay.errors import PlybookError, UnknownMatch
from replay.record.match_record import MatchRecord
from replay.referee import phones
from replay.referee.rematch import find_rematch
from replay.referee.scoresheet_pairs import ScoresheetState, scoresheet_state
from replay.store.types import Stream
from replay.tags.match_tags import Tag, tags
from replay.tags.names import actor_words, names_of
from replay.tags.people_changes import PersonChange, read_people
from service.api.presenters import about
from service.app_state import AppState, TheAppState
from service.http import access
from service.http.access import AnyRequest, MatchAccess, TheMatchAccess
from service.http.book_reads import read_book
from service.http.logs import log_error
from service.http.problems import Problem
from service.live.event_stream import (
    EVENT_STREAM,
    NDJSON,
    Chunks,
    Closing,
    EventStream,
    Heartbeat,
    StreamFormat,
    stream_format,
)
from service.live.feed import Follower
from service.live.leads import LedPlace, PageLead
from service.live.messages import Happened, live_messages
from service.models import responses
from service.openapi.operations import get

MAX_EVENTS: Final = 200
"""The most events sent at once."""

MAX_INLINE: Final = 4
"""The most events encoded without a thread."""

After = Annotated[
    int | None,
    QueryParameter(ge=0, description="The version to resume after, without a Last-Event-ID."),
]


Brief = Annotated[bool, QueryParameter(description="Send only the version of new events.")]


class Noted(Struct, frozen=True, omit_defaults=True):
    """Data outside the log has changed: names, tags or `annotations`, given as their number.

    Or a player wants a rematch: `rematch` is the id of the new match. With `resumed` the message
    begins a stream, and the client may already know the data.
    """

    match: str
    players: dict[str, str]
    annotations: int
    """How many annotations have changed."""
    rematch: str | None
    """The id of the rematch; null without one."""
    resumed: bool = False
    """Whether the message begins a stream, so that the client may already know the data."""

    @property
    def says_something(self) -> bool:
        """Whether there is any name, annotation or rematch."""
        return bool(self.players or self.annotations or self.rematch)


class Advanced(Struct, frozen=True):
    """The log has grown to a version."""

    match: str
    version: responses.Version


ResumeFrom = Annotated[
    int, Meta(ge=0, description="The version to resume from, with `Last-Event-ID` or `after`.")
]


class Leading(LedPlace, frozen=True, kw_only=True):
    """The leader, and the place that the leader shows."""

    by: str
    """The leader's name as a player, or the leader's role."""


class Led(Struct, frozen=True):
    """A person turns the pages of the match for all followers; null once nobody does."""

    match: str
    lead: Leading | None
    """The leader, and the place that the leader shows."""


class AdvancedLine(Struct, frozen=True, tag="advanced", tag_field="event"):
    """A line of a brief NDJSON stream: the log has grown. The stream resumes after its `id`."""

    id: ResumeFrom
    data: Advanced
    """The match, and the version that it has reached."""


class LoggedLine(Struct, frozen=True, tag="logged", tag_field="event"):
    """A line of an NDJSON stream: an event of the log. The stream resumes after its `id`."""

    id: ResumeFrom
    data: Happened
    """The event, and the state of the match after it."""


class StandingLine(Struct, frozen=True, tag="standing", tag_field="event"):
    """The first line of an NDJSON stream: the state of the match at the version `id`."""

    id: ResumeFrom
    data: responses.Standing
    """The state of the match."""


class NotesLine(Struct, frozen=True, tag="notes", tag_field="event"):
    """A line of an NDJSON stream: data outside the log has changed."""

    id: Literal[None]
    """Null: the stream resumes from the last number."""
    data: Noted
    """The names, and the number of annotations."""


class PeopleLine(Struct, frozen=True, tag="people", tag_field="event"):
    """A line of an NDJSON stream: the players of the seats have changed."""

    id: Literal[None]
    """Null: the stream resumes from the last number."""
    data: PersonChange
    """The change."""


class LedLine(Struct, frozen=True, tag="led", tag_field="event"):
    """A line of an NDJSON stream: a person turns the pages for all followers, or has stopped."""

    id: Literal[None]
    """Null: the stream resumes from the last number."""
    data: Led
    """The leader, and the place that the leader shows."""


class ClosingLine(Struct, frozen=True, tag="closing", tag_field="event"):
    """The last line of an NDJSON stream that ends because the server stops."""

    id: Literal[None]
    """Null: the stream resumes from the last number."""
    data: Closing
    """The milliseconds after which to reconnect."""


class Reader(Struct, frozen=True):
    """A follower of a match: its view, the names of the players, and the form of its stream.

    With `brief` the follower gets only versions.
    """

    viewer: int | None
    names: Names
    form: StreamFormat
    brief: bool


class News(Struct, frozen=True):
    """Messages, the state of the match after them, and whether more were due.

    `gone` says that the match was purged; then there are no messages.
    """

    messages: bytes
    state: MatchRecord
    more: bool
    gone: bool = False


@get(
    "/matches/{match:str}/stream",
    {
        200: {
            EVENT_STREAM: Happened
            | Advanced
            | responses.Standing
            | Noted
            | PersonChange
            | Led
            | Closing,
            NDJSON: LoggedLine
            | AdvancedLine
            | StandingLine
            | NotesLine
            | PeopleLine
            | LedLine
            | ClosingLine
            | Heartbeat,
        }
    },
    headers=("Last-Event-ID",),
)
async def follow_match(
    request: AnyRequest,
    live: TheAppState,
    visit: TheMatchAccess,
    after: After = None,
    brief: Brief = False,
) -> ASGIResponse:
    """Follow a match live, filtered for the caller: server-sent events, or NDJSON on request.

    `logged`: an event of the log, as `Happened`; its id is the version to resume from. `standing`:
    the state of the match, as `Standing`; it comes first if no version, or an unknown one, is
    given. `notes`: annotations, names or tags have changed; it comes first if the stream resumes
    and there are any, as they may have changed since. `people`: a change of who sits where, as in
    `GET /matches/{match}/people`. `led`: a person turns the pages for all followers, as `Led`, or
    has stopped; the message comes first if a person turns them at the beginning. A `brief` stream
    sends only the version of new events, as `advanced`. `closing`: the server stops, and the stream
    resumes at another server or after a restart. The stream also ends when the caller may no longer
    read the match. A line of NDJSON has `event`, `id` and `data`; a line `heartbeat` without `id`
    and `data` comes while nothing happens.
    """
    begin = resume_after(request, after)
    form = stream_format(request.headers.get("accept", ""))
    done = live.limits.enter(request)
    reader = Reader(visit.viewer, UNNAMED, form, brief)
    chunks = _match(request, live, reader, visit, begin)
    return EventStream(form, chunks, done, partial(log_error, request))


async def _match(
    request: AnyRequest, live: AppState, reader: Reader, visit: MatchAccess, begin: int | None
) -> Chunks:
    book, form = live.book, reader.form
    async with live.feed.following(visit.record.stream.id) as follower:
        now, seen = await _again(request, visit), follower.metadata_changes
        if now is None:
            return
        beside = await read_book(book, partial(_beside, book, now))
        yield form.beat  # from here on no change is missed
        state, first = await _start(book, now, begin, form, beside.noted[0])
        if first:
            yield first
        gone, lead = False, None
        while not (gone or follower.ended or _is_expired(book, visit)):
            if follower.metadata_changes != seen:
                seen, now = follower.metadata_changes, await _again(request, visit)
                if now is None:
                    return
                before, beside = beside, await read_book(book, partial(_beside, book, now))
                if changed := _changed(before, beside, form):
                    yield changed
            lead, told = await _led(live, now.record, lead, form)
            news = await _news(book, follower, state, replace(reader, names=beside.names))
            gone, state = news.gone, news.state
            if told or news.messages:
                yield told + news.messages
            if not news.more and not await follower.wait(live.settings.heartbeat):
                yield form.beat
    if follower.ended:
        yield form.closing


def led(book: Book, record: MatchRecord, lead: PageLead | None) -> Led:
    """Return the message of a lead of a match."""
    if lead is None:
        return Led(record.id, None)
    by = actor_words(lead.actor, names_of(book, record))
    there = {name: getattr(lead, name) for name in LedPlace.__struct_fields__}
    return Led(record.id, Leading(**there, by=by))


async def _led(
    live: AppState, record: MatchRecord, before: PageLead | None, form: StreamFormat
) -> tuple[PageLead | None, bytes]:
    """Return the lead of a match, and the message about it if it has changed since `before`."""
    lead = live.leads.of(record.stream.id)
    if lead is before:
        return lead, b""
    told = await read_book(live.book, partial(led, live.book, record, lead))
    return lead, form.message("led", told, None)


async def _start(
    book: Book, now: MatchAccess, begin: int | None, form: StreamFormat, noted: Noted
) -> tuple[MatchRecord, bytes]:
    """Return the state after which the news begin, and the message to send first, if any."""
    head = now.record
    if begin is None or begin > head.match.version:
        standing = await read_book(book, partial(about, book, now, head, head.ply()))
        return head, form.message("standing", standing, head.match.version)
    state = await asyncio.to_thread(partial(head.at_version, begin))
    if not noted.says_something:
        return state, b""
    return state, form.message("notes", replace(noted, resumed=True), None)


def _is_expired(book: Book, visit: MatchAccess) -> bool:
    """Return whether the token of an account has expired since the visit began."""
    until = visit.caller.until
    return until is not None and until <= book.now()


def resume_after(request: AnyRequest, after: int | None) -> int | None:
    """Return the number after which a stream resumes. Raises `Problem` 400.

    A browser sends it in a header, when it comes back to its first address.
    """
    header = request.headers.get("last-event-id")
    if header is None:
        return after
    if not re.fullmatch("[0-9]{1,9}", header):
        raise Problem(
            400, "Last-Event-ID must be a number: the id of a message", path="Last-Event-ID"
        )
    return int(header)


async def _again(request: AnyRequest, visit: MatchAccess) -> MatchAccess | None:
    """Return the visit with the current match, or `None` if the caller may no longer read it."""
    try:
        now = await access.visit(request, visit.record.id)
    except (Problem, PlybookError):
        return None
    return now if now.caller == visit.caller else None


class Beside(NamedTuple):
    """The data of a match outside its log, the names in it, and the changes of people.

    `noted` ends with whether a phone has handed over moves, and the state of a scoresheet that is
    kept apart.
    """

    noted: tuple[Noted, Sequence[Tag], bool, ScoresheetState | None]
    names: Names
    people: Sequence[PersonChange]


def _beside(book: Book, visit: MatchAccess) -> Beside:
    record = visit.record
    rematch, names = find_rematch(book, record), names_of(book, record)
    noted = Noted(
        record.id,
        {str(seat): name for seat, name in names.players.items()},
        count_notes(book, record.stream, whole=visit.whole),
        rematch.match if rematch else None,
    )
    people = read_people(book, record, visit.caller.reader).changes
    waits = phones.WAITS in book.facts(record)
    sheet = scoresheet_state(book, record)
    return Beside((noted, tags(book, record), waits, sheet), names, people)


def _changed(before: Beside, now: Beside, form: StreamFormat) -> bytes:
    """Return the messages about changes outside the log."""
    noted = [form.message("notes", now.noted[0], None)] if now.noted != before.noted else []
    people = (form.message("people", each, None) for each in now.people[len(before.people) :])
    return b"".join([*noted, *people])


async def _news(book: Book, follower: Follower, state: MatchRecord, reader: Reader) -> News:
    """Return the news since a state; followers with the same view share the bytes."""
    key = (reader.viewer, state.match.version, reader.form.media_type, reader.brief)
    return await follower.share(key, partial(_read_news, book, state, reader))


async def _read_news(book: Book, state: MatchRecord, reader: Reader) -> News:
    number = state.stream.id
    try:
        if book.store.is_local:
            head = book.store.stream(number)
            new = head.head - state.match.version
            if new <= MAX_INLINE and book.unfolded(head) <= MAX_UNQUEUED:
                return _news_since(book, head, state, reader)
        return await asyncio.to_thread(
            lambda: _news_since(book, book.store.stream(number), state, reader)
        )
    except UnknownMatch:
        return News(b"", state, more=True, gone=True)


def _news_since(book: Book, head: Stream, state: MatchRecord, reader: Reader) -> News:
    if reader.brief:
        return _brief_news(book.read(head), state, reader)
    now = book.read(head)
    told = list(live_messages(book, state, now, reader.viewer, MAX_EVENTS, reader.names))
    messages = (reader.form.message("logged", each, each.version) for each, _ in told)
    after = told[-1][1] if told else state
    return News(b"".join(messages), after, after.match.version < head.head)


def _brief_news(now: MatchRecord, state: MatchRecord, reader: Reader) -> News:
    version = now.match.version
    if version == state.match.version:
        return News(b"", now, False)
    return News(reader.form.message("advanced", Advanced(now.id, version), version), now, False)
