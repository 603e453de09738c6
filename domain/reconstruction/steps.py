"""Steps of a search through the lines of a game: its events, and the states after them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from domain.entry import move_text
from domain.entry.spellings import spell
from domain.events import LineEvent, Moved, State
from domain.position import Violation


class Work:
    """Counts the steps of a search; `left` is the number it may still make.

    None is allowed once they are `enough`.
    """

    def __init__(self, most: int, enough: Callable[[], bool] = lambda: False) -> None:
        self.most = most
        self._enough = enough
        self.done = 0
        self.ended = False
        """Whether a step was not allowed."""

    @property
    def left(self) -> int:
        """The number of steps that may still be made."""
        return self.most - self.done

    def take(self, steps: int = 1) -> bool:
        """Count steps, and return whether they are allowed; otherwise they do not count."""
        allowed = self.done + steps <= self.most and not self._enough()
        self.done += steps if allowed else 0
        self.ended |= not allowed
        return allowed


def moves_at(state: State) -> Iterator[Moved]:
    """Yield the legal moves at a state that can be listed."""
    if state.outcome is None and not state.unjudged:
        for seat, move in state.game.legal_moves(state.position):
            yield Moved(seat, move)


def read_entry(state: State, text: str) -> LineEvent | Violation:
    """Return the event that a scoresheet's entry means at a state, or the rule it breaks."""
    event = move_text.read(state.game, state, text)
    if isinstance(event, Violation) and event.clause == "form":
        spelled = spell(state, text)
        event = event if spelled == text else move_text.read(state.game, state, spelled)
    return event if isinstance(event, Violation) else event.check(state) or event


def is_decided(event: LineEvent) -> bool:
    """Return whether chance or a secret decides an event, so that the rules cannot rule it out."""
    return isinstance(event, Moved) and (event.move.chance or not event.move.listed)
