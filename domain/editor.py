"""Moving things of a position by hand: from one location to another, whatever the rules say.

Irregular play that the players accepted stands. Somebody then shows the position by moving
things one at a time, as on the table. A location is a place of the board or a place beside it,
like a stash. Nothing is lost or made. Whether the result can be a position is asked at the end,
by the game's text codec.
"""

from __future__ import annotations

from collections.abc import Callable
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


def _as_it_is(position: Any) -> Any:
    return position


def _nothing_fixed(position: Any, what: str, start: str) -> str:
    return ""


class Editor(Struct, frozen=True):
    """Moves things of a position by hand, by no rules and with nobody having moved.

    A game says what lies where (`locations`, the places of the board first) and why a thing may
    not lie at a location (`objection`, which is given the name of the location, the location as
    it is without the thing, or `None` if there is none of that name, and the thing; empty if it
    may). `lift` takes a thing away, `lay` puts it down, and `settle` sees to what follows from
    the whole; `begin_turn` begins a turn of a seat, nothing of another pending. `fixed` says why
    a thing that is there cannot be taken.

    What comes of it may be impossible, on the way to a position that is possible.
    """

    locations: Callable[[Any], tuple[Location, ...]]
    objection: Callable[[str, Location | None, Thing], str]
    lift: Callable[[Any, Thing, str], Any]
    lay: Callable[[Any, Thing, str], Any]
    begin_turn: Callable[[Any, int], Any]
    settle: Callable[[Any], Any] = _as_it_is
    fixed: Callable[[Any, str, str], str] = _nothing_fixed

    def move(self, position: Any, what: str, start: str, end: str) -> Any:
        """Return the position after a thing was taken from a location and laid on another.

        Raises `Misplaced` if it is not there, or cannot lie there.
        """
        refused = self.fixed(position, what, start)
        if refused:
            raise Misplaced(refused)
        thing = self._find(position, what, start)
        lifted = self.lift(position, thing, start)
        objection = self.objection(end, self._location(lifted, end), thing)
        if objection:
            raise Misplaced(objection)
        return self.settle(self.lay(lifted, thing, end))

    def give_turn(self, position: Any, seat: int) -> Any:
        """Return the position with a turn of a seat to begin. Raises `Misplaced`."""
        refused = self.fixed(position, "", "")
        if refused:
            raise Misplaced(refused)
        if seat not in position.playing:
            raise Misplaced(f"there is no seat {seat} in the game")
        return self.begin_turn(position, seat)

    def _find(self, position: Any, what: str, at: str) -> Thing:
        there = self._location(position, at)
        if there is None:
            raise Misplaced(f"there is no place called {at!r}")
        thing = next((thing for thing in there.things if thing.what == what), None)
        if thing is None:
            raise Misplaced(f"{what!r} is not {there.words()}")
        return thing

    def _location(self, position: Any, at: str) -> Location | None:
        return next((one for one in self.locations(position) if one.at == at), None)


def occupied(there: Location) -> str:
    """Return the objection to a place that something stands on."""
    return f"{there.at} is taken: first take away what stands there"


def _nothing(position: Any) -> tuple[Location, ...]:
    return ()


def _not_by_hand(position: Any, what: str, start: str) -> str:
    return "in this game nothing can be moved by hand"


def _refuse(*asked: Any) -> Any:
    raise Misplaced(_not_by_hand(*asked))


NOT_BY_HAND: Final = Editor(_nothing, lambda *_: "", _refuse, _refuse, _refuse, fixed=_not_by_hand)
"""The editor of a game whose positions are set by their text only."""
