"""The hash chain of a stream: SHA-256 over framed fields and the previous event's hash.

A chain shows a changed, moved, inserted or dropped event. It cannot show that events were cut off
at the end or that the whole file was rewritten: for that, exports and score sheets print the head
hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from replay.store.types import NewEvent, StoredEvent


def header_hash(header: bytes, parent_hash: bytes = b"") -> bytes:
    """Return the hash that a stream's first event builds upon.

    `parent_hash` is that of the parent at the fork.
    """
    return hashlib.sha256(framed(b"plybook/1", parent_hash, header)).digest()


def event_hash(before: bytes, event: NewEvent | StoredEvent) -> bytes:
    """Return the hash of an event that follows the hash `before`."""
    fields = framed(
        before,
        event.type.encode(),
        event.id,
        event.actor.encode(),
        event.at.to_bytes(8, "big", signed=True),
        event.data,
    )
    return hashlib.sha256(fields).digest()


def chain_events(head: int, head_hash: bytes, events: Iterable[NewEvent]) -> list[StoredEvent]:
    """Return new events with versions and hashes that continue the chain from the head."""
    stored = []
    for version, event in enumerate(events, head + 1):
        head_hash = event_hash(head_hash, event)
        stored.append(event.as_stored(version, head_hash))
    return stored


def framed(*fields: bytes) -> bytes:
    """Return fields, each preceded by its length: no byte can move from one field to the next."""
    return b"".join([len(field).to_bytes(8, "big") + field for field in fields])
