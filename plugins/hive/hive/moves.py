"""The moves, and the game strings of UHP."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from hive.board import PIECES, SIDES, WAYS, around, said, space
from hive.position import Hive
from plybook.game import (
    UNNAMED,
    Effect,
    Field,
    Lexeme,
    Move,
    Names,
    Pick,
    TextCodec,
    Violation,
    template,
)

# These literals are computed, so a type checker cannot read them and gets `Any`.
Piece: Any = Literal[PIECES]
NAMES = tuple(side.format(piece) for piece in PIECES for side in ("{}", *SIDES.values()))
Name: Any = Literal[NAMES]
PIECE = Lexeme("[wb](?:[QMLP]|[SB][12]|[GA][1-3])", texts=PIECES, noun="piece")
NAME = Lexeme(rf"[-/\\]?{PIECE.pattern}|{PIECE.pattern}[-/\\]", texts=NAMES, noun="space")
Step = tuple[Hive, tuple[Effect, ...]]


class Put(Effect, frozen=True):
    """A piece was placed, moved or lifted."""

    seat: int
    piece: str
    how: str
    to: str

    template: ClassVar[str] = "{seat} {how} {piece} {to}"

    def terms(self, names: Names) -> dict[str, Any]:
        """Say the piece and the space in words."""
        _, _, name = self.to.partition(" ")
        where = space(name) if name else self.to
        return {**super().terms(names), "piece": said(self.piece), "to": where}


class Passed(Effect, frozen=True):
    """A seat could do nothing."""

    seat: int

    template: ClassVar[str] = "{seat} passes"


class Bug(Move[Hive], frozen=True):
    """A piece that is placed or moved; `name` is the space where it ends."""

    @property
    def name(self) -> str:
        return getattr(self, "to", "")

    def picks(self, position: Hive) -> tuple[Pick, ...]:
        """Tap the piece, and the space as the picture names it."""
        cell = position.find(self.piece, self.name) if position.board else None
        to = position.name("", cell) if cell else self.name
        return tuple(Pick("at", text) for text in (self.piece, to) if text)

    def check(self, position: Hive, seat: int) -> Violation | None:
        """Return the first broken clause, in the order of the rules."""
        broken = (fault for fault in faults(position, self.piece, self.name) if fault[0])
        return next((Violation(clause, message) for _, clause, message in broken), None)

    def evolve(self, position: Hive, seat: int) -> Step:
        """Put the piece on its cell."""
        cell = position.find(self.piece, self.name)
        assert cell is not None
        to = position.name(self.piece, cell)
        board, at = dict(position.board), position.cells.get(self.piece)
        if at is not None:
            board[at] = board[at][:-1]
            board = {cell: stack for cell, stack in board.items() if stack}
        board[cell] = (*board.get(cell, ()), self.piece)
        how = "places" if at is None else "moves" if self.piece[0] == position.colour else "lifts"
        after = advance(position, " ".join(filter(None, (self.piece, to))), board, self.piece)
        where = f"{'at' if how == 'places' else 'to'} {to}" if to else "first"
        return after, (Put(seat, self.piece, how, where),)


class Place(Bug, frozen=True):
    """The first piece of the hive (HIV-2.7)."""

    piece: Piece

    notation = template("{piece}", piece=PIECE)
    what = "first piece"
    example = "wS1"

    @classmethod
    def legal(cls, position: Hive, seat: int) -> Iterator[Place]:
        return (cls(piece) for piece, _ in position.legal if not position.board)


class Shift(Bug, frozen=True, tag="move"):
    """A piece placed or moved next to another one, or onto it."""

    piece: Piece
    to: Name

    notation = template("{piece}>{to}", piece=PIECE, to=NAME)
    what = "placing or move"
    example = "bS1>wS1-"

    @classmethod
    def legal(cls, position: Hive, seat: int) -> Iterator[Shift]:
        legal = position.legal if position.board else ()
        return (cls(piece, position.name(piece, cell)) for piece, cell in legal)

    def normal(self, position: Hive) -> Shift:
        """Name the space as records do."""
        cell = position.find(self.piece, self.to)
        to = position.name(self.piece, cell) if cell else ""
        return replace(self, to=to or self.to)


class Pass(Move[Hive], frozen=True):
    """HIV-2.6."""

    notation = template("pass")
    what = "pass"
    example = "pass"

    @classmethod
    def legal(cls, position: Hive, seat: int) -> Iterator[Pass]:
        return iter(() if position.legal else (cls(),))

    def label(self, names: Names = UNNAMED) -> str:
        return "Pass"

    def check(self, position: Hive, seat: int) -> Violation | None:
        if not position.legal:
            return None
        return Violation("HIV-2.6", "the seat can place or move a piece, so it cannot pass")

    def evolve(self, position: Hive, seat: int) -> Step:
        return advance(position, "pass", position.board, ""), (Passed(seat),)


MOVES = (Place, Shift, Pass)


def advance(position: Hive, move: str, board: Any, last: str) -> Hive:
    """Return the position after a move, with its key if repetition counts (HIV-4.2)."""
    after = Hive(position.options, (*position.moves, move), board, last, position.seen)
    if position.options.repetition == "goes-on":
        return after
    return replace(after, seen=(*position.seen, after.key(after.resting)))


def faults(position: Hive, piece: str, name: str) -> Iterator[tuple[object, str, str]]:
    """Yield whether a clause is broken, the clause and a message, in the order of the rules."""
    beside, pieces, colour = name.strip("-/\\"), position.pieces, position.colour
    alien = next((one for one in (piece, beside) if one and one not in pieces), "")
    yield alien, "HIV-1.2", f"{alien} is not in this game; use a piece of its sets"
    at, cell, own = position.cells.get(piece), position.find(piece, name), piece[0] == colour
    near = set(around(at)) & set(around(cell)) if at and cell else set()
    lifters = {one for place, one in position.lifters.items() if place in near}
    yield not (own or lifters), "HIV-2.1", f"{piece} is the opponent's; use {colour}{piece[1:]}"
    if position.allows(piece, cell):
        return
    queen = colour + "Q"
    lower = [one for one in pieces if one[:2] == piece[:2] and one not in position.cells] or [""]
    yield piece in lower[1:], "HIV-2.2", f"pieces of a kind come in order; place {lower[0]} first"
    yield piece == queen and position.turn < 3, "HIV-2.3", "place another piece in the first turn"
    bare = queen not in position.cells
    yield bare and piece != queen and position.turn > 6, "HIV-2.4", f"place {queen} in this turn"
    yield bare and at, "HIV-2.5", f"nothing moves before {queen} is placed; place a piece"
    yield name and not cell, "HIV-1.3", f"{beside} is not another piece in play; name one"
    yield at and cell == at, "HIV-3.5", f"{piece} is there already; use another space"
    taken = cell in position.board and not (own and at and position.climbs(piece))
    yield taken, "HIV-3.1", "this space is taken; use an empty one"
    yield not at, "HIV-2.7", "a new piece may touch only its own colour; use such a space"
    assert at is not None
    covered = position.board[at][-1] != piece
    yield covered, "HIV-3.4", f"{piece} is covered; use a piece on top"
    yield at in position.pins, "HIV-3.2", f"without {piece} the hive falls apart; use another piece"
    rests = {piece} == {position.last} if own else lifters == {position.last}
    yield rests, "HIV-5.9", "a piece that was lifted rests in the next turn; use another"
    free = (own and cell in position.ways(piece, True)) or (piece, cell) in position.lifts(True)
    yield free, "HIV-3.3", "the way there is too narrow, or leaves the hive; use another space"
    clause = WAYS[piece[1]][1] if own else "HIV-5.8"
    yield True, clause, f"{piece} does not go there; use another space"


def write(position: Hive) -> str:
    """Write the game string: `Base+M;InProgress;Black[2];wS1;bS1 wS1-;wQ -wS1`."""
    end = position.outcome()
    state = "InProgress" if position.moves else "NotStarted"
    if end is not None:
        state = {(1,): "WhiteWins", (2,): "BlackWins"}.get(end.winners, "Draw")
    turn = f"{('White', 'Black')[position.seat - 1]}[{(position.turn + 1) // 2}]"
    return ";".join((kind(position), state, turn, *position.moves))


def kind(position: Hive) -> str:
    """Write the sets of pieces: `Base+ML`."""
    more = "".join(piece[1] for piece in position.pieces if piece in ("wM", "wL", "wP"))
    return f"Base+{more}" if more else "Base"


def read(position: Hive, text: str) -> Hive:
    """Read a game string; a space may be named in any way."""
    game, *rest = Field(text, 1).split(";")
    start = Hive(position.options)
    if game.text != kind(start):
        raise game.wrong(f"the pieces of this game must be {kind(start)}, not {game.shown}")
    if len(rest) < 2:
        raise game.wrong("the state and the turn come next: NotStarted;White[1]", len(game.text))
    after = start
    for move in rest[2:]:
        found = played(after, move.text)
        if isinstance(found, str):
            raise move.wrong(found)
        after = found
    for field, known in zip(rest, write(after).split(";")[1:3], strict=False):
        if field.text != known:
            raise field.wrong(f"after these moves it is {known}, not {field.shown}")
    return after


@functools.lru_cache(4096)  # texts of one match begin alike
def played(position: Hive, text: str) -> Hive | str:
    """Return the position after a move as UHP writes it, or why it is not a move."""
    if position.outcome() is not None:
        return "no move comes after the end"
    joined = text.replace(" ", ">")
    for move in MOVES:
        fields = move.notation.read(joined) if joined.count(">") == text.count(" ") else None
        if fields is not None:
            made = move(*fields)
            refused = made.check(position, position.seat)
            return refused.message if refused else made.evolve(position, position.seat)[0]
    return f"{text[:20]!r} is not a move; moves look like bS1 wS1-"


TEXT = TextCodec(write, read, Hive.key)
