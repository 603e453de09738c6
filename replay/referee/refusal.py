"""A refusal as data, for the command line's JSON and the service's answers."""

from __future__ import annotations

from msgspec import Struct

from domain.names import UNNAMED, Names
from replay import rules_text
from replay.errors import Refused


class RefusedEvent(Struct, frozen=True):
    """A refused event: its index, token and seat, and the violated clause with its text."""

    event: int
    token: str | None
    seat: int | None
    clause: str
    words: str | None
    message: str
    squares: tuple[str, ...]
    ok: bool = False


def describe(refused: Refused, token: str | None, names: Names = UNNAMED) -> RefusedEvent:
    """Return a refusal with the players' names, and the text of the clause it cites."""
    violation = refused.violation
    return RefusedEvent(
        refused.index,
        token,
        refused.seat,
        violation.clause,
        rules_text.words(refused.match.game, violation.clause),
        violation.words(names),
        violation.squares,
    )


def explain(refusal: RefusedEvent) -> str:
    """Return a refusal as lines for a person: the message, then the text of the clause."""
    message = f"refused: {refusal.message}"
    return f"{message}\n  {refusal.clause} {refusal.words}" if refusal.words else message
