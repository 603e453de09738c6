"""The moves of Pyramid Ball: their notation and their checks against the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import Meta
from msgspec.structs import replace

from domain.board import SIZES, Size
from domain.effects import Effect
from domain.games.pyramid_ball import refusals, turn
from domain.games.pyramid_ball.board import BOARD, Square
from domain.games.pyramid_ball.effects import (
    SPECIAL,
    BallPlaced,
    Fouled,
    PicksRevealed,
    Revealed,
    Sealed,
    Seated,
    Taken,
    specials,
)
from domain.games.pyramid_ball.orders import PROGRAM, Command, Commands, Pass
from domain.games.pyramid_ball.position import Play
from domain.games.pyramid_ball.table import (
    Stage,
    Table,
    in_order,
    kick_off,
    placements,
    takeable,
)
from domain.names import UNNAMED, Names
from domain.notation import SIZE, Lexeme, Notation, square, template
from domain.position import Move, Secret, Violation

Step = tuple[Play, tuple[Effect, ...]]

NAMES: Final = BOARD.names

SEALED: Final = (Sealed(0), Sealed(1), Sealed(2))

BEATS: Final = {"M": "S", "L": "M", "S": "L"}
"""The size that each size beats in the selection (BAL-2.2)."""


class Pick(Secret[Play], frozen=True):
    """A secret pick of a size, to decide who starts (BAL-2.2)."""

    size: Size
    """The size of the piece."""

    notation: ClassVar[Notation] = template("pick={size}", size=SIZE)
    what: ClassVar[str] = "secret pick of a size"
    example: ClassVar[str] = "pick=M"

    @classmethod
    def legal(cls, position: Play, seat: int) -> Iterator[Pick]:
        """Yield a pick of each size."""
        return map(cls, SIZES)

    def check(self, position: Play, seat: int) -> Violation | None:
        """Allow every pick while picks are awaited."""
        return _untimely(self, position, seat, "pick")

    def evolve(self, position: Play, seat: int) -> Step:
        """Seal the pick; the second one reveals both (BAL-2.2)."""
        other = position.secrets[2 - seat]
        if not isinstance(other, Pick):
            return position.seal(seat, self), (SEALED[seat],)
        picks = (self.size, other.size) if seat == 1 else (other.size, self.size)
        table = position.table
        if picks[0] == picks[1]:
            return position.unseal(table), (SEALED[seat], PicksRevealed(picks, None))
        winner = 1 if BEATS[picks[0]] == picks[1] else 2
        chooses = replace(table, stage="start", seat=winner)
        return position.unseal(chooses), (SEALED[seat], PicksRevealed(picks, winner))


class Start(Move[Play], frozen=True):
    """The choice of the winner of the selection: the ball, or defence (BAL-2.3)."""

    with_: Annotated[
        Literal["ball", "defend"],
        Meta(description="The choice of the winner of the selection: the ball, or defence."),
    ]

    notation: ClassVar[Notation] = template("start={with_}", with_=Lexeme("ball|defend"))
    what: ClassVar[str] = "choice of the winner"
    example: ClassVar[str] = "start=ball"
    names_seat: ClassVar[bool] = True

    @classmethod
    def legal(cls, position: Play, seat: int) -> Iterator[Start]:
        """Yield both choices of who starts with the ball."""
        yield cls("ball")
        yield cls("defend")

    def check(self, position: Play, seat: int) -> Violation | None:
        """Allow either choice while the start is awaited."""
        return _untimely(self, position, seat, "start")

    def label(self, names: Names = UNNAMED) -> str:
        """Name the choice of who starts with the ball."""
        return "Start with the ball" if self.with_ == "ball" else "Defend first"

    def evolve(self, position: Play, seat: int) -> Step:
        """Seat the side with the ball at row 1 and set up the pyramids."""
        low = seat if self.with_ == "ball" else 3 - seat
        return position.unseal(kick_off(position.table.advanced, low)), (Seated(low),)


class Program(Secret[Play], frozen=True, omit_defaults=True, rename={"pass_": "pass"}):
    """Three commands for each pyramid, perhaps a pass and special moves (BAL-3, BAL-11)."""

    S: Annotated[Commands, Meta(description="The commands of the small, row by row.")]
    M: Annotated[Commands, Meta(description="The commands of the medium, row by row.")]
    L: Annotated[Commands, Meta(description="The commands of the large, row by row.")]
    pass_: Annotated[Pass | None, Meta(description="The pass in one of the rows.")] = None
    dash: Annotated[
        Command | None, Meta(description="The fourth command of the small, in a Dash (BAL-11.3).")
    ] = None
    quick: Annotated[bool, Meta(description="Whether this is a Quick Pass (BAL-11.4).")] = False
    blitz: Annotated[bool, Meta(description="Whether the large makes a Blitz (BAL-11.5).")] = False

    notation: ClassVar[Notation] = PROGRAM
    what: ClassVar[str] = "program"
    example: ClassVar[str] = "S=FR.,M=..F,L=LLF,pass=2L"

    def check(self, position: Play, seat: int) -> Violation | None:
        """BAL-3.2, BAL-11.1, BAL-11.2, BAL-11.4, BAL-11.5."""
        fault = _untimely(self, position, seat, "program")
        if fault is not None:
            return fault
        if self.pass_ is not None and self.pass_.row == 1 and not self.quick:
            return refusals.early_pass()
        wanted = specials(self.dash, self.quick, self.blitz)
        return self._check_specials(position.table, seat, wanted) if wanted else None

    def _check_specials(self, table: Table, seat: int, wanted: str) -> Violation | None:
        for size in wanted:
            if size not in table.taken[seat - 1]:
                return refusals.not_taken(table, seat, size)
        for size in wanted:
            if size in table.used[seat - 1]:
                return refusals.used_up(seat, size)
        if self.quick and table.carrier != seat * 3 - 2:
            return refusals.no_quick_pass(table, seat)
        if self.blitz and table.holder == seat:
            return refusals.no_blitz(table, seat)
        return None

    def evolve(self, position: Play, seat: int) -> Step:
        """Seal the program; the second one reveals both and plays the turn (BAL-3.3)."""
        other = position.secrets[2 - seat]
        if not isinstance(other, Program):
            return position.seal(seat, self), (SEALED[seat],)
        mine, theirs = self.revealed(seat), other.revealed(3 - seat)
        programs = (mine, theirs) if seat == 1 else (theirs, mine)
        table, effects = turn.resolve(position.table, programs)
        return position.unseal(table), (SEALED[seat], *programs, *effects)

    def revealed(self, seat: int) -> Revealed:
        """Return the program as a public fact."""
        return Revealed(seat, self.S, self.M, self.L, self.pass_, self.dash, self.quick, self.blitz)


class Foul(Move[Play], frozen=True):
    """The claim that the opponent did not seal its program in time (BAL-3.4)."""

    notation: ClassVar[Notation] = template("foul")
    what: ClassVar[str] = "foul called by a sealed seat"
    example: ClassVar[str] = "foul"
    patience: ClassVar[str | None] = "BAL-3.4"
    names_seat: ClassVar[bool] = True

    @classmethod
    def legal(cls, position: Play, seat: int) -> Iterator[Foul]:
        """Yield the claim of a foul, which has no fields."""
        yield cls()

    def check(self, position: Play, seat: int) -> Violation | None:
        """Require a seat that has sealed its program, and an opponent that has not."""
        if position.table.stage == "program" and position.secrets[seat - 1] is not None:
            return None
        return refusals.untimely(position, seat, self.what)

    def label(self, names: Names = UNNAMED) -> str:
        """Name the claim of a foul."""
        return "Call foul"

    def evolve(self, position: Play, seat: int) -> Step:
        """Play the turn with an empty program in place of the missing program."""
        mine = position.secrets[seat - 1]
        assert isinstance(mine, Program)
        late = 3 - seat
        still, program = Revealed(late, "...", "...", "..."), mine.revealed(seat)
        programs = (program, still) if seat == 1 else (still, program)
        table, effects = turn.resolve(position.table, programs)
        return position.unseal(table), (Fouled(late), program, *effects)


class Ball(Move[Play], frozen=True):
    """The ball put down by the seat that conceded a goal (BAL-10.1)."""

    at: Square
    """The name of the place."""

    notation: ClassVar[Notation] = template("ball={at}", at=square("a-g", "1-8"))
    what: ClassVar[str] = "ball placed after a goal"
    example: ClassVar[str] = "ball=c8"
    names_seat: ClassVar[bool] = True

    @classmethod
    def legal(cls, position: Play, seat: int) -> Iterator[Ball]:
        """Yield the first empty square on each side of the scorer."""
        return (cls(NAMES[at]) for at in placements(position.table))

    def check(self, position: Play, seat: int) -> Violation | None:
        """BAL-10.1."""
        fault = _untimely(self, position, seat, "place")
        if fault is not None or self.at in map(NAMES.__getitem__, placements(position.table)):
            return fault
        return refusals.not_beside_scorer(position.table, self.at)

    def evolve(self, position: Play, seat: int) -> Step:
        """Place the ball and resume the turn."""
        interrupted = position.table.interrupted
        assert interrupted is not None
        table, effects = turn.resume(position.table, interrupted, BOARD.index[self.at])
        return position.unseal(table), (BallPlaced(seat, self.at), *effects)


class Take(Move[Play], frozen=True):
    """A special move taken for a point of the opponent (BAL-11.1)."""

    size: Size
    """The size of the piece."""

    notation: ClassVar[Notation] = template("take={size}", size=SIZE)
    what: ClassVar[str] = "special move taken"
    example: ClassVar[str] = "take=S"
    names_seat: ClassVar[bool] = True

    @classmethod
    def legal(cls, position: Play, seat: int) -> Iterator[Take]:
        """Yield the special moves that the seat may take now."""
        return map(cls, takeable(position.table, seat))

    def check(self, position: Play, seat: int) -> Violation | None:
        """BAL-11.1."""
        fault = _untimely(self, position, seat, "program")
        if fault is not None or self.size in takeable(position.table, seat):
            return fault
        if self.size in position.table.taken[seat - 1]:
            return refusals.taken_before(position.table, seat, self.size)
        return refusals.no_point_left(position.table, seat)

    def label(self, names: Names = UNNAMED) -> str:
        """Name the special move."""
        return f"Take {SPECIAL[self.size]}"

    def evolve(self, position: Play, seat: int) -> Step:
        """Record that the seat took the special move."""
        first, second = position.table.taken
        own = in_order(position.table.taken[seat - 1] + self.size)
        taken = (own, second) if seat == 1 else (first, own)
        return position.keep(replace(position.table, taken=taken)), (Taken(seat, self.size),)


def _untimely(move: Move[Any], position: Play, seat: int, stage: Stage) -> Violation | None:
    """Refuse a move that belongs to a different stage of the game, or to a seat that has sealed."""
    if position.table.stage == stage and position.secrets[seat - 1] is None:
        return None
    return refusals.untimely(position, seat, move.what)
