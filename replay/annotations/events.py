"""The events of a stream of notes: annotations, and their edits and retractions.

`on` is the version of the annotated event in the match's log (0: the start), so an annotation stays
with its event after corrections of the line. The id of an annotation is that of its first event.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import ClassVar, Final

import msgspec
from msgspec import Struct, structs

from domain.names import is_role
from replay.annotations.glyphs import glyph
from replay.book import Book
from replay.store.types import NewEvent
from replay.tags.names import ROLES, UNKNOWN, clean_name
from replay.texts import MAX_COMMENT, Cleaned, clean_text


class Said(Struct, frozen=True, tag_field="type", tag=str.lower):
    """The base of all annotations of the event at a version."""

    kind: ClassVar[str]
    on: int

    def words(self) -> str:
        """Describe the annotation in a line."""
        raise NotImplementedError


class Bookmarked(Said, frozen=True):
    """A moment to comment later; a comment on the event takes its place."""

    kind: ClassVar = "bookmark"

    def words(self) -> str:
        """Return the purpose of the bookmark."""
        return "to comment"


class Commented(Said, frozen=True):
    """A comment on the position after an event."""

    kind: ClassVar = "comment"
    text: str

    def words(self) -> str:
        """Return the comment."""
        return self.text


class Glyphed(Said, frozen=True):
    """A glyph for an event: a number of PGN's NAG table."""

    kind: ClassVar = "glyph"
    glyph: int

    def words(self) -> str:
        """Return the sign and the name of the glyph."""
        return glyph(self.glyph).words()


class Arrowed(Said, frozen=True):
    """An arrow from one place to another."""

    kind: ClassVar = "arrow"
    start: str
    end: str

    def words(self) -> str:
        """Write the arrow as the command line accepts it."""
        return f"arrow {self.start}-{self.end}"


class Circled(Said, frozen=True):
    """A circle around a place."""

    kind: ClassVar = "circle"
    at: str

    def words(self) -> str:
        """Return the name of the place."""
        return f"circle {self.at}"


class Labelled(Said, frozen=True):
    """A letter or a short word on a place."""

    kind: ClassVar = "label"
    at: str
    text: str

    def words(self) -> str:
        """Write the label as the command line accepts it."""
        return f"label {self.at}={self.text}"


Annotation = Bookmarked | Commented | Glyphed | Arrowed | Circled | Labelled
MARKS: Final = Arrowed, Circled, Labelled
"""The kinds of annotation that are drawn on the board."""


class Edited(Struct, frozen=True, tag_field="type", tag="edited"):
    """The annotation with the id `of` was changed; its event keeps the old content."""

    of: str
    now: Annotation


class Retracted(Struct, frozen=True, tag_field="type", tag="retracted"):
    """The annotation with the id `of` was retracted."""

    of: str


NoteEvent = Annotation | Edited | Retracted
DECODER: Final = msgspec.json.Decoder(
    Bookmarked | Commented | Glyphed | Arrowed | Circled | Labelled | Edited | Retracted
)


def clean_note(note: NewEvent) -> tuple[NewEvent, str]:
    """Return a note of a file as it can be entered, and a description of the changes.

    The description is empty if the note is unchanged.
    """
    said, actor = DECODER.decode(note.data), clean_name(note.actor)
    now = said.now if isinstance(said, Edited) else said
    text = clean_text(now.text, MAX_COMMENT) if isinstance(now, Commented) else Cleaned("", "")
    if text.done:
        now = structs.replace(now, text=text.text)
        said = structs.replace(said, now=now) if isinstance(said, Edited) else now
        note = structs.replace(note, data=msgspec.json.encode(said))
    role = is_role(actor.text) and not ROLES.fullmatch(actor.text)
    odd = f"kept; the author {actor.text!r} is the word for a role and stands in quotes"
    done = " and ".join(filter(None, (actor.done, text.done, odd if role else "")))
    return structs.replace(note, actor=actor.text or UNKNOWN), done and f"this annotation: {done}"


def encode_notes(
    book: Book, notes: Iterable[NoteEvent], author: str, ids: Iterable[bytes] = ()
) -> list[NewEvent]:
    """Encode annotations for a stream of notes; missing ids are drawn at random."""
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
