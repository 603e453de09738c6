"""Edit Power Play by hand: pyramids between the board, the hands and the captured ones.

A pyramid put on a piece of its own seat joins it; pyramids of different sizes form a nest. Two
pyramids of one size can only be bound, and a pyramid that joins a power piece is bound to it. A
nest can also be taken as a bound piece, and a power piece as a nest, so every piece can be made by
hand.

A seat with a pyramid on the board or in hand is in the game (PWR-6.3); its other pyramids are lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from domain.board import SIZE_WORD
from domain.editor import Editor, Location, Misplaced, Thing, occupied
from domain.games.power_play.board import BOARD, CENTRE
from domain.games.power_play.pieces import (
    BLACK,
    EMPTY,
    NESTS,
    PYRAMIDS,
    SEAT_SHIFT,
    bound,
    has_pieces,
    is_nest,
    is_power,
    loose,
    single,
)
from domain.games.power_play.position import SEATS, Jumper, Table
from domain.games.power_play.position_text import CODE, NAME, OF_EACH_SIZE, PIPS, owned
from domain.games.power_play.scene import COLOUR
from domain.names import Player, Sentence
from domain.scene import Piece

HANDS: Final = {f"hand{seat}": seat for seat in SEATS}
OUT: Final = "out"
"""The location of captured pyramids, and of pyramids of seats that are out (PWR-4.4, 6.4)."""

CENTRAL: Final = frozenset(BOARD.names[at] for at in CENTRE)
"""The squares of the blacks (PWR-1.3)."""

MAX_PYRAMIDS: Final = 3
"""The most pyramids of a piece (PWR-2.1)."""


# The things at each location


def locations(table: Table) -> tuple[Location, ...]:
    """Return the squares, the hands, and the pyramids out of the game. The blacks never move."""
    seats = range(1, len(table.lost) + 1)
    return (
        *(Location(name, tuple(_standing(table.board[at]))) for at, name in enumerate(BOARD.names)),
        *(
            Location(hand, tuple(_held(table, seat)), "in the hand of {seat}", seat)
            for hand, seat in HANDS.items()
            if seat in seats
        ),
        Location(OUT, tuple(_gone(table, seats)), "out of the game"),
    )


def _standing(code: int) -> Iterator[Thing]:
    """Yield a piece unchanged, then its pyramids singly, then the piece bound or loose instead."""
    if code in (EMPTY, BLACK):
        return
    yield _thing(code)
    seat, sizes = code >> SEAT_SHIFT, PYRAMIDS[code]
    if len(sizes) > 1:
        for pips, count in Counter(sizes).items():
            yield _thing(single(seat, pips), count)
    if sizes in NESTS:
        yield _thing(bound(seat, sizes) if is_nest(code) else loose(seat, sizes))


def _held(table: Table, seat: int) -> Iterator[Thing]:
    hand = _hand(table, seat)
    return (_thing(single(seat, pips), hand[pips]) for pips in (3, 2, 1) if hand[pips])


def _gone(table: Table, seats: Iterable[int]) -> Iterator[Thing]:
    for seat in seats:
        there = owned(table.board, seat, _hand(table, seat))
        for pips in (3, 2, 1):
            if there[pips] < OF_EACH_SIZE:
                yield _thing(single(seat, pips), OF_EACH_SIZE - there[pips])


def _hand(table: Table, seat: int) -> bytes:
    return table.hands[seat * 4 : seat * 4 + 4]


def _thing(code: int, count: int = 1) -> Thing:
    seat, sizes = code >> SEAT_SHIFT, PYRAMIDS[code]
    *others, last = (SIZE_WORD[pips] for pips in sizes)
    words = f"{', '.join(others)} and {last}" if others else last
    how = ", nested" if is_nest(code) else ", bound as a power piece" if is_power(code) else ""
    piece = Piece("pyramid", COLOUR[seat], sizes[0])
    return Thing(NAME[code], words, piece, count, seat, how)


# Taking and laying


def fixed(table: Table, what: str, start: str) -> str:
    """Return why the blacks never move (PWR-1.3)."""
    if what != NAME[BLACK]:
        return ""
    return "the blacks must stay on d4, d5, e4 and e5 for the whole game (PWR-1.3)"


def objection(end: str, there: Location | None, thing: Thing) -> str:
    """Return why a piece may not be put there: another seat's, or too many pyramids (PWR-2.1)."""
    if there is None or (there.beside and there.seat not in (0, thing.seat)):
        return Sentence(
            "a pyramid of {seat} must lie on a square, in the hand of {seat}, or out",
            seat=Player(thing.seat),
        )
    if not there.beside and end in CENTRAL:
        return f"{end} has a black for the whole game (PWR-1.3)"
    if there.beside or not there.things:
        return ""
    if there.things[0].seat != thing.seat:
        return occupied(there)
    together = len(PYRAMIDS[CODE[thing.what]] + PYRAMIDS[CODE[there.things[0].what]])
    if together <= MAX_PYRAMIDS:
        return ""
    return (
        f"a piece has at most {MAX_PYRAMIDS} pyramids (PWR-2.1), and with those on {end} this one"
        f" would have {together}"
    )


def lift(table: Table, thing: Thing, start: str) -> Table:
    """Take a piece off the edited board, or one pyramid of a piece."""
    code = CODE[thing.what]
    if start in HANDS:
        return _hold(table, code, -1)
    if start not in BOARD.index:
        return table
    at = BOARD.index[start]
    there = table.board[at]
    left = Counter(PYRAMIDS[there]) - Counter(PYRAMIDS[code])
    made = bound if is_power(there) else loose
    return _with_piece(table, at, made(there >> SEAT_SHIFT, left.elements()))


def lay(table: Table, thing: Thing, end: str) -> Table:
    """Put a piece down; it joins a piece on the square.

    A jump or put-backs under way continue if they still can.
    """
    return _recompute(_laid(table, CODE[thing.what], end), thing.seat)


def _laid(table: Table, code: int, end: str) -> Table:
    if end in HANDS:
        return _hold(table, code, 1)
    if end == OUT:
        return table
    at = BOARD.index[end]
    target = table.board[at]
    return _with_piece(table, at, _join(code, target) if target else code)


def _join(mover: int, target: int) -> int:
    seat, together = mover >> SEAT_SHIFT, PYRAMIDS[mover] + PYRAMIDS[target]
    if is_power(mover) or is_power(target):
        return bound(seat, together)
    return loose(seat, together)


def _with_piece(table: Table, at: int, code: int) -> Table:
    board = bytearray(table.board)
    board[at] = code
    return replace(table, board=bytes(board))


def _hold(table: Table, code: int, more: int) -> Table:
    hands, seat = bytearray(table.hands), code >> SEAT_SHIFT
    for pips in PYRAMIDS[code]:
        hands[seat * 4 + pips] += more
    return replace(table, hands=bytes(hands))


# Recomputed parts


def _recompute(table: Table, seat: int) -> Table:
    """Recompute the lost pips of a seat, the playing seats, and the pending jump and put-backs."""
    there = owned(table.board, seat, _hand(table, seat))
    gone = PIPS - sum(pips * count for pips, count in there.items())
    lost = (*table.lost[: seat - 1], gone, *table.lost[seat:])
    return _under_way(replace(table, lost=lost, playing=_playing(table), due=0, result=None))


def _playing(table: Table) -> tuple[int, ...]:
    """PWR-6.3."""
    playing = tuple(
        seat
        for seat in range(1, len(table.lost) + 1)
        if any(_hand(table, seat)) or has_pieces(table.board, seat)
    )
    if not playing:
        raise Misplaced("at least one seat must stay in the game with a pyramid (PWR-6.3)")
    return playing


def _under_way(table: Table) -> Table:
    """Drop a jump whose piece is gone, and put-backs of seats with nothing in hand."""
    jumper = table.jumper if table.jumper and _jumps(table, table.jumper) else None
    kicked = tuple(
        seat for seat in table.kicked if seat in table.playing and any(_hand(table, seat))
    )
    return replace(table, jumper=jumper, kicked=kicked)


def _jumps(table: Table, jumper: Jumper) -> bool:
    """Say whether a piece of the seat in turn is on the square that the jump reached (PWR-4.6)."""
    here, left = table.board[jumper.at], table.board[jumper.start]
    own = here >> SEAT_SHIFT == table.seat and not is_nest(here)
    return own and (left == EMPTY or left >> SEAT_SHIFT == table.seat)


def begin_turn(table: Table, seat: int) -> Table:
    """Edit a position so that a seat moves next, without a jump or put-backs.

    Pyramids in its hand are put back before the seat moves (PWR-5.5).
    """
    return replace(table, seat=seat, jumper=None, kicked=(), due=0, result=None)


EDITOR: Final = Editor(locations, objection, lift, lay, begin_turn, fixed=fixed)
