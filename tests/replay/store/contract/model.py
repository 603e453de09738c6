"""A model of a store: dictionaries that answer as every backend should."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeVar, get_args

from msgspec.structs import replace

from replay.store import hash_chain, validation
from replay.store.feed_types import Change, ChangeCursor, Changes, What
from replay.store.hash_chain import header_hash
from replay.store.search_words import fits, words
from replay.store.types import (
    Appended,
    Creation,
    Hit,
    IndexedMatch,
    IndexedStep,
    ListedMatch,
    MetadataItem,
    MoveCount,
    NewEvent,
    NewStream,
    NotEqual,
    StoredEvent,
    Stream,
    Summary,
    SummaryFilter,
    Text,
)

T = TypeVar("T")


@dataclass
class _Kept:
    """A stream with its own events and its mutable facts."""

    stream: Stream
    events: list[StoredEvent] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    texts: tuple[Text, ...] = ()
    noted: int | None = None
    """How many notes the texts were made from, if they are there."""

    @property
    def base(self) -> int:
        """The version after which its own events begin."""
        return self.stream.fork_version or 0


class Numbers:
    """The numbers of the last changes of each match by kind, and the deleted matches."""

    def __init__(self) -> None:
        self._last = 0
        self._matches: dict[int, dict[str, int]] = {}
        """Numbers of the last changes of matches, by their kind."""
        self._gone: dict[int, tuple[int, str]] = {}

    def note(self, stream: int, what: str) -> None:
        """Note a change of a match that is there, or of a new one."""
        if stream in self._matches or what == "opened":
            self._last += 1
            self._matches.setdefault(stream, {})[what] = self._last

    def delete(self, stream: int, public_id: str) -> None:
        if self._matches.pop(stream, None) is not None:
            self._last += 1
            self._gone[stream] = self._last, public_id

    def since(self, number: int, streams: Mapping[int, _Kept]) -> Changes:
        gone = [
            Change(at, "", stream, name, stream, 0, (), 0, "deleted", False, None)
            for stream, (at, name) in self._gone.items()
        ]
        there = [
            self._of(number, streams[stream].stream, numbers)
            for stream, numbers in self._matches.items()
        ]
        found = sorted((*gone, *there), key=lambda each: each.number)
        return Changes(
            ChangeCursor(self._last), tuple(each for each in found if each.number > number)
        )

    def _of(self, after: int, stream: Stream, numbers: Mapping[str, int]) -> Change:
        what = tuple(each for each in get_args(What) if numbers.get(each, 0) > after)
        state = "trashed" if stream.trashed else "there"
        last = max(numbers.values())
        number, name = stream.id, stream.public_id
        return Change(last, "", number, name, number, 0, what, stream.head, state, False, None)


class Derived:
    """The summaries of matches, and their moves."""

    def __init__(self) -> None:
        self.summaries: dict[int, Summary] = {}
        self.moves: dict[int, IndexedMatch] = {}

    def is_due(self, stream: Stream) -> bool:
        return stream.id not in self.summaries or self.summaries[stream.id].head < stream.head

    def is_unindexed(self, stream: Stream) -> bool:
        return stream.id not in self.moves or self.moves[stream.id].head < stream.head

    def summarise(self, stream: int, summary: Summary) -> None:
        before = self.summaries.get(stream, summary)
        self.summaries[stream] = summary if before.head <= summary.head else before

    def index(self, stream: int, known: IndexedMatch, after: int) -> None:
        before = self.moves.get(stream, known).steps
        kept = [step for step in before if step.version <= after]
        steps = sorted((*kept, *known.steps), key=lambda step: step.version)
        self.moves[stream] = IndexedMatch(known.head, steps)

    def forget(self, stream: int) -> None:
        self.summaries.pop(stream, None)
        self.moves.pop(stream, None)

    def seen(
        self, key: bytes, streams: Iterable[Stream], owner: Callable[[int, int], int]
    ) -> list[MoveCount]:
        """Count the moves made in a position; `owner` returns the stream of an event."""
        first: dict[tuple[int, int], tuple[int, IndexedStep]] = {}
        for stream in sorted(each.id for each in streams):
            for step in self._steps(stream, key):
                first.setdefault((owner(stream, step.version), step.version), (stream, step))
        moves = {(step.seat, step.text, stream) for stream, step in first.values()}
        counted = Counter(
            (seat, token, self.summaries[stream].kind, self.summaries[stream].result)
            for seat, token, stream in moves
            if stream in self.summaries
        )
        return [MoveCount(*which, number) for which, number in sorted(counted.items())]

    def _steps(self, stream: int, key: bytes) -> Iterator[IndexedStep]:
        if stream in self.moves:
            yield from (step for step in self.moves[stream].steps if step.key == key)


class Model:
    """Streams, log, facts and indexes of a store, each method as its protocol says."""

    def __init__(self) -> None:
        self._streams: dict[int, _Kept] = {}
        self._ids: dict[tuple[str, str], int] = {}
        """The streams by kind and public id."""
        self._noted: dict[int, int] = {}
        """The notes by the match they are about."""
        self._forked: dict[int, list[int]] = {}
        """The forks by their parent, oldest first."""
        self._derived = Derived()
        self._numbers = Numbers()
        self._last = 0

    def create(
        self,
        stream: NewStream,
        events: Sequence[NewEvent] = (),
        facts: Mapping[str, str] | None = None,
        notes: Sequence[NewEvent] = (),
    ) -> Future[Stream]:
        new = Creation(stream, events, facts or {}, notes)
        return self._write(lambda: self._create_all([new])[0])

    def create_all(self, creations: Sequence[Creation]) -> Future[list[Stream]]:
        return self._write(lambda: self._create_all(creations))

    def append(
        self, stream: int, expected: int, events: Sequence[NewEvent], summary: Summary | None = None
    ) -> Future[Appended]:
        return self._write(lambda: self._append(stream, expected, events, summary))

    def read(self, stream: int, after: int = 0, until: int | None = None) -> list[StoredEvent]:
        return self._visible(
            self._kept(stream), after, validation.MAX_VERSION if until is None else until
        )

    def find(self, public_id: str) -> Stream:
        public_id = validation.as_text(public_id)
        found = [one for one in self._matches() if one.public_id.startswith(public_id)]
        return validation.match_by_prefix(public_id, sorted(found, key=lambda one: one.public_id))

    def stream(self, stream: int) -> Stream:
        return self._kept(stream).stream

    def notes(self, subject: int) -> Stream | None:
        return self._notes(subject)

    def forks(self, stream: int) -> list[Stream]:
        self._kept(stream)
        return self._forks(stream)

    def matches(
        self,
        *,
        trashed: bool = False,
        before: int | None = None,
        having: MetadataItem | None = None,
    ) -> Iterator[Stream]:
        last = validation.MAX_VERSION if before is None else before
        fitting = (one for one in self._matches() if one.trashed == trashed and one.id < last)
        return iter([one for one in fitting if having is None or self._has(one, having)])

    def metadata(self, stream: int) -> dict[str, str]:
        return dict(self._kept(stream).facts)

    def set_metadata(self, stream: int, facts: Mapping[str, str | None]) -> Future[None]:
        return self._write(lambda: self._set_facts(stream, facts))

    def trash(self, stream: int, trashed: bool = True) -> Future[None]:
        return self._write(lambda: self._trash(self._writable(stream), trashed))

    def purge(
        self,
        stream: int,
        taking: Collection[int] = (),
        leaving: Collection[int] = (),
        facts: Collection[str] = (),
    ) -> Future[None]:
        return self._write(lambda: self._purge(stream, taking, leaving, facts))

    def texts_due(self, limit: int | None = None) -> list[Stream]:
        return sorted(filter(self._is_outdated, self._matches()), key=lambda one: one.id)

    def index(
        self, stream: int, texts: Sequence[Text], notes: int, facts: Mapping[str, str]
    ) -> Future[None]:
        return self._write(lambda: self._index(self._writable(stream), tuple(texts), notes, facts))

    def search(self, query: str, limit: int, before: int | None = None) -> list[Hit]:
        last = validation.MAX_VERSION if before is None else before
        hits = [hit for hit in self._search(words(query)) if hit.stream.id < last]
        return hits[: max(limit, 0)]

    def summaries_due(self) -> list[Stream]:
        due = filter(self._derived.is_due, self._matches())
        return sorted(due, key=lambda each: each.id)

    def summarise(self, stream: int, summary: Summary) -> Future[None]:
        return self._write(
            lambda: self._derived.summarise(self._writable(stream).stream.id, summary)
        )

    def listed(self, wanted: SummaryFilter, before: int | None = None) -> Iterator[ListedMatch]:
        last = validation.MAX_VERSION if before is None else before
        for each in self._in_sight():
            known = self._derived.summaries.get(each.id)
            summary = None if self._derived.is_due(each) else known
            if each.id < last and (summary is None or wanted.kind in (None, summary.kind)):
                yield ListedMatch(each, self._streams[each.id].facts, summary, 0, 0)

    def positions_due(self, limit: int | None = None) -> list[Stream]:
        unknown = filter(self._derived.is_unindexed, self._matches())
        return sorted(unknown, key=lambda each: each.id)

    def count_positions_due(self) -> int:
        return len(self.positions_due())

    def index_match(self, stream: int, known: IndexedMatch, after: int = 0) -> Future[None]:
        return self._write(
            lambda: self._derived.index(self._writable(stream).stream.id, known, after)
        )

    def indexed_match(self, stream: int) -> IndexedMatch | None:
        return self._derived.moves.get(stream)

    def move_counts(
        self, key: bytes, without: MetadataItem | NotEqual | None = None
    ) -> list[MoveCount]:
        counting = [each for each in self._in_sight() if not self._belongs(each, without)]
        return self._derived.seen(key, counting, self._owner)

    def count_position(self, key: bytes) -> Future[None]:
        return self._write(lambda: None)  # it counts what there is whenever it is asked

    def changes(self, cursor: ChangeCursor | None) -> Changes:
        now = self._numbers.since(cursor.number if cursor else 0, self._streams)
        return now if cursor else replace(now, found=())

    def _write(self, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(work())
        except Exception as error:
            future.set_exception(error)
        return future

    def _looked_up(self, stream: int) -> _Kept | None:
        return self._streams.get(stream)

    def _kept(self, stream: int) -> _Kept:
        kept = self._looked_up(stream)
        if kept is None:
            raise validation.unknown_stream_error(stream)
        return kept

    def _writable(self, stream: int) -> _Kept:
        kept = self._kept(stream)
        if kept.stream.is_carrier:
            raise validation.unknown_stream_error(stream)
        return kept

    def _matches(self) -> Iterator[Stream]:
        newest_first = (kept.stream for kept in reversed(self._streams.values()))
        return (one for one in newest_first if one.kind == "match" and not one.is_carrier)

    def _notes(self, subject: int) -> Stream | None:
        number = self._noted.get(subject)
        return None if number is None else self._streams[number].stream

    def _visible(self, kept: _Kept, after: int, until: int) -> list[StoredEvent]:
        parts = []
        while until > after:
            parts.append(kept.events[max(after - kept.base, 0) : max(until - kept.base, 0)])
            until = min(until, kept.base)
            if kept.stream.parent is None:
                break
            kept = self._streams[kept.stream.parent]
        return [event for part in reversed(parts) for event in part]

    def _create_all(self, creations: Sequence[Creation]) -> list[Stream]:
        last, numbers = self._last, copy.deepcopy(self._numbers)
        made: list[Stream] = []
        try:
            for one in creations:
                made.append(self._create(validation.resolve_parent(one, made), one))
        except Exception:
            for number in range(self._last, last, -1):
                self._remove(number)
            self._last, self._numbers = last, numbers
            raise
        return made

    def _create(self, new: NewStream, one: Creation) -> Stream:
        kept = self._built(new, one.events, one.metadata)
        self._last = kept.stream.id
        self._add(kept)
        if new.subject is None:
            self._numbers.note(kept.stream.id, "opened")
        if kept.events:
            self._note_events(kept.stream)
        for name in one.metadata:
            self._numbers.note(kept.stream.id, _what_of_fact(name))
        if one.notes:
            notes = validation.notes_of(kept.stream)
            self._create(notes, Creation(notes, one.notes))
        return kept.stream

    def _built(self, new: NewStream, events: Sequence[NewEvent], facts: Mapping[str, str]) -> _Kept:
        validation.check_stream(new)
        validation.check_events(events)
        validation.check_metadata(facts)
        self._check_free(new)
        kept = _Kept(self._started(new), facts=dict(facts))
        if found := self._found(kept, events):
            raise validation.event_ids_taken_error(found)
        self._link(kept, events)
        return kept

    def _check_free(self, new: NewStream) -> None:
        if new.subject is not None:
            validation.check_subject(self._kept(new.subject).stream)
            if self._notes(new.subject):
                raise validation.match_id_taken_error(new)
        if (new.kind, new.public_id) in self._ids:
            raise validation.match_id_taken_error(new)

    def _started(self, new: NewStream) -> Stream:
        origin = header_hash(new.header, self._parent_hash(new))
        return Stream(
            id=self._last + 1,
            public_id=new.public_id,
            kind=new.kind,
            header=new.header,
            subject=new.subject,
            parent=new.parent,
            fork_version=new.fork_version,
            fork_ply=new.fork_ply,
            origin=origin,
            head=new.fork_version or 0,
            head_hash=origin,
            trashed=False,
        )

    def _parent_hash(self, new: NewStream) -> bytes:
        if new.parent is None:
            return b""
        parent = self._kept(new.parent)
        validation.check_fork(new, parent.stream)
        fork = new.fork_version or 0
        return self._visible(parent, fork - 1, fork)[0].hash if fork else parent.stream.origin

    def _append(
        self, stream: int, expected: int, events: Sequence[NewEvent], summary: Summary | None
    ) -> Appended:
        kept = self._writable(stream)
        validation.check_events(events)
        if found := self._found(kept, events):
            return validation.repeated_append(events, found)
        validation.check_head(kept.stream, expected)
        if summary is not None:
            validation.check_summary(summary, expected + len(events))
            self._derived.summarise(stream, summary)
        return self._extend(kept, events)

    def _found(self, kept: _Kept, events: Sequence[NewEvent]) -> list[StoredEvent]:
        ids = {event.id for event in events}
        return [one for one in self._visible(kept, 0, validation.MAX_VERSION) if one.id in ids]

    def _extend(self, kept: _Kept, events: Sequence[NewEvent]) -> Appended:
        if events:
            self._note_events(kept.stream)
        return self._link(kept, events)

    def _note_events(self, stream: Stream) -> None:
        match, what = (stream.subject, "notes") if stream.subject else (stream.id, "events")
        self._numbers.note(match, what)

    def _link(self, kept: _Kept, events: Sequence[NewEvent]) -> Appended:
        new = hash_chain.chain_events(kept.stream.head, kept.stream.head_hash, events)
        kept.events.extend(new)
        if new:
            self._change(kept, head=new[-1].version, head_hash=new[-1].hash)
        return Appended(tuple(new), kept.stream.head_hash)

    def _trash(self, kept: _Kept, trashed: bool) -> None:
        if kept.stream.trashed != trashed and kept.stream.subject is None:
            self._numbers.note(kept.stream.id, "trash")
        self._change(kept, trashed=trashed)

    def _change(self, kept: _Kept, **changes: int | bytes) -> None:
        kept.stream = replace(kept.stream, **changes)

    def _set_facts(self, stream: int, facts: Mapping[str, str | None]) -> None:
        kept = self._writable(stream).facts
        validation.check_metadata(facts)
        for name, value in facts.items():
            if value != kept.get(name):
                self._numbers.note(stream, _what_of_fact(name))
            if value is None:
                kept.pop(name, None)
            else:
                kept[name] = value
        _forget([self._streams[stream]])

    def _is_outdated(self, stream: Stream) -> bool:
        noted, notes = self._streams[stream.id].noted, self._notes(stream.id)
        return noted is None or noted < (notes.head if notes else 0)

    def _index(
        self, kept: _Kept, texts: tuple[Text, ...], notes: int, facts: Mapping[str, str]
    ) -> None:
        validation.check_texts(texts)
        if kept.facts == dict(facts):
            kept.texts, kept.noted = texts, notes

    def _search(self, asked: list[str]) -> Iterator[Hit]:
        for stream in self._matches() if asked else ():
            if not stream.trashed:
                texts = self._streams[stream.id].texts
                yield from (Hit(stream, text) for text in texts if fits(asked, text.text))

    def _in_sight(self) -> list[Stream]:
        return [each for each in self._matches() if not each.trashed]

    def _has(self, stream: Stream, fact: MetadataItem | NotEqual) -> bool:
        value = self._streams[stream.id].facts.get(fact.name)
        if isinstance(fact, NotEqual):
            return value is not None and value not in fact.values
        return value == fact.value

    def _belongs(self, stream: Stream, fact: MetadataItem | NotEqual | None) -> bool:
        """Return whether a match has the fact, or is a variation of one that has it."""
        while fact is not None and not self._has(stream, fact):
            known = self._derived.summaries.get(stream.id)
            if stream.parent is None or (known is not None and known.kind == "match"):
                return False
            stream = self._streams[stream.parent].stream
        return fact is not None

    def _owner(self, stream: int, version: int) -> int:
        """Return the number of the stream whose own log has an event of this stream."""
        kept = self._streams[stream]
        while version <= kept.base and kept.stream.parent is not None:
            kept = self._streams[kept.stream.parent]
        return kept.stream.id

    def _purge(
        self, stream: int, taking: Collection[int], leaving: Collection[int], facts: Collection[str]
    ) -> None:
        self._writable(stream)
        purged = sorted({stream, *taking}, reverse=True)  # a fork goes before what it leaves
        for number in purged:
            self._kept(number)
            for fork in self._forks(number):
                if not (fork.is_carrier or fork.id in leaving or fork.id in purged):
                    raise validation.fork_needs_log_error(self._kept(number).stream, fork.public_id)
        for number in purged:
            kept = self._kept(number)
            kept.facts = {name: kept.facts[name] for name in kept.facts if name in facts}
            parent = kept.stream.parent
            self._reduce(kept)
            while parent is not None and (kept := self._kept(parent)).stream.is_carrier:
                forks, parent = self._forks(parent), kept.stream.parent
                self._reduce(kept)
                if forks:
                    break

    def _reduce(self, kept: _Kept) -> None:
        """Delete a stream, or keep the part of it that its forks share."""
        stream = kept.stream
        notes = self._notes(stream.id)
        if notes:
            self._remove(notes.id)
            self._derived.forget(notes.id)
        self._derived.forget(stream.id)
        forks = self._forks(stream.id)
        if forks:
            self._carry(kept, max(fork.fork_version or 0 for fork in forks))
        else:
            self._remove(stream.id)

    def _carry(self, kept: _Kept, until: int) -> None:
        number = kept.stream.id
        del kept.events[max(until - kept.base, 0) :]
        last = kept.events[-1] if kept.events else None
        self._numbers.delete(number, kept.stream.public_id)
        _forget([kept])
        self._ids.pop((kept.stream.kind, kept.stream.public_id))
        self._ids[kept.stream.kind, validation.carrier_id(number)] = number
        kept.stream = replace(
            kept.stream,
            public_id=validation.carrier_id(number),
            head=last.version if last else kept.base,
            head_hash=last.hash if last else kept.stream.origin,
            trashed=True,
        )

    def _forks(self, stream: int) -> list[Stream]:
        return [self._streams[number].stream for number in self._forked.get(stream, ())]

    def _add(self, kept: _Kept) -> None:
        stream = kept.stream
        self._streams[stream.id] = kept
        self._ids[stream.kind, stream.public_id] = stream.id
        if stream.subject is not None:
            self._noted[stream.subject] = stream.id
        if stream.parent is not None:
            self._forked.setdefault(stream.parent, []).append(stream.id)

    def _remove(self, number: int) -> None:
        stream = self._streams.pop(number).stream
        if stream.subject is not None:
            self._numbers.note(stream.subject, "notes")
        self._numbers.delete(number, stream.public_id)
        del self._ids[stream.kind, stream.public_id]
        if stream.subject is not None:
            del self._noted[stream.subject]
        if stream.parent is not None:
            self._forked[stream.parent].remove(number)


def _what_of_fact(name: str) -> str:
    is_seat = name[:4] == "Seat" and name[4:] in list("123456789")
    return "names" if is_seat else "details" if "." in name else "tags"


def _forget(streams: Iterable[_Kept]) -> None:
    for kept in streams:
        kept.texts, kept.noted = (), None
