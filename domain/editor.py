"""Rearranging a position by hand: what can be taken from where, and laid down where.

What really happened on a table may not be by the rules, and stands. Somebody then shows the
position by moving things about, a thing at a time, as on the table: from a spot to another. A
spot is a place of the board or a place beside it, like a stash. Nothing is lost or made: what
leaves a spot arrives at another. Whether the whole can be a position is asked at the end, by
`Position.set_up` with its text.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from domain.scene import Piece


class Misplaced(ValueError):
    """A thing that is not there, or cannot lie where it is laid. The message is for a player."""


class Thing(Struct, frozen=True):
    """So many alike things on a spot, which a hand can take one by one.

    `what` names them among the things of their spot, `words` to a person: "small of seat 1".
    `piece` is how one is drawn, where it is a piece.
    """

    what: str
    words: str
    piece: Piece | None = None
    count: int = 1


class Spot(Struct, frozen=True):
    """A place of the board, named as in the notation, or a named place beside it.

    `things` begins with what a hand takes if it is not told. `words` says where it is, like
    "in the stash of seat 1", and is empty for a place of the board.
    """

    at: str
    things: tuple[Thing, ...] = ()
    words: str = ""


def taken(spots: Iterable[Spot], what: str, at: str) -> Thing:
    """Return the thing of that name on a spot. Raises `Misplaced` if it is not there."""
    spot = next((spot for spot in spots if spot.at == at), None)
    if spot is None:
        raise Misplaced(f"there is no place called {at!r}")
    thing = next((thing for thing in spot.things if thing.what == what), None)
    if thing is None:
        raise Misplaced(f"{what!r} is not {spot.words or f'on {at}'}")
    return thing
