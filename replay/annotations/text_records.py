"""Convert annotations to and from text records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from replay.annotations.current import Remark, by_ply
from replay.annotations.events import Annotation, Commented, Glyphed
from replay.annotations.mark_comments import read_marks, write_marks
from replay.book import Book
from replay.formats.ply.model import Note, RecordLine
from replay.match_record import MatchRecord


def line_annotations(line: RecordLine, start: int = 0) -> Iterator[Annotation]:
    """Yield a record's annotations of a line whose events are the versions after `start`."""
    yield from _comment_annotations(start, line.comments)
    for version, node in enumerate(line.nodes, start + 1):
        yield from (Glyphed(version, glyph) for glyph in node.glyphs)
        yield from _comment_annotations(version, node.comments)


def notes_by_ply(book: Book, recorded: MatchRecord) -> dict[int, Note]:
    """Return the annotations of the line by ply (0: the start) as text record notes."""
    return {ply: as_note(remarks) for ply, remarks in by_ply(book, recorded).items()}


def as_note(remarks: Iterable[Remark]) -> Note:
    """Return the annotations of one event as a text record's note."""
    said = [remark.said for remark in remarks if remark.said is not None]
    glyphs = {each.glyph for each in said if isinstance(each, Glyphed)}
    comments = [each.text for each in said if isinstance(each, Commented)]
    marks = write_marks(said)
    return Note(tuple(sorted(glyphs)), (*comments, *([marks] if marks else ())))


def _comment_annotations(on: int, comments: Sequence[str]) -> Iterator[Annotation]:
    marks = read_marks(comments[-1], on) if comments else ()
    yield from (Commented(on, text) for text in comments[: -1 if marks else None])
    yield from marks
