"""A shared feed of the events in public matches."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from typing import Final, Literal

import msgspec
from msgspec import Raw, Struct

from replay.access import visibility
from replay.book import Book
from replay.branches.line_tree import describe_standing
from replay.errors import PlybookError
from replay.match_record import MatchRecord
from replay.names import names_of
from replay.store.protocol import ChangeCursor
from service.http.book_reads import read_book
from service.models import responses

KEPT: Final = 1000
"""The most messages buffered for slow listeners; slower ones miss some."""

KNOWN: Final = 10_000
YOUNG: Final = 5.0
"""Seconds after creation in which a match made public still counts as opened."""


class Activity(Struct, frozen=True):
    """A public match was opened, moved on or ended, as a spectator sees it."""

    match: str
    game: str
    rules: str
    kind: responses.MatchKind
    players: dict[str, str]
    version: responses.Version
    ply: responses.Ply
    at: responses.Milliseconds
    standing: str
    outcome: responses.Outcome | None


class PublicFeed:
    """The latest messages about public matches, numbered in order."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._looking = asyncio.Lock()
        self._cursor: ChangeCursor | None = None
        self._messages: deque[tuple[str, Raw]] = deque(maxlen=KEPT)
        self._place = 0
        self._told: OrderedDict[int, int] = OrderedDict()
        self._young: dict[int, float] = {}

    async def begin(self) -> int:
        """Return the current place; later messages come after it."""
        await self._look()
        return self._place

    async def since(self, place: int) -> tuple[list[tuple[str, Raw]], int]:
        """Return the events after a place with their data, and the place to continue from."""
        await self._look()
        missed = min(self._place - place, len(self._messages))
        there = list(self._messages)[len(self._messages) - missed :] if missed else []
        return there, self._place

    async def _look(self) -> None:
        async with self._looking:
            await read_book(self._book, self._read)

    def _read(self) -> None:
        now, before = time.monotonic(), self._cursor
        self._young = {one: since for one, since in self._young.items() if now - since < YOUNG}
        changes = self._book.store.changes(before)
        self._cursor = changes.cursor
        for stream in sorted({*self._young, *(changes.streams or ())}):
            if before is not None and stream > before.newest:
                self._young[stream] = now
            self._tell(stream)

    def _tell(self, stream: int) -> None:
        try:
            found = self._public(stream)
        except PlybookError:  # deleted, or no longer public
            return
        if found is None or self._told.get(stream) == found.match.version:
            return
        for what in self._happened(found):
            activity = msgspec.json.encode(_activity(self._book, found))
            self._messages.append((what, Raw(activity)))
            self._place += 1
        self._young.pop(stream, None)
        self._told[stream] = found.match.version
        self._told.move_to_end(stream)
        if len(self._told) > KNOWN:
            self._told.popitem(last=False)

    def _public(self, number: int) -> MatchRecord | None:
        stream = self._book.store.stream(number)
        if stream.kind != "match" or stream.trashed:
            return None
        public = visibility.stream_visibility(self._book, stream) == visibility.PUBLIC
        return self._book.read(stream) if public else None

    def _happened(self, recorded: MatchRecord) -> Iterator[Literal["opened", "moved", "ended"]]:
        number = recorded.stream.id
        base = recorded.stream.fork_version or 0
        if number in self._young and number not in self._told:
            yield "opened"
            if recorded.match.version == base:
                return
        yield "moved" if recorded.state.outcome is None else "ended"


def _activity(book: Book, recorded: MatchRecord) -> Activity:
    state, names = recorded.state, names_of(book, recorded)
    return Activity(
        recorded.id,
        recorded.game.slug,
        recorded.header.rules,
        recorded.header.kind,
        {str(seat): name for seat, name in names.players.items()},
        recorded.match.version,
        recorded.ply(),
        recorded.at,
        describe_standing(state, names),
        state.outcome.to_dict() if state.outcome else None,
    )
