"""The definition of a score sheet: its rows with their numbers, and its bonuses.

A custom sheet is a TOML file of about twenty lines. Each row and each bonus is a clause.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from domain.names import count
from domain.toml_text import parse_toml

MOST: Final = 99_999
"""The largest number that can be entered, and with a minus the smallest."""

Number = Annotated[int, Meta(ge=-MOST, le=MOST)]
Name = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,19}$")]
Title = Annotated[str, Meta(min_length=1, max_length=40)]


class Entry(NamedTuple):
    """A number that was entered, and its row; without rows the name is empty."""

    row: str
    points: int


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """A row that each player fills once: its name in move texts, and the numbers it takes.

    Numbers are between `least` and `most`, in steps of `step` from 0.
    """

    name: Name
    title: Title = ""
    least: Number = 0
    most: Number = MOST
    step: Annotated[int, Meta(ge=1, le=MOST)] = 1

    @property
    def words(self) -> str:
        """The numbers that the row takes: `ones (ones): 0 to 5`."""
        steps = f" by steps of {self.step}" if self.step > 1 else ""
        return f"{self.title or self.name} (`{self.name}`): {self.least} to {self.most}{steps}"


class Sum(Struct, frozen=True, forbid_unknown_fields=True):
    """A line below the rows that shows the sum of some of them."""

    title: Title
    rows: tuple[Name, ...]

    def of(self, entries: Iterable[Entry]) -> int:
        """Return the sum of these rows of the sheet."""
        return sum(points for row, points in entries if row in self.rows)


class Bonus(Struct, frozen=True, forbid_unknown_fields=True):
    """Points for a player whose numbers in some rows add up to at least `least`."""

    title: Title
    rows: tuple[Name, ...]
    least: Number
    points: Number

    def earned(self, entries: Iterable[Entry]) -> bool:
        """Return whether some entries earn the bonus of a sheet."""
        return Sum(self.title, self.rows).of(entries) >= self.least


class Definition(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of sheet. Players first enter a number in each of the `rounds`, then fill the `rows`.

    A sheet without both has the options of the built-in one. `target` is 0 if no total ends it.
    """

    slug: Name
    title: Title
    sentence: str = ""
    wins: Literal["high", "low"] = "high"
    seats: tuple[Annotated[int, Meta(ge=1, le=9)], Annotated[int, Meta(ge=1, le=9)]] = (1, 9)
    rounds: Annotated[int, Meta(ge=0, le=50)] = 0
    target: Annotated[int, Meta(ge=0, le=MOST)] = 0
    rows: Annotated[tuple[Row, ...], Meta(max_length=40)] = ()
    sums: Annotated[tuple[Sum, ...], Meta(max_length=9)] = ()
    bonus: Annotated[tuple[Bonus, ...], Meta(max_length=9)] = ()

    @property
    def has_options(self) -> bool:
        """Whether each match chooses its rounds, its end and its other options."""
        return not (self.rows or self.rounds or self.target)

    @property
    def example(self) -> Entry:
        """The least number above 0 that the first row takes, if it takes any."""
        row = self.rows[0]
        return Entry(row.name, min(row.most, max(row.step, -(-row.least // row.step) * row.step)))

    def row(self, name: str) -> Row | None:
        """Return the row of the sheet with a name."""
        return next((row for row in self.rows if row.name == name), None)

    def clause(self, name: str) -> str:
        """Return the clause of a row."""
        return f"SHT-4.{1 + [row.name for row in self.rows].index(name)}"

    def total(self, entries: Collection[Entry]) -> int:
        """Return the sum of some entries with the bonuses that they earn."""
        bonuses = (bonus.points for bonus in self.bonus if bonus.earned(entries))
        return sum(points for _, points in entries) + sum(bonuses)

    @property
    def own_clauses(self) -> str:
        """The clauses that only this sheet has, as a section of the rules; or nothing."""
        number = itertools.count(1)
        clauses = [f"- SHT-4.{next(number)} {row.words}." for row in self.rows]
        clauses += [
            f"- SHT-4.{next(number)} {bonus.title}: {count(bonus.points, 'point')} if"
            f" {', '.join(bonus.rows)} add up to {bonus.least} or more."
            for bonus in self.bonus
        ]
        if self.rounds:
            before = " before the rows" if self.rows else ""
            clauses.append(f"- SHT-4.{next(number)} There are {self.rounds} rounds{before}.")
        if self.target:
            clauses.append(f"- SHT-4.{next(number)} A total of {self.target} ends the sheet.")
        return "\n".join(["## SHT-4 This sheet", *clauses, ""]) if clauses else ""


RESERVED: Final = ("ruled", "stood")
"""The words that begin events of every game: `ruled=+1` is not a number in a row."""


def _check_row(row: Row) -> None:
    if row.name in RESERVED:
        raise ValueError(f"not a valid score sheet: rename the row {row.name!r}, a word of ours")
    if -(-row.least // row.step) * row.step > row.most:
        raise ValueError(f"not a valid score sheet: the row {row.name!r} takes no number")


def read(text: str) -> Definition:
    """Read the definition of a sheet from TOML. Raises `ValueError` with the fault."""
    try:
        found = msgspec.convert(parse_toml(text), Definition)
    except msgspec.ValidationError as error:
        raise ValueError(f"not a valid score sheet: {error}") from None
    for row in found.rows:
        _check_row(row)
    names = [row.name for row in found.rows]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise ValueError(f"not a valid score sheet: there are two rows {twice!r}; rename one")
    for what, each in (("bonus", found.bonus), ("sum", found.sums)):
        unknown = next((name for one in each for name in one.rows if name not in names), None)
        if unknown:
            raise ValueError(
                f"not a valid score sheet: the {what} names {unknown!r}, which is not a row"
            )
    if found.seats[0] > found.seats[1]:
        raise ValueError("not a valid score sheet: write `seats` as [FEWEST, MOST], like [2, 4]")
    return found
