"""Parse the notation of annotations: `d4`, `a1-c3`, `d4=A`, `!?`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from msgspec import Struct

from replay.annotations.events import (
    Annotation,
    Arrowed,
    Bookmarked,
    Circled,
    Commented,
    Glyphed,
    Labelled,
)
from replay.annotations.glyphs import read_glyph
from replay.errors import Usage
from replay.tags.name_rules import CONTROL, check_name, check_visible, tidy

LONGEST_COMMENT: Final = 10_000
LONGEST_LABEL: Final = 3


class Wording(Struct, frozen=True):
    """The annotations of one event as a person writes them."""

    comment: str | None = None
    glyphs: tuple[str, ...] = ()
    arrows: tuple[str, ...] = ()
    circles: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    bookmark: bool = False

    def said(self, on: int, places: Collection[str]) -> list[Annotation]:
        """Parse them as annotations of the event `on`; `there` are the places of the board.

        Raises `Usage`.
        """
        return [*self._words(on), *self._marks(on, places)]

    def _words(self, on: int) -> Iterator[Annotation]:
        if self.bookmark and self.comment is None:
            yield Bookmarked(on)
        if self.comment is not None:
            yield Commented(on, _comment(self.comment))
        for text in self.glyphs:
            if on == 0:
                raise Usage("a glyph belongs to a move, and there is none before the start")
            yield Glyphed(on, read_glyph(text))

    def _marks(self, on: int, places: Collection[str]) -> Iterator[Annotation]:
        for text in self.arrows:
            yield Arrowed(on, *_arrow(text, places))
        for text in self.circles:
            yield Circled(on, _place(text, places))
        for text in self.labels:
            at, equals, label = text.partition("=")
            if not equals:
                raise Usage(f"{text!r} is no label; write place and label, like d4=A")
            yield Labelled(on, _place(at, places), _label(label))


def check_marks(marks: Iterable[Annotation], places: Collection[str]) -> None:
    """Raise `Usage` for marks that nobody could make with a `Wording`."""
    for mark in marks:
        match mark:
            case Arrowed():
                _arrow(f"{mark.start}-{mark.end}", places)
            case Circled():
                _place(mark.at, places)
            case Labelled():
                _place(mark.at, places)
                _label(mark.text)


def check_author(author: str) -> None:
    """Raise `Usage` for a text that is no name of an author."""
    check_name("the name of an author", author)


def _comment(text: str) -> str:
    bad = CONTROL.search(text)
    if bad:
        raise Usage(f"a comment cannot hold the control character U+{ord(bad[0]):04X}")
    check_visible("a comment", text)
    text = tidy(text)
    if not text:
        raise Usage("the comment says nothing")
    if len(text) > LONGEST_COMMENT:
        raise Usage(
            f"a comment has at most {LONGEST_COMMENT} characters, and this one has {len(text)}"
        )
    return text


def _place(text: str, places: Collection[str]) -> str:
    if text not in places:
        raise Usage(f"there is no place {text!r} on the board here")
    return text


def _arrow(text: str, places: Collection[str]) -> tuple[str, str]:
    start, dash, end = text.partition("-")
    if not dash:
        raise Usage(f"{text!r} is no arrow; write where it begins and ends, like a1-c3")
    if start == end:
        raise Usage(f"the arrow {text!r} leads nowhere")
    return _place(start, places), _place(end, places)


def _label(text: str) -> str:
    if not 1 <= len(text) <= LONGEST_LABEL or not all(map(str.isalnum, text)):
        raise Usage(f"a label is 1 to {LONGEST_LABEL} letters or digits, not {text!r}")
    return text
