"""Moving things of a position by hand: from one location to another, whatever the rules say.

Irregular play that the players accepted stands. Somebody then shows the position by moving
things one at a time, as on the table. A location is a place of the board or a place beside it,
like a stash. Nothing is lost or made. Whether the result can be a position is asked at the end,
by the game's text codec.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import Struct

from domain.names import UNNAMED, Names
from domain.scene import Piece


class Misplaced(ValueError):
    """A thing that is not there, or cannot lie where it is laid. The message is for a player."""


class Thing(Struct, frozen=True):
    """So many alike things at a location, which a hand can take one by one.

    `what` names them among the things of their location, `name` to a person, like "small";
    `seat` is whose they are, 0 for nobody's, and `note` what else there is to say, like ", with
    its cap". `piece` is how one is drawn, where it is a piece.
    """

    what: str
    name: str
    piece: Piece | None = None
    count: int = 1
    seat: int = 0
    note: str = ""

    def words(self, names: Names = UNNAMED) -> str:
        """Say what it is and whose: "small of seat 1"."""
        return f"{self.name}{f' of {names[self.seat]}' if self.seat else ''}{self.note}"


class Location(Struct, frozen=True):
    """A place of the board, named as in the notation, or a named place beside it.

    `things` begins with what a hand takes if nothing else is asked for. Of a place beside the
    board `where` is a template that says where it is, like "in the stash of {seat}", and `seat`
    whose it is.
    """

    at: str
    things: tuple[Thing, ...] = ()
    where: str = ""
    seat: int = 0

    @property
    def beside(self) -> bool:
        """Whether it is a place beside the board."""
        return bool(self.where)

    def words(self, names: Names = UNNAMED) -> str:
        """Say where it is: "in the stash of seat 1", "on c3"."""
        return self.where.format(seat=names[self.seat]) if self.where else f"on {self.at}"


def taken(locations: Iterable[Location], what: str, at: str) -> Thing:
    """Return the thing of that name at a location. Raises `Misplaced` if it is not there."""
    there = next((one for one in locations if one.at == at), None)
    if there is None:
        raise Misplaced(f"there is no place called {at!r}")
    thing = next((thing for thing in there.things if thing.what == what), None)
    if thing is None:
        raise Misplaced(f"{what!r} is not {there.words()}")
    return thing


class Editor(Struct, frozen=True):
    """How things of a position are moved by hand, by no rules and with nobody having moved.

    `locations` lists where things lie that a hand could move, the places of the board first.
    `move` takes the name of a thing, where it lies and where it goes, and returns the position
    after; `give_turn` returns the position with a turn of a seat to begin, nothing of another
    pending. Both raise `Misplaced`, and return positions that may be impossible, on the way to
    one that is possible.
    """

    locations: Callable[[Any], tuple[Location, ...]]
    move: Callable[[Any, str, str, str], Any]
    give_turn: Callable[[Any, int], Any]


def _nothing(position: Any) -> tuple[Location, ...]:
    return ()


def _refuse(*asked: Any) -> Any:
    raise Misplaced("in this game nothing can be moved by hand")


NOT_BY_HAND: Final = Editor(_nothing, _refuse, _refuse)
"""The editor of a game whose positions are set by their text only."""
