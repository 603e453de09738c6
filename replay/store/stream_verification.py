"""Verify that a stream is unchanged: compute every hash again, from the headers up.

This module knows no games. The caller checks that moves follow the rules, and that sealed parts fit
the digests in their events.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from replay.errors import Damaged, UnknownMatch
from replay.store.hash_chain import event_hash, header_hash
from replay.store.people_chain import fault_of
from replay.store.sql.store import Store
from replay.store.types import KeptPeople, StoredEvent, Stream


class StreamFault(Struct, frozen=True):
    """The first fault of a stream: its number, the version, and a description.

    `version` is `None` if the fault is in the stream itself and not in one of its events.
    """

    stream: int
    version: int | None
    what: str


class _Part(NamedTuple):
    """A stream of a lineage, and the version up to which its descendants share its log."""

    stream: Stream
    until: int | None

    @property
    def base(self) -> int:
        return self.stream.fork_version or 0

    @property
    def seen(self) -> bool:
        """Whether the verified events depend on this stream's own header."""
        return self.until is None or self.until > self.base or self.until == self.base == 0


class _Off(Exception):
    """Raised with the fault that ends the verification."""

    def __init__(self, stream: int, version: int | None, what: str) -> None:
        super().__init__(what)
        self.fault = StreamFault(stream, version, what)


def people_fault(origin: bytes, people: KeptPeople) -> str | None:
    """Return the first fault of a match's people; an old match may have names without events."""
    kept = people.events or people.texts or people.head.number
    return fault_of(origin, people) if kept else None


def verify_chain(store: Store, stream: int) -> StreamFault | None:
    """Return the first fault of a stream, as `read_verified` finds it."""
    read = read_verified(store, stream)
    return read if isinstance(read, StreamFault) else None


def read_verified(store: Store, stream: int) -> list[StoredEvent] | StreamFault:
    """Return a stream's events, or the first fault of the stream or an ancestor's shared log.

    Checks the headers, the fork addresses, every event's hash, that no version is missing, the
    head, and that the fork reads the events that its ancestors hold. Other programs may append
    meanwhile. Raises `UnknownMatch` if the stream does not exist, `StoreError` if the file cannot
    be read.
    """
    try:
        return _verify(store, stream)
    except _Off as off:
        return off.fault


def _verify(store: Store, number: int) -> list[StoredEvent]:
    line: list[StoredEvent] = []
    origin = b""
    for part in _lineage(store, number):
        if part.seen:
            _check_header(part, line, origin)
            line += _own_events(store, part)
        origin = part.stream.origin
    _check_head(store, part, line)
    _check_reading(store, part, line)
    return line


def _lineage(store: Store, number: int) -> list[_Part]:
    """Return the stream and its ancestors, the oldest first."""
    parts = [_Part(_stream(store, number), None)]
    while (parent := parts[-1].stream.parent) is not None:
        child = parts[-1]
        if parent >= child.stream.id:
            raise _Off(child.stream.id, None, f"its parent, stream {parent}, is younger")
        until = child.base if child.until is None else min(child.base, child.until)
        try:
            parts.append(_Part(_stream(store, parent), until))
        except UnknownMatch:
            raise _Off(child.stream.id, None, f"its parent, stream {parent}, is gone") from None
    return parts[::-1]


def _stream(store: Store, number: int) -> Stream:
    try:
        return store.stream(number)
    except Damaged as error:
        raise _Off(number, None, str(error)) from error


def _check_header(part: _Part, line: list[StoredEvent], parent_origin: bytes) -> None:
    """Check that the origin is the hash of the header, and of the parent at the fork."""
    stream = part.stream
    if len(line) < part.base:
        raise _Off(stream.id, None, f"it forks at version {part.base}, which its parent lacks")
    del line[part.base :]
    before = line[-1].hash if line else parent_origin
    if header_hash(stream.header, before) != stream.origin:
        raise _Off(stream.id, None, "its header, or the place of its fork, was changed")


def _own_events(store: Store, part: _Part) -> Iterator[StoredEvent]:
    """Yield a stream's own events, and check that each follows from the one before."""
    before, version = part.stream.origin, part.base
    for event in _read(store, part.stream, part.base, part.until):
        version += 1
        if event.version != version:
            raise _Off(part.stream.id, version, "this event is missing")
        if event_hash(before, event) != event.hash:
            raise _Off(part.stream.id, version, "this event does not match its hash")
        before = event.hash
        yield event


def _read(store: Store, stream: Stream, after: int, until: int | None) -> Iterator[StoredEvent]:
    """Yield events.

    If the events cannot be read together, read one at a time up to the faulty event.
    """
    try:
        yield from store.read(stream.id, after, until)
        return
    except Damaged as error:
        whole = error
    for version in range(after + 1, max(stream.head, after) + 1):
        try:
            found = store.read(stream.id, version - 1, version)
        except Damaged as error:
            raise _Off(stream.id, version, str(error)) from error
        if not found:
            break
        yield from found
    raise _Off(stream.id, None, str(whole)) from whole


def _check_head(store: Store, part: _Part, line: list[StoredEvent]) -> None:
    """Check the head as it was when verification began; it may have moved since."""
    stream = part.stream
    if len(line) < stream.head:
        what = f"this event is missing: the head is at version {stream.head}"
        raise _Off(stream.id, len(line) + 1, what)
    now = _stream(store, stream.id).head
    if len(line) > now:
        raise _Off(stream.id, now + 1, f"this event is beyond the head, version {now}")
    own = stream.head > part.base
    if stream.head_hash != (line[stream.head - 1].hash if own else stream.origin):
        raise _Off(stream.id, stream.head, "the hash of the head is not that of the last event")


def _check_reading(store: Store, part: _Part, line: list[StoredEvent]) -> None:
    """Check that the fork reads the shared part as its ancestors do."""
    shared = line[: part.base]
    read = list(_read(store, part.stream, 0, part.base))
    for version, (stored, found) in enumerate(zip(shared, read, strict=False), 1):
        if stored != found:
            raise _Off(part.stream.id, version, "this event differs from the parent's")
    if len(shared) != len(read):
        missing = min(len(shared), len(read)) + 1
        raise _Off(part.stream.id, missing, "only the fork or only its parent has this event")
