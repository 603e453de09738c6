"""A match of the book as a text record."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from domain.events import Adjusted
from domain.match import Match
from replay.annotations import notes_by_ply
from replay.book import Book, Recorded
from replay.importing import OTHER_TAGS, POSITION_TAG
from replay.records.model import Line, Note, Record, Tag, record_of
from replay.records.writer import write_record


def export_record(book: Book, recorded: Recorded) -> str:
    """Return a match's line as a text record in canonical form, with comments and glyphs.

    Moves that are still hidden are left out: whoever reads the record may see it all. A text has
    no token for an adjustment: it begins anew at the last one, with the position and the reason.
    """
    match, notes = recorded.match, notes_by_ply(book, recorded)
    adjusted = _last_adjustment(match)
    if adjusted:
        notes = _notes_from(match, adjusted, notes)
        match = replace(match, start=match.at(adjusted), line=match.line[adjusted:])
    begins_at = match.start.position.text() if adjusted or recorded.header.position else None
    record = record_of(match, _tags(book, recorded, begins_at), notes)
    if recorded.secrets:
        record = replace(record, line=_open_part(recorded, record))
    return write_record(record)


def _last_adjustment(match: Match) -> int:
    """Return the ply of the last adjustment, 0 if there is none."""
    plies = reversed(list(enumerate(match.line, 1)))
    return next((number for number, ply in plies if isinstance(ply.event, Adjusted)), 0)


def _notes_from(match: Match, adjusted: int, notes: dict[int, Note]) -> dict[int, Note]:
    """Return the notes by ply from an adjustment on, the first of them telling why it was made."""
    event = match.line[adjusted - 1].event
    assert isinstance(event, Adjusted)
    before = "1 event" if adjusted == 2 else f"{adjusted - 1} events"
    reason = f"Position set by the scorekeeper: {event.reason} ({before} before it)"
    later = {ply - adjusted: note for ply, note in notes.items() if ply >= adjusted}
    start = later.get(0, Note())
    return later | {0: start._replace(comments=(reason, *start.comments))}


def _tags(book: Book, recorded: Recorded, begins_at: str | None) -> list[Tag]:
    facts = book.store.facts(recorded.stream.id)
    others = msgspec.json.decode(facts.pop(OTHER_TAGS, "[]"), type=list[Tag])
    tags = [Tag(name, value) for name, value in facts.items()]
    return tags + _positioned(others, begins_at)


def _positioned(tags: list[Tag], begins_at: str | None) -> list[Tag]:
    """Let the tag `Position` say where the record begins, in its place or else first."""
    places = [tag.name for tag in tags]
    if begins_at is None or POSITION_TAG not in places:
        kept = [tag for tag in tags if tag.name != POSITION_TAG]
        return kept if begins_at is None else [Tag(POSITION_TAG, begins_at), *kept]
    at = places.index(POSITION_TAG)
    return [*tags[:at], Tag(POSITION_TAG, begins_at), *tags[at + 1 :]]


def _open_part(recorded: Recorded, record: Record) -> Line:
    plies = zip(record.match.line, record.line.nodes, strict=True)
    shown = tuple(node for ply, node in plies if ply.version not in recorded.secrets)
    return replace(record.line, nodes=shown)
