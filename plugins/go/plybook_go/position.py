"""The state of play, and the clause that refuses a stone."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from plybook.game import Awaited, Options, Outcome, Position
from plybook_go.board import (
    COLOURS,
    EMPTY,
    KEYS,
    areas,
    around,
    chains,
    key,
    names,
    numbers,
    with_handicap,
)

Stage = Literal["play", "passed", "count", "offered", "over"]
"""A turn, a turn after a pass, marking dead stones, these offered to the other seat, the end."""


Komi = Literal["0", "0.5", "2.5", "4.5", "5.5", "6.5", "7", "7.5", "8"]


class GoOptions(Options, frozen=True):
    """GO-1.1, GO-1.4, GO-4.1, GO-6.3."""

    size: Literal[5, 7, 9, 11, 13, 15, 17, 19] = 19
    komi: Komi = "7.5"
    handicap: Literal[0, 2, 3, 4, 5, 6, 7, 8, 9] = 0
    repetition: Literal["superko", "ko"] = "superko"


class Go(Position, frozen=True, eq=False, dict=True):
    """A board with the seat to act. `seen` are the keys of the boards that may not come again.

    The text of a position only has the points where that refuses the next stone, so equal positions
    may differ in the others.
    """

    options: GoOptions
    board: str
    seat: int = 1
    turn: int = 1
    stage: Stage = "play"
    seen: frozenset[int] = frozenset()

    @property
    def _same(self) -> tuple[object, ...]:
        return self.options, self.board, self.seat, self.turn, self.stage

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Go) and self._same == other._same

    def __hash__(self) -> int:
        return hash(self._same)

    @property
    def in_play(self) -> bool:
        """Whether a stone or a pass comes next."""
        return self.stage in ("play", "passed")

    @cached_property
    def chains(self) -> dict[int, tuple[set[int], set[int]]]:
        """The chain of each stone, with its liberties."""
        return chains(self.board, self.options.size)

    @cached_property
    def key(self) -> int:
        """The key of the board."""
        return key(self.board)

    def captured(self, point: int) -> set[int]:
        """Return the stones that a stone of the seat captures (GO-3.2)."""
        other, taken = COLOURS[2 - self.seat], set[int]()
        for near in around(self.options.size)[point]:
            if self.board[near] == other and len(self.chains[near][1]) == 1:
                taken |= self.chains[near][0]
        return taken

    def board_after(self, point: int) -> str:
        """Return the board after a stone of the seat."""
        taken, own = self.captured(point), COLOURS[self.seat - 1]
        board = [EMPTY if p in taken else stone for p, stone in enumerate(self.board)]
        board[point] = own
        return "".join(board)

    def key_after(self, point: int) -> int:
        """Return the key of the board after a stone of the seat."""
        found = self.key ^ KEYS[COLOURS[self.seat - 1]][point]
        for each in self.captured(point):
            found ^= KEYS[COLOURS[2 - self.seat]][each]
        return found

    def fault(self, at: str) -> str:
        """Return the clause that refuses a stone on a point; empty if none does."""
        point = numbers(self.options.size).get(at)
        if point is None:
            return "GO-1.1"
        if self.board[point] != EMPTY:
            return "GO-2.2"
        own = COLOURS[self.seat - 1]
        lives = any(
            self.board[near] == EMPTY
            or (self.board[near] == own) == (len(self.chains[near][1]) > 1)
            for near in around(self.options.size)[point]
        )
        if not lives:
            return "GO-3.3"
        return "GO-4.1" if self.key_after(point) in self.seen else ""

    @cached_property
    def faults(self) -> dict[str, str]:
        """The clause that refuses a stone, by the empty point."""
        points = zip(names(self.options.size), self.board, strict=True)
        return {at: self.fault(at) for at, stone in points if stone == EMPTY}

    @property
    def barred(self) -> list[int]:
        """The points where GO-4.1 refuses the next stone."""
        if not self.seen or self.seen == {self.key}:
            return []
        where = numbers(self.options.size)
        return [where[at] for at, fault in self.faults.items() if fault == "GO-4.1"]

    def after(self, board: str, stage: Stage) -> Go:
        """Return the position of the other seat after a stone or a pass."""
        kept = self.seen | {key(board)} if self.options.repetition == "superko" else {self.key}
        turn, seat = self.turn + 1, 3 - self.seat
        return Go(self.options, board, seat, turn, stage, frozenset(kept))

    @property
    def points(self) -> tuple[float, float]:
        """The points of both seats if the game ended now (GO-6)."""
        black, white = areas(self.board, self.options.size)
        return black, white + float(self.options.komi)

    def awaiting(self) -> tuple[Awaited, ...]:
        """GO-2.1, GO-5."""
        if self.stage == "over":
            return ()
        if self.in_play:
            return (Awaited(self.seat, "place a stone", ("play", "pass")),)
        return (Awaited(self.seat, "mark the dead stones", ("mark", "agree", "resume")),)

    def outcome(self) -> Outcome | None:
        """GO-6.4, GO-6.5."""
        if self.stage != "over":
            return None
        black, white = self.points
        if black == white:
            return Outcome("GO-6.5")
        return Outcome("GO-6.4", (1 if black > white else 2,))


def start(options: GoOptions, seats: int) -> Go:
    """Set up a game; with a handicap White begins (GO-1.4)."""
    board = with_handicap(options.size, options.handicap)
    return Go(options, board, 2 if options.handicap else 1, seen=frozenset((key(board),)))
