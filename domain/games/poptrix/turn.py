"""The turn of Poptrix: placement, launch, fight (POP-4, POP-5), and the end of the game (POP-6)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.board import OFF, PIPS, SIZES, Size
from domain.effects import Effect, Skipped
from domain.games.poptrix.board import BEHIND, BOARD, EMPTY, SIDES, can_attack, launches
from domain.games.poptrix.effects import Capped, CapReturned, Fought, Removed
from domain.games.poptrix.position import Caps, Table
from domain.position import Outcome

Done = tuple[Table, tuple[Effect, ...]]


def set_down(table: Table, size: Size, at: int, effect: Effect) -> Done:
    """Move a pyramid from the stash to a square; `effect` describes the move (POP-2.1, 3)."""
    code = table.seat * 4 + PIPS[size]
    board, stash = bytearray(table.board), bytearray(table.stash)
    board[at] = code
    stash[code] -= 1
    return _pass_on(table, bytes(board), bytes(stash), table.caps, (effect,))


def attack(table: Table, from_: int, to: int) -> Done:
    """Resolve a fight; a seat without pyramids on the board loses (POP-6.1)."""
    board, caps, effects = _fight(table.board, table.caps, from_, to)
    result = _knockout(board.translate(SIDES))
    if result is None:
        return _pass_on(table, board, table.stash, caps, effects)
    enemy, turn = 3 - table.seat, table.turn + 1
    return Table(board, table.stash, caps, enemy, turn, False, result), effects


def finish(table: Table) -> Table:
    """Return an edited table with seats skipped and the game ended, as after a move."""
    result = _knockout(table.board.translate(SIDES))
    if table.turn > 2 and result is not None:
        return replace(table, result=result)
    moved = replace(table, seat=3 - table.seat, turn=table.turn - 1)
    return _pass_on(moved, table.board, table.stash, table.caps, ())[0]


def _fight(board: bytes, caps: Caps, from_: int, to: int) -> tuple[bytes, Caps, tuple[Effect, ...]]:
    """Return the board and the caps after an attack, and the effects.

    Strength follows POP-5.1, and the final squares follow the table of POP-5.6.
    """
    attacker, defender = board[from_], board[to]
    seat, enemy = attacker >> 2, defender >> 2
    attack = (attacker & 3) + 1 + (caps[seat - 1] == from_)
    defence = (defender & 3) + (caps[enemy - 1] == to)
    # A small fights from a distance, a medium on the defender's square, a large from behind it.
    stand = (from_, to, BEHIND[from_][to])[(attacker & 3) - 1]
    hold = from_ if stand == from_ else to
    names = BOARD.names
    effects: list[Effect] = [Fought(seat, names[from_], names[to], names[stand], attack, defence)]
    cells, left = bytearray(board), list(caps)
    cells[from_] = cells[to] = EMPTY
    if attack <= defence:
        effects += _remove(left, attacker, from_)
    if defence <= attack:
        effects += _remove(left, defender, to)
    if attack > defence:
        cells[stand], left[seat - 1] = attacker, stand
        effects.append(Capped(seat, names[stand]))
    elif defence > attack:
        cells[hold], left[enemy - 1] = defender, hold
        effects.append(Capped(enemy, names[hold]))
    return bytes(cells), (left[0], left[1]), tuple(effects)


def _remove(caps: list[int], pyramid: int, at: int) -> Iterator[Effect]:
    """Remove a pyramid from the game (POP-5.3); its cap goes home (POP-5.5)."""
    seat = pyramid >> 2
    yield Removed(seat, SIZES[(pyramid & 3) - 1], BOARD.names[at])
    if caps[seat - 1] == at:
        caps[seat - 1] = OFF
        yield CapReturned(seat)


def _pass_on(
    table: Table, board: bytes, stash: bytes, caps: Caps, effects: tuple[Effect, ...]
) -> Done:
    """Await the other seat; skip one without a move (POP-2.4), or end the game (POP-6)."""
    seat, enemy, turn = table.seat, 3 - table.seat, table.turn + 1
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
    return Outcome("POP-6.1", (alive[0],)) if alive else Outcome("POP-6.2")


def _count(board: bytes) -> Outcome:
    """POP-6.3: most pyramids on the board; POP-6.4: equal counts are a draw."""
    sides = board.translate(SIDES)
    first, second = sides.count(1), sides.count(2)
    if first == second:
        return Outcome("POP-6.4")
    return Outcome("POP-6.3", (1 if first > second else 2,))
