"""The engines that come with Plybook: `random` plays at random, `search` searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Final, Protocol

from domain.entry import move_text
from domain.events import Moved
from replay.errors import Usage
from replay.programs.engine_lines import SeenMatch
from replay.search.playouts import Choices, Enough
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

    If no possible state fits its observations, the engine chooses among the offered moves.
    """

    def __init__(self, rng: Random, begin: Callable[[], Enough]) -> None:
        self._rng, self._begin = rng, begin
        self._seen = SeenMatch()

    def answer(self, line: str) -> str | None:
        """Take a line, and return the answer to `go`."""
        word, *rest = line.split()
        if word != "go":
            self._seen.take(line)
            return None
        seat, *offered = rest
        return f"play {self._choose(int(seat), offered)}"

    def _choose(self, seat: int, offered: list[str]) -> str:
        """Return a move text, without a search if there is only one, or if dice decide."""
        seen = self._seen.line
        state = seen.draw(self._rng) if seen and len(offered) != 1 else None
        if seen is None or state is None:
            return _any(offered, self._rng)
        choices = Choices(state.game)
        kind = choices.unlisted(state.position, seat)
        if kind is not None and kind.chance:
            roll = kind.roll(state.position, partial(self._rng.randint, 1))
            return move_text.write(state.game, Moved(seat, roll))
        found = search(seen.draw, self._seen.seats, self._rng, self._begin(), seat)
        return (
            found.candidates[0].texts[0] if found and found.candidates else _any(offered, self._rng)
        )


def _any(offered: Sequence[str], rng: Random) -> str:
    if not offered:
        raise Usage("no move is offered; enter one by hand")
    return rng.choice(offered)


def built_in(name: str, rng: Random, begin: Callable[[], Enough]) -> Engine | None:
    """Return the engine of a name, `random` or `search`; `None` for any other name."""
    if name == SEARCH:
        return SearchEngine(rng, begin)
    return RandomEngine(rng) if name == RANDOM else None


RANDOM: Final = "random"
SEARCH: Final = "search"
