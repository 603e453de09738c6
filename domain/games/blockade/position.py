"""A position of Blockade, and its changes by a roll, a leg and the end of a turn."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from domain.board import SIZES
from domain.effects import Effect
from domain.games.blockade.board import (
    ACCEPTS,
    BOARD,
    COLOUR_WORD,
    COOL,
    MOVABLE,
    WARM,
    Stacks,
    after_leg,
    blockades,
    cost,
    ends,
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
from domain.position import Awaited, Outcome, Position

TO_WIN: Final = 5
"""BLK-6.1."""

ROLL: Final = ((), *((Awaited(seat, "roll the dice", ("roll",)),) for seat in (1, 2)))
MOVE: Final = (
    (),
    *((Awaited(seat, "move or end the turn", ("move", "end")),) for seat in (1, 2)),
)

Pair = tuple[int, int]
"""A value for each of a seat's two colours, in the order of `COOL` and `WARM`."""


@functools.cache
def points_left(dice: Pair, spent: Pair) -> Pair:
    """Return the remaining points in each colour (BLK-2.2, BLK-2.3)."""
    return _left(*dice, *spent), _left(*reversed(dice), *reversed(spent))


@functools.cache
def movable(colours: Pair, dice: Pair, spent: Pair) -> dict[int, int]:
    """Return the pyramids that a turn can move, each with its remaining points (BLK-3.1)."""
    return {
        pyramid: points
        for colour, points in zip(colours, points_left(dice, spent), strict=True)
        for pyramid in MOVABLE[colour]
        if points
    }


def _left(die: int, other_die: int, spent: int, other_spent: int) -> int:
    if die <= 3 and other_die <= 3 and not other_spent:
        return die + other_die - spent
    # A colour beyond its die uses the sum of both dice, and the other colour has nothing left.
    return die - spent if other_spent <= other_die else 0


class Table(Position, frozen=True):
    """The stacks, the remaining blacks by size, the seat in turn, its dice and its spent points.

    `dice` is `None` until the turn's roll. `cool` is the seat with blue and green. `walls` are the
    opponent's blockades, as a set of squares; they do not change during a turn.
    """

    stacks: Stacks
    supply: bytes
    cool: int
    seat: int
    turn: int
    walls: int = 0
    dice: Pair | None = None
    spent: Pair = (0, 0)
    result: Outcome | None = None

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await a roll, then legs or the end of the turn (BLK-2)."""
        if self.result is not None:
            return ()
        return ROLL[self.seat] if self.dice is None else MOVE[self.seat]

    def outcome(self) -> Outcome | None:
        """Return the outcome by BLK-6.1 after the last leg."""
        return self.result

    def winners(self) -> tuple[int, ...]:
        """Return the seats with enough towers of a colour (BLK-6.1)."""
        return tuple(seat for seat in (1, 2) if self._has_won(seat))

    def finish(self) -> Table:
        """Return the position after the end of the game, or of a turn without a leg (BLK-2.5)."""
        winners = self.winners()
        if winners:
            return replace(self, result=Outcome(winners[0], "BLK-6.1"))
        if self.dice is None or any(self.legs()):
            return self
        return self._pass_on(self.stacks, self.supply)

    def _has_won(self, seat: int) -> bool:
        """BLK-6.1."""
        return any(towers(self.stacks, colour) >= TO_WIN for colour in self.colours(seat))

    def colours(self, seat: int) -> Pair:
        """Return a seat's two colours in the order of its dice (BLK-1.1)."""
        return COOL if seat == self.cool else WARM

    def left(self) -> Pair:
        """Return the turn's remaining points in each colour; none before the roll."""
        return (0, 0) if self.dice is None else points_left(self.dice, self.spent)

    def legs(self) -> Iterator[tuple[int, int]]:
        """Yield every legal leg: from and to.

        Lazy, so that a test for any leg stops at the first.
        """
        if self.dice is None:
            return
        stacks, walls = self.stacks, self.walls
        budget = movable(self.colours(self.seat), self.dice, self.spent)
        for start, stack in enumerate(stacks):
            pyramid = stack[-1]
            if pyramid in budget:
                accepts = ACCEPTS[pyramid]
                for end in ends(walls, start)[budget[pyramid]]:
                    if accepts[stacks[end][-1]]:
                        yield start, end

    def apply_roll(self, dice: Pair) -> tuple[Table, tuple[Effect, ...]]:
        """Open the turn (BLK-2.1)."""
        first, second = self.colours(self.seat)
        effect = Rolled(self.seat, (COLOUR_WORD[first], COLOUR_WORD[second]), dice)
        return self._go_on(self.stacks, self.supply, dice, (0, 0), [effect])

    def apply_leg(self, start: int, end: int) -> tuple[Table, tuple[Effect, ...]]:
        """Make a leg, put a black on a new tower, and check for a win (BLK-3, 5, 6)."""
        assert self.dice is not None
        colour = self.stacks[start][-1] >> 2
        price = cost(self.walls, start, end)
        stacks, supply, black = after_leg(self.stacks, self.supply, start, end)
        effects = [self._landed(start, end, price)]
        changed = [at for at in (start, end) if is_tower(self.stacks[at]) != is_tower(stacks[at])]
        if changed:
            effects += self._towers(stacks, changed)
        if black:
            effects.append(Blockaded(self.seat, BOARD.names[end], SIZES[black - 1]))
        spent = _add(self.spent, self.colours(self.seat).index(colour), price)
        if changed and towers(stacks, colour) == TO_WIN:
            return self._won(stacks, supply, spent), tuple(effects)
        return self._go_on(stacks, supply, self.dice, spent, effects)

    def _landed(self, start: int, end: int, price: int) -> Effect:
        pyramid = self.stacks[start][-1]
        colour, size = COLOUR_WORD[pyramid >> 2], SIZES[(pyramid & 3) - 1]
        return Landed(self.seat, colour, size, BOARD.names[start], BOARD.names[end], price)

    def _towers(self, stacks: Stacks, changed: list[int]) -> Iterator[Effect]:
        """Yield an effect for each square that has become a tower or stopped being one."""
        for at in changed:
            colour = stacks[at][0] >> 2
            if is_tower(stacks[at]):
                count = towers(stacks, colour)
                yield TowerBuilt(self.seat, COLOUR_WORD[colour], BOARD.names[at], count)
            else:
                yield TowerLost(self.seat, COLOUR_WORD[colour], BOARD.names[at])

    def _won(self, stacks: Stacks, supply: bytes, spent: Pair) -> Table:
        won = Outcome(self.seat, "BLK-6.1")
        return Table(
            stacks, supply, self.cool, self.seat, self.turn, self.walls, self.dice, spent, won
        )

    def end_turn(self) -> tuple[Table, tuple[Effect, ...]]:
        """End the turn (BLK-2.5)."""
        return self._pass_on(self.stacks, self.supply), (Ended(self.seat),)

    def _go_on(
        self, stacks: Stacks, supply: bytes, dice: Pair, spent: Pair, effects: list[Effect]
    ) -> tuple[Table, tuple[Effect, ...]]:
        """Continue the turn, or end it if no legal leg remains (BLK-2.5)."""
        table = Table(stacks, supply, self.cool, self.seat, self.turn, self.walls, dice, spent)
        if any(table.legs()):
            return table, tuple(effects)
        return self._pass_on(stacks, supply), (*effects, Exhausted(self.seat))

    def _pass_on(self, stacks: Stacks, supply: bytes) -> Table:
        walls = blockades(stacks, self.colours(self.seat))
        return Table(stacks, supply, self.cool, 3 - self.seat, self.turn + 1, walls)


def _add(spent: Pair, which: int, price: int) -> Pair:
    return (spent[0], spent[1] + price) if which else (spent[0] + price, spent[1])
