"""A refusal as data: what the command line prints as JSON and the service answers."""

from __future__ import annotations

from msgspec import Struct

from replay import rules_text
from replay.errors import Refused


class Refusal(Struct, frozen=True):
    """Why an event was refused: which of those sent, whose, by which clause in its own words."""

    event: int
    token: str | None
    seat: int | None
    clause: str
    words: str | None
    message: str
    squares: tuple[str, ...]
    ok: bool = False


def describe(refused: Refused, token: str | None) -> Refusal:
    """Return a refusal with the words of the clause it cites."""
    violation = refused.violation
    return Refusal(
        refused.index,
        token,
        refused.seat,
        violation.clause,
        rules_text.words(refused.match.game, violation.clause),
        violation.message,
        violation.squares,
    )


def explain(refusal: Refusal) -> str:
    """Return a refusal as lines for a person: what is wrong, then the clause's own words."""
    message = f"refused: {refusal.message}"
    return f"{message}\n  {refusal.clause} {refusal.words}" if refusal.words else message
