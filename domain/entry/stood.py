"""Tokens of moves that stood against the rules: `2:stood=c6>S@c5_5/5/2M2/5/5/2L2_5S5M4L_…`.

The move as it is written comes first, then the position after it, whose spaces are written `_`. A
token without the position means the one that the game carries the move out to.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import quote, unquote

from domain.events import State, Stood, broken_clause
from domain.position import Move, Violation
from domain.position_text import PositionError

WORD: Final = "stood="
PLAIN: Final = "#$&'*+,/:;<=>@[]^|~"
"""The characters of a position, besides letters, digits and `-.`, that stand for themselves."""

NO_POSITION: Final = Violation(
    "form", "the rules do not say what follows from this move: give the position after it"
)


class Irregular(NamedTuple):
    """The parts of a token: the move, and the position after it, if it is given."""

    move: str
    position: str | None = None


def split(body: str) -> Irregular | None:
    """Split a token without its seat; `None` if it is another token."""
    if not body.startswith(WORD):
        return None
    move, given, position = body.removeprefix(WORD).partition("_")
    return Irregular(move, unquote(position.replace("_", " ")) if given else None)


def write(move: str, position: str | None = None) -> str:
    """Write a move that stood, and the position after it, as a token without its seat."""
    if position is None:
        return WORD + move
    words = quote(position, PLAIN).replace("_", "%5F").replace("%20", "_")
    return f"{WORD}{move}_{words}"


def read(state: State, seat: int, irregular: Irregular) -> Stood | Violation:
    """Return the event, or why there is none. The referee finds the clause that the move breaks."""
    token, position = irregular
    clause = broken_clause(state, seat, token)
    if isinstance(clause, Violation):
        return clause
    after = proposed(state, seat, token) if position is None else _canonical(state, position)
    return NO_POSITION if after is None else Stood(seat, token, clause, after)


def proposed(state: State, seat: int, token: str) -> str | None:
    """Return the position that a move against the rules leads to, as `carry_out` does."""
    move = state.game.parse(token)
    return carry_out(state, seat, move) if move else None


def _canonical(state: State, text: str) -> str:
    """Return the text of a position as the game writes it; another text as it is."""
    try:
        written: str = state.game.write_position(state.game.read_position(state.position, text))
    except PositionError:
        return text
    return written


def carry_out(state: State, seat: int, move: Move[Any]) -> str | None:
    """Return the position after a move that breaks a rule, or `None` if the game cannot tell.

    A seat that is not awaited plays as if the turn were its own. A game promises nothing for such
    a move, so the result is a proposal to people.
    """
    game, before = state.game, state.position
    try:
        if not any(one.seat == seat for one in before.awaiting()):
            before = game.editor.give_turn(before, seat)
        position, _ = move.evolve(before, seat)
        text: str = game.write_position(position)
        again = game.write_position(game.read_position(state.position, text))
    except Exception:  # a game need not be able to carry out a move that it forbids
        return None
    return text if text == again else None
