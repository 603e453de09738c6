"""The registry of games: built-in games and installed plug-ins.

A distribution adds a game with an entry point in the group `plybook.games` that names a `Game`.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from domain.game import Game
from domain.games import BUILT_IN, built_in
from replay.errors import Usage

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "plybook.games"

EXAMPLE: Final = next(iter(BUILT_IN))
"""The slug of a game, for examples in messages."""


class BrokenPlugin(NamedTuple):
    """A plug-in that could not be loaded, and why."""

    name: str
    reason: str


def games() -> dict[str, Game[Any]]:
    """Return all games by slug, the built-in ones first."""
    return {slug: built_in(slug) for slug in BUILT_IN} | _plugins()[0]


def broken() -> tuple[BrokenPlugin, ...]:
    """Return the plug-ins that could not be loaded."""
    return _plugins()[1]


def find(name: str) -> Game[Any]:
    """Return the game with a slug (`poptrix`) or a ruleset (`poptrix/1`).

    Raises `Usage` for an unknown game or ruleset.
    """
    slug, _, version = name.partition("/")
    game = built_in(slug) if slug in BUILT_IN else _plugins()[0].get(slug)
    if game is None:
        known = ", ".join([*BUILT_IN, *_plugins()[0]])
        raise Usage(f"{slug!r} is not a game; use one of {known}")
    if version and name != game.ruleset:
        raise Usage(f"{name!r} is not a ruleset; {game.name} has {game.ruleset}")
    return game


def named(text: str) -> Game[Any] | None:
    """Return the game with a name as people write it: `Poptrix`, `pyramid ball`, `poptrix/1`."""
    name = "-".join(text.lower().replace("_", " ").split())
    try:
        return find(name)
    except Usage:
        titled = (game for game in games().values() if game.name.lower() == text.lower())
        return next(titled, None)


@functools.cache
def _plugins() -> tuple[dict[str, Game[Any]], tuple[BrokenPlugin, ...]]:
    # Scanning takes longer than most commands, so commands about built-in games do without.
    from importlib.metadata import entry_points

    loaded: dict[str, Game[Any]] = {}
    failed: list[BrokenPlugin] = []
    for point in entry_points(group=GROUP):
        reason = _load(point, loaded)
        if reason:
            failed.append(BrokenPlugin(point.name, reason))
    return loaded, tuple(failed)


def _load(point: EntryPoint, loaded: dict[str, Game[Any]]) -> str | None:
    """Load a plug-in's game into `loaded`, or return why that is impossible."""
    try:
        game = point.load()
    except Exception as error:  # any exception of a plug-in's module only disables that plug-in
        return f"{type(error).__name__}: {error}"
    if not isinstance(game, Game):
        return f"{point.value} is not a domain.game.Game"
    if game.slug in BUILT_IN or game.slug in loaded:
        return f"{game.slug!r} is the slug of another game already"
    loaded[game.slug] = game
    return None
