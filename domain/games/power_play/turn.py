"""The turn of Power Play: moves, put-backs, seats that go out, and the end of the game (PWR-7)."""

from __future__ import annotations

from functools import cache

from domain.effects import Effect, Skipped
from domain.games.power_play.board import BETWEEN, BOARD
from domain.games.power_play.effects import (
    Captured,
    Declared,
    Hopped,
    How,
    KickedBack,
    Powered,
    Returned,
    Stepped,
    Survived,
    WentOut,
)
from domain.games.power_play.pieces import (
    CAPTURE,
    EMPTY,
    FREE,
    LANDING,
    LIFTED,
    NESTED,
    POWER_OF_EACH_SIZE,
    PYRAMIDS,
    SEAT_SHIFT,
    STACK,
    STRENGTH,
    can_hop,
    can_move,
    has_pieces,
    kind,
    pieces,
    returns,
    single,
    stacked,
)
from domain.games.power_play.position import Jumper, Table
from domain.position import Outcome

NOTHING = bytes(4)
"""An empty hand."""


@cache
def clockwise(playing: tuple[int, ...], first: int) -> tuple[int, ...]:
    """Return the playing seats in order, from `first` on or from the next after it (PWR-1.2)."""
    return tuple(sorted(playing, key=lambda seat: (seat < first, seat)))


class Turn:
    """A mutable copy of a table for the computation of one event; `done` returns the result."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.board = bytearray(table.board)
        self.hands = table.hands
        self.lost = table.lost
        self.playing = table.playing
        self.seat = table.seat
        self.number = table.turn
        self.jumper = table.jumper
        self.kicked = table.kicked
        self.due = table.due
        self.result: Outcome | None = None
        self.effects: list[Effect] = []

    def done(self) -> tuple[Table, tuple[Effect, ...]]:
        """Return the table after the event, and the effects."""
        table = Table(
            bytes(self.board),
            self.hands,
            self.lost,
            self.playing,
            self.seat,
            self.number,
            self.jumper,
            self.kicked,
            self.due,
            self.result,
        )
        return table, tuple(self.effects)

    def step(self, from_: int, to: int) -> None:
        """Move a piece to an adjacent square (PWR-3.3)."""
        self.board[to], self.board[from_] = LIFTED[self.board[from_]]
        self.effects.append(Stepped(self.seat, BOARD.names[from_], BOARD.names[to]))
        self._pass_on()

    def hop(self, from_: int, to: int) -> None:
        """Hop once (PWR-4), and end the jump if it cannot continue."""
        mover, rest = LIFTED[self.board[from_]]
        target = self.board[to]
        landing = LANDING[mover][target]
        names = BOARD.names
        self.effects.append(Hopped(self.seat, names[from_], names[BETWEEN[from_][to]], names[to]))
        self.board[from_] = rest
        if landing == STACK:
            self._stack(mover, to)
            return
        self.board[to] = mover
        if landing != FREE:
            self._strike(landing, target, to)
        self._go_on(from_, to, landing != FREE)

    def _go_on(self, from_: int, at: int, struck: bool) -> None:
        """Keep the jump open while there is a hop left (PWR-4.6)."""
        if self.result is not None:
            return
        if not can_hop(self.board, at):
            self.end()
        elif self.jumper is None:
            self.jumper = Jumper(from_, at, struck)
        else:
            self.jumper = Jumper(self.jumper.start, at, struck or self.jumper.struck)

    def _stack(self, mover: int, at: int) -> None:
        """Make a power piece (PWR-4.3); on another seat's starting square it may knock out."""
        made = stacked(mover, self.board[at])
        self.board[at] = made
        self.effects.append(Powered(self.seat, PYRAMIDS[made], BOARD.names[at]))
        if kind(made) == POWER_OF_EACH_SIZE:
            for seat in self.playing:
                if seat != self.seat and at in self.table.starting(seat):
                    self._put_out(seat, "nest")
        if self.result is None:
            self.end()

    def _strike(self, landing: int, target: int, at: int) -> None:
        """Capture (PWR-4.4) or kick back (PWR-4.5) the piece on the square."""
        owner, sizes = target >> SEAT_SHIFT, PYRAMIDS[target]
        if landing == CAPTURE:
            self.effects.append(Captured(owner, sizes, BOARD.names[at]))
            self.lost = _put(self.lost, owner - 1, self.lost[owner - 1] + STRENGTH[target])
            if self._hand(owner) == NOTHING and not has_pieces(self.board, owner):
                self._put_out(owner, "bare")
            return
        self.effects.append(KickedBack(owner, sizes, BOARD.names[at]))
        for pips in sizes:
            self._hold(owner, pips, 1)
        kicked = tuple({*self.kicked, owner})
        self.kicked = clockwise(kicked, self.seat)

    def end(self) -> None:
        """End the jump: the seats kicked back now put back (PWR-5.1)."""
        self.jumper = None
        self._await_returns()

    def put_back(self, seat: int, pips: int, at: int) -> None:
        """Put a pyramid from the hand into a nest or on an empty square (PWR-5)."""
        self._hold(seat, pips, -1)
        self.board[at] = NESTED[self.board[at]][pips] or single(seat, pips)
        self.effects.append(Returned(seat, pips, BOARD.names[at]))
        if seat == self.seat:
            self._begin(seat)
        else:
            self._await_returns()

    def declare(self, seat: int, target: int) -> None:
        """Knock a seat out by declaration (PWR-6.1)."""
        self.effects.append(Declared(seat, target))
        self._put_out(target, "declared")
        self._resume_after(target)

    def retire(self, seat: int) -> None:
        """Remove a seat that resigns, at any moment."""
        self._put_out(seat, "left")
        if self.jumper is not None:
            # The piece under the path of the jump may be gone.
            if seat == self.seat or not can_hop(self.board, self.jumper.at):
                self.end()
        elif self.due not in (0, self.seat):
            self._await_returns()
        else:
            self._resume_after(seat)

    def take_up(self) -> None:
        """Resume from an edited position: end its jump, turn or game, and await the next move."""
        if len(self.playing) == 1:
            self.result = Outcome("PWR-7.1", (self.playing[0],))
        elif self.jumper is not None:
            if not can_hop(self.board, self.jumper.at):
                self.end()
        elif self.kicked:
            self._await_returns()
        else:
            self._begin(self.seat)

    def _resume_after(self, out: int) -> None:
        """Resume before a move: the turn of a seat that went out is over and counts (PWR-6.1)."""
        if self.result is not None:
            return
        if out == self.seat:
            self._pass_on()
        else:
            self._begin(self.seat)

    def _put_out(self, seat: int, how: How) -> None:
        """Remove a seat's pieces, and end the game if one seat is left (PWR-6.4, PWR-7.1)."""
        cleared = tuple(pieces(self.board, seat))
        for at in cleared:
            self.board[at] = EMPTY
        self.hands = self.hands[: seat * 4] + NOTHING + self.hands[seat * 4 + 4 :]
        self.playing = tuple(other for other in self.playing if other != seat)
        self.kicked = tuple(other for other in self.kicked if other != seat)
        self.effects.append(WentOut(seat, how, tuple(BOARD.names[at] for at in cleared)))
        if len(self.playing) == 1:
            (winner,) = self.playing
            self.jumper = None
            self.result = Outcome("PWR-7.1", (winner,))
            self.effects.append(Survived(winner))

    def _await_returns(self) -> None:
        """Await put-backs of the seats kicked back, in order, then pass the turn (PWR-5.1)."""
        while self.kicked:
            if self._must_put_back(self.kicked[0]):
                return
            self.kicked = self.kicked[1:]
        self._pass_on()

    def _pass_on(self) -> None:
        """Count the turn and begin the next."""
        self.number += 1
        self._begin(self.seat + 1)

    def _begin(self, first: int) -> None:
        """Give the turn to the next seat that has a move (PWR-3.2, PWR-5.5)."""
        for seat in clockwise(self.playing, first):
            self.seat = seat
            if self._must_put_back(seat) or can_move(self.board, seat):
                return
            self.effects.append(Skipped(seat))

    def _must_put_back(self, seat: int) -> bool:
        """Set the seat that must put back: this one if a pyramid in its hand fits, else none."""
        fits = self._hand(seat) != NOTHING and any(
            returns(self.board, self.hands, self.table.starting(seat), seat)
        )
        self.due = seat if fits else 0
        return fits

    def _hand(self, seat: int) -> bytes:
        return self.hands[seat * 4 : seat * 4 + 4]

    def _hold(self, seat: int, pips: int, more: int) -> None:
        place = seat * 4 + pips
        held = bytes((self.hands[place] + more,))
        self.hands = self.hands[:place] + held + self.hands[place + 1 :]


def finish(table: Table) -> Table:
    """Return an edited table with a jump, the put-backs or the game ended, as after a move."""
    turn = Turn(table)
    turn.take_up()
    return turn.done()[0]


def concluded(table: Table, seat: int, clause: str) -> tuple[Table, tuple[Effect, ...]] | None:
    """Remove a seat (PWR-6.4); if it had the turn, the turn is over and counts.

    Return `None` if a single other seat is left.
    """
    if len(table.playing) == 2:
        return None
    turn = Turn(table)
    turn.retire(seat)
    return turn.done()


def _put(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])
