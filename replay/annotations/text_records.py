"""Convert annotations to and from text records."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from replay.annotations.current import Remark, by_ply
from replay.annotations.events import Commented, Glyphed
from replay.annotations.mark_comments import write_marks
from replay.book import Book
from replay.record.match_record import MatchRecord


def notes_by_ply(book: Book, record: MatchRecord) -> dict[int, Note]:
    """Return the annotations of the line by ply (0: the start) as text record notes."""
    return {ply: as_note(remarks) for ply, remarks in by_ply(book, record).items()}


def as_note(remarks: Iterable[Remark]) -> Note:
    """Return the annotations of one event as a text record's note."""
    said = [remark.said for remark in remarks if remark.said is not None]
    glyphs = {each.glyph for each in said if isinstance(each, Glyphed)}
    comments = [each.text for each in said if isinstance(each, Commented)]
    marks = write_marks(said)
    return Note(tuple(sorted(glyphs)), (*comments, *([marks] if marks else ())))


class Note(NamedTuple):
    """The annotations of one ply of a match."""

    glyphs: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
