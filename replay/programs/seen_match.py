"""A match as a seat has seen it, followed by the lines that an engine gets."""

from __future__ import annotations

from collections.abc import Callable

from domain.entry import tokens
from domain.events import State
from domain.match import open_match
from domain.position import Violation
from replay import registry
from replay.search.hands import SealedMove
from replay.search.seen import SeenLine


class SeenMatch:
    """The knowledge from the lines `new`, `play`, `sealed`, `set` and `undo` so far."""

    def __init__(self) -> None:
        self.seats = 0
        self._seen: list[SeenLine | None] = [None]

    @property
    def line(self) -> SeenLine | None:
        """The line that was seen; `None` before `new`, and after a line that does not fit."""
        return self._seen[-1]

    def take(self, line: str) -> None:
        """Take a line; others than those above are ignored."""
        word, _, rest = line.partition(" ")
        match word:
            case "new":
                self._open(rest.split())
            case "set":
                self._note(lambda seen: SeenLine(_at(seen.known, rest)))
            case "play":
                self._note(lambda seen: _then(seen, rest))
            case "sealed":
                self._note(lambda seen: seen.then(SealedMove(int(rest))))
            case "undo":
                del self._seen[-int(rest) :]

    def _open(self, words: list[str]) -> None:
        name, *settings = words
        options = dict(each.split("=", 1) for each in settings)
        game, self.seats = registry.find(name), int(options.pop("seats"))
        match = open_match(game, game.read_options(options), self.seats)
        self._seen = [SeenLine(match.state)]

    def _note(self, follow: Callable[[SeenLine], SeenLine | None]) -> None:
        self._seen.append(follow(self.line) if self.line else None)


def _at(state: State, position: str) -> State:
    read = state.game.read_position(state.position, position)
    return State(state.game, read, read.outcome())


def _then(seen: SeenLine, token: str) -> SeenLine | None:
    """Return the line with a move, or `None` if it contradicts the known moves."""
    event = tokens.read(seen.known.game, seen.known, token)
    if isinstance(event, Violation) or not (seen.later or event.check(seen.known) is None):
        return None
    return seen.then(event)
