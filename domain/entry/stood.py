"""Move texts of accepted illegal moves: `2:stood=c6>S@c5_5/5/2M2/5/5/2L2_5S5M4L_…`.

The text of the move comes first, then the position after it, with `_` for each space. Without a
position, the game carries the move out.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import quote, unquote

from msgspec.structs import replace

from domain.events import State, Stood, broken_clause
from domain.position import Move, Violation
from domain.position_text import PositionError

WORD: Final = "stood="
PLAIN: Final = "#$&'*+,/:;<=>@[]^|~"
"""The characters of a position, besides letters, digits and `-.`, that are not escaped."""

NO_POSITION: Final = Violation(
    "form", "the rules do not define the position after this move: give it too"
)


class Irregular(NamedTuple):
    """The parts of a move text: the move, and the position after it, if it is given."""

    move: str
    position: str | None = None


def split(body: str) -> Irregular | None:
    """Split the text of a move that stood, without its seat; `None` for any other text."""
    if not body.startswith(WORD):
        return None
    move, given, position = body.removeprefix(WORD).partition("_")
    return Irregular(move, unquote(position.replace("_", " ")) if given else None)


def write(move: str, position: str | None = None) -> str:
    """Write an illegal move, and the position after it, as a move text without its seat."""
    if position is None:
        return WORD + move
    words = quote(position, PLAIN).replace("_", "%5F").replace("%20", "_")
    return f"{WORD}{move}_{words}"


def read(state: State, seat: int, irregular: Irregular) -> Stood | Violation:
    """Return the event with the clause that the move breaks, or why it cannot be recorded."""
    text, position = irregular
    clause = broken_clause(state, seat, text)
    if isinstance(clause, Violation):
        return clause
    after = proposed(state, seat, text) if position is None else _canonical(state, position)
    return NO_POSITION if after is None else Stood(seat, text, clause, after)


def proposed(state: State, seat: int, text: str) -> str | None:
    """Return the position that a move against the rules leads to, as `carry_out` does."""
    move = state.game.parse(text)
    return carry_out(state, seat, move) if move else None


def leads_on(state: State, event: Stood) -> bool:
    """Return whether an accepted illegal move leads to its position, if the game can tell."""
    return carried(state, event) in (None, event.position)


def carried(state: State, event: Stood) -> str | None:
    """Return the position to which a move that stood leads from a state, if that is known."""
    return None if state.unjudged else proposed(state, event.seat, event.text)


def carry_over(event: Stood, before: State, state: State) -> Stood:
    """Return a move that stood at another state, from which it leads on.

    Keep a position that people set, or that the game cannot derive at the other state.
    """
    derived = carried(before, event) == event.position
    return replace(event, position=(derived and carried(state, event)) or event.position)


def _canonical(state: State, text: str) -> str:
    """Return the game's own text of a position; an invalid text stays unchanged."""
    try:
        written: str = state.game.write_position(state.game.read_position(state.position, text))
    except PositionError:
        return text
    return written


def carry_out(state: State, seat: int, move: Move[Any]) -> str | None:
    """Return the position after a move that breaks a rule, or `None` if the game cannot play it.

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
