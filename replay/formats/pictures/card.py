"""A match at a ply as one picture with names, scores, result and board, as PNG."""

from __future__ import annotations

from domain.plurals import count
from replay import annotations as notes
from replay.book import Book
from replay.drawing.card import WIDTH, Card, draw_card
from replay.formats.pictures.raster import png
from replay.reading import timeline
from replay.reading.adjusted_scene import marked_scene
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing_briefly
from replay.tags.names import names_of, seats


def write_card(book: Book, record: MatchRecord, ply: int) -> bytes:
    """Return the card as spectators may see it. Raises `Usage` without the extra."""
    return png(_drawn(book, record, ply), WIDTH)


def _drawn(book: Book, record: MatchRecord, ply: int) -> str:
    names = names_of(book, record)
    remarks = notes.by_ply(book, record).get(ply, ())
    here = timeline.point(record, ply, names=names)
    scene = notes.annotated(marked_scene(record, here, names), remarks)
    standing = describe_standing_briefly(record.match.at(ply), names)
    last = len(record.match.line)
    card = Card(
        record.game.name,
        {seat: names.title(seat) for seat in seats(record)},
        standing[:1].upper() + standing[1:],
        f"after move {ply} of {last}" if 0 < ply < last else count(ply, "move"),
    )
    return draw_card(scene, card, names)
