"""Poptrix: launch pyramids, fight with them, hold the board. Clauses: seeds/poptrix/rules-1.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from domain.board import OFF, ORTHOGONAL, Board
from domain.game import (
    Awaited,
    Effect,
    Game,
    Move,
    Options,
    Outcome,
    Position,
    Skipped,
    Violation,
)
from domain.notation import SIZE, Notation, square, template
from domain.pyramids import PIPS, SIZE_WORD, SIZES, Size
from domain.scene import Cell, Grid, Mark, Piece, Scene, Supply, Tray

BOARD: Final = Board(5, 6)
"""POP-1.1."""

if TYPE_CHECKING:
    Square = str
else:
    Square = Literal[BOARD.names]

HOME: Final = {1: range(5), 2: range(25, 30)}
"""The home row of each seat (POP-1.1)."""

LARGE: Final = 3

ADJACENT: Final = tuple(
    tuple(
        (BOARD.step(square, direction), BOARD.step(square, direction, 2))
        for direction in ORTHOGONAL
        if BOARD.step(square, direction) != OFF
    )
    for square in BOARD.squares
)
"""For each square its neighbours, each with the square straight behind it (POP-4.0, POP-4.3)."""

BEHIND: Final = tuple(dict(pairs) for pairs in ADJACENT)

REACH: Final = tuple(tuple(to for pair in pairs for to in pair if to != OFF) for pairs in ADJACENT)
"""For each square those one or two away in a straight line (POP-3.3)."""

# A board is 30 bytes: 0 for an empty square, else seat * 4 + pips. The stash is indexed by
# the same code. A square of OFF says that a cap lies in its owner's stash.
EMPTY: Final = 0
STASH: Final = bytes((0, 0, 0, 0, 0, 5, 5, 5, 0, 5, 5, 5))

ATTACK: Final = (
    (),
    *((Awaited(seat, "attack", ("attack",)),) for seat in (1, 2)),
)
LAUNCH: Final = ((), *((Awaited(seat, "launch", ("launch",)),) for seat in (1, 2)))
PLACE: Final = (
    (),
    *((Awaited(seat, "place a pyramid on the home row", ("place",)),) for seat in (1, 2)),
)


class Table(Position, frozen=True):
    """What lies on the table, whose turn it is, and whether it must attack (POP-2.3)."""

    board: bytes
    stash: bytes
    caps: tuple[int, int]
    seat: int
    turn: int
    forced: bool
    result: Outcome | None = None

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await a placement on the first turns (POP-2.1), then an attack or a launch."""
        if self.result is not None:
            return ()
        if self.turn <= 2:
            return PLACE[self.seat]
        return ATTACK[self.seat] if self.forced else LAUNCH[self.seat]

    def outcome(self) -> Outcome | None:
        """Return what POP-6 made of the last move."""
        return self.result

    def legal(self, seat: int) -> Iterator[Place | Launch | Attack]:
        """List the placements, or the attacks, or where there are none the launches."""
        if self.result is not None or seat != self.seat:
            return
        names = BOARD.names
        if self.turn <= 2:
            yield from (Place(size, names[at]) for size in SIZES for at in HOME[seat])
        elif self.forced:
            yield from (Attack(names[from_], names[to]) for from_, to in attacks(self.board, seat))
        else:
            for from_, code in enumerate(self.board):
                if code >> 2 == seat:
                    sizes = [size for size in SIZES if launchable(self.stash, code, PIPS[size])]
                    for to in REACH[from_]:
                        if not self.board[to]:
                            yield from (Launch(names[from_], size, names[to]) for size in sizes)

    def scene(self, effects: Sequence[Effect] = ()) -> Scene:
        """Draw the board, both stashes and the caps that lie in them."""
        cells = tuple(
            Cell(name, at % 5, at // 5, self._pieces(at), ground=_ground(at))
            for at, name in enumerate(BOARD.names)
        )
        marks = tuple(mark for effect in effects for mark in _marks(effect))
        grid = Grid(BOARD.files, BOARD.ranks, cells)
        return Scene((grid,), (self._tray(1), self._tray(2)), marks=marks)

    def _pieces(self, at: int) -> tuple[Piece, ...]:
        code = self.board[at]
        if not code:
            return ()
        seat, pips = code >> 2, code & 3
        badges = ("cap",) if self.caps[seat - 1] == at else ()
        return (Piece("pyramid", COLOUR[seat], pips, badges),)

    def _tray(self, seat: int) -> Tray:
        supplies = tuple(
            Supply(Piece("pyramid", COLOUR[seat], pips), self.stash[seat * 4 + pips])
            for pips in (1, 2, 3)
        )
        lines = ("cap in the stash",) if self.caps[seat - 1] == OFF else ()
        return Tray(f"Seat {seat}", seat, supplies, lines)


COLOUR: Final[tuple[Literal["black", "seat1", "seat2"], ...]] = ("black", "seat1", "seat2")


def _ground(at: int) -> str:
    return "home1" if at in HOME[1] else "home2" if at in HOME[2] else ""


def _marks(effect: Effect) -> Iterator[Mark]:
    match effect:
        case Placed() | Launched():
            yield Mark(effect.at, "to")
        case Fought():
            yield Mark(effect.from_, "from")
            yield Mark(effect.ground, "to")
        case Removed():
            yield Mark(effect.at, "removed")


def launchable(stash: bytes, launcher: int, pips: int) -> bool:
    """Tell whether the stash has this size and the launcher is of another (POP-3.2)."""
    return pips != launcher & 3 and stash[(launcher & ~3) + pips] > 0


def can_fight(board: bytes, from_: int, to: int) -> bool:
    """Tell whether a piece can fight an adjacent enemy: a large needs room behind (POP-4.3)."""
    if board[from_] & 3 != LARGE:
        return True
    landing = BEHIND[from_][to]
    return landing != OFF and not board[landing]


def attacks(board: bytes, seat: int) -> Iterator[tuple[int, int]]:
    """List every attack of a seat, from and to (POP-4)."""
    for from_, code in enumerate(board):
        if code >> 2 == seat:
            for to, _ in ADJACENT[from_]:
                target = board[to]
                if target and target >> 2 != seat and can_fight(board, from_, to):
                    yield from_, to


def can_launch(board: bytes, stash: bytes, seat: int) -> bool:
    """Tell whether a seat has any launch (POP-3)."""
    return any(
        code >> 2 == seat
        and any(launchable(stash, code, pips) for pips in (1, 2, 3))
        and not all(board[to] for to in REACH[from_])
        for from_, code in enumerate(board)
    )


class Place(Move[Table], frozen=True):
    """A seat's first pyramid (POP-2.1)."""

    size: Size
    at: Square

    notation: ClassVar[Notation] = template("{size}@{at}", size=SIZE, at=square("a-e", "1-6"))
    what: ClassVar[str] = "first placement"
    example: ClassVar[str] = "M@c1"

    def check(self, position: Table, seat: int) -> Violation | None:
        """POP-2.2, POP-2.1."""
        if position.turn > 2:
            return Violation(
                "POP-2.2",
                f"{self.at}: pyramids are placed on a seat's first turn only;"
                " now seat {seat} attacks or launches".format(seat=seat),
                (self.at,),
            )
        if BOARD.index[self.at] not in HOME[seat]:
            return Violation(
                "POP-2.1",
                f"{self.at} is not on the home row of seat {seat}, row {1 if seat == 1 else 6}",
                (self.at,),
            )
        return None

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Take the pyramid from the stash and set it down."""
        code = seat * 4 + PIPS[self.size]
        board = _put(position.board, BOARD.index[self.at], code)
        stash = _put(position.stash, code, position.stash[code] - 1)
        return _next(position, board, stash, position.caps, (Placed(seat, self.size, self.at),))


class Launch(Move[Table], frozen=True):
    """A new pyramid sent out by one on the board (POP-3)."""

    from_: Square
    size: Size
    to: Square

    notation: ClassVar[Notation] = template(
        "{from_}>{size}@{to}",
        from_=square("a-e", "1-6"),
        size=SIZE,
        to=square("a-e", "1-6"),
    )
    what: ClassVar[str] = "launch"
    example: ClassVar[str] = "c1>S@c3"

    def check(self, position: Table, seat: int) -> Violation | None:
        """POP-1.4, POP-2.1, POP-2.3, POP-3.1 to POP-3.3."""
        from_, to = BOARD.index[self.from_], BOARD.index[self.to]
        launcher = position.board[from_]
        fault = _before(position, seat, from_, to)
        if fault is not None:
            return fault
        if position.forced:
            fight = next(attacks(position.board, seat))
            return Violation(
                "POP-2.3",
                f"seat {seat} can attack and so must:"
                f" {BOARD.names[fight[0]]}x{BOARD.names[fight[1]]}, for one",
                (BOARD.names[fight[0]], BOARD.names[fight[1]]),
            )
        if launcher >> 2 != seat:
            return Violation(
                "POP-3.1",
                f"{_on(position, from_)}; the launcher is a pyramid of seat {seat} on the board",
                (self.from_,),
            )
        if not launchable(position.stash, launcher, PIPS[self.size]):
            return Violation("POP-3.2", self._wrong_size(position, launcher), (self.from_,))
        if position.board[to] or to not in REACH[from_]:
            return Violation("POP-3.3", self._wrong_target(position, from_, to), (self.to,))
        return None

    def _wrong_size(self, position: Table, launcher: int) -> str:
        word = SIZE_WORD[PIPS[self.size]]
        right = [
            SIZE_WORD[pips] for pips in (1, 2, 3) if launchable(position.stash, launcher, pips)
        ]
        could = f"it can launch a {' or a '.join(right)}" if right else "it can launch nothing"
        if launcher & 3 == PIPS[self.size]:
            return f"the {word} on {self.from_} cannot launch another {word}; {could}"
        return f"no {word} is left in the stash of seat {launcher >> 2}; {could}"

    def _wrong_target(self, position: Table, from_: int, to: int) -> str:
        free = [BOARD.names[at] for at in REACH[from_] if not position.board[at]]
        could = f"free for it: {', '.join(free)}" if free else "no square is free for it"
        if position.board[to]:
            return f"{_on(position, to)}; a launch needs an empty square, {could}"
        return f"{self.to} is not one or two squares from {self.from_} in a line; {could}"

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Take the pyramid from the stash and set it down on the target square."""
        code = seat * 4 + PIPS[self.size]
        board = _put(position.board, BOARD.index[self.to], code)
        stash = _put(position.stash, code, position.stash[code] - 1)
        effects = (Launched(seat, self.size, self.from_, self.to),)
        return _next(position, board, stash, position.caps, effects)


class Attack(Move[Table], frozen=True):
    """A fight with an adjacent enemy (POP-4, POP-5)."""

    from_: Square
    to: Square

    notation: ClassVar[Notation] = template(
        "{from_}x{to}", from_=square("a-e", "1-6"), to=square("a-e", "1-6")
    )
    what: ClassVar[str] = "attack"
    example: ClassVar[str] = "c3xc4"

    def check(self, position: Table, seat: int) -> Violation | None:
        """POP-1.4, POP-2.1, POP-4.0, POP-4.3."""
        from_, to = BOARD.index[self.from_], BOARD.index[self.to]
        board = position.board
        fault = _before(position, seat, from_, to)
        if fault is not None:
            return fault
        if board[from_] >> 2 != seat:
            return Violation(
                "POP-4.0",
                f"{_on(position, from_)}; the attacker is a pyramid of seat {seat}",
                (self.from_,),
            )
        if not board[to] or board[to] >> 2 == seat or to not in BEHIND[from_]:
            return Violation("POP-4.0", self._wrong_target(position, from_, to), (self.to,))
        if not can_fight(board, from_, to):
            landing = BEHIND[from_][to]
            behind = "the board ends there" if landing == OFF else _on(position, landing)
            return Violation(
                "POP-4.3",
                f"the large on {self.from_} has no room to land behind {self.to}: {behind}",
                (self.from_, self.to),
            )
        return None

    def _wrong_target(self, position: Table, from_: int, to: int) -> str:
        targets = [BOARD.names[b] for a, b in attacks(position.board, position.seat) if a == from_]
        could = f"{self.from_} can attack {', '.join(targets)}" if targets else ""
        if position.board[to] and position.board[to] >> 2 != position.seat:
            why = f"{self.to} is not next to {self.from_}"
        else:
            why = f"{_on(position, to)}; an attack needs an enemy there"
        return "; ".join(filter(None, (why, could)))

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Fight it out: strength by POP-5.1, who stands where by the table of POP-5.6."""
        from_, to = BOARD.index[self.from_], BOARD.index[self.to]
        board = bytearray(position.board)
        attacker, defender = board[from_], board[to]
        caps = list(position.caps)
        enemy = 3 - seat
        attack = (attacker & 3) + 1 + (caps[seat - 1] == from_)
        defence = (defender & 3) + (caps[enemy - 1] == to)
        pips = attacker & 3
        # The squares where the attacker, and the defender, would stand after winning.
        stand = from_ if pips == 1 else to if pips == 2 else BEHIND[from_][to]
        hold = from_ if pips == 1 else to
        names = BOARD.names
        effects: list[Effect] = [
            Fought(
                seat, self.from_, self.to, names[hold if pips < LARGE else stand], attack, defence
            )
        ]
        board[from_] = board[to] = EMPTY
        if attack <= defence:
            effects += _remove(caps, seat, attacker, from_)
        if defence <= attack:
            effects += _remove(caps, enemy, defender, to)
        if attack > defence:
            board[stand] = attacker
            caps[seat - 1] = stand
            effects.append(Capped(seat, names[stand]))
        elif defence > attack:
            board[hold] = defender
            caps[enemy - 1] = hold
            effects.append(Capped(enemy, names[hold]))
        return _next(position, bytes(board), position.stash, (caps[0], caps[1]), tuple(effects))


def _before(position: Table, seat: int, from_: int, to: int) -> Violation | None:
    """Ask what comes before the rules of launch and attack: POP-1.4, then POP-2.1."""
    columns, rows = BOARD.offset(from_, to)
    names = (BOARD.names[from_], BOARD.names[to])
    if abs(columns) == abs(rows) != 0:
        return Violation(
            "POP-1.4",
            f"{names[1]} lies diagonally from {names[0]}; go along a row or column",
            names,
        )
    if position.turn <= 2:
        row = 1 if seat == 1 else 6
        return Violation(
            "POP-2.1", f"seat {seat} first places a pyramid on row {row}, like M@c{row}", names
        )
    return None


def _on(position: Table, at: int) -> str:
    code = position.board[at]
    if not code:
        return f"{BOARD.names[at]} is empty"
    return f"on {BOARD.names[at]} stands a {SIZE_WORD[code & 3]} of seat {code >> 2}"


def _put(cells: bytes, at: int, value: int) -> bytes:
    return cells[:at] + bytes((value,)) + cells[at + 1 :]


def _remove(caps: list[int], seat: int, code: int, at: int) -> Iterator[Effect]:
    """Take a pyramid out of the game (POP-5.3); its cap goes home (POP-5.5)."""
    yield Removed(seat, SIZES[(code & 3) - 1], BOARD.names[at])
    if caps[seat - 1] == at:
        caps[seat - 1] = OFF
        yield CapReturned(seat)


def _next(
    position: Table,
    board: bytes,
    stash: bytes,
    caps: tuple[int, int],
    effects: tuple[Effect, ...],
) -> tuple[Table, tuple[Effect, ...]]:
    """Pass the turn on, skipping a seat that can do nothing (POP-2.4), or end the game (POP-6)."""
    seat, turn = position.seat, position.turn + 1
    enemy = 3 - seat
    if turn <= 2:
        return Table(board, stash, caps, enemy, turn, False), effects
    result = _wiped_out(board)
    if result is not None:
        return Table(board, stash, caps, enemy, turn, False, result), effects
    if any(attacks(board, enemy)):
        return Table(board, stash, caps, enemy, turn, True), effects
    if can_launch(board, stash, enemy):
        return Table(board, stash, caps, enemy, turn, False), effects
    # Attacks are mutual but for larges without room, so this is rare: skip, or end the game.
    forced = any(attacks(board, seat))
    if forced or can_launch(board, stash, seat):
        return Table(board, stash, caps, seat, turn, forced), (*effects, Skipped(enemy))
    return Table(board, stash, caps, enemy, turn, False, _count(board)), effects


def _wiped_out(board: bytes) -> Outcome | None:
    """POP-6.1, and POP-6.2 before it."""
    alive = {code >> 2 for code in board if code}
    if len(alive) == 2:
        return None
    return Outcome(alive.pop(), "POP-6.1") if alive else Outcome(None, "POP-6.2")


def _count(board: bytes) -> Outcome:
    """POP-6.3: most pyramids on the board; POP-6.4: equal counts are a draw."""
    first, second = (sum(code >> 2 == seat for code in board) for seat in (1, 2))
    if first == second:
        return Outcome(None, "POP-6.4")
    return Outcome(1 if first > second else 2, "POP-6.3")


class Placed(Effect, frozen=True):
    """A first pyramid was set down."""

    seat: int
    size: Size
    at: str

    def words(self) -> str:
        """Name the pyramid and its square."""
        return f"seat {self.seat} places a {SIZE_WORD[PIPS[self.size]]} on {self.at}"


class Launched(Effect, frozen=True):
    """A pyramid was launched onto `at`."""

    seat: int
    size: Size
    launcher: str
    at: str

    def words(self) -> str:
        """Name launcher, pyramid and square."""
        return f"{self.launcher} launches a {SIZE_WORD[PIPS[self.size]]} to {self.at}"


class Fought(Effect, frozen=True):
    """Two pyramids fought, on the square `ground`, with these strengths (POP-5.1)."""

    seat: int
    from_: str
    to: str
    ground: str
    attack: int
    defence: int

    def words(self) -> str:
        """Give both strengths."""
        return f"{self.from_} attacks {self.to}, {self.attack} against {self.defence}"


class Removed(Effect, frozen=True):
    """A pyramid that stood on `at` left the game (POP-5.3)."""

    seat: int
    size: Size
    at: str

    def words(self) -> str:
        """Name what is gone."""
        return f"the {SIZE_WORD[PIPS[self.size]]} of seat {self.seat} on {self.at} is removed"


class Capped(Effect, frozen=True):
    """The winner of a fight wears its owner's cap (POP-5.4)."""

    seat: int
    at: str

    def words(self) -> str:
        """Tell where the cap goes."""
        return f"the cap of seat {self.seat} goes to {self.at}"


class CapReturned(Effect, frozen=True):
    """A removed pyramid's cap went back to its owner's stash (POP-5.5)."""

    seat: int

    def words(self) -> str:
        """Tell whose cap goes home."""
        return f"the cap of seat {self.seat} goes back to its stash"


def _start(options: Options, seats: int) -> Table:
    return Table(bytes(30), STASH, (OFF, OFF), 1, 1, False)


GAME: Final = Game("poptrix", "Poptrix", moves=(Place, Launch, Attack), start=_start)
