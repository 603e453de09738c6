"""The notation of annotations (`d4`, `a1-c3`, `d4=A`, `!?`), and their comments in text records.

`[%csl Gd4,Ge5]` are circles, `[%cal Ga1c3]` arrows; `[%label d4=A]` and `[%bookmark]` are our
extensions. The marks form one comment, after all other comments. A comment is parsed as marks only
if writing these marks gives exactly the same text, so every record round-trips.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct

from replay.annotations.current import Remark
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
from replay.tags.names import ROLES, check_name, check_player
from replay.texts import MAX_COMMENT, check_text, tidy

MAX_LABEL: Final = 3


class Wording(Struct, frozen=True):
    """The annotations of one event as a person writes them."""

    comment: str | None = None
    glyphs: tuple[str, ...] = ()
    arrows: tuple[str, ...] = ()
    circles: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    bookmark: bool = False

    @property
    def has_marks(self) -> bool:
        """Whether they have marks, which are checked against the places of the board."""
        return bool(self.arrows or self.circles or self.labels)

    def said(self, on: int, places: Collection[str]) -> list[Annotation]:
        """Parse them as annotations of the event `on`; `places` names the places of the board.

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
                raise Usage("a glyph belongs to a move, so ply 0 cannot have one")
            yield Glyphed(on, read_glyph(text))

    def _marks(self, on: int, places: Collection[str]) -> Iterator[Annotation]:
        for text in self.arrows:
            yield Arrowed(on, *_arrow(text, places))
        for text in self.circles:
            yield Circled(on, _place(text, places))
        for text in self.labels:
            at, equals, label = text.partition("=")
            if not equals:
                raise Usage(f"{text!r} is not a valid label; use place and label, like d4=A")
            yield Labelled(on, _place(at, places), _label(label))


def check_marks(marks: Iterable[Annotation], places: Collection[str]) -> None:
    """Raise `Usage` for marks that a `Wording` cannot make."""
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
    """Raise `Usage` for an invalid author's name, or for a name that merely looks like a role."""
    check = check_name if ROLES.fullmatch(author) else check_player
    check("the name of an author", author)


def _comment(text: str) -> str:
    check_text("a comment", text, MAX_COMMENT, one_line=False)
    text = tidy(text)
    if not text:
        raise Usage("the comment is empty")
    if "[%" in text and read_marks(text, on=0):  # a text record would give them back as marks
        raise Usage(
            f"{text!r} is not a comment but marks; enter circles, arrows and labels as such"
        )
    return text


def _place(text: str, places: Collection[str]) -> str:
    if text not in places:
        raise Usage(f"{text!r} is not a place on this board")
    return text


def _arrow(text: str, places: Collection[str]) -> tuple[str, str]:
    start, dash, end = text.partition("-")
    if not dash:
        raise Usage(f"{text!r} is not a valid arrow; use two places, like a1-c3")
    if start == end:
        raise Usage(f"{text!r} is not a valid arrow; use two different places")
    return _place(start, places), _place(end, places)


def _label(text: str) -> str:
    if not 1 <= len(text) <= MAX_LABEL or not all(map(str.isalnum, text)):
        raise Usage(f"a label must be 1 to {MAX_LABEL} letters or digits, not {text!r}")
    return text


PLACE: Final = "[A-Za-z]*[0-9]+"
COMMAND: Final = re.compile(r"\[%(?:(csl|cal|label) ([^\s\]]+)|(bookmark))\]")
CIRCLE: Final = re.compile(f"G({PLACE})")
ARROW: Final = re.compile(f"G({PLACE})({PLACE})")
LABEL: Final = re.compile(f"({PLACE})=(.+)")


def write_marks(annotations: Sequence[Annotation]) -> str:
    """Return the comment that encodes marks and bookmarks; empty if there are none.

    A mark on a place whose name is not letters and a number is omitted.
    """
    values: dict[str, list[str]] = {"csl": [], "cal": [], "label": []}
    bookmark = any(isinstance(each, Bookmarked) for each in annotations)
    for each in annotations:
        command, value = _encode(each)
        if command and list(_decode(command, value, each.on)) == [each]:
            values[command].append(value)
    marks = (f"[%{name} {','.join(listed)}]" for name, listed in values.items() if listed)
    return "".join([*marks, "[%bookmark]"] if bookmark else marks)


def read_marks(comment: str, on: int) -> Sequence[Annotation]:
    """Return the marks that a comment encodes; none unless it is exactly their encoding."""
    marks = [
        mark
        for command, values, bookmark in COMMAND.findall(comment)
        for value in values.split(",")
        for mark in ([Bookmarked(on)] if bookmark else _decode(command, value, on))
    ]
    return marks if write_marks(marks) == comment else []


def _encode(mark: Annotation) -> tuple[str, str]:
    match mark:
        case Circled():
            return "csl", f"G{mark.at}"
        case Arrowed():
            return "cal", f"G{mark.start}{mark.end}"
        case Labelled():
            return "label", f"{mark.at}={mark.text}"
    return "", ""


def _decode(command: str, value: str, on: int) -> Iterator[Annotation]:
    if command == "csl" and (match := CIRCLE.fullmatch(value)):
        yield Circled(on, match[1])
    elif command == "cal" and (match := ARROW.fullmatch(value)):
        yield Arrowed(on, match[1], match[2])
    elif command == "label" and (match := LABEL.fullmatch(value)):
        yield Labelled(on, match[1], match[2])


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
