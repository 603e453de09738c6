"""The notes of a match without what was retracted, for readers other than its host."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from replay.annotations.current import decode
from replay.annotations.events import Edited, Retracted
from replay.store import validation
from replay.store.hash_chain import event_hash, header_hash
from replay.store.protocol import StoredEvent, Stream


def without_retracted(stream: Stream, notes: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Leave out every wording of the annotations that were retracted, and chain the rest anew.

    A retraction stays if it is of an annotation of the match that this one forks from.
    """
    said = [(stored, decode(stored)) for stored in notes]
    gone = {event.of for _, event in said if isinstance(event, Retracted)}
    own = {stored.id.hex() for stored, _ in said}
    kept = [
        stored
        for stored, event in said
        if (event.of if isinstance(event, Edited | Retracted) else stored.id.hex()) not in gone
        or (isinstance(event, Retracted) and event.of not in own)
    ]
    return _chained(stream, kept) if len(kept) < len(notes) else list(notes)


def _chained(stream: Stream, notes: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Number the events and hash them as a stream of notes of their own."""
    before, chained = header_hash(validation.notes_header(stream.public_id)), list[StoredEvent]()
    for version, stored in enumerate(notes, 1):
        before = event_hash(before, stored)
        chained.append(replace(stored, version=version, hash=before))
    return chained
