"""The book of recorded matches: open a match, read it, append to it.

Operations on a record (play, take back, import, verify …) are functions over a `Book` in separate
modules.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any, Final

import msgspec

from domain.game import Game
from domain.match import AppliedEvents, LogEvent, Match
from replay.errors import (
    AmbiguousMatch,
    Damaged,
    DamagedMatch,
    UnknownMatch,
    Usage,
    naming,
)
from replay.fields import MatchKind
from replay.record import codec, dice
from replay.record.addresses import Address
from replay.record.match_cache import MatchCache
from replay.record.match_creation import (
    MatchCredentials,
    NewLine,
    NewMatch,
    NewVariation,
    fork_header,
    fork_stream,
    held,
    new_line,
    new_match_id,
    variation_creations,
)
from replay.record.match_record import (
    Cut,
    Fork,
    MatchRecord,
    begin_record,
    extend,
    fold_events,
    fork_record,
    header_of,
    leave_parent,
    share_parent,
)
from replay.record.match_summary import summarise
from replay.store.feed_types import VISIBILITY
from replay.store.sql.store import Store
from replay.store.types import Appended, Author, Creation, NewEvent, NewStream, Stream

MAX_UNQUEUED: Final = 100
"""The most events that are folded without waiting for other folds: about a millisecond's work."""

PAGE: Final = 500
"""The most events read and folded at a time. Other threads can run in between."""

OTHER_TAGS: Final = "Tags"
"""The fact that holds all tags without a fact of their own, as JSON of names and values."""

PAIRS: Final = msgspec.json.Decoder(list[tuple[str, str]])

Watch = Callable[[MatchRecord, Appended], None]
"""Called with a match and the events just appended to it."""

WatchWrite = Callable[[Future[Appended]], None]
"""Called with an append that was just queued."""


class Book:
    """The recorded matches of a store. It is thread-safe."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        new_id: Callable[[], bytes] | None = None,
    ) -> None:
        self.store = store
        self.now = now
        self.new_id = new_id or partial(Random().randbytes, 16)  # unique, but not secret
        self.cache = MatchCache()
        self._folding = threading.Lock()
        """Held during a long fold.

        Two threads that fold at a time gain nothing, and may fold the same match.
        """
        self._watching: list[Watch] = []
        self._watching_writes: list[WatchWrite] = []
        self.analysed: dict[int, int] = {}
        """Cached streams of variations, each with the stream of the match that it analyses."""

    def create(self, new: NewMatch) -> MatchRecord:
        """Create a match, and return it once everything is stored, or nothing.

        Raises `Usage` for options, seats, a position, dice or a clock that the game does not
        support.
        """
        match = new.open()
        seed = dice.new_seed() if new.dice == "service" else None
        credentials = new.credentials or MatchCredentials(new_match_id())
        header = new.header(credentials.id, match.seats, self.now(), seed)
        line = new_line(header, match, new.events, self.encode)
        more = {
            "metadata": dict(new.metadata),
            "notes": new.notes,
            "held": {**credentials.held, **held(seed)},
            "keys": credentials.keys,
        }
        return self.store_new(line, self.creations(line, new.branches, **more))

    def store_new(self, line: NewLine, creations: Sequence[Creation]) -> MatchRecord:
        """Store what `creations` returned for a line, and return its match."""
        made = self.store.create_all(creations).result()
        record = line.record(made[0])
        self.cache.put(record)
        return record

    def creations(
        self, line: NewLine, branches: Sequence[NewVariation], **more: Any
    ) -> list[Creation]:
        """Return the store's creations for a new line, with `more` fields, and its variations."""
        stream = NewStream(line.header.id, msgspec.json.encode(line.header))
        variations = variation_creations(line, branches, self.now(), self.encode)
        return [line.creation(stream, **more), *variations]

    def fork(
        self,
        parent: MatchRecord,
        ply: int,
        kind: MatchKind,
        metadata: Mapping[str, str] = MappingProxyType({}),
        credentials: MatchCredentials | None = None,
    ) -> MatchRecord:
        """Open a match that begins with its parent's line up to a ply; nothing is copied.

        A forked match draws a new seed if the service rolls its parent's dice, and restarts the
        parent's clock; a variation has neither.
        """
        version = parent.match.version
        cuts = tuple(cut for cut in parent.header.cuts if cut.version < version)
        fork = Fork(parent.id, version, ply, cuts)
        seed = dice.new_seed() if (kind, parent.header.dice) == ("match", "service") else None
        credentials = credentials or MatchCredentials(new_match_id())
        header = fork_header(credentials.id, parent.header, kind, fork, self.now(), seed)
        match = leave_parent(parent.match, Cut(version, ply))
        new = Creation(
            fork_stream(header, parent.stream.id),
            (),
            dict(metadata),
            held={**credentials.held, **held(seed)},
            keys=credentials.keys,
            summary=summarise(header, match, parent.at),
            author=Author(at=header.created),
        )
        record = fork_record(parent, self.store.create_all([new]).result()[0], header, match)
        self.cache.put(record)
        return record

    def open(self, match: str) -> MatchRecord:
        """Return the match with an id or an unambiguous prefix of one.

        Raises `UnknownMatch` or `AmbiguousMatch`, and `Damaged` for an unreadable log.
        """
        return self.read(self.find(match))

    def find(self, match: str) -> Stream:
        """Return the stream of the match with an id or an unambiguous prefix of one.

        Raises `UnknownMatch` or `AmbiguousMatch`.
        """
        kept = self.cache.named(match)
        if kept is not None:
            try:
                found = self.store.stream(kept.stream.id)  # faster than a prefix search
                if found.public_id == kept.id:
                    return found
            except UnknownMatch:
                pass
            self.cache.drop(kept)  # purged; an import may have restored it as another stream
        return self.store.find(match)

    def find_by_id(self, match: str) -> Stream:
        """Return the stream of the match with a full id. Raises as `find` does."""
        stream = self.find(match)
        if stream.public_id != match:
            raise UnknownMatch(match)
        return stream

    def find_existing(self, match: str) -> Stream | None:
        """Return the stream of the match with a full id, or `None`."""
        try:
            return self.find_by_id(match)
        except (UnknownMatch, AmbiguousMatch):
            return None

    def at(self, address: Address) -> tuple[MatchRecord, int]:
        """Return the match at the address's version, and the ply.

        Raises `Usage` beyond the head.
        """
        record = self.open(address.match)
        if address.version is not None:
            record = record.at_version(address.version)
        return record, record.ply(address.ply)

    def read(self, stream: Stream) -> MatchRecord:
        """Return the match of a stream at its head, folding only new events.

        Threads that ask for the same long match at the same time wait until one has folded it.
        """
        kept = self.cache.current(stream)
        if kept is not None:
            return kept
        if self.unfolded(stream) <= MAX_UNQUEUED:
            return self._fold(stream)
        with self._folding:
            return self._fold(stream)

    def unfolded(self, stream: Stream) -> int:
        """Return the number of events that `read` must fold."""
        kept = self.cache.of(stream.id)
        return max(0, stream.head - (0 if kept is None else kept.match.version))

    def _fold(self, stream: Stream) -> MatchRecord:
        kept = self.cache.of(stream.id) or self._begin(stream)
        if kept.match.version > stream.head:  # the stream was read before the last append
            return kept
        record = msgspec.structs.replace(kept, stream=stream)
        with naming(stream.public_id):
            for after in range(record.match.version, stream.head, PAGE):
                until = min(after + PAGE, stream.head)
                record = fold_events(record, self.store.read(stream.id, after, until))
        if record.match.version < stream.head:
            raise DamagedMatch(stream.public_id, f"it lacks version {record.match.version + 1}")
        self.cache.put(record)
        return record

    def _begin(self, stream: Stream) -> MatchRecord:
        parent = None if stream.parent is None else self.cache.of(stream.parent)
        begun = begin_record(stream)
        return begun if parent is None else share_parent(begun, parent)

    def publish(
        self, record: MatchRecord, judged: Sequence[AppliedEvents], appended: Appended
    ) -> MatchRecord:
        """Return a match with the events appended to it, and notify the cache and the watchers.

        `judged` are the events with the refereed matches they lead to, so nothing is decoded,
        evolved or read again. A repeated append returns the match as of the first.
        """
        if not appended.events:
            return record
        head = appended.events[-1]
        if appended.repeated or appended.events[0].version != record.match.version + 1:
            return self.open(record.id).at_version(head.version)
        stream = msgspec.structs.replace(record.stream, head=head.version, head_hash=head.hash)
        after = extend(record, stream, judged, appended.events)
        self.cache.put(after)
        for watch in self._watching:
            watch(after, appended)
        return after

    def matches(self, *, trashed: bool = False) -> Iterator[MatchRecord]:
        """Return all readable matches, newest first."""
        for stream in self.store.matches(trashed=trashed):
            try:
                yield self.read(stream)
            except (Damaged, Usage):
                continue

    def append(
        self,
        record: MatchRecord,
        events: Sequence[NewEvent],
        after: Match,
        epoch: int | None = None,
    ) -> Future[Appended]:
        """Append encoded events, which lead to the match `after`, with its summary.

        The future raises `Stale` if the log has grown since the match was read, and `Outdated` if
        the given `epoch` has ended.
        """
        summary = summarise(record.header, after, events[-1].at if events else record.at)
        version = record.match.version
        write = self.store.append(record.stream.id, version, events, summary, epoch)
        for watch in self._watching_writes:
            watch(write)
        return write

    def watch(self, watch: Watch) -> None:
        """Call a function for every append through this book, from any thread."""
        self._watching.append(watch)

    def watch_writes(self, watch: WatchWrite) -> None:
        """Call a function for every append through this book when it is queued, not yet stored."""
        self._watching_writes.append(watch)

    def encode(
        self,
        game: Game[Any],
        event: LogEvent,
        actor: str,
        event_id: bytes | None = None,
        at: int | None = None,
    ) -> NewEvent:
        """Encode an event for appending; id and time default to a new id and now."""
        event_id = event_id or self.new_id()
        time = self.now() if at is None else at
        return codec.encode(game, event, event_id=event_id, actor=actor, at=time)

    def time_after(self, record: MatchRecord) -> int:
        """Return the time of the next event of a match, never before its last event."""
        return max(self.now(), record.at)

    def seed(self, record: MatchRecord) -> bytes | None:
        """Return the seed of a match's dice if this store has it. It is secret."""
        return self.store.private_value(record.stream.id, dice.HELD)

    def parent(self, record: MatchRecord) -> MatchRecord | None:
        """Return the current parent of a fork, unless it has been purged."""
        if record.stream.parent is None:
            return None
        parent = self.store.stream(record.stream.parent)
        return None if parent.is_carrier else self.read(parent)

    def facts(self, record: MatchRecord) -> dict[str, str]:
        """Return the names and tags of a match; a variation shares them with its parent."""
        return self.stream_facts(record.stream)

    def stream_facts(self, stream: Stream) -> dict[str, str]:
        """Return the names and tags of a stream's match without reading it. Raises `Damaged`."""
        return inherit_facts(stream, self.store.stream, self.store.metadata)


def inherit_facts(
    stream: Stream,
    find: Callable[[int], Stream],
    metadata: Callable[[int], Mapping[str, str]],
) -> dict[str, str]:
    """Return the facts of a match; a variation has the names, tags and visibility of its parents.

    `find` returns a stream and `metadata` its own facts, by its number. Raises `Damaged`.
    """
    facts = dict(metadata(stream.id))
    while stream.parent is not None and header_of(stream).kind == "variation":
        stream = find(stream.parent)
        there = metadata(stream.id)
        shared = {name: there[name] for name in there if is_tag(name) or name == VISIBILITY}
        facts = shared | facts | _merged_tags(shared, facts)
    return facts


def _merged_tags(shared: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Return the fact with the other tags of a variation and its parent, if both have other tags.

    If both have a tag of the same name, the variation's tag wins.
    """
    if OTHER_TAGS not in shared or OTHER_TAGS not in own:
        return {}
    try:
        inherited, mine = (PAIRS.decode(facts[OTHER_TAGS]) for facts in (shared, own))
    except msgspec.DecodeError:  # no hash covers facts, so the disk may have changed them
        return {}
    replaced = {name for name, _ in mine}
    merged = [*(pair for pair in inherited if pair[0] not in replaced), *mine]
    return {OTHER_TAGS: msgspec.json.encode(merged).decode()}


def is_tag(fact: str) -> bool:
    """Say whether a fact is a name or tag of the match; the names of other facts contain a dot."""
    return "." not in fact
