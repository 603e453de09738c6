"""The refusals of Blockade: their clauses and their words."""

from __future__ import annotations

from domain.board import SIZE_WORD
from domain.games.blockade.board import BLACK, BOARD, CLEAR_LARGE, COLOUR_WORD, cost
from domain.games.blockade.position import Pair, Table
from domain.names import Player, Sentence
from domain.position import Violation

NAMES = BOARD.names


def not_rolled(seat: int, example: str) -> Violation:
    """Refuse a move before the roll (BLK-2.1)."""
    message = Sentence("{seat} rolls first, like {roll}", seat=Player(seat), roll=example)
    return Violation("turn", message)


def rolled_before(seat: int, dice: Pair) -> Violation:
    """Refuse a second roll in a turn (BLK-2.1)."""
    message = Sentence(
        "{seat} has rolled {first},{second}; now move, or end the turn (.)",
        seat=Player(seat),
        first=dice[0],
        second=dice[1],
    )
    return Violation("turn", message)


def not_movable(position: Table, seat: int, at: int) -> Violation:
    """Refuse to move any pyramid but the seat's mediums and smalls (BLK-3.1)."""
    first, second = (COLOUR_WORD[colour] for colour in position.colours(seat))
    message = Sentence(
        "the top of {at} is a {pyramid}; {seat} can move {first} and {second} mediums and smalls",
        at=NAMES[at],
        pyramid=_name(position.stacks[at][-1]),
        seat=Player(seat),
        first=first,
        second=second,
    )
    return Violation("BLK-3.1", message, (NAMES[at],))


def same_square(position: Table, at: int) -> Violation:
    """Refuse a leg that ends where it began (BLK-3.5)."""
    message = f"a leg cannot end on {NAMES[at]}, where it began; {_could(position, at)}"
    return Violation("BLK-3.5", message, (NAMES[at],))


def too_far(position: Table, start: int, end: int, points: int) -> Violation:
    """Refuse a leg that costs more points than the colour has left (BLK-2.3)."""
    price = cost(position.walls, start, end)
    around = " around the blockades" if price > cost(0, start, end) else ""
    colour = COLOUR_WORD[position.stacks[start][-1] >> 2]
    message = (
        f"the way from {NAMES[start]} to {NAMES[end]}{around} costs {price},"
        f" but {colour} has {points} left; {_could(position, start)}"
    )
    return Violation("BLK-2.3", message, (NAMES[start], NAMES[end]))


def no_landing(position: Table, start: int, end: int) -> Violation:
    """Refuse a landing on a pyramid that does not allow it (BLK-4.2 to BLK-4.4)."""
    pyramid, top = position.stacks[start][-1], position.stacks[end][-1]
    by_colour = "BLK-4.2" if top >> 2 == pyramid >> 2 else "BLK-4.4"
    clause = "BLK-4.3" if top & BLACK else by_colour
    message = (
        f"the {_name(pyramid)} on {NAMES[start]} cannot land on {NAMES[end]}:"
        f" the top there is a {_name(top)}{_tower(pyramid, top)}; {_could(position, start)}"
    )
    return Violation(clause, message, (NAMES[end],))


def _could(position: Table, start: int) -> str:
    ends = [NAMES[to] for from_, to in position.legs() if from_ == start]
    if not ends:
        return f"no leg can begin on {NAMES[start]} now"
    return f"from {NAMES[start]} it can go to {', '.join(ends)}"


def _tower(pyramid: int, top: int) -> str:
    """Describe the tower under a black, as far as it explains a refusal."""
    if not top & BLACK:
        return ""
    if top >> 2 & 7 == pyramid >> 2:
        return f", no larger than a {SIZE_WORD[pyramid & 3]}"
    return f" on a {COLOUR_WORD[top >> 2 & 7]} tower"


def _name(code: int) -> str:
    if code == CLEAR_LARGE:
        return "clear large"
    colour = "black" if code & BLACK else COLOUR_WORD[code >> 2]
    return f"{colour} {SIZE_WORD[code & 3]}"
