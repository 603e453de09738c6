"""The feed of changes of all matches, in pages and live, and the stream of moves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Final, TypeVar

import msgspec
from litestar.params import QueryParameter
from litestar.response.base import ASGIResponse
from msgspec import Meta, Struct
from msgspec.structs import asdict

from replay.access.visibility import ReadScope
from replay.book import Book
from replay.errors import AnotherHistory, Damaged, UnknownMatch, Usage
from replay.library import changes
from replay.library.changes import ChangePage, SeenChange, Told
from replay.store.feed_types import ChangeCursor
from service.api.streams import ClosingLine, resume_after
from service.app_state import AppState
from service.http.access import AnyRequest, book_of, live_scope, read_scope
from service.http.book_reads import read_book
from service.http.caching import ASK_AGAIN
from service.http.logs import log_error
from service.http.problems import Problem
from service.http.rights import ANYBODY
from service.live.event_stream import (
    EVENT_STREAM,
    NDJSON,
    Closing,
    EventStream,
    Heartbeat,
    Read,
    StreamFormat,
    follow_changes,
    stream_format,
)
from service.live.feed import Follower
from service.live.messages import Activity, Happening, activity_of, happenings
from service.models import responses
from service.openapi.operations import JSON, get

T = TypeVar("T")

MAX_CHANGES: Final = 100
"""The most changes that a stream sends at once."""

Number = Annotated[int, Meta(ge=0, description="The number of a change.")]
After = Annotated[
    int | None,
    QueryParameter(ge=0, description="The number to resume after, without a Last-Event-ID."),
]
FeedName = Annotated[
    str | None,
    QueryParameter(
        name="feed",
        max_length=40,
        description="The `feed` that came with the number in `after`; a different feed is refused.",
    ),
]
Limit = Annotated[int, QueryParameter(ge=1, le=1000, description="How many at most.")]

Write = Callable[[Book, SeenChange], Iterator[tuple[str, Any]]]
"""Yields the messages about a change, each with the name of its type."""


class MatchChange(Struct, frozen=True):
    """A match that has changed: what changed, and the version of its log.

    A match that is `gone` was deleted or put into the trash, or the caller may not list it now.
    """

    number: Number
    match: str
    gone: bool
    """Whether the match was deleted or is hidden from the caller."""
    what: tuple[Told, ...]
    """The kinds of changes since the requested number."""
    version: responses.Version | None
    """How many events the log has; null if the match is gone."""
    at: responses.Milliseconds


class MatchChanges(Struct, frozen=True):
    """A page of changes in the order of their numbers, each match once, at its last change.

    Send `next` and `feed` as `after` and `feed` for the next page. `more` tells that the next page
    has changes already.
    """

    feed: str
    changes: tuple[MatchChange, ...]
    """The changes, in the order of their numbers."""
    next: Number
    more: bool
    """Whether another page is available."""


class Changed(MatchChange, frozen=True):
    """A change in a stream. Its number belongs to the history that `feed` names."""

    feed: str


class ChangedLine(Struct, frozen=True, tag="changed", tag_field="event"):
    """A line of the NDJSON stream of changes. The stream resumes after its `id`."""

    id: Number
    data: Changed
    """The match and its changes."""


class ActivityLine(Struct, frozen=True):
    """A line of the NDJSON stream of moves. The stream resumes after its `id`."""

    event: Happening
    """The kind of change: `opened`, `moved` or `ended`."""
    id: Number | None
    """The number to resume from; null if a later message belongs to the same change."""
    data: Activity
    """The state of the match."""


@get(
    "/changes",
    {
        200: {
            JSON: MatchChanges,
            EVENT_STREAM: Changed | Closing,
            NDJSON: ChangedLine | ClosingLine | Heartbeat,
        }
    },
    right=ANYBODY,
    problems=(410,),
    headers=("Last-Event-ID",),
    sends=("ETag",),
)
async def list_changes(
    request: AnyRequest, after: After = None, feed_name: FeedName = None, limit: Limit = 100
) -> ASGIResponse:
    """List the matches that have changed since a number, or follow them live.

    Each stored change of the log, names, tags, annotations, visibility or the trash gets a number.
    The caller gets the matches that they may list; an operator's token gets all. The answer is a
    page of JSON, or by `Accept` server-sent events or NDJSON, which send `changed`. Without a
    number pages begin with the first change, and streams with the next one. 410 if the number
    belongs to another history, because the book was restored from a backup: start over.
    """
    place = place_of(request, after, feed_name)
    accept = request.headers.get("accept", "")
    if EVENT_STREAM in accept or NDJSON in accept:
        scope, begin = partial(live_scope, request), partial(_begin, book_of(request), _changed)
        return await answer_stream(request, place, scope, begin)
    page = await _in_history(partial(_page, request, place.cursor, limit))
    there = tuple(_match_change(each) for each in page.changes)
    body = MatchChanges(page.cursor.feed, there, page.cursor.number, page.more)
    return ASGIResponse(body=msgspec.json.encode(body), media_type=JSON, headers=ASK_AGAIN)


@get(
    "/stream",
    {200: {EVENT_STREAM: Activity | Closing, NDJSON: ActivityLine | ClosingLine | Heartbeat}},
    right=ANYBODY,
    problems=(410,),
    headers=("Last-Event-ID",),
)
async def follow_all(
    request: AnyRequest, after: After = None, feed_name: FeedName = None
) -> ASGIResponse:
    """Follow the play in all matches live: `opened`, `moved` and `ended`, as `Activity`.

    The stream covers the matches that the caller may list, and for an operator's token all matches.
    A message has the number of its change as id, from which the stream resumes; if several messages
    are about one change, only the last has the id. A match with several moves since the last
    message gets one message. `closing` comes last if the server stops. The answer has server-sent
    events or, on request, NDJSON. 410 if the number belongs to another history.
    """
    place = place_of(request, after, feed_name)
    scope, begin = partial(live_scope, request), partial(_begin, book_of(request), _played)
    return await answer_stream(request, place, scope, begin)


class Place(Struct, frozen=True):
    """The place that a request names: a number, if any, and the feed it belongs to."""

    after: int | None
    feed: str

    @property
    def cursor(self) -> ChangeCursor:
        """The cursor; without a number the beginning."""
        return ChangeCursor(self.after or 0, self.feed)


def place_of(request: AnyRequest, after: int | None, feed_name: str | None) -> Place:
    """Return the place that a request names; `feed` names the history of the number in `after`."""
    number = resume_after(request, after)
    return Place(number, (feed_name or "") if number == after else "")


async def answer_stream(
    request: AnyRequest,
    place: Place,
    caller: Callable[[], T],
    begin: Callable[[ChangeCursor | None, StreamFormat, Follower, T], Awaitable[Read]],
) -> EventStream:
    """Answer a stream that begins at a place, or now.

    `begin` is called with the result of `caller`.
    """
    cursor = None if place.after is None else place.cursor
    if cursor is not None:
        await _in_history(partial(_page, request, cursor, 1))
    form = stream_format(request.headers.get("accept", ""))
    live: AppState = request.app.state.live
    done, heartbeat = live.limits.enter(request), live.settings.heartbeat
    begun = partial(begin, cursor, form)
    chunks = follow_changes(live.book, live.feed, form, heartbeat, caller, begun)
    return EventStream(form, chunks, done, partial(log_error, request))


async def _begin(
    book: Book,
    write: Write,
    cursor: ChangeCursor | None,
    form: StreamFormat,
    follower: Follower,
    scope: ReadScope,
) -> Read:
    """Return the function that reads the messages about the changes after a place, or now."""
    place = await read_book(book, partial(changes.now, book)) if cursor is None else cursor

    async def read() -> tuple[bytes, bool]:
        nonlocal place
        # Followers with the same view share the messages.
        key = (scope, place, form.media_type, write)
        read_page = partial(asyncio.to_thread, _messages, book, scope, place, form, write)
        sent, page = await follower.share(key, read_page)
        place = page.cursor
        return sent, page.more

    return read


def _messages(
    book: Book, scope: ReadScope, cursor: ChangeCursor, form: StreamFormat, write: Write
) -> tuple[bytes, ChangePage]:
    page, written = changes.page(book, scope, cursor, MAX_CHANGES), list[bytes]()
    for change in page.changes:
        messages = list(write(book, change))
        for place, (kind, data) in enumerate(messages, 1):
            number = change.number if place == len(messages) else None
            written.append(form.message(kind, data, number))
    return b"".join(written), page


def _changed(_: Book, change: SeenChange) -> Iterator[tuple[str, Any]]:
    """Yield the message of a change."""
    told = _match_change(change)
    yield "changed", Changed(**asdict(told), feed=change.feed)


def _played(book: Book, change: SeenChange) -> Iterator[tuple[str, Any]]:
    """Yield the messages about the moves of a match."""
    if change.gone:
        return
    with suppress(UnknownMatch, Damaged, Usage):  # deleted meanwhile, or unreadable
        record = book.read(book.store.stream(change.stream))
        for happening in happenings(change, record):
            yield happening, activity_of(book, change, record)


def _page(request: AnyRequest, cursor: ChangeCursor, limit: int) -> ChangePage:
    return changes.page(book_of(request), read_scope(request), cursor, limit)


async def _in_history(read: Callable[[], ChangePage]) -> ChangePage:
    """Return a page that is read in a thread. Raises `Problem` 410 for another history."""
    try:
        return await asyncio.to_thread(read)
    except AnotherHistory as error:
        raise Problem(410, str(error)) from None


def _match_change(change: SeenChange) -> MatchChange:
    return MatchChange(
        change.number, change.match, change.gone, change.what, change.version, change.at
    )
