"""The current annotations of a match, and its stream with retracted ones redacted.

A fork also has its ancestors' annotations of the events that it shares. If the header of the match
says so, only the host reads what the host wrote before the end: `holds_notes` decides that, and
every reader of annotations uses `own_notes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.scene import Arrow, Mark, Scene
from replay.annotations.events import (
    DECODER,
    Annotation,
    Arrowed,
    Circled,
    Edited,
    Labelled,
    NoteEvent,
    Retracted,
)
from replay.book import Book
from replay.errors import Damaged, PlybookError, naming
from replay.record.match_record import MatchRecord, header_of
from replay.store import validation
from replay.store.hash_chain import event_hash, header_hash
from replay.store.sql.store import Store
from replay.store.types import NewEvent, StoredEvent, Stream
from replay.tags.names import OF_A_SEAT


class AnnotationChange(Struct, frozen=True):
    """A version of an annotation from a time on (milliseconds since 1970); `None` if retracted."""

    said: Annotation | None
    author: str
    at: int


class Remark(Struct, frozen=True):
    """An annotation with its history, the oldest version first. `id` is in hex."""

    id: str
    changes: tuple[AnnotationChange, ...]

    @property
    def on(self) -> int:
        """The version of the annotated event."""
        return self._first.on

    @property
    def kind(self) -> str:
        """The kind of annotation: a comment, glyph, arrow, circle or label."""
        return self._first.kind

    @property
    def said(self) -> Annotation | None:
        """The current content, or `None` if it was retracted."""
        return self.changes[-1].said

    @property
    def author(self) -> str:
        """The author of the first version."""
        return self.changes[0].author

    @property
    def at(self) -> int:
        """The time of the annotation's first version, in milliseconds since 1970."""
        return self.changes[0].at

    @property
    def edited(self) -> bool:
        """Whether the content was changed."""
        return len(self.changes) > 1

    @property
    def _first(self) -> Annotation:
        first = self.changes[0].said
        assert first is not None
        return first


Remarks = dict[str, Remark]
"""Annotations by their ids."""


class CurrentNotes(Struct, frozen=True):
    """The annotations of a match at a version, even retracted ones, and their stream, if any."""

    stream: Stream | None
    version: int
    by_id: Remarks

    @property
    def remarks(self) -> list[Remark]:
        """The annotations in the order of creation."""
        return [each for each in self.by_id.values() if each.on <= self.version]

    @property
    def standing(self) -> list[Remark]:
        """The annotations that are not retracted."""
        return [each for each in self.remarks if each.said is not None]

    def after(self, events: Sequence[NewEvent]) -> CurrentNotes:
        """Return the annotations after events that were appended to their stream."""
        by_id = dict(self.by_id)
        for event in events:
            _fold(by_id, DECODER.decode(event.data), event)
        return replace(self, by_id=by_id)


def current_notes(book: Book, record: MatchRecord, *, whole: bool = False) -> CurrentNotes:
    """Return the current annotations of a match; `whole` includes those that it holds back.

    An edit in a fork shows only in that fork. An annotation that was retracted in a match is absent
    from its forks, which have other hosts. Raises `Damaged` for unreadable notes.
    """
    notes, found = None, Remarks()
    for stream in reversed(list(_lineage(book, record.stream))):
        notes = book.store.notes(stream.id)
        own = stream.id == record.stream.id
        found = add_own(book, stream, notes, found, whole=whole and own)
    return CurrentNotes(notes, record.match.version, found)


def remarks(book: Book, record: MatchRecord, *, whole: bool = False) -> list[Remark]:
    """Return all annotations of a match in the order of creation, including retracted ones.

    `whole` includes those that it holds back. Raises `Damaged`.
    """
    return current_notes(book, record, whole=whole).remarks


def heads(book: Book, record: MatchRecord) -> tuple[tuple[bytes, bool], ...]:
    """Return the head hashes of the annotations of a match and its ancestors, and what is held."""
    notes = ((one, book.store.notes(one.id)) for one in _lineage(book, record.stream))
    return tuple((each.head_hash, holds_notes(book, one)) for one, each in notes if each)


def holds_notes(book: Book, stream: Stream) -> bool:
    """Return whether a match hides its host's annotations: it is in play and asks for it."""
    try:
        holds = header_of(stream).comments == "end"
        return holds and book.read(stream).state.outcome is None
    except PlybookError:  # nobody knows whether the match has ended
        return True


def is_held(stored: StoredEvent, event: NoteEvent) -> bool:
    """Return whether an event of notes is held back while a match holds them."""
    return not (stored.actor.startswith(OF_A_SEAT) or isinstance(event, Retracted))


def own_notes(
    book: Book, stream: Stream, notes: Stream | None, *, whole: bool = False
) -> Iterator[tuple[StoredEvent, NoteEvent]]:
    """Yield the events of a match's own annotations; without `whole`, omit the hidden ones.

    Raises `Damaged`.
    """
    holds = notes is not None and not whole and holds_notes(book, stream)
    for stored in book.store.read(notes.id) if notes else ():
        event = decode(stored)
        if not (holds and is_held(stored, event)):
            yield stored, event


def count_notes(book: Book, stream: Stream, *, whole: bool) -> int:
    """Return how many annotations have changed, as far as the reader may know."""
    notes = book.store.notes(stream.id)
    if notes is None or whole or not holds_notes(book, stream):
        return notes.head if notes else 0
    return sum(1 for _ in own_notes(book, stream, notes))


def add_own(
    book: Book, stream: Stream, notes: Stream | None, inherited: Remarks, *, whole: bool = False
) -> Remarks:
    """Return the annotations of a match: its own `notes`, and the `inherited` of its parent.

    `whole` includes those that the match holds back. Raises `Damaged`.
    """
    shared = stream.fork_version or 0
    seen = (each for each in inherited.values() if each.on <= shared and each.said is not None)
    found = {each.id: each for each in seen}
    with naming(stream.public_id):
        for stored, event in own_notes(book, stream, notes, whole=whole):
            _fold(found, event, stored)
    return found


def standing(book: Book, record: MatchRecord, *, whole: bool = False) -> list[Remark]:
    """Return the annotations of a match that are not retracted."""
    return current_notes(book, record, whole=whole).standing


def by_ply(book: Book, record: MatchRecord, *, whole: bool = False) -> dict[int, list[Remark]]:
    """Return the current annotations of the line by ply (0: the start).

    `whole` includes those that the match holds back.
    """
    plies = plies_by_version(record)
    grouped: dict[int, list[Remark]] = {}
    for remark in standing(book, record, whole=whole):
        if remark.on in plies:
            grouped.setdefault(plies[remark.on], []).append(remark)
    return grouped


def plies_by_version(record: MatchRecord) -> dict[int, int]:
    """Map the version of each event of the line to its ply (0: the start)."""
    return {0: 0} | {ply.version: number for number, ply in enumerate(record.match.line, 1)}


def decode(stored: StoredEvent) -> NoteEvent:
    """Decode a stored note. Raises `Damaged`."""
    try:
        event: NoteEvent = DECODER.decode(stored.data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"annotation {stored.version} cannot be read: {error}") from None
    return event


def _lineage(book: Book, stream: Stream) -> Iterator[Stream]:
    yield stream
    while stream.parent is not None:
        stream = book.store.stream(stream.parent)
        yield stream


def _fold(found: Remarks, event: NoteEvent, stored: StoredEvent | NewEvent) -> None:
    if not isinstance(event, Edited | Retracted):
        key = stored.id.hex()
        found[key] = Remark(key, (AnnotationChange(event, stored.actor, stored.at),))
        return
    old = found.get(event.of)
    if old is not None:  # else this fork does not share the event
        now = event.now if isinstance(event, Edited) else None
        change = AnnotationChange(now, stored.actor, stored.at)
        found[event.of] = replace(old, changes=(*old.changes, change))


def read_notes(store: Store, stream: Stream) -> list[StoredEvent]:
    """Return the events of a match's own stream of notes."""
    notes = store.notes(stream.id)
    return store.read(notes.id, 0, notes.head) if notes else []


def as_published(book: Book, stream: Stream, notes: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Remove the retracted annotations and those held back, and rebuild the hash chain.

    The retraction of an annotation of the parent match is kept.
    """
    said = [(stored, decode(stored)) for stored in notes]
    retracted = {event.of for _, event in said if isinstance(event, Retracted)}
    created = {stored.id.hex() for stored, _ in said}
    holds = holds_notes(book, stream)
    remaining = [
        stored
        for stored, event in said
        if not (holds and is_held(stored, event))
        and (
            (event.of if isinstance(event, Edited | Retracted) else stored.id.hex())
            not in retracted
            or (isinstance(event, Retracted) and event.of not in created)
        )
    ]
    return _rebuild_chain(stream, remaining) if len(remaining) < len(notes) else list(notes)


def _rebuild_chain(stream: Stream, notes: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Renumber the events and hash them as a new stream of notes."""
    before, chained = header_hash(validation.notes_header(stream.public_id)), list[StoredEvent]()
    for version, stored in enumerate(notes, 1):
        before = event_hash(before, stored)
        chained.append(replace(stored, version=version, hash=before))
    return chained


def annotated(scene: Scene, remarks: Iterable[Remark]) -> Scene:
    """Return a scene with the marks of annotations on the places that it has."""
    known = frozenset(scene.places)
    marks, arrows = list(scene.marks), list(scene.arrows)
    for remark in remarks:
        match remark.said:
            case Arrowed(start=start, end=end) if {start, end} <= known:
                arrows.append(Arrow(start, end, "note"))
            case Circled(at=at) if at in known:
                marks.append(Mark(at, "circle"))
            case Labelled(at=at, text=text) if at in known:
                marks.append(Mark(at, "label", text))
    return replace(scene, marks=tuple(marks), arrows=tuple(arrows))
