"""A store that lives as long as its process: for tests, `check`, and trying things out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec.structs import replace

from replay.store import validation
from replay.store.commit_order import Order
from replay.store.hash_chain import header_hash
from replay.store.position_index import Survey
from replay.store.protocol import (
    Appended,
    Capability,
    ChangeCursor,
    Changes,
    Condition,
    Creation,
    Fact,
    Hit,
    Hook,
    IndexedLine,
    IndexedMatch,
    IndexedStep,
    IndexedTexts,
    MoveCount,
    NewEvent,
    NewStream,
    Observer,
    StoredEvent,
    Stream,
    Text,
    Unlike,
)
from replay.store.search_words import fits, words

T = TypeVar("T")
Key = tuple[str, int | None]


@dataclass
class _Kept:
    """A stream, its own events, and the mutable facts beside them."""

    stream: Stream
    events: list[StoredEvent] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    keys: dict[bytes, Key] = field(default_factory=dict)
    held: dict[str, bytes] = field(default_factory=dict)
    texts: tuple[Text, ...] = ()
    noted: int | None = None
    """How many notes the texts were made from, if they are there."""

    @property
    def base(self) -> int:
        """The version that its own events come after."""
        return self.stream.fork_version or 0


class MemoryStore:
    """The `Store` protocol over a dictionary. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._streams: dict[int, _Kept] = {}
        self._ids: dict[tuple[str, str], int] = {}
        """The streams by kind and public id."""
        self._noted: dict[int, int] = {}
        """The notes by the match they are about."""
        self._forked: dict[int, list[int]] = {}
        """The forks by their parent, oldest first."""
        self._survey = Survey()
        self._order = Order()
        self._hooks: dict[str, Hook] = {}
        self._last = 0
        self._writes = 0
        self._closed = False

    def create(
        self,
        stream: NewStream,
        events: Sequence[NewEvent] = (),
        facts: Mapping[str, str] | None = None,
        notes: Sequence[NewEvent] = (),
    ) -> Future[Stream]:
        """Create a stream with its first events, facts and notes, all or nothing."""
        new = Creation(stream, events, facts or {}, notes)
        return self._write(lambda: self._create_all([new])[0])

    def create_all(self, creations: Sequence[Creation]) -> Future[list[Stream]]:
        """Create streams, and forks of those among them, all or nothing."""
        return self._write(lambda: self._create_all(creations))

    def append(self, stream: int, expected: int, events: Sequence[NewEvent]) -> Future[Appended]:
        """Append events at the expected version, all or nothing."""
        return self._write(lambda: self._append(stream, expected, events))

    def read(self, stream: int, after: int = 0, until: int | None = None) -> list[StoredEvent]:
        """Return the events of a stream (a fork's shared part included) with after < version."""
        with self._lock:
            return self._visible(
                self._kept(stream), after, validation.LAST if until is None else until
            )

    def find(self, public_id: str) -> Stream:
        """Return the match whose public id is this or begins so (at least 4 characters)."""
        public_id = validation.as_text(public_id)
        with self._lock:
            found = [one for one in self._matches() if one.public_id.startswith(public_id)]
        return validation.the_one(public_id, sorted(found, key=lambda one: one.public_id))

    def stream(self, stream: int) -> Stream:
        """Return a stream by its number."""
        with self._lock:
            return self._kept(stream).stream

    def notes(self, subject: int) -> Stream | None:
        """Return the stream of annotations of a match, if there is one."""
        with self._lock:
            return self._notes(subject)

    def forks(self, stream: int) -> list[Stream]:
        """Return the forks of a stream, oldest first, also those in the trash."""
        with self._lock:
            self._kept(stream)
            return self._forks(stream)

    def matches(
        self, *, trashed: bool = False, before: int | None = None, having: Fact | None = None
    ) -> Iterator[Stream]:
        """Return all matches, newest first, those in the trash or those that are not."""
        last = validation.LAST if before is None else before
        with self._lock:
            fitting = (one for one in self._matches() if one.trashed == trashed and one.id < last)
            return iter([one for one in fitting if having is None or self._has(one, having)])

    def facts(self, stream: int) -> dict[str, str]:
        """Return the mutable facts of a stream in their order: player names, tags."""
        with self._lock:
            return dict(self._kept(stream).facts)

    def set_facts(self, stream: int, facts: Mapping[str, str | None]) -> Future[None]:
        """Set facts, or with `None` erase them. They are outside the hash chain."""
        return self._write(lambda: self._set_facts(stream, facts))

    def private_value(self, stream: int, name: str) -> bytes | None:
        """Return a private value that a stream was created with, if it was with one."""
        with self._lock:
            return self._kept(stream).held.get(name)

    def add_key(self, stream: int, digest: bytes, role: str, seat: int | None) -> Future[None]:
        """Add a capability: the SHA-256 of a token, and what its bearer may do."""
        return self._write(lambda: self._writable(stream).keys.update({digest: (role, seat)}))

    def key(self, stream: int, digest: bytes) -> tuple[str, int | None] | None:
        """Return role and seat of a capability of this stream, if it is one."""
        with self._lock:
            kept = self._looked_up(stream)
            return kept.keys.get(digest) if kept else None

    def keys(self, stream: int) -> list[Capability]:
        """Return the capabilities of a stream."""
        with self._lock:
            return [(digest, *key) for digest, key in self._kept(stream).keys.items()]

    def matches_for_token(self, digest: bytes) -> list[Stream]:
        """Return the matches that have a capability with this digest, oldest first."""
        with self._lock:
            there = (each for each in self._matches() if digest in self._streams[each.id].keys)
            return sorted(there, key=lambda each: each.id)

    def drop_key(self, stream: int, digest: bytes) -> Future[None]:
        """Forget a capability, if there is such a one."""
        return self._write(lambda: self._drop_key(stream, digest))

    def add_hook(self, hook: Hook) -> Future[None]:
        """Add a hook to a stream."""
        return self._write(lambda: self._add_hook(hook))

    def hooks(self, stream: int | None = None) -> list[Hook]:
        """Return the hooks of a stream, or of all, oldest first."""
        with self._lock:
            there = self._all_hooks()
        return sorted(
            (hook for hook in there if stream in (None, hook.stream)),
            key=lambda hook: (hook.created, hook.id),
        )

    def hooks_due(self) -> list[Hook]:
        """Return the hooks that lack events of their match, the first due first."""
        with self._lock:
            late = [hook for hook in self._all_hooks() if self._lacks(hook)]
        return sorted(late, key=lambda hook: (hook.due, hook.id))

    def claim_hook(self, hook: str, now: int, until: int) -> Future[Hook | None]:
        """Let one server have a hook to itself until then, to call it, if it is to be called."""
        return self._write(lambda: self._claim_hook(hook, now, until))

    def put_hook(self, hook: Hook) -> Future[None]:
        """Note how far a hook has come, and let go of it, if it is claimed as it was."""
        return self._write(lambda: self._put_hook(hook))

    def revive_hook(self, hook: str, due: int) -> Future[None]:
        """Let a hook be called as if it had never failed."""
        return self._write(lambda: self._revive_hook(hook, due))

    def drop_hook(self, hook: str) -> Future[None]:
        """Forget a hook, if there is such a one."""
        return self._write(lambda: self._drop_hook(hook))

    def trash(self, stream: int, trashed: bool = True) -> Future[None]:
        """Put a match into the trash, or take it out."""
        return self._write(lambda: self._change(self._writable(stream), trashed=trashed))

    def purge(
        self,
        stream: int,
        taking: Collection[int] = (),
        leaving: Collection[int] = (),
        facts: Collection[str] = (),
    ) -> Future[None]:
        """Delete a match and its notes for good, with the forks `taking`."""
        return self._write(lambda: self._purge(stream, taking, leaving, facts))

    def erase_notes(self, subject: int, ids: Collection[bytes]) -> Future[None]:
        """Delete notes of a match for good, and rebuild the hash chain of the others."""
        return self._write(lambda: self._erase_notes(subject, ids))

    def matches_to_index(self) -> list[Stream]:
        """Return the matches with notes or facts that search does not know yet."""
        with self._lock:
            return sorted(filter(self._is_outdated, self._matches()), key=lambda one: one.id)

    def index(
        self, stream: int, texts: Sequence[Text], notes: int, facts: Mapping[str, str]
    ) -> Future[None]:
        """Let a match be found by these texts, made from its first `notes` notes and its facts."""
        return self._write(lambda: self._index(self._writable(stream), tuple(texts), notes, facts))

    def search(self, query: str, limit: int, before: int | None = None) -> list[Hit]:
        """Return texts of matches where every word of the query begins a word."""
        last = validation.LAST if before is None else before
        with self._lock:
            hits = [hit for hit in self._search(words(query)) if hit.stream.id < last]
        return hits[: max(limit, 0)]

    def forget_texts(self) -> Future[None]:
        """Forget all texts: every match is outdated then."""
        return self._write(lambda: _forget(self._streams.values()))

    def unindexed_matches(self) -> list[Stream]:
        """Return the matches whose line is not known, or not as it stands now, oldest first."""
        with self._lock:
            unknown = (each for each in self._matches() if not self._survey.knows(each))
            return sorted(unknown, key=lambda each: each.id)

    def index_match(
        self, stream: int, head: int, line: IndexedLine, steps: Sequence[IndexedStep]
    ) -> Future[None]:
        """Let the line of a match be known as it stands at a version."""
        return self._write(
            lambda: self._survey.put(self._writable(stream).stream.id, head, line, steps)
        )

    def indexed_lines(self) -> list[tuple[Stream, IndexedLine]]:
        """Return the lines that are known, oldest match first, without the trash."""
        with self._lock:
            return self._survey.lines(sorted(self._in_sight(), key=lambda each: each.id))

    def move_counts(self, key: bytes, without: Fact | Unlike | None = None) -> list[MoveCount]:
        """Count the moves made in the position of a key, by seat, token, kind and result."""
        with self._lock:
            counting = [each for each in self._in_sight() if not self._belongs(each, without)]
            return self._survey.seen(key, counting, self._owner)

    def forget_index(self) -> Future[None]:
        """Forget all lines: every match is unsurveyed then."""
        return self._write(self._survey.forget_all)

    def indexed_match(self, stream: int) -> IndexedMatch | None:
        """Return what is known of the line of a match, if anything is."""
        with self._lock:
            return self._survey.known(stream)

    def indexed_texts(self, stream: int) -> IndexedTexts | None:
        """Return the texts that a match is found by, if there are any."""
        with self._lock:
            kept = self._kept(stream)
            return None if kept.noted is None else IndexedTexts(kept.noted, list(kept.texts))

    def rebuild_indexes(self) -> Future[None]:
        """Do nothing: there are none."""
        return self._write(lambda: None)

    def replace_derived(
        self, surveys: Mapping[int, IndexedMatch], texts: Mapping[int, IndexedTexts]
    ) -> Future[None]:
        """Put these lines and texts of matches in place of all there are."""

        def replace_all() -> None:
            self._survey.forget_all()
            _forget(self._streams.values())
            for number, known in surveys.items():
                if number in self._streams:
                    self._survey.put(number, known.head, known.line, known.steps)
            for number, found in texts.items():
                if number in self._streams:
                    kept = self._streams[number]
                    self._index(kept, tuple(found.texts), found.notes, found.facts)

        return self._write(replace_all)

    def changes(self, cursor: ChangeCursor | None) -> Changes:
        """Return which streams have new events since a cursor; without one, begin here."""
        with self._lock:
            return self._changes(cursor)

    def data_version(self) -> int:
        """Return a number that is another one after anything was stored."""
        with self._lock:
            if self._closed:
                raise validation.closed()
            return self._writes

    def probe(self) -> Future[None]:
        """Do nothing, unless it is closed."""
        return self._write(lambda: None)

    def condition(self) -> Condition:
        """Return that there is neither a log nor a disk."""
        return Condition(0, 0)

    def observe(self, observer: Observer) -> None:
        """Report nothing: there is no disk to wait for."""

    def close(self) -> None:
        """Refuse whatever comes after."""
        with self._lock:
            self._closed = True

    def _write(self, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        try:
            with self._lock:
                if self._closed:
                    raise validation.closed()
                result = work()
                self._writes += 1
        except Exception as error:  # as a store with a writer thread would answer it
            future.set_exception(error)
        else:
            future.set_result(result)
        return future

    def _looked_up(self, stream: int) -> _Kept | None:
        if self._closed:
            raise validation.closed()
        return self._streams.get(stream)

    def _kept(self, stream: int) -> _Kept:
        kept = self._looked_up(stream)
        if kept is None:
            raise validation.unknown(stream)
        return kept

    def _writable(self, stream: int) -> _Kept:
        kept = self._kept(stream)
        if kept.stream.is_carrier:
            raise validation.unknown(stream)
        return kept

    def _matches(self) -> Iterator[Stream]:
        if self._closed:
            raise validation.closed()
        newest_first = (kept.stream for kept in reversed(self._streams.values()))
        return (one for one in newest_first if one.kind == "match" and not one.is_carrier)

    def _notes(self, subject: int) -> Stream | None:
        if self._closed:
            raise validation.closed()
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
        last = self._last
        made: list[Stream] = []
        try:
            for one in creations:
                made.append(self._create(validation.placed(one, made), one))
        except Exception:
            for number in range(self._last, last, -1):
                self._remove(number)
            self._last = last
            raise
        return made

    def _create(self, new: NewStream, one: Creation) -> Stream:
        validation.check_held(one.held)
        kept = self._built(new, one.events, one.facts)
        kept.held.update(one.held)
        kept.keys.update({digest: (role, seat) for digest, role, seat in one.keys})
        self._last = kept.stream.id
        self._add(kept)
        if one.notes:
            notes = validation.notes_of(kept.stream)
            self._create(notes, Creation(notes, one.notes))
        return kept.stream

    def _built(self, new: NewStream, events: Sequence[NewEvent], facts: Mapping[str, str]) -> _Kept:
        validation.check_stream(new)
        validation.check_events(events)
        validation.check_facts(facts)
        self._check_free(new)
        kept = _Kept(self._started(new), facts=dict(facts))
        if found := self._found(kept, events):
            raise validation.used(found)
        self._extend(kept, events)
        return kept

    def _check_free(self, new: NewStream) -> None:
        if new.subject is not None:
            validation.check_subject(self._kept(new.subject).stream)
            if self._notes(new.subject):
                raise validation.taken(new)
        if (new.kind, new.public_id) in self._ids:
            raise validation.taken(new)

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

    def _append(self, stream: int, expected: int, events: Sequence[NewEvent]) -> Appended:
        kept = self._writable(stream)
        validation.check_events(events)
        if found := self._found(kept, events):
            return validation.repeated(events, found)
        validation.check_head(kept.stream, expected)
        return self._extend(kept, events)

    def _found(self, kept: _Kept, events: Sequence[NewEvent]) -> list[StoredEvent]:
        ids = {event.id for event in events}
        return [one for one in self._visible(kept, 0, validation.LAST) if one.id in ids]

    def _extend(self, kept: _Kept, events: Sequence[NewEvent]) -> Appended:
        new = validation.chained(kept.stream.head, kept.stream.head_hash, events)
        kept.events.extend(new)
        self._order.add(kept.stream.id, len(new))
        if new:
            self._change(kept, head=new[-1].version, head_hash=new[-1].hash)
        return Appended(tuple(new), kept.stream.head_hash)

    def _change(self, kept: _Kept, **changes: int | bytes) -> None:
        kept.stream = replace(kept.stream, **changes)

    def _set_facts(self, stream: int, facts: Mapping[str, str | None]) -> None:
        kept = self._writable(stream).facts
        validation.check_facts(facts)
        for name, value in facts.items():
            if value is None:
                kept.pop(name, None)
            else:
                kept[name] = value
        _forget([self._streams[stream]])

    def _erase_notes(self, subject: int, ids: Collection[bytes]) -> None:
        match = self._writable(subject)
        notes = self._notes(subject)
        if notes is None:
            return
        kept = validation.without(self._streams[notes.id].events, ids)
        self._remove(notes.id)
        if kept:
            new = validation.notes_of(match.stream)
            self._create(new, Creation(new, kept))
        _forget([match])

    def _drop_key(self, stream: int, digest: bytes) -> None:
        self._kept(stream).keys.pop(digest, None)

    def _all_hooks(self) -> list[Hook]:
        if self._closed:
            raise validation.closed()
        return list(self._hooks.values())

    def _add_hook(self, hook: Hook) -> None:
        self._writable(hook.stream)
        if hook.id in self._hooks:
            raise validation.hooked(hook)
        self._hooks[hook.id] = hook

    def _lacks(self, hook: Hook) -> bool:
        stream = self._streams[hook.stream].stream
        return not (hook.dead or stream.trashed) and hook.delivered < stream.head

    def _claim_hook(self, name: str, now: int, until: int) -> Hook | None:
        hook = self._hooks.get(name)
        if hook is None or not self._lacks(hook) or max(hook.due, hook.claimed) > now:
            return None
        self._hooks[name] = replace(hook, claimed=until)
        return self._hooks[name]

    def _put_hook(self, hook: Hook) -> None:
        there = self._hooks.get(hook.id)
        if there is not None and there.claimed == hook.claimed:
            own = {"stream": there.stream, "url": there.url, "secret": there.secret}
            self._hooks[hook.id] = replace(hook, **own, created=there.created, claimed=0)

    def _revive_hook(self, name: str, due: int) -> None:
        if name in self._hooks:
            alive = {"failures": 0, "since": None, "due": due, "dead": False, "claimed": 0}
            self._hooks[name] = replace(self._hooks[name], **alive)

    def _drop_hook(self, hook: str) -> None:
        self._hooks.pop(hook, None)

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

    def _has(self, stream: Stream, fact: Fact | Unlike) -> bool:
        value = self._streams[stream.id].facts.get(fact.name)
        if isinstance(fact, Unlike):
            return value is not None and value not in fact.values
        return value == fact.value

    def _belongs(self, stream: Stream, fact: Fact | Unlike | None) -> bool:
        """Tell whether a match has the fact, or is a variation of one that has it."""
        while fact is not None and not self._has(stream, fact):
            if stream.parent is None or self._survey.kind(stream.id) == "match":
                return False
            stream = self._streams[stream.parent].stream
        return fact is not None

    def _owner(self, stream: int, version: int) -> int:
        """Return the number of the stream that an event of another one's log was appended to."""
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
                    raise validation.forked(self._kept(number).stream, fork.public_id)
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
        """Delete a stream, or leave of it what its forks share."""
        stream = kept.stream
        notes = self._notes(stream.id)
        if notes:
            self._remove(notes.id)
        self._hooks = {key: hook for key, hook in self._hooks.items() if hook.stream != stream.id}
        self._survey.forget(stream.id)
        forks = self._forks(stream.id)
        if forks:
            self._carry(kept, max(fork.fork_version or 0 for fork in forks))
        else:
            self._remove(stream.id)

    def _carry(self, kept: _Kept, until: int) -> None:
        number = kept.stream.id
        del kept.events[max(until - kept.base, 0) :]
        last = kept.events[-1] if kept.events else None
        self._order.cut(number, len(kept.events))
        kept.keys, kept.held = {}, {}
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
        self._order.forget(number)
        del self._ids[stream.kind, stream.public_id]
        if stream.subject is not None:
            del self._noted[stream.subject]
        if stream.parent is not None:
            self._forked[stream.parent].remove(number)

    def _changes(self, cursor: ChangeCursor | None) -> Changes:
        if self._closed:
            raise validation.closed()
        now = self._order.cursor(newest=max(self._streams, default=0))
        if cursor is None:
            return Changes(now, frozenset())
        if not self._order.holds(cursor):
            return Changes(now, None)
        fresh = {number for number in self._streams if number > cursor.newest}
        fresh |= self._order.since(cursor)
        subjects = {self._streams[number].stream.subject for number in fresh}
        return Changes(now, frozenset(fresh | {number for number in subjects if number}))


def _forget(streams: Iterable[_Kept]) -> None:
    for kept in streams:
        kept.texts, kept.noted = (), None
