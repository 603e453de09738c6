"""Keep statistics for requests: until the book changes they are counted, and charged, only once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property, partial
from typing import Any, Final

from litestar import Request

from replay.access.visibility import ReadScope, Visibility
from replay.book import Book
from replay.library import explorer
from replay.library.explorer import GameStats, PlayerResults
from replay.store.search_words import folded
from service.http.limits import Limits

COST: Final = 3
"""The cost of statistics that are counted, in requests."""
MAX_KEPT: Final = 100
"""The most statistics that are kept for a moment of the book."""

Asked = tuple[str | None, str | None, frozenset[Visibility] | ReadScope, bool]
"""A game, a folded name of a player, visibilities or the scope of a caller, and `sure`."""


class KeptGames:
    """Statistics game by game, and the results of the players over all games."""

    def __init__(self, games: Sequence[GameStats]) -> None:
        self.games = games

    @cached_property
    def totals(self) -> Sequence[PlayerResults]:
        """The result of `explorer.totals`, added up for the first who asks."""
        return explorer.totals(self.games)


class KeptStatistics:
    """The statistics of a book as of its last change."""

    def __init__(self, book: Book, limits: Limits) -> None:
        self._book = book
        self._limits = limits
        self._version = -1
        self._kept: dict[Asked, KeptGames] = {}

    def get(
        self,
        request: Request[Any, Any, Any],
        among: Collection[Visibility],
        game: str | None = None,
        player: str | None = None,
        *,
        sure: bool = False,
    ) -> KeptGames:
        """Return what `explorer.stats` counts. Raises `Problem` 429."""
        asked = (game, None if player is None else folded(player), frozenset(among), sure)
        count = partial(explorer.stats, self._book, game, player, among=among, sure=sure)
        return self._keep(request, asked, count)

    def own(
        self, request: Request[Any, Any, Any], scope: ReadScope, *, sure: bool = False
    ) -> KeptGames:
        """Return what `explorer.own_stats` counts. Raises `Problem` 429."""
        count = partial(explorer.own_stats, self._book, scope, sure=sure)
        return self._keep(request, (None, None, scope.own, sure), count)

    def _keep(
        self, request: Request[Any, Any, Any], asked: Asked, count: Callable[[], list[GameStats]]
    ) -> KeptGames:
        kept = self._now()
        if asked not in kept:
            self._limits.charge(request, COST)
            found = KeptGames(count())
            if len(kept) < MAX_KEPT:
                kept[asked] = found
            return found
        return kept[asked]

    def _now(self) -> dict[Asked, KeptGames]:
        """Return the entries for the book in its present state; several threads may add to them."""
        version = self._book.store.data_version()
        if version != self._version:
            self._version, self._kept = version, {}
        return self._kept
