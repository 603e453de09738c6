"""The moves on a score sheet: a number, a number in a row, and the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from domain.effects import Effect
from domain.games.score_sheet.definition import MOST, Definition, Entry, Name
from domain.games.score_sheet.effects import BonusWon, Ended, Entered, Leads, Starts
from domain.games.score_sheet.position import MAX_ENTRIES, Sheet
from domain.names import UNNAMED, Names, Player, Sentence, one_of
from domain.notation import Lexeme, Notation, template
from domain.position import Move, Violation

Points = Annotated[int, Meta(ge=-MOST, le=MOST)]
NUMBER = Lexeme("0|-?[1-9][0-9]{0,4}", int, str)


class Entering(Move[Sheet], frozen=True):
    """The number that a seat enters; there are too many numbers to list."""

    names_seat: ClassVar[bool] = True
    listed: ClassVar[bool] = False

    @classmethod
    def legal(cls, position: Sheet, seat: int) -> Iterator[Move[Sheet]]:
        """Yield nothing, as there are too many numbers to list."""
        return iter(())

    @property
    def entry(self) -> Entry:
        """The row of the score sheet, and the number that is entered there."""
        raise NotImplementedError

    def evolve(self, position: Sheet, seat: int) -> tuple[Sheet, tuple[Effect, ...]]:
        """Add the number to the column of the seat."""
        then = position.enter(seat, self.entry)
        effects: list[Effect] = [Entered(seat, self.entry.points, then.totals[seat - 1])]
        before, column = position.entries[seat - 1], then.entries[seat - 1]
        effects += [
            BonusWon(seat, bonus.title, bonus.points)
            for bonus in position.rules.bonus
            if bonus.earned(column) and not bonus.earned(before)
        ]
        leaders = then.leaders
        told = leaders != position.leaders if then.freely else then.between_rounds
        if told and len(leaders) == 1 < len(then.playing):
            effects.append(Leads(leaders[0], then.totals[leaders[0] - 1]))
        if then.between_rounds and then.starter:
            effects.append(Starts(then.starter, then.turn))
        return then, tuple(effects)


class Enter(Entering, frozen=True):
    """A number on a sheet without rows: `1:12` (SHT-2.1)."""

    points: Points
    """The number of points."""

    notation: ClassVar[Notation] = template("{points}", points=NUMBER)
    what: ClassVar[str] = "number"
    example: ClassVar[str] = "1:12"

    @property
    def entry(self) -> Entry:
        """The number."""
        return Entry("", self.points)

    def check(self, position: Sheet, seat: int) -> Violation | None:
        """SHT-2.3, SHT-2.4."""
        if position.kind(seat) == "fill":
            rows = one_of(_free(position, seat))
            return Violation("SHT-2.3", f"the rounds are over; fill the row {rows}")
        if len(position.entries[seat - 1]) >= MAX_ENTRIES:
            return Violation("SHT-2.4", _full(seat))
        return None


class Fill(Entering, frozen=True):
    """A number in a row: `1:ones=3` (SHT-2.3). A sheet has its own subclass."""

    row: Name
    points: Points

    notation: ClassVar[Notation] = template(
        "{row}={points}", row=Lexeme("[a-z][a-z0-9-]{0,19}"), points=NUMBER
    )
    what: ClassVar[str] = "number in a row"
    example: ClassVar[str] = "1:ones=3"

    @property
    def entry(self) -> Entry:
        """The row of the score sheet, and the number that is entered there."""
        return Entry(self.row, self.points)

    def check(self, position: Sheet, seat: int) -> Violation | None:
        """Refuse a row before the rounds are over, an unknown or filled row, then the number."""
        if position.kind(seat) == "enter":
            message = f"the rows come after round {position.rounds}; enter only a number"
            return Violation("SHT-2.3", message)
        row = position.rules.row(self.row)
        free = _free(position, seat)
        if row is None or row.name not in free:
            fault = "is filled already" if row else "is not a row"
            return Violation("SHT-2.3", f"{self.row} {fault}; use one of {', '.join(free)}")
        if not row.least <= self.points <= row.most or self.points % row.step:
            message = f"{self.points} is not a valid number there; {row.words}"
            return Violation(position.rules.clause(row.name), message)
        return None


def filling(definition: Definition) -> type[Fill]:
    """Return the kind of move that fills a row of this sheet; its example is a row of the sheet."""
    row, points = definition.example

    class OwnFill(Fill, frozen=True, tag="fill"):
        example: ClassVar[str] = f"1:{row}={points}"

    return OwnFill


class End(Move[Sheet], frozen=True):
    """The end, declared by a player (SHT-3.3)."""

    names_seat: ClassVar[bool] = True
    notation: ClassVar[Notation] = template("end")
    what: ClassVar[str] = "end"
    example: ClassVar[str] = "1:end"

    @classmethod
    def legal(cls, position: Sheet, seat: int) -> Iterator[Move[Sheet]]:
        """Offer the end of the sheet where it is possible."""
        return iter((cls(),) if position.may_end else ())

    def check(self, position: Sheet, seat: int) -> Violation | None:
        """Refuse an end in the middle of a round."""
        if position.may_end:
            return None
        return Violation("SHT-3.3", "a round is not over yet; enter the other numbers first")

    def evolve(self, position: Sheet, seat: int) -> tuple[Sheet, tuple[Effect, ...]]:
        """End the sheet."""
        return replace(position, ended=True), (Ended(seat),)

    def label(self, names: Names = UNNAMED) -> str:
        """Name the move: the end of the game."""
        return "End of the game"


def _free(position: Sheet, seat: int) -> list[str]:
    """Return the names of the rows that a seat has not filled."""
    filled = [entry.row for entry in position.entries[seat - 1]]
    return [row.name for row in position.rules.rows if row.name not in filled]


def _full(seat: int) -> Sentence:
    text = "{seat} has entered {most} numbers; end the sheet and open another"
    return Sentence(text, seat=Player(seat), most=MAX_ENTRIES)
