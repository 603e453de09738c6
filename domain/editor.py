"""Edit a position by hand: move things from one location to another, whatever the rules say.

Players may accept irregular play. The scorekeeper then sets the position by moving things one at a
time, as on the table. A location is a place of the board or off the board, like a stash. Edits
neither lose nor create things. The game's text codec checks the finished position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from domain.names import UNNAMED, Names, Sentence
from domain.scene import Piece


class Misplaced(ValueError):
    """A thing that is missing, or cannot be put at a location. The message is for a player."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Thing(Struct, frozen=True):
    """Identical things at a location; they can be moved one at a time.

    Their key at the location is `what`, their word for people `name`, like "small". `seat` is the
    owner, 0 without an owner, and `note` a further remark, like ", with its cap". `piece` is the
    drawing of a single thing, if the things are pieces.
    """

    what: str
    name: str
    piece: Piece | None = None
    count: int = 1
    seat: int = 0
    note: str = ""

    def words(self, names: Names = UNNAMED) -> str:
        """Name the thing and its owner: "small of seat 1"."""
        return f"{self.name}{f' of {names[self.seat]}' if self.seat else ''}{self.note}"


class Location(Struct, frozen=True):
    """A place of the board, named as in the notation, or a named place off the board.

    By default an edit takes the first of `things`. For a place off the board, `where` is a template
    of its description, like "in the stash of {seat}", and `seat` is its owner.
    """

    at: str
    things: tuple[Thing, ...] = ()
    where: str = ""
    seat: int = 0

    @property
    def beside(self) -> bool:
        """Whether the editor's location is a place off the board."""
        return bool(self.where)

    def words(self, names: Names = UNNAMED) -> str:
        """Describe the place: "in the stash of seat 1", "on c3"."""
        return self.where.format(seat=names[self.seat]) if self.where else f"on {self.at}"


class Editor(Struct, frozen=True):
    """Moves things of a position by hand, regardless of the rules and without making a move.

    A game supplies the functions. `locations` returns all locations, the places of the board first.
    `objection` returns why a thing may not be put at a location, or an empty text; its arguments
    are the name of the location, the location without the thing (`None` for an unknown name), and
    the thing. `lift` takes a thing away, `lay` puts it down, and `settle` recomputes
    dependent parts. `begin_turn` begins a turn of a seat and drops everything pending. `fixed`
    returns why a thing cannot be taken.

    Intermediate positions may be invalid.
    """

    locations: Callable[[Any], tuple[Location, ...]]
    objection: Callable[[str, Location | None, Thing], str]
    lift: Callable[[Any, Thing, str], Any]
    lay: Callable[[Any, Thing, str], Any]
    begin_turn: Callable[[Any, int], Any]
    settle: Callable[[Any], Any] = lambda position: position
    fixed: Callable[[Any, str, str], str] = lambda position, what, start: ""

    def move(self, position: Any, what: str, start: str, end: str) -> Any:
        """Return the position after moving a thing from one location to another.

        Raises `Misplaced` if the thing is missing, or cannot be put there.
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
        """Return an edited position in which it is a seat's turn. Raises `Misplaced`."""
        refused = self.fixed(position, "", "")
        if refused:
            raise Misplaced(refused)
        if seat not in position.playing:
            raise Misplaced(f"seat {seat} is not in the game")
        return self.begin_turn(position, seat)

    def _find(self, position: Any, what: str, at: str) -> Thing:
        there = self._location(position, at)
        if there is None:
            raise Misplaced(f"{at!r} is not a place of this game")
        thing = next((thing for thing in there.things if thing.what == what), None)
        if thing is None:
            raise Misplaced(Sentence("{what!r} is not {there}", what=what, there=there.words))
        return thing

    def _location(self, position: Any, at: str) -> Location | None:
        return next((one for one in self.locations(position) if one.at == at), None)


def occupied(there: Location) -> str:
    """Return the objection to an occupied place."""
    return f"{there.at} is taken: empty it first"


def _not_by_hand(position: Any, what: str, start: str) -> str:
    return "in this game nothing can be moved by hand"


def _refuse(*asked: Any) -> Any:
    raise Misplaced(_not_by_hand(*asked))


NOT_BY_HAND: Final = Editor(
    lambda position: (), lambda *_: "", _refuse, _refuse, _refuse, fixed=_not_by_hand
)
"""The editor of a game whose positions can be set only by their text."""
