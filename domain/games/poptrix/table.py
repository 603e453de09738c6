"""A position of Poptrix, and what a placement, a launch and a fight make of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from domain.board import OFF
from domain.game import Awaited, Effect, Outcome, Position, Skipped
from domain.games.poptrix import scene
from domain.games.poptrix.board import (
    BEHIND,
    BOARD,
    EMPTY,
    HOME,
    REACH,
    STASH,
    attacks,
    can_launch,
    launchable,
)
from domain.games.poptrix.effects import Capped, CapReturned, Fought, Launched, Placed, Removed
from domain.games.poptrix.moves import Attack, Launch, Place
from domain.pyramids import PIPS, SIZES, Size
from domain.scene import Scene

ATTACK: Final = (
    (),
    *((Awaited(seat, "attack", ("attack",)),) for seat in (1, 2)),
)
LAUNCH: Final = ((), *((Awaited(seat, "launch", ("launch",)),) for seat in (1, 2)))
PLACE: Final = (
    (),
    *((Awaited(seat, "place a pyramid on the home row", ("place",)),) for seat in (1, 2)),
)


class Table(Position, frozen=True):
    """What lies on the table, whose turn it is, and whether it must attack (POP-2.3).

    A cap on the square `OFF` lies in its owner's stash.
    """

    board: bytes
    stash: bytes
    caps: tuple[int, int]
    seat: int
    turn: int
    forced: bool
    result: Outcome | None = None

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await a placement on the first turns (POP-2.1), then an attack or a launch."""
        if self.result is not None:
            return ()
        if self.turn <= 2:
            return PLACE[self.seat]
        return ATTACK[self.seat] if self.forced else LAUNCH[self.seat]

    def outcome(self) -> Outcome | None:
        """Return what POP-6 made of the last move."""
        return self.result

    def legal(self, seat: int) -> Iterator[Place | Launch | Attack]:
        """List the placements, or the attacks, or where there are none the launches."""
        if self.result is not None or seat != self.seat:
            return
        names = BOARD.names
        if self.turn <= 2:
            yield from (Place(size, names[at]) for size in SIZES for at in HOME[seat])
        elif self.forced:
            yield from (Attack(names[from_], names[to]) for from_, to in attacks(self.board, seat))
        else:
            for from_, code in enumerate(self.board):
                if code >> 2 == seat:
                    sizes = [size for size in SIZES if launchable(self.stash, code, PIPS[size])]
                    for to in REACH[from_]:
                        if not self.board[to]:
                            yield from (Launch(names[from_], size, names[to]) for size in sizes)

    def scene(self, effects: Sequence[Effect] = ()) -> Scene:
        """Draw the board, both stashes and the caps that lie in them."""
        return scene.draw(self, effects)

    def placed(self, size: Size, at: int) -> tuple[Table, tuple[Effect, ...]]:
        """Set a first pyramid down (POP-2.1)."""
        return self._set_down(size, at, Placed(self.seat, size, BOARD.names[at]))

    def launched(self, from_: int, size: Size, to: int) -> tuple[Table, tuple[Effect, ...]]:
        """Set a launched pyramid down (POP-3)."""
        effect = Launched(self.seat, size, BOARD.names[from_], BOARD.names[to])
        return self._set_down(size, to, effect)

    def _set_down(self, size: Size, at: int, effect: Effect) -> tuple[Table, tuple[Effect, ...]]:
        code = self.seat * 4 + PIPS[size]
        board = _put(self.board, at, code)
        stash = _put(self.stash, code, self.stash[code] - 1)
        return _next(self, board, stash, self.caps, (effect,))

    def attacked(self, from_: int, to: int) -> tuple[Table, tuple[Effect, ...]]:
        """Fight it out: strength by POP-5.1, who stands where by the table of POP-5.6."""
        seat, enemy, names = self.seat, 3 - self.seat, BOARD.names
        board, caps = bytearray(self.board), list(self.caps)
        attacker, defender = board[from_], board[to]
        attack = (attacker & 3) + 1 + (caps[seat - 1] == from_)
        defence = (defender & 3) + (caps[enemy - 1] == to)
        pips = attacker & 3
        # The squares where the attacker, and the defender, would stand after winning.
        stand = from_ if pips == 1 else to if pips == 2 else BEHIND[from_][to]
        hold = from_ if pips == 1 else to
        effects: list[Effect] = [
            Fought(seat, names[from_], names[to], names[stand], attack, defence)
        ]
        board[from_] = board[to] = EMPTY
        if attack <= defence:
            effects += _remove(caps, seat, attacker, from_)
        if defence <= attack:
            effects += _remove(caps, enemy, defender, to)
        if attack > defence:
            board[stand] = attacker
            caps[seat - 1] = stand
            effects.append(Capped(seat, names[stand]))
        elif defence > attack:
            board[hold] = defender
            caps[enemy - 1] = hold
            effects.append(Capped(enemy, names[hold]))
        return _next(self, bytes(board), self.stash, (caps[0], caps[1]), tuple(effects))


def _put(cells: bytes, at: int, value: int) -> bytes:
    return cells[:at] + bytes((value,)) + cells[at + 1 :]


def _remove(caps: list[int], seat: int, code: int, at: int) -> Iterator[Effect]:
    """Take a pyramid out of the game (POP-5.3); its cap goes home (POP-5.5)."""
    yield Removed(seat, SIZES[(code & 3) - 1], BOARD.names[at])
    if caps[seat - 1] == at:
        caps[seat - 1] = OFF
        yield CapReturned(seat)


def _next(
    position: Table,
    board: bytes,
    stash: bytes,
    caps: tuple[int, int],
    effects: tuple[Effect, ...],
) -> tuple[Table, tuple[Effect, ...]]:
    """Pass the turn on, skipping a seat that can do nothing (POP-2.4), or end the game (POP-6)."""
    seat, turn = position.seat, position.turn + 1
    enemy = 3 - seat
    if turn <= 2:
        return Table(board, stash, caps, enemy, turn, False), effects
    result = _wiped_out(board)
    if result is not None:
        return Table(board, stash, caps, enemy, turn, False, result), effects
    if any(attacks(board, enemy)):
        return Table(board, stash, caps, enemy, turn, True), effects
    if can_launch(board, stash, enemy):
        return Table(board, stash, caps, enemy, turn, False), effects
    # Attacks are mutual but for larges without room, so this is rare: skip, or end the game.
    forced = any(attacks(board, seat))
    if forced or can_launch(board, stash, seat):
        return Table(board, stash, caps, seat, turn, forced), (*effects, Skipped(enemy))
    return Table(board, stash, caps, enemy, turn, False, _count(board)), effects


def _wiped_out(board: bytes) -> Outcome | None:
    """POP-6.1, and POP-6.2 before it."""
    alive = {code >> 2 for code in board if code}
    if len(alive) == 2:
        return None
    return Outcome(alive.pop(), "POP-6.1") if alive else Outcome(None, "POP-6.2")


def _count(board: bytes) -> Outcome:
    """POP-6.3: most pyramids on the board; POP-6.4: equal counts are a draw."""
    first, second = (sum(code >> 2 == seat for code in board) for seat in (1, 2))
    if first == second:
        return Outcome(None, "POP-6.4")
    return Outcome(1 if first > second else 2, "POP-6.3")


START: Final = Table(bytes(30), STASH, (OFF, OFF), 1, 1, False)
"""Everything in the stashes; seat 1 begins (POP-1.2, POP-1.3)."""
