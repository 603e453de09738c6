"""Encode marks and bookmarks in the comments of a text record, as Lichess does marks in PGN.

`[%csl Gd4,Ge5]` are circles, `[%cal Ga1c3]` arrows; `[%label d4=A]` and `[%bookmark]` are our
extensions. They form one comment, after all others. A comment is parsed as marks only if writing
these marks gives exactly the same text, so every record round-trips.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from replay.annotations.events import Annotation, Arrowed, Bookmarked, Circled, Labelled

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
    """Return the marks that a comment encodes; none if it is not exactly their encoding."""
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
