"""Text records into the book."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import msgspec

from replay.annotations import encode_notes, of_line
from replay.book import Book, Branch, Recorded
from replay.playing import SCOREKEEPER
from replay.records.model import SEAT_TAG, Record

KEPT_TAGS = ("Date", "Site")
OTHER_TAGS = "Tags"
"""The fact that holds the tags without a place of their own, as JSON."""
POSITION_TAG = "Position"
"""The tag of a record that begins at a set position; the fact keeps its place among the others."""


def import_record(book: Book, record: Record) -> Recorded:
    """Store a record as a match of its own with its variations, all or nothing, and return it.

    Comments and glyphs come along. What a variation tells was never a secret, so it is no sealed
    move there; in the main line it is one until it is revealed.
    """
    match = record.match
    return book.create(
        record.game,
        options=record.game.set_options(match.options),
        seats=match.seats,
        position=record.tag(POSITION_TAG),
        facts=_facts(record),
        events=[(ply.event, SCOREKEEPER) for ply in match.line],
        notes=encode_notes(book, of_line(record.line), SCOREKEEPER),
        branches=list(_branches(book, record)),
    )


def _branches(book: Book, record: Record) -> Iterator[Branch]:
    """Give the variations, each after what it leaves, those of one event in their order."""
    lines = deque([(0, 0, record.line)])
    number = 0
    while lines:
        leaves, start, line = lines.popleft()
        for ply, node in enumerate(line.nodes, start):
            for variation in node.variations:
                number += 1
                lines.append((number, ply, variation))
                events = [(each.event, SCOREKEEPER) for each in variation.nodes]
                notes = encode_notes(book, of_line(variation, ply), SCOREKEEPER)
                yield Branch(leaves, ply, events, notes)


def _facts(record: Record) -> dict[str, str]:
    facts = {
        tag.name: tag.value
        for tag in record.tags
        if tag.name in KEPT_TAGS or SEAT_TAG.fullmatch(tag.name)
    }
    if record.others:
        facts[OTHER_TAGS] = msgspec.json.encode(record.others).decode()
    return facts
