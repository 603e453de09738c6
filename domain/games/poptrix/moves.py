"""The moves of Poptrix: their notation and their checks against the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from domain.board import PIPS, SIZES, Size
from domain.effects import Effect
from domain.games.poptrix import refusals, turn
from domain.games.poptrix.board import (
    BEHIND,
    BOARD,
    DIAGONALS,
    HOME,
    REACH,
    Square,
    attacks,
    can_fight,
    launchable,
    launches,
)
from domain.games.poptrix.effects import Launched, Placed
from domain.games.poptrix.position import Table
from domain.notation import SIZE, Notation, square, template
from domain.position import Move, Violation

INDEX: Final = BOARD.index


class Place(Move[Table], frozen=True):
    """A seat's first pyramid (POP-2.1)."""

    size: Size
    """The size of the piece."""
    at: Square
    """The name of the place."""

    notation: ClassVar[Notation] = template("{size}@{at}", size=SIZE, at=square("a-e", "1-6"))
    what: ClassVar[str] = "first placement"
    example: ClassVar[str] = "M@c1"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Place]:
        """Yield placements of each size on each square of the home row."""
        return (cls(size, BOARD.names[at]) for size in SIZES for at in HOME[seat])

    def check(self, position: Table, seat: int) -> Violation | None:
        """POP-2.2, POP-2.1."""
        at = INDEX[self.at]
        if position.turn > 2:
            return refusals.not_first_turn(seat, at)
        if at not in HOME[seat]:
            return refusals.not_home(seat, at)
        return None

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Move the pyramid from the stash to the square."""
        effect = Placed(seat, self.size, self.at)
        return turn.set_down(position, self.size, INDEX[self.at], effect)


class Launch(Move[Table], frozen=True):
    """A new pyramid sent out by one on the board (POP-3)."""

    from_: Square
    """The place that the piece leaves."""
    size: Size
    """The size of the piece."""
    to: Square
    """The place where the piece goes."""

    notation: ClassVar[Notation] = template(
        "{from_}>{size}@{to}",
        from_=square("a-e", "1-6"),
        size=SIZE,
        to=square("a-e", "1-6"),
    )
    what: ClassVar[str] = "launch"
    example: ClassVar[str] = "c1>S@c3"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Launch]:
        """Yield the launches, by launcher."""
        names, launched = BOARD.names, launches(position.board, position.stash, seat)
        return (cls(names[from_], SIZES[pips - 1], names[to]) for from_, pips, to in launched)

    def check(self, position: Table, seat: int) -> Violation | None:
        """POP-1.4, POP-2.1, POP-2.3, POP-3.1 to POP-3.3."""
        from_, to = INDEX[self.from_], INDEX[self.to]
        launcher = position.board[from_]
        fault = _before(position, seat, from_, to)
        if fault is not None:
            return fault
        if position.forced:
            return refusals.must_attack(position, seat)
        if launcher >> 2 != seat:
            return refusals.no_launcher(position, seat, from_)
        if PIPS[self.size] not in launchable(position.stash, launcher):
            return refusals.wrong_size(position, from_, PIPS[self.size])
        if position.board[to] or to not in REACH[from_]:
            return refusals.no_launch(position, from_, to)
        return None

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Move the pyramid from the stash to the target square."""
        effect = Launched(seat, self.size, self.from_, self.to)
        return turn.set_down(position, self.size, INDEX[self.to], effect)


class Attack(Move[Table], frozen=True):
    """A fight with an adjacent enemy (POP-4, POP-5)."""

    from_: Square
    """The place that the piece leaves."""
    to: Square
    """The place where the piece goes."""

    notation: ClassVar[Notation] = template(
        "{from_}x{to}", from_=square("a-e", "1-6"), to=square("a-e", "1-6")
    )
    what: ClassVar[str] = "attack"
    example: ClassVar[str] = "c3xc4"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Attack]:
        """Yield the attacks, by attacker."""
        names = BOARD.names
        return (cls(names[from_], names[to]) for from_, to in attacks(position.board, seat))

    def check(self, position: Table, seat: int) -> Violation | None:
        """POP-1.4, POP-2.1, POP-4.0, POP-4.3."""
        from_, to = INDEX[self.from_], INDEX[self.to]
        board = position.board
        fault = _before(position, seat, from_, to)
        if fault is not None:
            return fault
        if board[from_] >> 2 != seat:
            return refusals.no_attacker(position, seat, from_)
        if not board[to] or board[to] >> 2 == seat or to not in BEHIND[from_]:
            return refusals.no_enemy(position, from_, to)
        if not can_fight(board, from_, to):
            return refusals.no_room(position, from_, to)
        return None

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Resolve the fight of an attack."""
        return turn.attack(position, INDEX[self.from_], INDEX[self.to])


def _before(position: Table, seat: int, from_: int, to: int) -> Violation | None:
    """Check the conditions of launches and attacks alike: POP-1.4, then POP-2.1."""
    if to in DIAGONALS[from_]:
        return refusals.diagonal(from_, to)
    return refusals.not_placed(seat) if position.turn <= 2 else None
