"""The registry of games: built-in games, installed plug-ins, and games of one file.

A distribution adds a game with an entry point in the group `plybook.games` that names a `Game`, or
a tuple of them: rulesets side by side, of which the newest is offered and the others referee their
matches. `PLYBOOK_GAMES` names Python files with such a `GAME`, and score sheets.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from domain.game import Game
from domain.games import BUILT_IN, built_in
from replay.errors import UnknownRuleset, Usage

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "plybook.games"
FILES: Final = "PLYBOOK_GAMES"
"""The environment variable with the paths of games of one file, separated as in `PATH`."""

EXAMPLE: Final = next(iter(BUILT_IN))
"""The slug of a game, for examples in messages."""


CHANGING: Final = threading.Lock()
"""Held while the games change as the user adds or removes sheets."""


class BrokenPlugin(NamedTuple):
    """A plug-in that could not be loaded, and why; `details` is the traceback, if there is one."""

    name: str
    reason: str
    details: str = ""


class Plugin(NamedTuple):
    """A source of games: `package` is the distribution and its version, or the file.

    `source` is where the game is found: `tic_tac_toe:GAME`, or the path of the file.
    """

    name: str
    package: str
    source: str
    load: Callable[[], Any]


class Loaded(NamedTuple):
    """The games of plug-ins: all by ruleset, the newest of each by slug, and the failures.

    `sheets` are the user's own sheets, each with the time of its last change.
    """

    rulesets: dict[str, Game[Any]]
    newest: dict[str, Game[Any]]
    packages: dict[str, str]
    broken: list[BrokenPlugin]
    sheets: dict[Path, int]


def games() -> dict[str, Game[Any]]:
    """Return all games by slug, the built-in ones first, each in its newest ruleset."""
    return {slug: built_in(slug) for slug in BUILT_IN} | _current().newest


def broken() -> tuple[BrokenPlugin, ...]:
    """Return the plug-ins that could not be loaded."""
    return tuple(_current().broken)


def package_of(game: Game[Any]) -> str | None:
    """Return a game's distribution and version, like `plybook-hive 1.0`; `None` if built in."""
    return None if game.slug in BUILT_IN else _plugins().packages.get(game.ruleset)


def find(name: str) -> Game[Any]:
    """Return the game with a slug (`poptrix`) or a ruleset (`poptrix/1`).

    Raises `Usage` for an unknown game, `UnknownRuleset` for a ruleset that is not installed.
    """
    slug, _, version = name.partition("/")
    game = built_in(slug) if slug in BUILT_IN else _plugins().newest.get(slug)
    if game is None:
        game = _current().newest.get(slug)
    if version and (game is None or game.ruleset != name):
        game = _plugins().rulesets.get(name)
        if game is None:
            raise UnknownRuleset(f"{name!r} is not a ruleset; {_known_rulesets(slug)}")
    if game is None:
        known = ", ".join([*BUILT_IN, *_plugins().newest])
        left_out = "; `plybook games` says what could not be loaded" if broken() else ""
        raise Usage(f"{slug!r} is not a game; use one of {known}{left_out}")
    return game


def _known_rulesets(slug: str) -> str:
    """Name the rulesets of a game, or say that the game is not installed."""
    if slug in BUILT_IN:
        return f"use {built_in(slug).ruleset}"
    known = [game.ruleset for game in _plugins().rulesets.values() if game.slug == slug]
    return f"use {' or '.join(known)}" if known else f"the game {slug!r} is not installed"


def named(text: str) -> Game[Any] | None:
    """Return the game with a name as people write it: `Poptrix`, `pyramid ball`, `poptrix/1`."""
    name = "-".join(text.lower().replace("_", " ").split())
    try:
        return find(name)
    except Usage:
        titled = (game for game in games().values() if game.name.lower() == text.lower())
        return next(titled, None)


@functools.cache
def _plugins() -> Loaded:
    """Load all plug-ins; an exception in a plug-in disables only that plug-in."""
    from replay import score_sheets  # commands about built-in games do without

    loaded = Loaded({}, {}, {}, [], score_sheets.kept())
    for plugin in (*_files(), *map(_of_file, loaded.sheets), *_distributions()):
        _load(plugin, loaded)
    return loaded


def _current() -> Loaded:
    """Return the games of plug-ins, with the sheets that the user added or removed since."""
    from replay import score_sheets  # as in `_plugins`

    loaded = _plugins()
    with CHANGING:
        there = score_sheets.kept()
        for path, _ in loaded.sheets.items() - there.items():
            for ruleset in [name for name, kept in loaded.packages.items() if kept == path.name]:
                game = loaded.rulesets.pop(ruleset)
                del loaded.packages[ruleset]
                loaded.newest.pop(game.slug, None)
            loaded.broken[:] = (each for each in loaded.broken if each.name != str(path))
        for path, _ in there.items() - loaded.sheets.items():
            _load(_of_file(path), loaded)
        loaded.sheets.clear()
        loaded.sheets.update(there)
    return loaded


def _load(plugin: Plugin, loaded: Loaded) -> None:
    """Add the games of a plug-in, or say why that is impossible."""
    try:
        found = plugin.load()
        rulesets = found if isinstance(found, tuple) else (found,)
        for game in rulesets:
            if isinstance(game, Game):
                game.check_start()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        loaded.broken.append(BrokenPlugin(plugin.name, reason, traceback.format_exc()))
        return
    reasons = filter(None, (_add(game, plugin, loaded) for game in rulesets))
    loaded.broken.extend(BrokenPlugin(plugin.name, reason) for reason in reasons)


def _add(game: object, plugin: Plugin, loaded: Loaded) -> str | None:
    """Add a game of a plug-in, or return why that is impossible."""
    if not isinstance(game, Game):
        return f"{plugin.source} is not a domain.game.Game"
    others = {each for each in loaded.rulesets.values() if each.slug == game.slug}
    of_others = any(loaded.packages[each.ruleset] != plugin.package for each in others)
    if game.slug in BUILT_IN or of_others or game.ruleset in loaded.rulesets:
        return f"{game.slug!r} is the slug of another game already"
    add(game, plugin.package, loaded)
    return None


def add(game: Game[Any], package: str, loaded: Loaded | None = None) -> None:
    """Add a game, by default to this process's games, in place of a game with the same ruleset."""
    loaded = loaded or _plugins()
    loaded.rulesets[game.ruleset] = game
    loaded.packages[game.ruleset] = package
    newest = loaded.newest.get(game.slug)
    if newest is None or newest.version <= game.version:
        loaded.newest[game.slug] = game


def _distributions() -> Iterator[Plugin]:
    # Scanning takes longer than most commands, so commands about built-in games do not scan.
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        yield Plugin(point.name, _package(point), point.value, point.load)


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def _files() -> Iterator[Plugin]:
    given = os.environ.get(FILES, "").split(os.pathsep)
    return (_of_file(Path(path)) for path in given if path)


def _of_file(path: Path) -> Plugin:
    return Plugin(str(path), path.name, str(path), functools.partial(_load_file, path))


def _load_file(path: Path) -> Any:
    """Run a game's file and return its `GAME`; read a score sheet."""
    if path.suffix == ".toml":
        from replay import score_sheets  # no built-in game needs it

        return score_sheets.load(path)
    name = f"plybook_game_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file; its name must end in .py or .toml")
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.GAME
