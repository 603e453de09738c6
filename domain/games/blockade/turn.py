"""The turn of Blockade: roll, legs, towers and blacks, its end, and the end of the game (BLK-6)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.board import SIZES
from domain.effects import Effect
from domain.games.blockade.board import (
    BOARD,
    COLOUR_WORD,
    Stacks,
    after_leg,
    blockades,
    cost,
    is_tower,
    towers,
)
from domain.games.blockade.effects import (
    Blockaded,
    Ended,
    Exhausted,
    Landed,
    Rolled,
    TowerBuilt,
    TowerLost,
)
from domain.games.blockade.position import TO_WIN, Pair, Table
from domain.position import Outcome

Done = tuple[Table, tuple[Effect, ...]]


def roll(table: Table, dice: Pair) -> Done:
    """Open the turn of Blockade (BLK-2.1)."""
    first, second = table.colours(table.seat)
    effect = Rolled(table.seat, (COLOUR_WORD[first], COLOUR_WORD[second]), dice)
    return _go_on(table, table.stacks, table.supply, dice, (0, 0), [effect])


def move_leg(table: Table, start: int, end: int) -> Done:
    """Make a leg, put a black on a new tower, and check for a win (BLK-3, 5, 6)."""
    assert table.dice is not None
    colour = table.stacks[start][-1] >> 2
    price = cost(table.walls, start, end)
    stacks, supply, black = after_leg(table.stacks, table.supply, start, end)
    effects = [_landed(table, start, end, price)]
    changed = [at for at in (start, end) if is_tower(table.stacks[at]) != is_tower(stacks[at])]
    if changed:
        effects += _towers(table, stacks, changed)
    if black:
        effects.append(Blockaded(table.seat, BOARD.names[end], SIZES[black - 1]))
    spent = _add(table.spent, table.colours(table.seat).index(colour), price)
    if changed and towers(stacks, colour) == TO_WIN:
        return _won(table, stacks, supply, spent), tuple(effects)
    return _go_on(table, stacks, supply, table.dice, spent, effects)


def end(table: Table) -> Done:
    """End the turn (BLK-2.5)."""
    return _pass_on(table, table.stacks, table.supply), (Ended(table.seat),)


def finish(table: Table) -> Table:
    """Return an edited table with the game ended, or a turn without a legal leg (BLK-2.5)."""
    won = winners(table)
    if won:
        return replace(table, result=Outcome("BLK-6.1", (won[0],)))
    if table.dice is None or any(table.legs()):
        return table
    return _pass_on(table, table.stacks, table.supply)


def winners(table: Table) -> tuple[int, ...]:
    """Return the seats with enough towers of a colour (BLK-6.1)."""
    return tuple(seat for seat in (1, 2) if _has_won(table, seat))


def _has_won(table: Table, seat: int) -> bool:
    """BLK-6.1."""
    return any(towers(table.stacks, colour) >= TO_WIN for colour in table.colours(seat))


def _landed(table: Table, start: int, end: int, price: int) -> Effect:
    pyramid = table.stacks[start][-1]
    colour, size = COLOUR_WORD[pyramid >> 2], SIZES[(pyramid & 3) - 1]
    return Landed(table.seat, colour, size, BOARD.names[start], BOARD.names[end], price)


def _towers(table: Table, stacks: Stacks, changed: list[int]) -> Iterator[Effect]:
    """Yield an effect for each square that has become a tower or stopped being one."""
    for at in changed:
        colour = stacks[at][0] >> 2
        if is_tower(stacks[at]):
            count = towers(stacks, colour)
            yield TowerBuilt(table.seat, COLOUR_WORD[colour], BOARD.names[at], count)
        else:
            yield TowerLost(table.seat, COLOUR_WORD[colour], BOARD.names[at])


def _won(table: Table, stacks: Stacks, supply: bytes, spent: Pair) -> Table:
    won = Outcome("BLK-6.1", (table.seat,))
    return Table(
        stacks, supply, table.cool, table.seat, table.turn, table.walls, table.dice, spent, won
    )


def _go_on(
    table: Table, stacks: Stacks, supply: bytes, dice: Pair, spent: Pair, effects: list[Effect]
) -> Done:
    """Continue the turn, or end it if no legal leg remains (BLK-2.5)."""
    moved = Table(stacks, supply, table.cool, table.seat, table.turn, table.walls, dice, spent)
    if any(moved.legs()):
        return moved, tuple(effects)
    return _pass_on(table, stacks, supply), (*effects, Exhausted(table.seat))


def _pass_on(table: Table, stacks: Stacks, supply: bytes) -> Table:
    walls = blockades(stacks, table.colours(table.seat))
    return Table(stacks, supply, table.cool, 3 - table.seat, table.turn + 1, walls)


def _add(spent: Pair, which: int, price: int) -> Pair:
    return (spent[0], spent[1] + price) if which else (spent[0] + price, spent[1])
