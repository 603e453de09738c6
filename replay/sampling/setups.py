"""The options and numbers of seats with which a game can be opened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.game import Game, OptionError, Options


def option_sets(game: Game[Any]) -> Iterator[Options]:
    """Return the default options, then each with one option at another value, then all changed."""
    default = game.options()
    yield default
    changes = [
        (name, value)
        for name, values in game.choices().items()
        for value in values
        if value != getattr(default, name)
    ]
    for name, value in changes:
        yield msgspec.structs.replace(default, **{name: value})
    if len(dict(changes)) > 1:
        yield msgspec.structs.replace(default, **dict(changes))


def setups(game: Game[Any]) -> Iterator[tuple[int, Options]]:
    """Yield every number of seats with the sets of options that allow it."""
    for seats in game.seats:
        for options in option_sets(game):
            try:
                game.start(options, seats)
            except OptionError:
                continue
            yield seats, options
