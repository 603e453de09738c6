"""The engines that come with Plybook: one plays at random, one searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Final, Protocol

from domain.entry import tokens
from domain.events import Moved, State
from domain.match import open_match
from domain.position import Violation
from replay import registry
from replay.errors import Usage
from replay.search.budget import Enough
from replay.search.choices import Choices
from replay.search.seen import SealedMove, SeenLine
from replay.search.tree import search


class Engine(Protocol):
    """A player that gets lines, as `engine_lines` describes them."""

    def answer(self, line: str) -> str | None:
        """Take a line, and return the answer to `go`."""


class RandomEngine:
    """An engine that chooses among the moves that it is offered."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def answer(self, line: str) -> str | None:
        """Take a line, and return the answer to `go`."""
        word, *rest = line.split()
        return f"play {_any(rest[1:], self._rng)}" if word == "go" else None


class SearchEngine:
    """An engine that searches; `begin` starts a budget, which says when playouts are enough.

    Where what it has seen fits no possible state, it chooses among the moves that it is offered.
    """

    def __init__(self, rng: Random, begin: Callable[[], Enough]) -> None:
        self._rng, self._begin = rng, begin
        self._seats = 0
        self._seen: list[SeenLine | None] = []

    def answer(self, line: str) -> str | None:
        """Take a line, and return the answer to `go`."""
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
            case "go":
                seat, *offered = rest.split()
                return f"play {self._choose(int(seat), offered)}"
        return None

    def _open(self, words: list[str]) -> None:
        name, *settings = words
        options = dict(each.split("=", 1) for each in settings)
        game, self._seats = registry.find(name), int(options.pop("seats"))
        match = open_match(game, game.read_options(options), self._seats)
        self._seen = [SeenLine(match.state)]

    def _note(self, follow: Callable[[SeenLine], SeenLine | None]) -> None:
        seen = self._seen[-1]
        self._seen.append(follow(seen) if seen else None)

    def _choose(self, seat: int, offered: list[str]) -> str:
        """Return a token, without a search if there is only one, or if dice decide."""
        seen = self._seen[-1]
        state = seen.draw(self._rng) if seen and len(offered) != 1 else None
        if seen is None or state is None:
            return _any(offered, self._rng)
        choices = Choices(state.game)
        kind = choices.unlisted(state.position, seat)
        if kind is not None and kind.chance:
            roll = kind.roll(state.position, partial(self._rng.randint, 1))
            return tokens.write(state.game, Moved(seat, roll))
        found = search(seen.draw, self._seats, self._rng, self._begin(), seat)
        return found.lines[0].tokens[0] if found and found.lines else _any(offered, self._rng)


def _any(offered: Sequence[str], rng: Random) -> str:
    if not offered:
        raise Usage("no move is offered to choose from; enter it by hand")
    return rng.choice(offered)


def _at(state: State, position: str) -> State:
    read = state.game.read_position(state.position, position)
    return State(state.game, read, read.outcome())


def _then(seen: SeenLine, token: str) -> SeenLine | None:
    """Return the line with a move, or `None` if it does not fit what is known."""
    event = tokens.read(seen.known.game, seen.known, token)
    if isinstance(event, Violation) or not (seen.later or event.check(seen.known) is None):
        return None
    return seen.then(event)


def built_in(name: str, rng: Random, begin: Callable[[], Enough]) -> Engine | None:
    """Return the engine of a name, `random` or `search`; `None` for another."""
    if name == SEARCH:
        return SearchEngine(rng, begin)
    return RandomEngine(rng) if name == RANDOM else None


RANDOM: Final = "random"
SEARCH: Final = "search"
