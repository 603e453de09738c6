"""The tools at a move of the replay page: comment, draw, fork and correct."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from domain.names import Names
from replay.access import capability_tokens
from replay.annotations.glyphs import FOR_ANY_GAME
from service.http.access import MatchAccess


class Tool(Struct, frozen=True):
    """A button; `mode` is the page mode that it switches, if any."""

    name: str
    words: str
    mode: str = ""


COMMENT: Final = Tool("comment", "Comment")
DRAW: Final = Tool("draw", "Arrows", "drawing")
FORK: Final = Tool("fork", "What if …")
AMEND: Final = Tool("amend", "Wrong?", "correcting")


def offered_glyphs(names: Names) -> list[tuple[str, str]]:
    """Return the signs and titles of the annotation glyphs, for the script that offers them."""
    return [(each.sign, each.title(names)) for each in FOR_ANY_GAME]


def tools(visit: MatchAccess) -> list[Tool]:
    """Return the tools of the caller; readers may only fork."""
    if not visit.caller.may_write:
        return [FORK]
    is_host = visit.caller.role == capability_tokens.HOST
    return [COMMENT, DRAW, FORK, *([AMEND] if is_host else [])]
