"""Marks in the comments of a text record, the way Lichess writes them in PGN.

`[%csl Gd4,Ge5]` are circles, `[%cal Ga1c3]` arrows; `[%label d4=A]` is ours. They are written in
one comment after the others. A comment is read as marks only if it is to the letter what would
be written for them, so that every record comes back as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from replay.annotations.events import Annotation, Arrowed, Circled, Labelled

PLACE: Final = "[A-Za-z]*[0-9]+"
COMMAND: Final = re.compile(r"\[%(csl|cal|label) ([^\s\]]+)\]")
CIRCLE: Final = re.compile(f"G({PLACE})")
ARROW: Final = re.compile(f"G({PLACE})({PLACE})")
LABEL: Final = re.compile(f"({PLACE})=(.+)")


def write_marks(said: Iterable[Annotation]) -> str:
    """Return the comment that holds the marks among annotations; empty if there are none.

    A mark on a place whose name is no letters and a number is left out.
    """
    values: dict[str, list[str]] = {"csl": [], "cal": [], "label": []}
    for each in said:
        command, value = _written(each)
        if command and list(_read(command, value, each.on)) == [each]:
            values[command].append(value)
    return "".join(f"[%{name} {','.join(listed)}]" for name, listed in values.items() if listed)


def read_marks(comment: str, on: int) -> Sequence[Annotation]:
    """Return the marks that a comment stands for; none if it is more or other than they."""
    marks = [
        mark
        for command, values in COMMAND.findall(comment)
        for value in values.split(",")
        for mark in _read(command, value, on)
    ]
    return marks if write_marks(marks) == comment else []


def _written(said: Annotation) -> tuple[str, str]:
    match said:
        case Circled():
            return "csl", f"G{said.at}"
        case Arrowed():
            return "cal", f"G{said.start}{said.end}"
        case Labelled():
            return "label", f"{said.at}={said.text}"
    return "", ""


def _read(command: str, value: str, on: int) -> Iterator[Annotation]:
    if command == "csl" and (found := CIRCLE.fullmatch(value)):
        yield Circled(on, found[1])
    elif command == "cal" and (found := ARROW.fullmatch(value)):
        yield Arrowed(on, found[1], found[2])
    elif command == "label" and (found := LABEL.fullmatch(value)):
        yield Labelled(on, found[1], found[2])
