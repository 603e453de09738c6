"""Compress many drawings: each part is stored once, each drawing as an edit of the previous one.

Neighbouring pictures of a match differ in a few cells. A drawing is cut into its groups; `{"parts":
[…], "pictures": […]}` holds each different part once and each picture as steps from the picture
before: a number copies so many parts, a list `[n, a, b …]` skips n and inserts parts a, b … The
JSON is deflated and base64-encoded. `player.js` reads it back.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

import msgspec
from msgspec import Struct

Edit = list[int | list[int]]

SEAMS: Final = ("<g ", "</desc>", "<div", "<button", '{"text"')
"""The beginnings of parts that recur: a piece is the same group at every place."""

CUT: Final = "\0"
"""A character that no markup has."""


class Pack(Struct, frozen=True):
    """The parts of some drawings, and the drawings as edits."""

    parts: list[str]
    pictures: list[Edit]


def pack(drawings: Sequence[str]) -> str:
    """Return drawings as base64 text from which the player restores each exactly."""
    numbers: dict[str, int] = {}
    pictures, before = [], list[int]()
    for drawing in drawings:
        now = [numbers.setdefault(part, len(numbers)) for part in cut(drawing)]
        pictures.append(list(_edit(before, now)))
        before = now
    data = msgspec.json.encode(Pack(list(numbers), pictures))
    return base64.b64encode(zlib.compress(data, 9)).decode()


def cut(markup: str) -> list[str]:
    """Return the parts of a drawing or a page; similar drawings share many parts."""
    for seam in SEAMS:
        markup = markup.replace(seam, CUT + seam)
    return markup.replace("<desc>", "<desc>" + CUT).split(CUT)


def _edit(before: list[int], now: list[int]) -> Iterator[int | list[int]]:
    matcher = SequenceMatcher(None, before, now, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        yield end - start if kind == "equal" else [end - start, *now[first:last]]
