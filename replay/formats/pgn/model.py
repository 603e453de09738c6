"""The parts that a game adds to PGN, and the tag names that mean something in either format."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from domain.events import LineEvent
from replay.store.people_chain import SEAT
from replay.tags.match_tags import NAME

SEATS: Final = {"White": "Seat1", "Black": "Seat2"}
POSITION: Final = "FEN"
ROSTER: Final = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The seven tags, in their order (PGN 8.1.1)."""
THEIRS: Final = frozenset((*SEATS, POSITION, "SetUp", "Variant", "Result"))
"""The tags that say in PGN how a game is played; a free tag of a match cannot have their names."""
OURS: Final = re.compile("Game|Rules|Option|Position|Seat[0-9]+")
"""The tags that have a meaning in a text record; in PGN they are plain tags."""
IN_PGN: Final = "PGN_"
"""The prefix, in a match, of a plain tag of PGN whose name or value means something else there."""
IN_MATCH: Final = "Plybook_"
"""The prefix, in PGN, of a plain tag of a match whose name means something else there."""
LINE_START: Final = r"(?m)(?:^|\])\s*\[\s*"
SURE: Final = re.compile(LINE_START + r"(?:Event|Round|White|Black)\s*\"")
LIKELY: Final = re.compile(LINE_START + r"(?:Site|Date|Result)\s*\"")
OWN: Final = re.compile(LINE_START + r"(?:Game|Rules|Option|" + SEAT + r")\s*\"")


def looks_like_pgn(text: str) -> bool:
    """Return whether a text begins with one of the seven tags, as no text record does."""
    return bool(SURE.search(text) or (LIKELY.search(text) and not OWN.search(text)))


class PgnGame(NamedTuple):
    """A game that is written in PGN.

    `made` returns the move that an event makes, or `None` for an event that PGN writes as words.
    `form` is the form of a move, whatever the position. `refusal` says which tags show that the
    record is of a different game; empty if none do. `position` turns the value of `FEN` into the
    tag `Position`, and `fen` a first position into it. `letters` translate the letters of pieces of
    a file. `passed` returns the position after a null move, or `None` if there can be none.
    """

    slug: str
    made: Callable[[LineEvent], Any]
    form: re.Pattern[str]
    refusal: Callable[[Mapping[str, str]], str]
    position: Callable[[str], str]
    fen: Callable[[Any], str]
    letters: Mapping[int, str] = MappingProxyType({})
    passed: Callable[[Any], Any] = lambda _: None


BRACE: Final = re.compile(r"\\x(5c(?=x(?:5c|7d))|7d)")


def read_braces(comment: str) -> str:
    r"""Return a comment with its closing braces, which PGN cannot hold: `\x7d` stands for one."""
    return BRACE.sub(lambda found: chr(int(found[1], 16)), comment)


def write_braces(comment: str) -> str:
    """Write a comment for the braces of PGN, with `}` escaped."""
    return re.sub(r"\\(?=x(?:5c|7d))", r"\\x5c", comment).replace("}", r"\x7d")


def tag_name(name: str) -> str:
    """Return a valid name of a tag that is like a name."""
    known = re.sub("[^A-Za-z0-9]+", "_", name).strip("_")
    valid = known if known[:1].isalpha() else f"{IN_PGN}{known}"
    return name if NAME.fullmatch(name) else valid[:50].strip("_")
