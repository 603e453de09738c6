"""The search against the random player."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import ClassVar

from bench.row import Figure, Row, Sample
from domain.entry import move_text
from domain.events import LineEvent, Moved
from domain.games import BUILT_IN, built_in
from domain.match import Match, open_match, unrevealed_plies
from replay.processes import processors
from replay.search.playouts import Choices, Enough, for_seconds
from replay.search.seat_view import SealedMove, SeenLine
from replay.search.tree import search

SECOND = partial(for_seconds, 1.0)
MAX_PLIES = 2000
"""A game without an end by then is not won."""


@dataclass(frozen=True)
class Contests(Row):
    """Games of the search, at a second per move, against the random player at the other seats.

    The search plays each seat in turn, and sees what its seat may see. Each processor plays a
    game, so run nothing else meanwhile.
    """

    games: int = 1
    budget: Callable[[], Enough] = SECOND
    rounds: ClassVar[int] = 1

    @property
    def figures(self) -> Sequence[Figure]:
        return [Figure(f"{slug}: games won of {self.games}", "%", at_least=95) for slug in BUILT_IN]

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with ProcessPoolExecutor(processors()) as pool:
            yield lambda: [self._won(pool, slug) for slug in BUILT_IN]

    def _won(self, pool: ProcessPoolExecutor, slug: str) -> float:
        won = list(pool.map(partial(_wins, self.budget, slug), range(self.games)))
        return 100 * sum(won) / self.games


def _wins(budget: Callable[[], Enough], slug: str, number: int) -> bool:
    """Return whether the search wins a game, which has its own number."""
    rng, match = Random(number), open_match(built_in(slug))
    choices, own = Choices(match.game), number % match.seats + 1
    while match.state.outcome is None and len(match.line) < MAX_PLIES:
        seat = choices.mover(match.state.position)
        event = _searched(match, own, rng, budget()) if seat == own else None
        if event is None:
            move = choices.at_random(match.state.position, seat, rng)
            assert move is not None
            event = Moved(seat, move)
        match = match.evolve(event)
    return match.state.outcome is not None and own in match.state.outcome.winners


def _searched(match: Match, seat: int, rng: Random, enough: Enough) -> LineEvent | None:
    """Return the move of the search; `None` for a roll, or if it knows none."""
    kind = Choices(match.game).unlisted(match.state.position, seat)
    if kind is not None and kind.chance:
        return None
    hidden = unrevealed_plies(match.line)
    seen = SeenLine(match.start)
    for number, ply in enumerate(match.line, 1):
        seen = seen.then(
            SealedMove(hidden[number]) if hidden.get(number, seat) != seat else ply.event
        )
    found = search(seen.draw, match.seats, rng, enough, seat)
    if found is None or not found.candidates:
        return None
    event = move_text.read(match.game, match.state, found.candidates[0].texts[0], seat)
    return event if isinstance(event, Moved) else None
