"""Lay out a position and sentences about it for the terminal."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from cli.output import in_colour
from domain.scene import Scene


def compose(scene: Scene, told: Iterable[str], standing: Iterable[str], free: int = 0) -> str:
    """Return the board, the sentences about it and the standing as lines.

    In a terminal they fit the screen and leave `free` lines: the board is whole, and what does not
    fit is left out from the rest of the drawing and from what is told.
    """
    from replay.drawing import text

    if not sys.stdout.isatty():
        return "\n".join([text.draw(scene, colour=in_colour()).rstrip("\n"), *told, *standing])
    columns, rows = shutil.get_terminal_size()
    below = list(_wrap(standing, columns - 1))
    said = _cut(list(_wrap(told, columns - 1)), rows // 4)
    left = rows - free - len(said) - len(below)
    drawing = text.draw_to_fit(scene, columns - 1, left, colour=in_colour())
    return "\n".join([drawing.rstrip("\n"), *said, *below])


def wrapped(text: str) -> str:
    """Break lines between words if they go to a terminal that is too narrow for them."""
    if not sys.stdout.isatty():
        return text
    lines = text.split("\n")
    return "\n".join(line for each in lines for line in _broken(each))


def _broken(line: str) -> list[str]:
    columns = shutil.get_terminal_size().columns - 1
    return [line] if len(line) <= columns else textwrap.wrap(line, columns, subsequent_indent="  ")


def _wrap(sentences: Iterable[str], columns: int) -> Iterator[str]:
    for sentence in sentences:
        yield from textwrap.wrap(sentence, columns, subsequent_indent="  ")


def _cut(lines: Sequence[str], most: int) -> list[str]:
    """Keep the first lines, and show that some are missing."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], f"{lines[most - 1]} …"]
