"""Restore packed drawings, as the player does."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator

import msgspec

from replay.formats.html.frame_packing import Edit, Pack


def unpack(packed: str) -> list[str]:
    """Restore the drawings."""
    data = msgspec.json.decode(zlib.decompress(base64.b64decode(packed)), type=Pack)
    drawings, now = [], list[int]()
    for edit in data.pictures:
        now = list(_apply(edit, now))
        drawings.append("".join(data.parts[part] for part in now))
    return drawings


def _apply(edit: Edit, before: list[int]) -> Iterator[int]:
    place = 0
    for step in edit:
        if isinstance(step, int):
            yield from before[place : place + step]
            place += step
        else:
            yield from step[1:]
            place += step[0]
