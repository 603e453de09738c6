"""A position of Poptrix, and its changes by a placement, a launch and a fight."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.board import OFF, PIPS, Size
from domain.effects import Effect, Skipped
from domain.games.poptrix.board import SIDES, STASH, can_attack, launches
from domain.games.poptrix.fight import Caps, fight
from domain.position import Awaited, Outcome, Position

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
    """The pieces on the table, the seat in turn, and whether it must attack (POP-2.3)."""

    board: bytes
    stash: bytes
    caps: Caps
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
        """Return the outcome by POP-6 after the last move."""
        return self.result

    def finish(self) -> Table:
        """Return the position as if the other seat had just moved: skipped seats, and the end."""
        result = _knockout(self.board.translate(SIDES))
        if self.turn > 2 and result is not None:
            return replace(self, result=result)
        moved = replace(self, seat=3 - self.seat, turn=self.turn - 1)
        return moved._pass_on(self.board, self.stash, self.caps, ())[0]

    def set_down(self, size: Size, at: int, effect: Effect) -> tuple[Table, tuple[Effect, ...]]:
        """Move a pyramid from the stash to a square; `effect` describes the move (POP-2.1, 3)."""
        code = self.seat * 4 + PIPS[size]
        board, stash = bytearray(self.board), bytearray(self.stash)
        board[at] = code
        stash[code] -= 1
        return self._pass_on(bytes(board), bytes(stash), self.caps, (effect,))

    def apply_attack(self, from_: int, to: int) -> tuple[Table, tuple[Effect, ...]]:
        """Resolve a fight (POP-4, POP-5); a seat without pyramids on the board loses (POP-6.1)."""
        board, caps, effects = fight(self.board, self.caps, from_, to)
        result = _knockout(board.translate(SIDES))
        if result is None:
            return self._pass_on(board, self.stash, caps, effects)
        enemy, turn = 3 - self.seat, self.turn + 1
        return Table(board, self.stash, caps, enemy, turn, False, result), effects

    def _pass_on(
        self, board: bytes, stash: bytes, caps: Caps, effects: tuple[Effect, ...]
    ) -> tuple[Table, tuple[Effect, ...]]:
        """Await the other seat; skip one without a move (POP-2.4), or end the game (POP-6)."""
        seat, enemy, turn = self.seat, 3 - self.seat, self.turn + 1
        forced = can_attack(board, enemy)
        if forced or turn <= 2 or any(launches(board, stash, enemy)):
            return Table(board, stash, caps, enemy, turn, forced), effects
        # Attacks are mutual except for larges without room, so this is rare.
        forced = can_attack(board, seat)
        if forced or any(launches(board, stash, seat)):
            return Table(board, stash, caps, seat, turn, forced), (*effects, Skipped(enemy))
        return Table(board, stash, caps, enemy, turn, False, _count(board)), effects


def _knockout(sides: bytes) -> Outcome | None:
    """POP-6.1: a seat without pyramids on the board loses; POP-6.2: if both, it is a draw."""
    if 1 in sides and 2 in sides:
        return None
    alive = [seat for seat in (1, 2) if seat in sides]
    return Outcome(alive[0], "POP-6.1") if alive else Outcome(None, "POP-6.2")


def _count(board: bytes) -> Outcome:
    """POP-6.3: most pyramids on the board; POP-6.4: equal counts are a draw."""
    sides = board.translate(SIDES)
    first, second = sides.count(1), sides.count(2)
    if first == second:
        return Outcome(None, "POP-6.4")
    return Outcome(1 if first > second else 2, "POP-6.3")


START: Final = Table(bytes(30), STASH, (OFF, OFF), 1, 1, False)
"""All pyramids in the stashes; seat 1 begins (POP-1.2, POP-1.3)."""
