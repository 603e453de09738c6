"""What is said about a match: comments and glyphs, each belonging to an event of its log.

They lie in a stream of their own beside the match, outside its hash chain. `on` is the version of
the event (0: the start), so that an annotation stays with its event whatever becomes of the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct

from replay.book import Book, Recorded
from replay.records.model import Line, Note
from replay.store.protocol import NewEvent


class Commented(Struct, frozen=True, tag_field="type", tag="commented"):
    """Something was said about the position after an event."""

    on: int
    text: str


class Glyphed(Struct, frozen=True, tag_field="type", tag="glyphed"):
    """An event was given a glyph, a number of PGN's NAG table."""

    on: int
    glyph: int


Annotation = Commented | Glyphed


def of_line(line: Line) -> Iterator[Annotation]:
    """List what a record says about its main line, whose events are versions 1, 2 and so on."""
    yield from (Commented(0, text) for text in line.comments)
    for version, node in enumerate(line.nodes, 1):
        yield from (Glyphed(version, glyph) for glyph in node.glyphs)
        yield from (Commented(version, text) for text in node.comments)


def encode_notes(book: Book, annotations: Iterable[Annotation], author: str) -> list[NewEvent]:
    """Return annotations as events of a stream of notes."""
    return [
        NewEvent(
            book.new_id(),
            str(annotation.__struct_config__.tag),
            author,
            book.now(),
            msgspec.json.encode(annotation),
        )
        for annotation in annotations
    ]


def notes_by_ply(book: Book, recorded: Recorded) -> dict[int, Note]:
    """Return what is said about the line, by ply (0: the start)."""
    stream = book.store.notes(recorded.stream.id)
    if stream is None:
        return {}
    plies = {ply.version: number for number, ply in enumerate(recorded.match.line, 1)} | {0: 0}
    found: dict[int, Note] = {}
    for stored in book.store.read(stream.id):
        annotation = msgspec.json.decode(stored.data, type=Commented | Glyphed)
        if annotation.on in plies:
            ply = plies[annotation.on]
            found[ply] = _with(found.get(ply, Note()), annotation)
    return found


def _with(note: Note, annotation: Annotation) -> Note:
    if isinstance(annotation, Commented):
        return note._replace(comments=(*note.comments, annotation.text))
    return note._replace(glyphs=tuple(sorted({*note.glyphs, annotation.glyph})))
