"""The news of a match or of the book that is sent to WebHooks, as a spectator sees it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Final, Literal, get_args

import msgspec
from msgspec import Struct

from domain.names import Names
from replay.access.visibility import ReadScope, Visibility
from replay.book import Book
from replay.errors import Damaged, UnknownMatch, Usage
from replay.library import changes
from replay.library.changes import SeenChange, Told
from replay.reading import timeline
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.store.feed_types import ChangeCursor, Hook
from replay.tags.names import names_of
from replay.tags.people_changes import PersonChange, corrections, read_people, since
from service.live.messages import Happened, live_messages
from service.models import responses

PAGE: Final = 100
"""The most events in one delivery, and the most changes that are read at a time."""

KEPT: Final = 256
"""The most hooks whose place is remembered."""

EVERYTHING: Final = ReadScope(frozenset(get_args(Visibility)))
"""The scope of an operator, who registers hooks for the whole book."""

NewsType = Literal[
    "match.opened",
    "match.events",
    "match.ended",
    "match.notes",
    "match.changed",
    "match.gone",
]
"""The kinds of news of a book."""

OPENED: Final = frozenset(("opened", "restored"))
CHANGED: Final = frozenset(("names", "tags", "visibility", "details", "seats"))


class Delivery(Struct, frozen=True, tag="match.events", tag_field="type"):
    """The body posted to a hook: events of the log in order, as a spectator sees them.

    `words` describe the last event and the state of the match. `url` is the page of the match.
    """

    hook: str
    match: str
    events: tuple[Happened, ...]
    url: str | None
    """The page of the match; null for a hook of an earlier version of Plybook."""
    game: str
    players: dict[str, str]
    words: str
    """The last event and the state of the match, in words."""
    people: tuple[PersonChange, ...]
    """The changes of who sits where since the call before; without events, all new changes."""


class BookDelivery(Struct, frozen=True):
    """The body posted to a hook of the book: a match that has changed, as a spectator sees it.

    `what` lists the kinds of changes since the call before, `words` describe the most important
    change. For a deleted or hidden match, only its id is sent.
    """

    type: NewsType
    """The kind of the most important change."""
    hook: str
    """The hook's id."""
    number: int
    """The number of the change."""
    feed: str
    """The history that the number belongs to; send it back with the number as `feed`."""
    match: str
    what: tuple[Told, ...]
    """The kinds of changes since the call before."""
    at: responses.Milliseconds
    words: str
    """The last event and the state of the match, in words."""
    url: str | None = None
    """The page of the match; null if the match is gone."""
    game: str | None = None
    """The game's slug; null if the match is gone."""
    players: dict[str, str] = {}
    version: responses.Version | None = None
    """How many events the log has; null if the match is gone."""
    outcome: responses.Outcome | None = None


class Ping(Struct, frozen=True, tag="ping", tag_field="type"):
    """The body posted to a hook as a test; `match` is null for a hook of the book."""

    hook: str
    match: str | None
    """The match's id; null for a hook of the book."""


class News(Struct, frozen=True):
    """A call to make: its name, its body, and the number that the hook has reached after it.

    It covers the versions `first` to `last` of a stream. `named` is the number of the last change
    of who sits where, `state` the match after the versions.
    """

    name: str
    body: bytes
    reached: int
    stream: int
    first: int
    last: int
    named: int = 0
    state: MatchRecord | None = None


class HookNews:
    """The next news of each hook after its last call."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._states: OrderedDict[str, MatchRecord] = OrderedDict()
        self._looked: dict[str, int] = {}
        """For each hook of the book, the number up to which it wants none of the changes."""

    def find(self, hook: Hook) -> News | None:
        """Return the next news for a hook, or `None` without news."""
        return self._of_book(hook) if hook.stream is None else self._of_match(hook, hook.stream)

    def keep(self, hook: Hook, news: News) -> None:
        """Remember how far a hook has come: the next delivery continues from there."""
        if news.state is not None:
            self._states[hook.id] = news.state
            self._states.move_to_end(hook.id)
            if len(self._states) > KEPT:
                self._states.popitem(last=False)

    def _of_match(self, hook: Hook, stream: int) -> News:
        head = self._book.read(self._book.store.stream(stream))
        state = self._states.get(hook.id)
        if state is None or state.match.version != hook.delivered:
            state = head.at_version(hook.delivered)
        names = names_of(self._book, head)
        told = list(live_messages(self._book, state, head, None, PAGE, names))
        after = told[-1][1] if told else state
        lacking = self._lacking(hook, head, after)
        people = tuple(since(lacking, 0))
        body = Delivery(
            hook.id,
            after.id,
            tuple(message for message, _ in told),
            _page_of(hook, after.id),
            after.game.slug,
            _players(names),
            people[-1].told() if people and not told else _event_words(after, names),
            people,
        )
        first, last = (told[0][0].version, after.match.version) if told else (0, hook.delivered)
        named = lacking[-1].number if lacking else hook.named
        name = f"{hook.id}-{first}-{last}" if told else f"{hook.id}-people-{named}"
        encoded = msgspec.json.encode(body)
        return News(name, encoded, last, stream, first, last, named, after)

    def _lacking(
        self, hook: Hook, head: MatchRecord, after: MatchRecord
    ) -> tuple[PersonChange, ...]:
        """Return the changes of who sits where that a hook lacks, up to the events that it gets."""
        if head.header.kind == "variation":
            return ()
        last, every = after.match.version, after.match.version == head.match.version
        told = read_people(self._book, head).changes
        lacking = (each for each in told if each.number > hook.named)
        return tuple(each for each in lacking if every or each.after_version < last)

    def _of_book(self, hook: Hook) -> News | None:
        after = max(hook.delivered, self._looked.get(hook.id, 0))
        more = True
        while more:
            page = changes.page(self._book, EVERYTHING, ChangeCursor(after), PAGE)
            for change in page.changes:
                if (body := self._told(hook, change)) is not None:
                    return _book_news(body, change)
            after, more = page.cursor.number, page.more
            if len(self._looked) > KEPT:
                self._looked.clear()
            self._looked[hook.id] = after
        return None

    def _told(self, hook: Hook, change: SeenChange) -> BookDelivery | None:
        """Return the body about a change, or `None` if the hook does not want it."""
        if change.gone:
            where = "put into the trash" if "trashed" in change.what else "deleted"
            return _gone(hook, change, f"the match was {where}")
        try:
            record = self._book.read(self._book.store.stream(change.stream))
        except (UnknownMatch, Damaged, Usage):  # deleted meanwhile, or unreadable
            return None
        kind = next((each for each in _types(change, record) if _wants(hook, each)), None)
        renamed = corrections(self._book, record) if "names" in change.what else ()
        names = names_of(self._book, record)
        return kind and _there(hook, change, kind, record, names, renamed)


def _types(change: SeenChange, record: MatchRecord) -> Iterator[NewsType]:
    """Yield the types of news that a change counts as, the most important first."""
    what = set(change.what)
    if what & OPENED:
        yield "match.opened"
    if "events" in what:
        yield "match.events" if record.state.outcome is None else "match.ended"
    if "notes" in what:
        yield "match.notes"
    if what & CHANGED:
        yield "match.changed"


def _wants(hook: Hook, kind: NewsType) -> bool:
    return not hook.types or kind in hook.types


def _there(
    hook: Hook,
    change: SeenChange,
    kind: NewsType,
    record: MatchRecord,
    names: Names,
    renamed: Sequence[PersonChange],
) -> BookDelivery:
    outcome = record.state.outcome
    return BookDelivery(
        kind,
        hook.id,
        change.number,
        change.feed,
        change.match,
        change.what,
        change.at,
        renamed[-1].told()
        if renamed and kind == "match.changed"
        else _words(kind, change, record, names),
        _page_of(hook, change.match),
        record.game.slug,
        _players(names),
        record.match.version,
        outcome.to_dict() if outcome else None,
    )


def _gone(hook: Hook, change: SeenChange, words: str) -> BookDelivery | None:
    if not _wants(hook, "match.gone"):
        return None
    told = (change.number, change.feed, change.match, change.what, change.at, words)
    return BookDelivery("match.gone", hook.id, *told)


def _book_news(body: BookDelivery, change: SeenChange) -> News:
    version = change.version or 0
    name, encoded = f"{body.hook}-{change.number}", msgspec.json.encode(body)
    return News(name, encoded, change.number, change.stream, 1, version)


def _words(kind: NewsType, change: SeenChange, record: MatchRecord, names: Names) -> str:
    if kind == "match.opened":
        game, players = record.game.name, " - ".join(names.players.values())
        return f"a match of {game} was opened" + (f": {players}" if players else "")
    if kind == "match.notes":
        return "the annotations of the match were changed"
    if kind == "match.changed":
        changed = [each for each in change.what if each in CHANGED]
        return f"the {', '.join(changed)} of the match were changed"
    return _event_words(record, names)


def _event_words(record: MatchRecord, names: Names) -> str:
    """Describe the last event of a match and the state of the match."""
    version = record.match.version
    played = next(timeline.entries(record, None, max(record.ply() - 1, 0), names), None)
    logged = timeline.logged(record, version, None, names) if version else None
    words = played.words if played is not None and played.version == version else ""
    told = [words or logged.what] if logged is not None else []
    return "; ".join([*told, describe_standing(record.state, names)])


def _page_of(hook: Hook, match: str) -> str | None:
    return f"{hook.site}/m/{match}" if hook.site else None


def _players(names: Names) -> dict[str, str]:
    return {str(seat): name for seat, name in names.players.items()}
