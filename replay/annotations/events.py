"""The events of a stream of notes: what is said about a match, and later edited or retracted.

`on` is the version of the event in the match's log (0: the start), so that an annotation stays
with its event whatever becomes of the line. The id of the first event is the annotation's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import ClassVar, Final

import msgspec
from msgspec import Struct

from replay.annotations.glyphs import glyph
from replay.book import Book
from replay.store.protocol import NewEvent


class Said(Struct, frozen=True, tag_field="type", tag=str.lower):
    """Something said about the event of a version, in the past tense."""

    kind: ClassVar[str]
    on: int

    def words(self) -> str:
        """Say it in a line."""
        raise NotImplementedError


class Commented(Said, frozen=True):
    """Something was said about the position after an event."""

    kind: ClassVar = "comment"
    text: str

    def words(self) -> str:
        """Return the comment."""
        return self.text


class Glyphed(Said, frozen=True):
    """An event was given a glyph, a number of PGN's NAG table."""

    kind: ClassVar = "glyph"
    glyph: int

    def words(self) -> str:
        """Return sign and name of the glyph."""
        return glyph(self.glyph).words()


class Arrowed(Said, frozen=True):
    """An arrow was drawn from one place to another."""

    kind: ClassVar = "arrow"
    start: str
    end: str

    def words(self) -> str:
        """Write it as on the command line."""
        return f"arrow {self.start}-{self.end}"


class Circled(Said, frozen=True):
    """A place was circled."""

    kind: ClassVar = "circle"
    at: str

    def words(self) -> str:
        """Name the place."""
        return f"circle {self.at}"


class Labelled(Said, frozen=True):
    """A place was given a letter or a short word."""

    kind: ClassVar = "label"
    at: str
    text: str

    def words(self) -> str:
        """Write it as on the command line."""
        return f"label {self.at}={self.text}"


Annotation = Commented | Glyphed | Arrowed | Circled | Labelled
MARKS: Final = Arrowed, Circled, Labelled
"""The kinds of annotation that are drawn."""


class Edited(Struct, frozen=True, tag_field="type", tag="edited"):
    """The annotation with the id `of` was put in other words; the event keeps the old ones."""

    of: str
    now: Annotation


class Retracted(Struct, frozen=True, tag_field="type", tag="retracted"):
    """The annotation with the id `of` was taken back."""

    of: str


NoteEvent = Annotation | Edited | Retracted
DECODER: Final = msgspec.json.Decoder(
    Commented | Glyphed | Arrowed | Circled | Labelled | Edited | Retracted
)


def encode_notes(
    book: Book, notes: Iterable[NoteEvent], author: str, ids: Iterable[bytes] = ()
) -> list[NewEvent]:
    """Return annotations as events of a stream of notes, with these ids as far as there are any."""
    named = chain(ids, iter(book.new_id, None))
    return [
        NewEvent(
            event_id,
            str(note.__struct_config__.tag),
            author,
            book.now(),
            msgspec.json.encode(note),
        )
        for note, event_id in zip(notes, named, strict=False)
    ]
