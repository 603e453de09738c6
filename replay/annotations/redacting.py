"""Redact retracted annotations from the notes of a match, for readers other than its host."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from replay.annotations.current import decode
from replay.annotations.events import Edited, Retracted
from replay.store import validation
from replay.store.hash_chain import event_hash, header_hash
from replay.store.protocol import StoredEvent, Stream


def without_retracted(stream: Stream, notes: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Remove every version of the retracted annotations, and rebuild the hash chain.

    The retraction of an annotation that belongs to the parent match stays.
    """
    said = [(stored, decode(stored)) for stored in notes]
    retracted = {event.of for _, event in said if isinstance(event, Retracted)}
    created = {stored.id.hex() for stored, _ in said}
    remaining = [
        stored
        for stored, event in said
        if (event.of if isinstance(event, Edited | Retracted) else stored.id.hex()) not in retracted
        or (isinstance(event, Retracted) and event.of not in created)
    ]
    return _rebuild_chain(stream, remaining) if len(remaining) < len(notes) else list(notes)


def _rebuild_chain(stream: Stream, notes: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Renumber the events and hash them as a new stream of notes."""
    before, chained = header_hash(validation.notes_header(stream.public_id)), list[StoredEvent]()
    for version, stored in enumerate(notes, 1):
        before = event_hash(before, stored)
        chained.append(replace(stored, version=version, hash=before))
    return chained
