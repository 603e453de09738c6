"""The refusals of Power Play: their clauses and their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import methodcaller

from domain.board import SIZE_WORD
from domain.games.power_play.board import BETWEEN, BOARD
from domain.games.power_play.effects import sizes_words
from domain.games.power_play.pieces import (
    BLACK,
    KNOCKOUT,
    LIFTED,
    PYRAMIDS,
    SEAT_SHIFT,
    STRENGTH,
    Cells,
    hops,
    is_nest,
    is_power,
    pieces,
    steps,
)
from domain.games.power_play.position import Table
from domain.names import Player, Sentence, count
from domain.position import Violation

NAMES = BOARD.names


def untimely(position: Table, what: str) -> Violation:
    """Refuse a kind of move that is not awaited."""
    awaited = position.awaiting()[0]
    message = Sentence(
        "no {what} is awaited now: {seat} is to {task}",
        what=what,
        seat=Player(awaited.seat),
        task=awaited.what,
    )
    return Violation("turn", message)


def not_own(position: Table, seat: int, at: int) -> Violation:
    """Refuse to move a piece of another seat (PWR-3.1)."""
    message = Sentence(
        "{there}; {seat} must move {its} own piece, on {own}",
        there=standing(position.board, at),
        seat=Player(seat),
        own=names(pieces(position.board, seat)),
    )
    return Violation("PWR-3.1", message, (NAMES[at],))


def no_step(position: Table, from_: int, to: int) -> Violation:
    """Refuse a step that is too long or meets a piece (PWR-3.3)."""
    if position.board[to]:
        there = standing(position.board, to)
        why: str = Sentence("{there}, and a step needs an empty square", there=there)
    else:
        why = f"{NAMES[to]} is not next to {NAMES[from_]}"
    free = names(steps(position.board, from_)) or "no square"
    could = f"{NAMES[from_]} can step to {free}"
    return _cannot("PWR-3.3", why, could, from_, to)


def no_hop(position: Table, from_: int, to: int) -> Violation:
    """Refuse a hop that is not straight over an adjacent piece (PWR-4.1)."""
    over = BETWEEN[from_].get(to)
    if over is None:
        why = f"{NAMES[to]} is not two squares from {NAMES[from_]} in a straight line"
    else:
        why = f"there is nothing to hop over: {NAMES[over]} is empty"
    return _cannot("PWR-4.1", why, could_hop(position, from_), from_, to)


def too_strong(position: Table, from_: int, to: int) -> Violation:
    """Refuse to land on a black, or on a stronger enemy (PWR-4.2)."""
    target, mover = position.board[to], LIFTED[position.board[from_]][0]
    if target == BLACK:
        why = f"no piece can land on the black large on {NAMES[to]}"
    else:
        why = Sentence(
            "{there} of {strength}; the piece from {from_} has {hopping}, too few to land there",
            there=standing(position.board, to),
            strength=count(STRENGTH[target], "pip"),
            hopping=STRENGTH[mover],
            from_=NAMES[from_],
        )
    return _cannot("PWR-4.2", why, could_hop(position, from_), from_, to)


def no_stack(position: Table, from_: int, to: int) -> Violation:
    """Refuse to land on the seat's piece if the mover does not fit (PWR-4.3)."""
    upper, target = PYRAMIDS[LIFTED[position.board[from_]][0]], position.board[to]
    lower = PYRAMIDS[target]
    top = lower[0] if is_nest(target) else lower[-1]
    if upper[0] > top:
        why = f"a {SIZE_WORD[upper[0]]} does not fit on {NAMES[to]}: the top there is a"
        why += f" {SIZE_WORD[top]}"
    else:
        why = f"{NAMES[from_]} and {NAMES[to]} would be {len(upper) + len(lower)} pyramids"
        why += ", and a power piece has at most three"
    return _cannot("PWR-4.3", why, could_hop(position, from_), from_, to)


def nothing_changed(position: Table, at: int) -> Violation:
    """Refuse to end a jump that changed nothing (PWR-4.7)."""
    message = (
        f"the jump is back on {NAMES[at]}, where it began, and has struck nothing;"
        f" {could_hop(position, at)}"
    )
    return Violation("PWR-4.7", message, (NAMES[at],))


def not_in_hand(position: Table, seat: int, pips: int) -> Violation:
    """Refuse to put back a pyramid that is not in the hand (PWR-5.1)."""
    held = [SIZE_WORD[size] for size in (1, 2, 3) if position.hands[seat * 4 + size]]
    message = Sentence(
        "{seat} has no {size} in hand, only {held}",
        size=SIZE_WORD[pips],
        seat=Player(seat),
        held=" and ".join(held),
    )
    return Violation("PWR-5.1", message)


def no_place(position: Table, pips: int, at: int, allowed: Sequence[int]) -> Violation:
    """Refuse a square for a put-back: nests come first (PWR-5.2), then empty squares (PWR-5.3)."""
    clause, word = "PWR-5.3", SIZE_WORD[pips]
    if any(position.board[place] for place in allowed):
        clause, right = "PWR-5.2", f"the {word} must join a nest that lacks it, on {names(allowed)}"
    elif allowed:
        right = f"the {word} must go on an empty starting square, {names(allowed)}"
    else:
        right = Sentence(
            "no square is free for a {word} of {seat}; put back another size first",
            seat=Player(position.due),
            word=word,
        )
    message = Sentence("{there}; {right}", there=standing(position.board, at), right=right)
    return Violation(clause, message, (NAMES[at],))


def not_knocked_out(position: Table, seat: int, target: int) -> Violation:
    """Refuse a declaration that is not true (PWR-6.1)."""
    if target == seat:
        message = "a seat cannot declare itself knocked out"
    elif target not in position.playing:
        message = Sentence(
            "{seat} is out of the game; still in: {playing}",
            seat=Player(target),
            playing=methodcaller("listed", position.playing),
        )
    else:
        message = Sentence(
            "{seat} has lost {lost} pips; a knockout can be declared from {knockout} on",
            seat=Player(target),
            lost=position.lost[target - 1],
            knockout=KNOCKOUT,
        )
    return Violation("PWR-6.1", message)


def _cannot(clause: str, why: str, could: str, from_: int, to: int) -> Violation:
    """Refuse a way from one square to another, and say where the piece can go instead."""
    message = Sentence("{why}; {could}", why=why, could=could)
    return Violation(clause, message, (NAMES[from_], NAMES[to]))


def could_hop(position: Table, from_: int) -> str:
    """List the possible hops of the piece on a square."""
    free = names(hops(position.board, from_))
    return f"{NAMES[from_]} can hop to {free}" if free else f"{NAMES[from_]} can hop nowhere"


def standing(board: Cells, at: int) -> str:
    """Describe the piece on a square."""
    code = board[at]
    if not code:
        return f"{NAMES[at]} is empty"
    if code == BLACK:
        return f"{NAMES[at]} has a black large"
    what = sizes_words(PYRAMIDS[code])
    if is_nest(code):
        what = f"a nest ({what})"
    elif is_power(code):
        what = f"a power piece ({what})"
    seat = Player(code >> SEAT_SHIFT)
    return Sentence("{at} has {what} of {seat}", at=NAMES[at], what=what, seat=seat)


def names(squares: Iterable[int]) -> str:
    """List squares by name."""
    return ", ".join(NAMES[at] for at in squares)
