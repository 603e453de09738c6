"""Text records into the book."""

from __future__ import annotations

import msgspec

from replay.annotations import encode_notes, of_line
from replay.book import Book, Recorded
from replay.playing import SCOREKEEPER
from replay.records.model import SEAT_TAG, Record

KEPT_TAGS = ("Date", "Site")
OTHER_TAGS = "Tags"
"""The fact that holds the tags without a place of their own, as JSON."""
POSITION_TAG = "Position"
"""The tag of a record that begins at a set position; the fact keeps its place among the others."""


def import_record(book: Book, record: Record) -> Recorded:
    """Store a record as a match of its own, with comments and glyphs; variations are left out."""
    match = record.match
    return book.create(
        record.game,
        options=record.game.set_options(match.options),
        seats=match.seats,
        position=record.tag(POSITION_TAG),
        facts=_facts(record),
        events=[(ply.event, SCOREKEEPER) for ply in match.line],
        notes=encode_notes(book, of_line(record.line), SCOREKEEPER),
    )


def _facts(record: Record) -> dict[str, str]:
    facts = {
        tag.name: tag.value
        for tag in record.tags
        if tag.name in KEPT_TAGS or SEAT_TAG.fullmatch(tag.name)
    }
    if record.others:
        facts[OTHER_TAGS] = msgspec.json.encode(record.others).decode()
    return facts
