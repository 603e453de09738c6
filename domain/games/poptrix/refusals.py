"""The refusals of Poptrix: their clauses and their words."""

from __future__ import annotations

from domain.board import OFF, SIZE_WORD
from domain.games.poptrix.board import BEHIND, BOARD, HOME_ROW, REACH, attacks, launchable
from domain.games.poptrix.position import Table
from domain.names import Player, Sentence
from domain.position import Violation

NAMES = BOARD.names


def not_first_turn(seat: int, at: int) -> Violation:
    """Refuse a placement after a seat's first turn (POP-2.2)."""
    message = Sentence(
        "{at}: pyramids are placed on a seat's first turn only; now {seat} must attack or launch",
        at=NAMES[at],
        seat=Player(seat),
    )
    return Violation("POP-2.2", message, (NAMES[at],))


def not_home(seat: int, at: int) -> Violation:
    """Refuse a placement outside the home row (POP-2.1)."""
    message = Sentence(
        "{at} is not on the home row of {seat}, row {row}",
        at=NAMES[at],
        seat=Player(seat),
        row=HOME_ROW[seat],
    )
    return Violation("POP-2.1", message, (NAMES[at],))


def diagonal(from_: int, to: int) -> Violation:
    """Refuse a diagonal way (POP-1.4)."""
    one, other = names = NAMES[from_], NAMES[to]
    message = f"{other} lies diagonally from {one}; go along a row or column"
    return Violation("POP-1.4", message, names)


def not_placed(seat: int) -> Violation:
    """Refuse a launch or an attack before the first placement (POP-2.1)."""
    message = Sentence(
        "{seat} must first place a pyramid: write a size and a square of row {row}",
        seat=Player(seat),
        row=HOME_ROW[seat],
    )
    return Violation("POP-2.1", message)


def must_attack(position: Table, seat: int) -> Violation:
    """Refuse a launch while an attack is available (POP-2.3)."""
    one, other = (NAMES[at] for at in next(attacks(position.board, seat)))
    message = Sentence(
        "{seat} can attack and so must: attack {other} from {one}",
        seat=Player(seat),
        one=one,
        other=other,
    )
    return Violation("POP-2.3", message, (one, other))


def no_launcher(position: Table, seat: int, at: int) -> Violation:
    """Refuse a launch from a square without the seat's pyramid (POP-3.1)."""
    message = Sentence(
        "{there}; the launcher must be a pyramid of {seat} on the board",
        there=_on(position, at),
        seat=Player(seat),
    )
    return Violation("POP-3.1", message, (NAMES[at],))


def wrong_size(position: Table, from_: int, pips: int) -> Violation:
    """Refuse to launch the launcher's own size, or a size that is used up (POP-3.2)."""
    launcher, word = position.board[from_], SIZE_WORD[pips]
    right = [SIZE_WORD[size] for size in launchable(position.stash, launcher)]
    could = f"it can launch a {' or a '.join(right)}" if right else "it can launch nothing"
    if launcher & 3 == pips:
        message = f"the {word} on {NAMES[from_]} cannot launch another {word}; {could}"
    else:
        message = Sentence(
            "no {word} is left in the stash of {seat}; {could}",
            word=word,
            seat=Player(launcher >> 2),
            could=could,
        )
    return Violation("POP-3.2", message, (NAMES[from_],))


def no_launch(position: Table, from_: int, to: int) -> Violation:
    """Refuse to launch to a square that is taken or out of reach (POP-3.3)."""
    free = [NAMES[at] for at in REACH[from_] if not position.board[at]]
    could = f"it can launch to {', '.join(free)}" if free else "no square is free for it"
    if position.board[to]:
        message: str = Sentence(
            "{there}; a launch needs an empty square, {could}",
            there=_on(position, to),
            could=could,
        )
    else:
        message = f"{NAMES[to]} is not one or two squares from {NAMES[from_]} in a line; {could}"
    return Violation("POP-3.3", message, (NAMES[to],))


def no_attacker(position: Table, seat: int, at: int) -> Violation:
    """Refuse an attack from a square without the seat's pyramid (POP-4.0)."""
    message = Sentence(
        "{there}; the attacker must be a pyramid of {seat}",
        there=_on(position, at),
        seat=Player(seat),
    )
    return Violation("POP-4.0", message, (NAMES[at],))


def no_enemy(position: Table, from_: int, to: int) -> Violation:
    """Refuse to attack a square without an adjacent enemy (POP-4.0)."""
    one, other = NAMES[from_], NAMES[to]
    targets = [NAMES[b] for a, b in attacks(position.board, position.seat) if a == from_]
    could = f"; {one} can attack {', '.join(targets)}" if targets else ""
    if position.board[to] and position.board[to] >> 2 != position.seat:
        message: str = f"{other} is not next to {one}{could}"
    else:
        there = _on(position, to)
        message = Sentence(
            "{there}; an attack needs an enemy there{could}", there=there, could=could
        )
    return Violation("POP-4.0", message, (other,))


def no_room(position: Table, from_: int, to: int) -> Violation:
    """Refuse the attack of a large that cannot land behind its enemy (POP-4.3)."""
    landing = BEHIND[from_][to]
    names = NAMES[from_], NAMES[to]
    message = Sentence(
        "the large on {one} has no room to land behind {other}: {behind}",
        one=names[0],
        other=names[1],
        behind="the board ends there" if landing == OFF else _on(position, landing),
    )
    return Violation("POP-4.3", message, names)


def _on(position: Table, at: int) -> str:
    code = position.board[at]
    if not code:
        return f"{NAMES[at]} is empty"
    return Sentence(
        "{at} has a {size} of {seat}",
        at=NAMES[at],
        size=SIZE_WORD[code & 3],
        seat=Player(code >> 2),
    )
