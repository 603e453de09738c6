"""Moves after a null move, which stands for a move that nobody wrote down.

Such moves are written for a position that is not known. They are read, and written, as if the side
had passed, as other programs do. A move that is not legal then is read after any move that may be
missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from msgspec.structs import replace

from domain.entry import move_text
from domain.events import DASH, Moved, State
from replay.formats.import_bounds import Tally

NULL_MOVES: Final = frozenset(
    (DASH, "---", "Z0", "@@@@", "0000", "null", "Null", "NULL", "\u2014", "\u2013")
)
"""The ways to write a dash."""
MISSING: Final = "nobody wrote this move down"
"""The comment of a null move; it is left out when it is read."""
MAX_FITTING: Final = 200
"""The most positions that are followed."""
MAX_GUESSES: Final = 10_000
"""The most moves that are tried in the positions of an import: two seconds."""

Passed = Callable[[Any], Any]
"""Returns the position after a turn is passed, or `None` if it cannot be."""


class AfterDash:
    """The positions that may follow a state, of which one or more dashes are known."""

    def __init__(self, before: State, passed: Passed, tally: Tally) -> None:
        self._before, self._passed, self._tally = before, passed, tally
        self._texts: list[str] = []
        self._fitting = [before]
        self._all = False
        """Whether these are all positions, and not only those of passed turns."""

    def dash(self) -> None:
        """Go on after a dash."""
        self._texts.append(DASH)
        self._fitting = self._after(self._fitting) if self._all else self._pass(self._fitting)

    def read(self, text: str) -> str | None:
        """Return the move text of a move, which becomes known; `None` if it fits nowhere."""
        found = [*self._moves(self._fitting, text)]
        if not (found or self._all):
            self._fitting, self._all = self._search(), True
            found = [*self._moves(self._fitting, text)]
        if not found:
            return None
        written = found[0][0]
        self._texts.append(written)
        self._fitting = [state for other, state in found if other == written]
        return written

    def fits(self, text: str) -> State | None:
        """Return a state of passed turns in which a move is legal, and go on after it."""
        before, found = self._fitting, [*self._moves(self._fitting, text)]
        self._fitting = [state for _, state in found]
        return before[0] if found else None

    def _pass(self, states: Iterable[State]) -> list[State]:
        passed = ((state, self._passed(state.position)) for state in states)
        return [replace(state, position=after) for state, after in passed if after is not None]

    def _after(self, states: Iterable[State]) -> list[State]:
        """Return the states after each legal move, each position once."""
        found = dict[Any, State]()
        for state in states:
            for seat, move in state.game.legal_moves(state.position):
                after = Moved(seat, move).evolve(state)[0]
                found.setdefault(after.position, after)
                if len(found) == MAX_FITTING:
                    return [*found.values()]
        return [*found.values()]

    def _search(self) -> list[State]:
        states = [self._before]
        for text in self._texts:
            moved = (state for _, state in self._moves(states, text))
            states = self._after(states) if text == DASH else [*moved]
        return states

    def _moves(self, states: Iterable[State], text: str) -> Iterator[tuple[str, State]]:
        """Yield the move text of a move in each state that allows it, and the state after it."""
        for state in states:
            self._tally.guesses += 1
            if self._tally.guesses > MAX_GUESSES:
                return
            event = move_text.read(state.game, state, text)
            if isinstance(event, Moved) and event.check(state) is None:
                yield move_text.write(state.game, event), event.evolve(state)[0]
