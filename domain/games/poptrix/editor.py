"""Edit Poptrix by hand: pyramids and caps between the board, the stashes and the removed ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from domain.board import OFF, SIZE_WORD
from domain.editor import Editor, Location, Thing, occupied
from domain.games.poptrix.board import BOARD, STASH
from domain.games.poptrix.position import Table
from domain.games.poptrix.position_text import CAP, CODE, NAME, OF_EACH
from domain.games.poptrix.scene import COLOUR
from domain.names import Player, Sentence
from domain.scene import Piece

STASHES: Final = {1: "stash1", 2: "stash2"}
OUT: Final = "out"
"""The location of pyramids that a fight removed (POP-5.3)."""

CAPS: Final = {f"{CAP}{seat}": seat for seat in STASHES}


def locations(table: Table) -> tuple[Location, ...]:
    """Return the squares, both stashes, and the removed pyramids."""
    return (
        *(Location(name, tuple(_standing(table, at))) for at, name in enumerate(BOARD.names)),
        *(
            Location(stash, tuple(_stash_things(table, seat)), "in the stash of {seat}", seat)
            for seat, stash in STASHES.items()
        ),
        Location(OUT, tuple(_removed_things(table)), "out of the game"),
    )


def _standing(table: Table, at: int) -> Iterator[Thing]:
    code = table.board[at]
    if code:
        capped = at in table.caps
        yield _pyramid(code, 1, capped)
        if capped:
            yield _cap(code >> 2)


def _stash_things(table: Table, seat: int) -> Iterator[Thing]:
    yield from (_pyramid(code, table.stash[code]) for code in _codes(seat) if table.stash[code])
    if table.caps[seat - 1] == OFF:
        yield _cap(seat)


def _removed_things(table: Table) -> Iterator[Thing]:
    for code in (*_codes(1), *_codes(2)):
        gone = OF_EACH - table.board.count(code) - table.stash[code]
        if gone:
            yield _pyramid(code, gone)


def _codes(seat: int) -> range:
    return range(seat * 4 + 1, seat * 4 + 4)


def _pyramid(code: int, count: int = 1, capped: bool = False) -> Thing:
    seat, pips = code >> 2, code & 3
    badges = ("cap",) if capped else ()
    piece = Piece("pyramid", COLOUR[seat], pips, badges)
    note = ", with its cap" if capped else ""
    return Thing(NAME[code], SIZE_WORD[pips], piece, count, seat, note)


def _cap(seat: int) -> Thing:
    return Thing(f"{CAP}{seat}", "cap", seat=seat)


def objection(end: str, there: Location | None, thing: Thing) -> str:
    """Return why a pyramid, or a cap, may not be put there (POP-1.2)."""
    own = there is not None and there.seat == thing.seat
    if thing.what in CAPS:
        worn = there is not None and not there.beside and _is_of(there, thing.seat)
        if own or worn:
            return ""
        return Sentence(
            "put the cap of {seat} on a pyramid of {its} own, or into {its} stash",
            seat=Player(thing.seat),
        )
    if there is not None and not there.beside:
        return occupied(there) if there.things else ""
    if own or end == OUT:
        return ""
    return Sentence(
        "a pyramid of {seat} must lie on a square, in {its} own stash, or out",
        seat=Player(thing.seat),
    )


def _is_of(there: Location, seat: int) -> bool:
    return any(other.seat == seat for other in there.things)


def lift(table: Table, thing: Thing, start: str) -> Table:
    """Take a pyramid away, with its cap, or a cap alone."""
    if thing.what in CAPS:
        return _with_cap(table, thing.seat, OFF)
    board, stash = bytearray(table.board), bytearray(table.stash)
    if start in BOARD.index:
        board[BOARD.index[start]] = 0
    elif start == STASHES[thing.seat]:
        stash[CODE[thing.what]] -= 1
    bare = _with_cap(table, thing.seat, OFF) if _wears_cap(thing) else table
    return replace(bare, board=bytes(board), stash=bytes(stash))


def lay(table: Table, thing: Thing, end: str) -> Table:
    """Put a pyramid down, with its cap, or a cap alone."""
    at = BOARD.index.get(end, OFF)
    if thing.what in CAPS:
        return _with_cap(table, thing.seat, at)
    board, stash = bytearray(table.board), bytearray(table.stash)
    if at != OFF:
        board[at] = CODE[thing.what]
    elif end == STASHES[thing.seat]:
        stash[CODE[thing.what]] += 1
    worn = _with_cap(table, thing.seat, at) if _wears_cap(thing) else table
    return _first_turns(replace(worn, board=bytes(board), stash=bytes(stash)))


def _wears_cap(thing: Thing) -> bool:
    return thing.piece is not None and "cap" in thing.piece.badges


def _with_cap(table: Table, seat: int, at: int) -> Table:
    first, second = (at if owner == seat else worn for owner, worn in enumerate(table.caps, 1))
    return replace(table, caps=(first, second))


def settle(table: Table) -> Table:
    """Drop what followed from the position before the edit."""
    return replace(table, forced=False, result=None)


def _first_turns(table: Table) -> Table:
    """Derive the first turns from which seats have not placed a pyramid yet (POP-2.1)."""
    if table.turn > 3:
        return table
    waiting = [seat for seat in STASHES if table.stash[seat * 4 :][:4] == STASH[seat * 4 :][:4]]
    turn = 3 - len(waiting)
    if turn == table.turn:
        return table
    return replace(table, seat=waiting[0] if turn == 2 else 3 - table.seat, turn=turn)


def begin_turn(table: Table, seat: int) -> Table:
    """Edit a position of Poptrix so that a seat moves next."""
    return replace(table, seat=seat, forced=False, result=None)


EDITOR: Final = Editor(locations, objection, lift, lay, begin_turn, settle)
