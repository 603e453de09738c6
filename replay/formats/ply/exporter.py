"""Export a match of the book as a text record."""

from __future__ import annotations

from msgspec.structs import replace

from domain.events import Adjusted
from domain.match import Match
from domain.plurals import count
from replay.book import Book
from replay.branches.analysis import analyse
from replay.formats.ply.model import POSITION_TAG, Record
from replay.formats.ply.nested_lines import LeftOut, nest
from replay.formats.ply.writer import write_record
from replay.record.match_record import MatchRecord
from replay.tags.match_tags import Tag, tags


def export_record(book: Book, record: MatchRecord) -> str:
    """Return a match as a text record in canonical form, with comments, glyphs and variations.

    The main line is the played line, or the promoted variation. Hidden variations are omitted, and
    so are the events of a variation after an adjustment. Hidden moves are omitted, because anybody
    may read the record. A text has no token for an adjustment: it begins at the last one, with the
    position as a tag and the reason as a comment.
    """
    analysis = analyse(book, record)
    match = analysis.main.match
    adjusted = _last_adjustment(match)
    line = nest(book, analysis, adjusted).line
    if adjusted:
        line = replace(line, comments=(_reason(match, adjusted), *line.comments))
        match = replace(match, start=match.at(adjusted), line=match.line[adjusted:])
    positioned = adjusted or record.header.position
    begins_at = match.game.write_position(match.start.position) if positioned else None
    return write_record(
        Record(tuple(_set_position_tag(tags(book, record), begins_at)), match, line)
    )


def left_out(book: Book, record: MatchRecord) -> tuple[LeftOut, ...]:
    """Return what the text record of a match cannot hold of its lines."""
    analysis = analyse(book, record)
    return nest(book, analysis, _last_adjustment(analysis.main.match)).left_out


def _last_adjustment(match: Match) -> int:
    """Return the ply of the last adjustment, or 0."""
    plies = reversed(list(enumerate(match.line, 1)))
    return next((number for number, ply in plies if isinstance(ply.event, Adjusted)), 0)


def _reason(match: Match, adjusted: int) -> str:
    """Return the comment with the reason of an adjustment."""
    event = match.line[adjusted - 1].event
    assert isinstance(event, Adjusted)
    before = count(adjusted - 1, "event")
    return f"Position set by the scorekeeper: {event.reason} ({before} before it)"


def _set_position_tag(given: list[Tag], begins_at: str | None) -> list[Tag]:
    """Set the tag `Position` to the first position, in its old place or as the first tag."""
    places = [tag.name for tag in given]
    if begins_at is None or POSITION_TAG not in places:
        kept = [tag for tag in given if tag.name != POSITION_TAG]
        return kept if begins_at is None else [Tag(POSITION_TAG, begins_at), *kept]
    at = places.index(POSITION_TAG)
    return [*given[:at], Tag(POSITION_TAG, begins_at), *given[at + 1 :]]
