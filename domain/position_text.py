"""The common format of positions as text.

A text is one line of ASCII without double quotes, with fields separated by one space. The last
field is the number of the turn, the one before it the seat in turn. Boards are written row by row,
`/` between the rows and numbers for runs of empty squares, as in FEN.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import Struct

from domain.board import Board
from domain.names import UNNAMED, Names, Player, Sentence, one_of, worded

T = TypeVar("T")


class PositionError(ValueError):
    """An invalid position text. `column` counts from 1 to the fault."""

    def __init__(self, message: str, column: int) -> None:
        self.message = message
        self.column = column
        super().__init__(f"column {column}: {message}")

    def words(self, names: Names = UNNAMED) -> str:
        """Return the message of the error in a position text, with names."""
        return worded(self.message, names)


NOTHING: Final = "-"
"""An empty field, or an empty part of a field."""

LAST_TURN: Final = 999_999

DIGITS: Final = re.compile("0|[1-9][0-9]{0,5}")


class TextCodec(Struct, frozen=True):
    """The functions that write and parse positions of a game.

    `write` returns a position as one readable line: ASCII without double quotes or backslashes,
    fields separated by one space. The last field is the number of the turn, the one before it the
    seat in turn, or `-` for all. Sealed moves are omitted, so the text of a position with secrets
    is its public part.

    A text in the form of a different standard need not end like this; its codec has a `key`, which
    returns the same line for positions with the same future. Without a `key` positions are compared
    by the text without the turn. If a text omits the number of the turn, comparisons of positions
    omit it too.

    `read` takes any position of the game and a text, and returns the position of the text in a game
    with the same options and seats. It raises `PositionError` for an invalid text or position. A
    text from `write` gives an equal position.
    """

    write: Callable[[Any], str]
    read: Callable[[Any, str], Any]
    key: Callable[[Any], str] | None = None


class Field(NamedTuple):
    """A part of a text, and its first column (from 1)."""

    text: str
    column: int

    def wrong(self, message: str, offset: int = 0, seat: int = 0) -> PositionError:
        """Return an error about this field, or about its character at `offset`.

        With a `seat`, `{seat}` in the message is replaced by its name.
        """
        about = Sentence(message, seat=Player(seat)) if seat else message
        return PositionError(about, self.column + offset)

    @property
    def shown(self) -> str:
        """The part in quotes, shortened for a message."""
        return repr(self.text if len(self.text) <= 20 else f"{self.text[:20]}…")

    def split(self, separator: str) -> list[Field]:
        """Split the field of a position text at a separator."""
        parts, column = [], self.column
        for text in self.text.split(separator):
            parts.append(Field(text, column))
            column += len(text) + len(separator)
        return parts

    def parts(self, separator: str, names: Sequence[str]) -> list[Field]:
        """Split the field into exactly the named parts. Raises `PositionError`."""
        parts = self.split(separator)
        if len(parts) > len(names):
            raise parts[len(names)].wrong(f"{names[-1]} is the last part; remove what follows")
        if len(parts) < len(names):
            missing = ", ".join(names[len(parts) :])
            raise self.wrong(f"it ends too early: after this come {missing}", len(self.text))
        return parts

    def number(self, what: str, low: int, high: int) -> int:
        """Parse the field as a number. Raises `PositionError`."""
        if DIGITS.fullmatch(self.text) and low <= int(self.text) <= high:
            return int(self.text)
        raise self.wrong(f"{what} must be a number from {low} to {high}, not {self.shown}")

    def choice(self, what: str, values: Mapping[str, T]) -> T:
        """Parse the field as a word out of a choice of words. Raises `PositionError`."""
        if self.text in values:
            return values[self.text]
        raise self.wrong(f"{what} must be {one_of(values)}, not {self.shown}")


def fields(text: str, names: Sequence[str]) -> list[Field]:
    """Split a position text into the named fields. Raises `PositionError`.

    >>> [field.text for field in fields("1 5S4M5L", ["turn", "supply"])]
    ['1', '5S4M5L']
    """
    return Field(text, 1).parts(" ", names)


def read_seat(field: Field, seats: Iterable[int]) -> int:
    """Parse the seat in turn in a position text. Raises `PositionError`."""
    return field.choice("the seat to move", {str(seat): seat for seat in seats})


def read_turn(field: Field) -> int:
    """Parse the number of the turn in a position text. Raises `PositionError`."""
    return field.number("the turn", 1, LAST_TURN)


class Rows:
    """The notation of a board.

    `lines` maps the name of each row to its squares, in the order of writing. `piece` is the
    pattern of a piece and `looks` its description; `between` separates squares if pieces have no
    end of their own.
    """

    def __init__(
        self, lines: Mapping[str, Sequence[int]], piece: str, looks: str, between: str = ""
    ) -> None:
        self.lines = lines
        self.looks = looks
        self.between = between
        self._rows = [_row_of(line) for line in lines.values()]
        self._piece = re.compile(piece)
        self._next = re.compile(f"{piece}|[0-9]+|.", re.DOTALL)
        self._write = self.writer(str)

    def write(self, pieces: Sequence[str]) -> str:
        """Write the pieces of all squares; an empty square has an empty text."""
        return self._write(tuple(pieces))

    def writer(self, name: Callable[[Any], str]) -> Callable[[Sequence[Any]], str]:
        """Return a function that writes the contents of all squares, bytes or a tuple.

        `name` returns the text of a square's content.
        """

        @functools.lru_cache(4096)  # a move changes few rows
        def write_row(row: Sequence[Any]) -> str:
            return self.between.join(_runs(map(name, row)))

        return lambda squares: "/".join([write_row(row(squares)) for row in self._rows])

    def read(self, field: Field) -> dict[int, Field]:
        """Parse the pieces by square, in the order of the text. Raises `PositionError`."""
        pieces: dict[int, Field] = {}
        for name, row in zip(self.lines, field.parts("/", list(self.lines)), strict=True):
            pieces.update(self._read_row(name, row))
        return pieces

    def _read_row(self, name: str, row: Field) -> Iterator[tuple[int, Field]]:
        line, place, after_number = self.lines[name], 0, False
        for part in row.split(self.between) if self.between else self._chop(row):
            number = DIGITS.fullmatch(part.text) is not None
            if number and after_number:
                raise part.wrong("add up these numbers of empty squares")
            if not number and self._piece.fullmatch(part.text) is None:
                raise part.wrong(f"a square of {name} must have {self.looks}, not {part.shown}")
            width = part.number("a run of empty squares", 1, len(line)) if number else 1
            if place + width > len(line):
                raise part.wrong(f"this is beyond the end of {name}, which has {len(line)} squares")
            if not number:
                yield line[place], part
            place, after_number = place + width, number
        if place < len(line):
            raise row.wrong(f"{name} must have {len(line)} squares, not {place}", len(row.text))

    def _chop(self, row: Field) -> Iterator[Field]:
        for found in self._next.finditer(row.text):
            yield Field(found[0], row.column + found.start())


def board_rows(board: Board, piece: str, looks: str, between: str = "") -> Rows:
    """Return the notation of a rectangular board: the top row first, each from the left."""
    lines = {
        f"row {rank}": [board.index[file + rank] for file in board.files]
        for rank in reversed(board.ranks)
    }
    return Rows(lines, piece, looks, between)


def _row_of(line: Sequence[int]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Return a function that picks the contents of a row's squares."""
    first, last = line[0], line[-1]
    if list(line) == [*range(first, last + 1)]:
        return itemgetter(slice(first, last + 1))
    return itemgetter(*line)


def _runs(pieces: Iterable[str]) -> Iterator[str]:
    empty = 0
    for piece in pieces:
        if not piece:
            empty += 1
            continue
        if empty:
            yield str(empty)
        yield piece
        empty = 0
    if empty:
        yield str(empty)


@functools.lru_cache(4096)
def write_supply(counts: Sequence[int], letters: str) -> str:
    """Write the count of each kind: `5S4M5L`.

    >>> write_supply((5, 4, 5), "SML")
    '5S4M5L'
    """
    return "".join(f"{count}{letter}" for count, letter in zip(counts, letters, strict=True))


def read_supply(field: Field, letters: str, most: int) -> tuple[int, ...]:
    """Parse the count of each kind, each at most `most`. Raises `PositionError`.

    >>> read_supply(Field("5S4M5L", 1), "SML", most=5)
    (5, 4, 5)
    """
    found = re.fullmatch("".join(f"([0-9]+){letter}" for letter in letters), field.text)
    if found is None:
        example = write_supply((most,) * len(letters), letters)
        raise field.wrong(f"write a supply like {example}, not {field.shown}")
    counts = (Field(found[1 + n], field.column + found.start(1 + n)) for n in range(len(letters)))
    return tuple(
        count.number(f"the number of {letter}", 0, most)
        for count, letter in zip(counts, letters, strict=True)
    )
