"""The moves on a free board. They are not listed: there are thousands, and all are allowed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from domain.effects import Effect
from domain.games.free_board.effects import (
    Ended,
    Flipped,
    Passed,
    PutDown,
    PutMan,
    Removed,
    RemovedMen,
    Shifted,
)
from domain.games.free_board.pieces import Set, codes, flipped
from domain.games.free_board.position import Layout, places
from domain.names import UNNAMED, Names
from domain.notation import Lexeme, Notation, template
from domain.position import Move, Violation

Place = Annotated[str, Meta(pattern="^[a-s]([1-9]|1[0-9])$")]
Code = Annotated[str, Meta(pattern="^([wb][A-Z]?|[A-Z])$")]
Result = Literal["1", "2", "draw"]
PLACE = Lexeme("[a-s](?:1[0-9]|[1-9])", texts=places(19))
CODES: tuple[Set, ...] = ("chess", "draughts", "pyramids", "stones", "letters")
PIECE = Lexeme(
    "[wb][A-Z]?|[A-Z]", texts=tuple(dict.fromkeys(code for one in CODES for code in codes(one)))
)

Next = tuple[Layout, tuple[Effect, ...]]


class Open(Move[Layout], frozen=True):
    """A move that is not listed."""

    listed: ClassVar[bool] = False

    @classmethod
    def legal(cls, position: Layout, seat: int) -> Iterator[Move[Layout]]:
        """Yield nothing, as moves of a free board are not listed."""
        return iter(())


def missing(position: Layout, *names: str) -> Violation | None:
    """Refuse places that the board does not have (FRB-1.1)."""
    for name in names:
        if not position.has(name):
            last = places(position.size)[-1]
            return Violation("FRB-1.1", f"{name} is not a place; use a1 to {last}", (name,))
    return None


def empty(position: Layout, name: str) -> Violation | None:
    """Refuse a place without a piece (FRB-2.2)."""
    if fault := missing(position, name):
        return fault
    if position.at(name):
        return None
    return Violation("FRB-2.2", f"{name} is empty; choose a place with a piece", (name,))


def left(position: Layout, at: str, pieces: tuple[str, ...]) -> Removed:
    """Return the effect that pieces left the board."""
    return (RemovedMen if position.pieces == "draughts" else Removed)(at, pieces)


class Put(Open, frozen=True):
    """A piece is put on the board: `wK@e1` (FRB-2.1)."""

    piece: Code
    """The kind of piece."""
    at: Place
    """The name of the place."""

    notation: ClassVar[Notation] = template("{piece}@{at}", piece=PIECE, at=PLACE)
    what: ClassVar[str] = "put"
    example: ClassVar[str] = "w@c3"

    def check(self, position: Layout, seat: int) -> Violation | None:
        """Refuse a piece of a different set, or a place that is taken."""
        if self.piece not in codes(position.pieces):
            known = ", ".join(codes(position.pieces))
            return Violation("FRB-1.2", f"{self.piece} is not a piece here; use one of {known}")
        if fault := missing(position, self.at):
            return fault
        if position.at(self.at):
            return Violation("FRB-2.1", f"{self.at} is taken; use an empty place", (self.at,))
        return None

    def evolve(self, position: Layout, seat: int) -> Next:
        """Put the piece down."""
        kind = PutMan if position.pieces == "draughts" else PutDown
        return position.put(**{self.at: (self.piece,)}), (kind(seat, self.piece, self.at),)


class Carry(Open, frozen=True):
    """The pieces of a place go to another place."""

    from_: Place
    """The place that the piece leaves."""
    to: Place
    """The place where the piece goes."""

    def check(self, position: Layout, seat: int) -> Violation | None:
        """Refuse a start that is empty, or a move that ends where it began."""
        if fault := empty(position, self.from_) or missing(position, self.to):
            return fault
        if self.from_ == self.to:
            return Violation(
                "FRB-2.3", f"the piece is already on {self.to}; choose another place", (self.to,)
            )
        return None


class Shift(Carry, frozen=True):
    """A move that takes the pieces on its destination: `e2-e4` (FRB-2.3)."""

    notation: ClassVar[Notation] = template("{from_}-{to}", from_=PLACE, to=PLACE)
    what: ClassVar[str] = "move"
    example: ClassVar[str] = "e2-e4"

    def evolve(self, position: Layout, seat: int) -> Next:
        """Move a piece, and take what is on its destination."""
        taken = position.at(self.to)
        gone = (left(position, self.to, taken),) if taken else ()
        moved = position.put(**{self.from_: (), self.to: position.at(self.from_)})
        return moved, (Shifted(seat, self.from_, self.to), *gone)

    def label(self, names: Names = UNNAMED) -> str:
        """Name the move of a piece as a capture."""
        return f"Take {self.to}"


class Stack(Carry, frozen=True):
    """A move on top of the pieces on its destination: `e2+e4` (FRB-2.4)."""

    notation: ClassVar[Notation] = template("{from_}+{to}", from_=PLACE, to=PLACE)
    what: ClassVar[str] = "stack"
    example: ClassVar[str] = "e2+e4"

    def check(self, position: Layout, seat: int) -> Violation | None:
        """Refuse an empty destination too."""
        return super().check(position, seat) or empty(position, self.to)

    def evolve(self, position: Layout, seat: int) -> Next:
        """Put a piece on top of its destination."""
        both = (*position.at(self.to), *position.at(self.from_))
        moved = position.put(**{self.from_: (), self.to: both})
        return moved, (Shifted(seat, self.from_, self.to),)

    def label(self, names: Names = UNNAMED) -> str:
        """Name the move onto a stack."""
        return f"Stack on {self.to}"

    def offered(self, position: Layout) -> bool:
        """Two taps capture in sets whose pieces move only by capturing; a stack's move is typed."""
        return position.pieces not in ("chess", "draughts")


class Remove(Open, frozen=True):
    """The top piece leaves the board: `xe4` (FRB-2.5)."""

    at: Place
    """The name of the place."""

    notation: ClassVar[Notation] = template("x{at}", at=PLACE)
    what: ClassVar[str] = "take off"
    example: ClassVar[str] = "xe4"

    def check(self, position: Layout, seat: int) -> Violation | None:
        """Refuse an empty place."""
        return empty(position, self.at)

    def evolve(self, position: Layout, seat: int) -> Next:
        """Take the piece off."""
        *rest, top = position.at(self.at)
        return position.put(**{self.at: tuple(rest)}), (left(position, self.at, (top,)),)

    def label(self, names: Names = UNNAMED) -> str:
        """Name the removal of a piece."""
        return f"Take off {self.at}"


class Flip(Open, frozen=True):
    """The top piece turns over: `/e4` (FRB-2.6)."""

    at: Place
    """The name of the place."""

    notation: ClassVar[Notation] = template("/{at}", at=PLACE)
    what: ClassVar[str] = "turn over"
    example: ClassVar[str] = "/e4"

    def check(self, position: Layout, seat: int) -> Violation | None:
        """Refuse a place that is empty or holds letters."""
        if fault := empty(position, self.at):
            return fault
        if position.pieces == "letters":
            return Violation(
                "FRB-2.6", "a letter cannot be turned over; take it off instead", (self.at,)
            )
        return None

    def evolve(self, position: Layout, seat: int) -> Next:
        """Turn the piece over."""
        *rest, top = position.at(self.at)
        turned = position.put(**{self.at: (*rest, flipped(top))})
        return turned, (Flipped(seat, self.at),)

    def label(self, names: Names = UNNAMED) -> str:
        """Name the flip of a piece."""
        return f"Turn over {self.at}"


class Pass(Move[Layout], frozen=True):
    """A turn without a move (FRB-2.7)."""

    notation: ClassVar[Notation] = template("pass")
    what: ClassVar[str] = "pass"
    example: ClassVar[str] = "pass"

    @classmethod
    def legal(cls, position: Layout, seat: int) -> Iterator[Pass]:
        """Offer the pass."""
        return iter((cls(),))

    def check(self, position: Layout, seat: int) -> Violation | None:
        """Allow every pass: a seat may always pass."""
        return None

    def evolve(self, position: Layout, seat: int) -> Next:
        """Pass the turn on."""
        return position.passed(), (Passed(seat),)

    def label(self, names: Names = UNNAMED) -> str:
        """Name the pass."""
        return "Pass"


class End(Open, frozen=True):
    """The end, as the players see it: `end=1`, `end=draw` (FRB-3.1)."""

    result: Result
    """The seat that has won, or `draw`."""

    notation: ClassVar[Notation] = template("end={result}", result=Lexeme("1|2|draw"))
    what: ClassVar[str] = "end"
    example: ClassVar[str] = "end=draw"

    def check(self, position: Layout, seat: int) -> Violation | None:
        """Allow every result: any result may be entered."""
        return None

    def evolve(self, position: Layout, seat: int) -> Next:
        """End the game."""
        ended = replace(position, ended=self.result)
        return ended.passed(), (Ended(self.result),)
