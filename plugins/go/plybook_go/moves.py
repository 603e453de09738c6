"""The moves, their effects, and positions as text."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, ClassVar, Final, Literal, get_args

from msgspec.structs import replace

from plybook.game import (
    UNNAMED,
    Effect,
    Lexeme,
    Move,
    Names,
    Pick,
    Rows,
    Symmetry,
    TextCodec,
    Violation,
    fields,
    read_seat,
    read_turn,
    template,
)
from plybook_go.board import EMPTY, POINTS, chains, joined, key, names, numbers
from plybook_go.position import Go, Stage

Point: Any = Literal[POINTS]
POINT: Final = Lexeme("[A-HJ-T](?:1[0-9]|[1-9])", texts=POINTS)
Step = tuple[Go, tuple[Effect, ...]]
WRONG: Final = {
    "GO-1.1": "{0} is not on this board; use a point of it",
    "GO-2.2": "{0} has a stone; use an empty point",
    "GO-3.3": "a stone on {0} would have no liberty; use another point",
    "GO-4.1": "a stone on {0} would bring a board again that was there; play elsewhere first",
}
"""The clauses that refuse a stone, with a message."""


class Placed(Effect, frozen=True):
    """A stone came to a point."""

    seat: int
    at: str

    template: ClassVar[str] = "{seat} plays {at}"


class Captured(Effect, frozen=True):
    """Stones without liberties left the board."""

    seat: int
    points: tuple[str, ...]

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "{seat} captures {stones}"
    deed: ClassVar[str] = "take {stones} from the board"

    def terms(self, names: Names) -> dict[str, Any]:
        """Name a single stone, or count them."""
        count = len(self.points)
        stones = f"the stone on {self.points[0]}" if count == 1 else f"{count} stones"
        return {**super().terms(names), "stones": stones}


class Did(Effect, frozen=True):
    """A seat passed, or acted after the play: `does` says how."""

    seat: int
    does: str

    template: ClassVar[str] = "{seat} {does}"


class Counted(Effect, frozen=True):
    """Both seats agreed, and the points were counted."""

    black: str
    white: str

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "Black has {black} points, White {white} with komi"


def untimely(position: Go, in_play: bool) -> Violation | None:
    """Refuse a move that does not belong to the play, or to what comes after it (GO-5.1)."""
    if position.in_play == in_play:
        return None
    after = "mark dead stones, agree, or resume the play"
    return Violation("GO-5.1", after if in_play else "the play goes on; play a stone or pass")


class Play(Move[Go], frozen=True):
    """A stone (GO-2)."""

    at: Point

    notation = template("{at}", at=POINT)
    what = "stone"
    example = "D4"

    @classmethod
    def legal(cls, position: Go, seat: int) -> Iterator[Play]:
        if position.in_play:
            yield from (cls(at) for at, fault in position.faults.items() if not fault)

    def check(self, position: Go, seat: int) -> Violation | None:
        clause = position.fault(self.at)
        wrong = Violation(clause, WRONG[clause].format(self.at), (self.at,)) if clause else None
        return untimely(position, True) or wrong

    def evolve(self, position: Go, seat: int) -> Step:
        point, known = numbers(position.options.size)[self.at], names(position.options.size)
        taken = tuple(known[each] for each in sorted(position.captured(point)))
        after = position.after(position.board_after(point), "play")
        return after, (Placed(seat, self.at), *([Captured(seat, taken)] if taken else ()))


class Mark(Move[Go], frozen=True):
    """The stones of a chain are dead, or alive after all (GO-5.2)."""

    at: Point

    notation = template("dead={at}", at=POINT)
    what = "dead stones"
    example = "dead=D4"

    @classmethod
    def legal(cls, position: Go, seat: int) -> Iterator[Mark]:
        marks = map(cls, names(position.options.size))
        yield from (mark for mark in marks if mark.check(position, seat) is None)

    def check(self, position: Go, seat: int) -> Violation | None:
        point = numbers(position.options.size).get(self.at)
        if point is not None and position.board[point] != EMPTY:
            return untimely(position, False)
        wrong = Violation("GO-5.2", f"{self.at} has no stone; use a point with one", (self.at,))
        return untimely(position, False) or wrong

    def evolve(self, position: Go, seat: int) -> Step:
        point = numbers(position.options.size)[self.at]
        chain, _ = joined(position.board, position.options.size, point)
        stones = [each.swapcase() if p in chain else each for p, each in enumerate(position.board)]
        how = "dead" if stones[point].islower() else "alive"
        what = f"{len(chain)} stones at {self.at}" if len(chain) > 1 else f"the stone on {self.at}"
        after = replace(position, board="".join(stones), stage="count")
        return after, (Did(seat, f"calls {what} {how}"),)

    def picks(self, position: Go) -> tuple[Pick, ...]:
        """Tap a stone of the chain."""
        return (Pick("at", self.at, prompt="tap the dead stones"),)


class Word(Move[Go], frozen=True):
    """A move without fields, in the play or after it."""

    words: ClassVar[str]
    in_play: ClassVar[bool] = False

    @classmethod
    def legal(cls, position: Go, seat: int) -> Iterator[Word]:
        return iter([cls()] if position.in_play == cls.in_play else ())

    def check(self, position: Go, seat: int) -> Violation | None:
        return untimely(position, self.in_play)

    def label(self, names: Names = UNNAMED) -> str:
        return self.words


class Pass(Word, frozen=True):
    """GO-2.3."""

    notation = template("pass")
    what = example = "pass"
    words = "Pass"
    in_play = True

    def evolve(self, position: Go, seat: int) -> Step:
        stage: Stage = "passed" if position.stage == "play" else "count"
        return position.after(position.board, stage), (Did(seat, "passes"),)


class Agree(Word, frozen=True):
    """GO-5.3, GO-5.4."""

    notation = template("agree")
    what, example = "agreement", "agree"
    words = "Agree to the marks"

    def evolve(self, position: Go, seat: int) -> Step:
        said = Did(seat, "agrees to the marks")
        if position.stage == "count":
            turn, other = position.turn + 1, 3 - seat
            return replace(position, stage="offered", seat=other, turn=turn), (said,)
        after = replace(position, stage="over")
        return after, (said, Counted(*(f"{points:g}" for points in after.points)))


class Resume(Word, frozen=True):
    """GO-5.5."""

    notation = template("resume")
    what, example = "more play", "resume"
    words = "Go on playing"

    def evolve(self, position: Go, seat: int) -> Step:
        after = replace(position, board=position.board.upper(), stage="play")
        return after, (Did(seat, "wants to play on"),)


MOVES: Final = (Play, Pass, Mark, Agree, Resume)


def _rows(size: int) -> Rows:
    lines = {f"row {row + 1}": range(row * size, (row + 1) * size) for row in reversed(range(size))}
    return Rows(lines, "[XOxo]", "X, O, x or o")


def write(position: Go) -> str:
    """Write the board, the points where GO-4.1 refuses a stone, the stage, the seat, the turn."""
    rows = _rows(position.options.size).write(["" if on == EMPTY else on for on in position.board])
    barred = [names(position.options.size)[point] for point in position.barred * position.in_play]
    return f"{rows} {','.join(barred) or '-'} {position.stage} {position.seat} {position.turn}"


def read(position: Go, text: str) -> Go:
    """Read what `write` writes."""
    rows, again, stage, seat, turn = fields(text, ("board", "points", "stage", "seat", "turn"))
    size = position.options.size
    stones = _rows(size).read(rows)
    board = "".join(stones[p].text if p in stones else EMPTY for p in range(size * size))
    stages: dict[str, Stage] = {each: each for each in get_args(Stage)}
    found = Go(
        position.options,
        board,
        read_seat(seat, (1, 2)),
        read_turn(turn),
        stage.choice("the stage", stages),
    )
    for point, (chain, liberties) in chains(board.upper(), size).items():
        if not liberties:
            raise stones[point].wrong("this stone has no liberty")
        if found.in_play and board[point].islower():
            raise stones[point].wrong("nothing is dead while stones are played")
        if len({board[each] for each in chain}) > 1:
            raise stones[point].wrong("a chain is alive or dead as a whole")
    points = [] if again.text == "-" else again.split(",")
    for at in points:
        if not found.in_play or at.text not in found.faults or found.fault(at.text):
            raise at.wrong(f"{at.shown} is not a point where only GO-4.1 can refuse a stone")
    seen = {found.key_after(numbers(size)[at.text]) for at in points} | {found.key}
    found = replace(found, seen=frozenset(seen))
    right = write(found)
    if right != text:
        raise again.wrong(f"write this position as {right}")
    return found


TEXT: Final = TextCodec(write, read)


def symmetries(position: Go) -> list[Symmetry]:
    """Return the seven mirrors and turns of the board."""
    return [
        Symmetry(f"way {way}", _squares(position.options.size, way), turned) for way in range(1, 8)
    ]


@functools.cache
def _squares(size: int, way: int) -> dict[str, str]:
    every, last, squares = names(size), size - 1, {}
    for point, name in enumerate(every):
        y, x = divmod(point, size)
        x, y = last - x if way & 1 else x, last - y if way & 2 else y
        squares[name] = every[x * size + y if way & 4 else y * size + x]
    return squares


def turned(position: Go, squares: Any) -> Go:
    """Return the image of a position, with the boards that the next stone may not bring again."""
    where = numbers(position.options.size)
    order = [where[squares[at]] for at in where]

    def image(board: str) -> str:
        stones = [EMPTY] * len(order)
        for to, stone in zip(order, board, strict=True):
            stones[to] = stone
        return "".join(stones)

    seen = [key(image(position.board_after(point))) for point in position.barred]
    return replace(position, board=image(position.board), seen=frozenset(seen))
