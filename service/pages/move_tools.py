"""What can be done at a move of a match that is read: say, draw, try another way, correct."""

from __future__ import annotations

import functools
from typing import Final

import msgspec

from replay.access import capability_tokens
from replay.annotations.glyphs import GLYPHS
from service.http.access import Visit

TOOLS: Final = {
    "comment": "Comment",
    "draw": "Draw",
    "fork": "What if …",
    "amend": "Wrong?",
}
"""What can be done at a move, by role: readers may only branch off."""

MODES: Final = {"draw": ' data-mode-of="drawing"', "amend": ' data-mode-of="correcting"'}


def tools(visit: Visit) -> str:
    """Offer what this caller may do at a move; scripts show it."""
    offered = set(TOOLS)
    if visit.caller.role != capability_tokens.HOST:
        offered.discard("amend")
    if not visit.caller.may_write:
        offered -= {"comment", "draw"}
    buttons = "".join(
        f'<button type="button" class="button quiet" data-tool="{tool}"'
        f"{MODES.get(tool, '')}>{words}</button>"
        for tool, words in TOOLS.items()
        if tool in offered
    )
    listed = _glyphs() if "comment" in offered else ""
    return f'<div class="tools" data-part="tools" hidden>{buttons}</div>{listed}'


@functools.cache
def _glyphs() -> str:
    """Write the signs of annotations that have a name, for a script that lets them be chosen."""
    table = [(each.sign, each.name) for each in GLYPHS.values()]
    encoded = msgspec.json.encode(table).decode().replace("<", "\\u003c")
    return f'<script type="application/json" class="glyphs">{encoded}</script>'
