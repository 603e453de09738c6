"""The facts about a match: entries of scoresheets, and positions and a result that are certain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from domain.entry import move_text
from domain.events import DASH
from domain.reconstruction.targets import Target

MAX_SCORESHEETS: Final = 2


class Entry(Struct, frozen=True):
    """A move, perhaps spelled otherwise, a match event or a dash; its writer may be `unsure`.

    An `implied` entry is a result that the writer may have read off the board.
    """

    text: str
    unsure: bool = False
    implied: bool = False

    @property
    def split(self) -> move_text.SplitText:
        """The text, split into seat and body."""
        return move_text.split(self.text)

    @property
    def is_dash(self) -> bool:
        """Whether the entry stands for one or more moves of a seat within a turn."""
        return self.split.body == DASH


def is_twice(entries: Sequence[Entry], at: int) -> bool:
    """Return whether an entry repeats the one before it."""
    return at > 0 and entries[at].text == entries[at - 1].text


class Scoresheet(Struct, frozen=True):
    """The entries that one person or phone wrote down; `result` is `*` if they name no result."""

    entries: tuple[Entry, ...]
    result: str = "*"


class Pins(Struct, frozen=True):
    """The facts that a line must fit: positions by ply, a last position, a result, moves by ply."""

    at: Mapping[int, Target] = {}
    end: Target | None = None
    result: str | None = None
    moves: Mapping[int, str] = {}
