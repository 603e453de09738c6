"""The position of a free board: the pieces on each place, from the bottom up."""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

from msgspec.structs import replace

from domain.games.free_board.pieces import Set
from domain.position import Awaited, Outcome, Position

TAGS: Final = ("put", "shift", "stack", "remove", "flip", "pass", "end")
Lines = Literal["squares", "points", "hexes"]
Turns = Literal["one", "many"]


@cache
def places(size: int) -> tuple[str, ...]:
    """Return the names of the places, row by row from the first."""
    return tuple(f"{chr(97 + x)}{y}" for y in range(1, size + 1) for x in range(size))


class Layout(Position, frozen=True):
    """The pieces by place; `ended` is the result, if any.

    With `turns` of `many` moves only a pass ends a turn.
    """

    lines: Lines
    size: int
    pieces: Set
    stacks: tuple[tuple[str, ...], ...]
    turn: int = 1
    ended: Literal["", "1", "2", "draw"] = ""
    turns: Turns = "one"

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await the seat in turn (FRB-1.4)."""
        return () if self.ended else (Awaited(2 - self.turn % 2, "move", TAGS),)

    def outcome(self) -> Outcome | None:
        """FRB-3.1."""
        if not self.ended:
            return None
        return Outcome("FRB-3.1", () if self.ended == "draw" else (int(self.ended),))

    def at(self, place: str) -> tuple[str, ...]:
        """Return the pieces on a place."""
        return self.stacks[places(self.size).index(place)]

    def has(self, place: str) -> bool:
        """Return whether the board has a place."""
        return place in places(self.size)

    def put(self, **stacks: tuple[str, ...]) -> Layout:
        """Return the position after a move, with other pieces on some places."""
        names = places(self.size)
        every = tuple(stacks.get(name, self.stacks[n]) for n, name in enumerate(names))
        return replace(self, stacks=every, turn=self.turn + (self.turns == "one"))

    def passed(self) -> Layout:
        """Return the position with the other seat in turn."""
        return replace(self, turn=self.turn + 1)
