"""A fight between two adjacent pyramids, and its result on the board (POP-4, POP-5)."""

from __future__ import annotations

from collections.abc import Iterator

from domain.board import OFF, SIZES
from domain.effects import Effect
from domain.games.poptrix.board import BEHIND, BOARD, EMPTY
from domain.games.poptrix.effects import Capped, CapReturned, Fought, Removed

Caps = tuple[int, int]
"""The square of each seat's cap; `OFF` is in its owner's stash."""


def fight(board: bytes, caps: Caps, from_: int, to: int) -> tuple[bytes, Caps, tuple[Effect, ...]]:
    """Return the board and the caps after an attack, and the effects.

    Strength is by POP-5.1; the final squares are by the table of POP-5.6.
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
