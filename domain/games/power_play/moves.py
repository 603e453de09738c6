"""The moves of Power Play: their notation and their checks against the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Final, Literal, get_args

from msgspec import Meta

from domain.board import PIPS, SIZES, Size
from domain.effects import Effect
from domain.games.power_play import refusals
from domain.games.power_play.board import BETWEEN, BOARD, NEIGHBOURS, Square
from domain.games.power_play.pieces import (
    LANDING,
    LIFTED,
    SEAT_SHIFT,
    hops,
    pieces,
    places,
    returns,
    steps,
)
from domain.games.power_play.position import Table
from domain.games.power_play.turn import Turn
from domain.names import UNNAMED, Names
from domain.notation import SIZE, Lexeme, Notation, square, template
from domain.position import Move, TurnPart, Violation

SQUARE: Final = square("a-h", "1-8")
INDEX: Final = BOARD.index
NAMES: Final = BOARD.names

Target = Literal[1, 2, 3, 4]
TARGETS: Final[tuple[Target, ...]] = get_args(Target)

Done = tuple[Table, tuple[Effect, ...]]


class Step(Move[Table], frozen=True):
    """A step of a piece to an adjacent empty square (PWR-3.3)."""

    from_: Square
    """The place that the piece leaves."""
    to: Square
    """The place where the piece goes."""

    notation: ClassVar[Notation] = template("{from_}-{to}", from_=SQUARE, to=SQUARE)
    what: ClassVar[str] = "step"
    example: ClassVar[str] = "a3-b4"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Step]:
        """Yield the steps, by piece."""
        for from_ in pieces(position.board, seat):
            for to in steps(position.board, from_):
                yield cls(NAMES[from_], NAMES[to])

    def check(self, position: Table, seat: int) -> Violation | None:
        """PWR-3.1, PWR-3.3."""
        if seat != position.seat or not position.at_rest:
            return refusals.untimely(position, self.what)
        from_, to = INDEX[self.from_], INDEX[self.to]
        if position.board[from_] >> SEAT_SHIFT != seat:
            return refusals.not_own(position, seat, from_)
        if position.board[to] or to not in NEIGHBOURS[from_]:
            return refusals.no_step(position, from_, to)
        return None

    def evolve(self, position: Table, seat: int) -> Done:
        """Move the piece and pass the turn on."""
        turn = Turn(position)
        turn.step(INDEX[self.from_], INDEX[self.to])
        return turn.done()


def refuse_hop(position: Table, from_: int, to: int) -> Violation | None:
    """Return why a hop is illegal: PWR-4.1, PWR-4.2, PWR-4.3."""
    board = position.board
    over = BETWEEN[from_].get(to)
    if over is None or not board[over]:
        return refusals.no_hop(position, from_, to)
    mover, target = LIFTED[board[from_]][0], board[to]
    if LANDING[mover][target]:
        return None
    if target >> SEAT_SHIFT == mover >> SEAT_SHIFT:
        return refusals.no_stack(position, from_, to)
    return refusals.too_strong(position, from_, to)


class Jump(Move[Table], frozen=True):
    """The first hop of a piece (PWR-4)."""

    from_: Square
    """The place that the piece leaves."""
    to: Square
    """The place where the piece goes."""

    notation: ClassVar[Notation] = template("{from_}^{to}", from_=SQUARE, to=SQUARE)
    what: ClassVar[str] = "first hop"
    example: ClassVar[str] = "a1^a3"
    turn_part: ClassVar[TurnPart] = "first"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Jump]:
        """Yield the first hops, by piece."""
        for from_ in pieces(position.board, seat):
            for to in hops(position.board, from_):
                yield cls(NAMES[from_], NAMES[to])

    def check(self, position: Table, seat: int) -> Violation | None:
        """PWR-3.1, PWR-4.1 to PWR-4.3."""
        if seat != position.seat or not position.at_rest:
            return refusals.untimely(position, self.what)
        from_ = INDEX[self.from_]
        if position.board[from_] >> SEAT_SHIFT != seat:
            return refusals.not_own(position, seat, from_)
        return refuse_hop(position, from_, INDEX[self.to])

    def evolve(self, position: Table, seat: int) -> Done:
        """Hop, and resolve the landing."""
        turn = Turn(position)
        turn.hop(INDEX[self.from_], INDEX[self.to])
        return turn.done()


class Hop(Move[Table], frozen=True):
    """A further hop of the piece that is jumping (PWR-4.6)."""

    to: Square
    """The place where the piece goes."""

    notation: ClassVar[Notation] = template("^{to}", to=SQUARE)
    what: ClassVar[str] = "further hop"
    example: ClassVar[str] = "^c5"
    turn_part: ClassVar[TurnPart] = "more"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Hop]:
        """Yield the further hops of the piece that is jumping."""
        assert position.jumper is not None
        return (cls(NAMES[to]) for to in hops(position.board, position.jumper.at))

    def check(self, position: Table, seat: int) -> Violation | None:
        """PWR-4.1 to PWR-4.3."""
        if position.jumper is None:
            return refusals.untimely(position, self.what)
        return refuse_hop(position, position.jumper.at, INDEX[self.to])

    def evolve(self, position: Table, seat: int) -> Done:
        """Hop on, and resolve the landing."""
        assert position.jumper is not None
        turn = Turn(position)
        turn.hop(position.jumper.at, INDEX[self.to])
        return turn.done()


class End(Move[Table], frozen=True):
    """The end of a jump that could continue (PWR-4.6)."""

    notation: ClassVar[Notation] = template(".")
    what: ClassVar[str] = "end of a jump"
    example: ClassVar[str] = "."
    turn_part: ClassVar[TurnPart] = "last"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[End]:
        """Yield the end of the jump; it is awaited only after a change."""
        yield cls()

    def check(self, position: Table, seat: int) -> Violation | None:
        """PWR-4.7."""
        if position.jumper is None:
            return refusals.untimely(position, self.what)
        if position.jumper.idle:
            return refusals.nothing_changed(position, position.jumper.at)
        return None

    def label(self, names: Names = UNNAMED) -> str:
        """End the jump."""
        return "End the jump"

    def evolve(self, position: Table, seat: int) -> Done:
        """Await put-backs of the seats kicked back, or pass the turn."""
        turn = Turn(position)
        turn.end()
        return turn.done()


class Return(Move[Table], frozen=True):
    """A pyramid put back from its owner's hand (PWR-5)."""

    size: Size
    """The size of the piece."""
    at: Square
    """The name of the place."""

    notation: ClassVar[Notation] = template("{size}@{at}", size=SIZE, at=SQUARE)
    what: ClassVar[str] = "put-back"
    example: ClassVar[str] = "L@a1"
    turn_part: ClassVar[TurnPart] = "before"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Return]:
        """Yield each pyramid in the hand with each square for it."""
        fitting = returns(position.board, position.hands, position.starting(seat), seat)
        return (cls(SIZES[pips - 1], NAMES[at]) for pips, at in fitting)

    def check(self, position: Table, seat: int) -> Violation | None:
        """PWR-5.1 to PWR-5.3, and with these PWR-5.4."""
        if seat != position.due:
            return refusals.untimely(position, self.what)
        pips, at = PIPS[self.size], INDEX[self.at]
        if not position.hands[seat * 4 + pips]:
            return refusals.not_in_hand(position, seat, pips)
        allowed = places(position.board, position.starting(seat), seat, pips)
        if at not in allowed:
            return refusals.no_place(position, pips, at, allowed)
        return None

    def evolve(self, position: Table, seat: int) -> Done:
        """Put the pyramid down; the next put-back, move or turn follows."""
        turn = Turn(position)
        turn.put_back(seat, PIPS[self.size], INDEX[self.at])
        return turn.done()


class Declare(Move[Table], frozen=True):
    """A knockout declared by any playing seat (PWR-6.1)."""

    target: Annotated[Target, Meta(description="The seat that is knocked out.")]

    names_seat: ClassVar[bool] = True
    notation: ClassVar[Notation] = template("ko={target}", target=Lexeme("[1-4]", int, str))
    what: ClassVar[str] = "declaration of a knockout"
    example: ClassVar[str] = "2:ko=3"
    turn_part: ClassVar[TurnPart] = "aside"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Declare]:
        """Yield a declaration for each seat with enough lost pips."""
        return (cls(target) for target in TARGETS if position.declarable(seat, target))

    def check(self, position: Table, seat: int) -> Violation | None:
        """PWR-6.1."""
        if not position.at_rest:
            return refusals.untimely(position, self.what)
        if not position.declarable(seat, self.target):
            return refusals.not_knocked_out(position, seat, self.target)
        return None

    def label(self, names: Names = UNNAMED) -> str:
        """Name the seat that is knocked out."""
        return f"Declare {names[self.target]} knocked out"

    def evolve(self, position: Table, seat: int) -> Done:
        """Remove the target from the game."""
        turn = Turn(position)
        turn.declare(seat, self.target)
        return turn.done()


MOVES: Final = (Step, Jump, Hop, End, Return, Declare)
