"""Mark the events that came from an archive: their authors and times are only claims.

The events keep their authors and times, so their hashes stay. A fact beside the log says when the
book imported them. The fact names the hash of the last imported event, so it covers exactly these
events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.store.types import StoredEvent

FACT: Final = "log.brought_in"
"""The fact of a match with its `BroughtIn`, as JSON. A fact with a dot is not a tag."""


class BroughtIn(Struct, frozen=True, array_like=True):
    """The versions that the host imported at a time, and the hash of the last event among them."""

    first: int
    last: int
    at: int
    hash: str


DECODER: Final = msgspec.json.Decoder(list[BroughtIn])


def mark(events: Sequence[StoredEvent], at: int, facts: Mapping[str, str]) -> dict[str, str]:
    """Return the fact that events were imported, added to the part in `facts` if there is one."""
    if not events:
        return {}
    new = BroughtIn(events[0].version, events[-1].version, at, events[-1].hash.hex())
    return {FACT: msgspec.json.encode([*_read(facts), new]).decode()}


def brought_in(book: Book, record: MatchRecord) -> dict[int, int]:
    """Return the versions of a match that were imported, with the times of the imports."""
    found: dict[int, int] = {}
    for facts in _facts(book, record):
        for one in _read(facts):
            if 0 < one.last <= len(record.log) and record.entry(one.last).hash.hex() == one.hash:
                found |= dict.fromkeys(range(max(one.first, 1), one.last + 1), one.at)
    return found


def _facts(book: Book, record: MatchRecord) -> Iterator[Mapping[str, str]]:
    """Yield the facts of a match and of its ancestors, which have its first events."""
    stream = record.stream
    yield book.store.metadata(stream.id)
    while stream.parent is not None:
        stream = book.store.stream(stream.parent)
        yield book.store.metadata(stream.id)


def _read(facts: Mapping[str, str]) -> list[BroughtIn]:
    try:
        return DECODER.decode(facts.get(FACT, "[]"))
    except msgspec.DecodeError:  # no hash covers facts, so the disk may have changed them
        return []
