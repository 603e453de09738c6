"""The moves of Poptrix: their notation, and the reasons why they are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from domain.board import OFF, PIPS, SIZE_WORD, SIZES, Size
from domain.effects import Effect
from domain.games.poptrix.board import (
    BEHIND,
    BOARD,
    DIAGONALS,
    HOME,
    HOME_ROW,
    REACH,
    Square,
    attacks,
    can_fight,
    launchable,
    launches,
)
from domain.games.poptrix.effects import Launched, Placed
from domain.games.poptrix.position import Table
from domain.names import Player, Sentence
from domain.notation import SIZE, Notation, square, template
from domain.position import Move, Violation

INDEX: Final = BOARD.index


class Place(Move[Table], frozen=True):
    """A seat's first pyramid (POP-2.1)."""

    size: Size
    at: Square

    notation: ClassVar[Notation] = template("{size}@{at}", size=SIZE, at=square("a-e", "1-6"))
    what: ClassVar[str] = "first placement"
    example: ClassVar[str] = "M@c1"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Place]:
        """Yield each size on each square of the home row."""
        return (cls(size, BOARD.names[at]) for size in SIZES for at in HOME[seat])

    def check(self, position: Table, seat: int) -> Violation | None:
        """POP-2.2, POP-2.1."""
        if position.turn > 2:
            message = Sentence(
                "{at}: pyramids are placed on a seat's first turn only; now {seat} attacks or"
                " launches",
                at=self.at,
                seat=Player(seat),
            )
            return Violation("POP-2.2", message, (self.at,))
        if INDEX[self.at] not in HOME[seat]:
            message = Sentence(
                "{at} is not on the home row of {seat}, row {row}",
                at=self.at,
                seat=Player(seat),
                row=HOME_ROW[seat],
            )
            return Violation("POP-2.1", message, (self.at,))
        return None

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Move the pyramid from the stash to the square."""
        effect = Placed(seat, self.size, self.at)
        return position.set_down(self.size, INDEX[self.at], effect)


class Launch(Move[Table], frozen=True):
    """A new pyramid sent out by one on the board (POP-3)."""

    from_: Square
    size: Size
    to: Square

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
            one, other = (BOARD.names[at] for at in next(attacks(position.board, seat)))
            message = Sentence(
                "{seat} can attack and so must: attack {other} from {one}",
                seat=Player(seat),
                one=one,
                other=other,
            )
            return Violation("POP-2.3", message, (one, other))
        if launcher >> 2 != seat:
            message = Sentence(
                "{there}; the launcher is a pyramid of {seat} on the board",
                there=_on(position, from_),
                seat=Player(seat),
            )
            return Violation("POP-3.1", message, (self.from_,))
        if PIPS[self.size] not in launchable(position.stash, launcher):
            return Violation("POP-3.2", self._wrong_size(position, launcher), (self.from_,))
        if position.board[to] or to not in REACH[from_]:
            return Violation("POP-3.3", self._wrong_target(position, from_, to), (self.to,))
        return None

    def _wrong_size(self, position: Table, launcher: int) -> str:
        word = SIZE_WORD[PIPS[self.size]]
        right = [SIZE_WORD[pips] for pips in launchable(position.stash, launcher)]
        could = f"it can launch a {' or a '.join(right)}" if right else "it can launch nothing"
        if launcher & 3 == PIPS[self.size]:
            return f"the {word} on {self.from_} cannot launch another {word}; {could}"
        return Sentence(
            "no {word} is left in the stash of {seat}; {could}",
            word=word,
            seat=Player(launcher >> 2),
            could=could,
        )

    def _wrong_target(self, position: Table, from_: int, to: int) -> str:
        free = [BOARD.names[at] for at in REACH[from_] if not position.board[at]]
        could = f"free for it: {', '.join(free)}" if free else "no square is free for it"
        if position.board[to]:
            return Sentence(
                "{there}; a launch needs an empty square, {could}",
                there=_on(position, to),
                could=could,
            )
        return f"{self.to} is not one or two squares from {self.from_} in a line; {could}"

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Move the pyramid from the stash to the target square."""
        effect = Launched(seat, self.size, self.from_, self.to)
        return position.set_down(self.size, INDEX[self.to], effect)


class Attack(Move[Table], frozen=True):
    """A fight with an adjacent enemy (POP-4, POP-5)."""

    from_: Square
    to: Square

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
            message = Sentence(
                "{there}; the attacker is a pyramid of {seat}",
                there=_on(position, from_),
                seat=Player(seat),
            )
            return Violation("POP-4.0", message, (self.from_,))
        if not board[to] or board[to] >> 2 == seat or to not in BEHIND[from_]:
            return Violation("POP-4.0", self._wrong_target(position, from_, to), (self.to,))
        if not can_fight(board, from_, to):
            landing = BEHIND[from_][to]
            behind = "the board ends there" if landing == OFF else _on(position, landing)
            message = Sentence(
                "the large on {from_} has no room to land behind {to}: {behind}",
                from_=self.from_,
                to=self.to,
                behind=behind,
            )
            return Violation("POP-4.3", message, (self.from_, self.to))
        return None

    def _wrong_target(self, position: Table, from_: int, to: int) -> str:
        targets = [BOARD.names[b] for a, b in attacks(position.board, position.seat) if a == from_]
        could = f"; {self.from_} can attack {', '.join(targets)}" if targets else ""
        if position.board[to] and position.board[to] >> 2 != position.seat:
            return f"{self.to} is not next to {self.from_}{could}"
        there = _on(position, to)
        return Sentence("{there}; an attack needs an enemy there{could}", there=there, could=could)

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Resolve the fight."""
        return position.apply_attack(INDEX[self.from_], INDEX[self.to])


def _before(position: Table, seat: int, from_: int, to: int) -> Violation | None:
    """Check the conditions of launches and attacks alike: POP-1.4, then POP-2.1."""
    if to in DIAGONALS[from_]:
        one, other = names = BOARD.names[from_], BOARD.names[to]
        message = f"{other} lies diagonally from {one}; go along a row or column"
        return Violation("POP-1.4", message, names)
    if position.turn <= 2:
        first = Sentence(
            "{seat} first places a pyramid on row {row}: a size, and a square there",
            seat=Player(seat),
            row=HOME_ROW[seat],
        )
        return Violation("POP-2.1", first)
    return None


def _on(position: Table, at: int) -> str:
    code = position.board[at]
    if not code:
        return f"{BOARD.names[at]} is empty"
    return Sentence(
        "on {at} stands a {size} of {seat}",
        at=BOARD.names[at],
        size=SIZE_WORD[code & 3],
        seat=Player(code >> 2),
    )
