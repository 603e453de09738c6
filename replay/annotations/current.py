"""The annotations of a match as they stand, folded from its notes.

A fork has those of the matches it left too, as far as they are about events that it shares.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from replay.annotations.events import DECODER, Annotation, Edited, NoteEvent, Retracted
from replay.book import Book
from replay.errors import Damaged
from replay.match_record import MatchRecord
from replay.store.protocol import StoredEvent, Stream


class AnnotationChange(Struct, frozen=True):
    """How an annotation stood from a time on (milliseconds since 1970); retracted: `None`."""

    said: Annotation | None
    author: str
    at: int


class Remark(Struct, frozen=True):
    """An annotation with all that became of it, the oldest first. `id` is in hex."""

    id: str
    changes: tuple[AnnotationChange, ...]

    @property
    def on(self) -> int:
        """The version of the event it belongs to."""
        return self._first.on

    @property
    def kind(self) -> str:
        """What it is: a comment, glyph, arrow, circle or label."""
        return self._first.kind

    @property
    def said(self) -> Annotation | None:
        """What it says now; `None` if it was retracted."""
        return self.changes[-1].said

    @property
    def author(self) -> str:
        """Who said it first."""
        return self.changes[0].author

    @property
    def at(self) -> int:
        """When it was said first, in milliseconds since 1970."""
        return self.changes[0].at

    @property
    def edited(self) -> bool:
        """Whether it once said something else."""
        return len(self.changes) > 1

    @property
    def _first(self) -> Annotation:
        first = self.changes[0].said
        assert first is not None
        return first


Remarks = dict[str, Remark]
"""Annotations by their ids."""


def remarks(book: Book, recorded: MatchRecord) -> list[Remark]:
    """Return all annotations of a match in the order they were made, the retracted ones too.

    An edit made in a fork is seen in that fork. An annotation that was retracted in a match is
    not seen in its forks, which have other hosts. Raises `Damaged` for notes that cannot be read.
    """
    found: Remarks = {}
    for stream in reversed(list(_lineage(book, recorded.stream))):
        found = with_own(book, stream, found)
    return [each for each in found.values() if each.on <= recorded.match.version]


def heads(book: Book, recorded: MatchRecord) -> tuple[bytes, ...]:
    """Return the head hashes of the annotations of a match and of those it forked from."""
    notes = (book.store.notes(stream.id) for stream in _lineage(book, recorded.stream))
    return tuple(each.head_hash for each in notes if each)


def with_own(book: Book, stream: Stream, inherited: Remarks) -> Remarks:
    """Return the annotations of a match, given those of the match it forks from."""
    shared = stream.fork_version or 0
    seen = (each for each in inherited.values() if each.on <= shared and each.said is not None)
    found = {each.id: each for each in seen}
    notes = book.store.notes(stream.id)
    for stored in book.store.read(notes.id) if notes else ():
        _fold(found, stored)
    return found


def standing(book: Book, recorded: MatchRecord) -> list[Remark]:
    """Return the annotations of a match that were not retracted."""
    return [each for each in remarks(book, recorded) if each.said is not None]


def by_ply(book: Book, recorded: MatchRecord) -> dict[int, list[Remark]]:
    """Return what stands about the line, by ply (0: the start)."""
    plies = plies_by_version(recorded)
    found: dict[int, list[Remark]] = {}
    for remark in standing(book, recorded):
        if remark.on in plies:
            found.setdefault(plies[remark.on], []).append(remark)
    return found


def plies_by_version(recorded: MatchRecord) -> dict[int, int]:
    """Tell at which ply of the line each event stands, by version (0: the start)."""
    return {0: 0} | {ply.version: number for number, ply in enumerate(recorded.match.line, 1)}


def decode(stored: StoredEvent) -> NoteEvent:
    """Return the event that was stored. Raises `Damaged`."""
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


def _fold(found: dict[str, Remark], stored: StoredEvent) -> None:
    event = decode(stored)
    if not isinstance(event, Edited | Retracted):
        key = stored.id.hex()
        found[key] = Remark(key, (AnnotationChange(event, stored.actor, stored.at),))
        return
    old = found.get(event.of)
    if old is not None:  # else it was about an event that this fork does not share
        now = event.now if isinstance(event, Edited) else None
        change = AnnotationChange(now, stored.actor, stored.at)
        found[event.of] = replace(old, changes=(*old.changes, change))
