"""The description of a game, from `seeds/<game>/about.toml`; every key is optional.

minutes = [10, 20]          # the shortest and the longest usual duration
sentence = "…"              # the aim of the game
like = "…"                  # how it feels to play
usual = 3                   # the number of players that is offered first
seats = ["begins", "…"]     # the role of each seat, in order
picture = 14                # a ply of the demonstration match for the game's picture
[options.length]
ask = "How long?"           # an option as a question, and each of its values as an answer
basic = "The first point wins."
are = "seats"               # the values of the option are seats of the match
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.game import Game
from domain.match import Match, open_match
from domain.scene import Scene
from replay import rules_text
from replay.errors import Damaged, Usage
from replay.formats.ply.model import RecordFault
from replay.formats.ply.reader import read_records

ASK: Final = "ask"
ARE: Final = "are"


class About(Struct, frozen=True, forbid_unknown_fields=True):
    """The description of a game; `minutes` are the least and the most."""

    minutes: tuple[int, int] | None = None
    sentence: str = ""
    like: str = ""
    usual: int = 0
    seats: tuple[str, ...] = ()
    picture: int = 0
    options: Mapping[str, Mapping[str, str]] = {}

    def question(self, option: str) -> str:
        """Return an option as a question; by default its name."""
        return self.options.get(option, {}).get(ASK, option)

    def answer(self, option: str, value: int | str) -> str:
        """Return the meaning of an option's value; by default the value."""
        return self.options.get(option, {}).get(str(value), str(value))

    def names_seats(self, option: str) -> bool:
        """Return whether the values of an option are seats, of which a match may have fewer."""
        return self.options.get(option, {}).get(ARE) == "seats"

    def seat(self, number: int) -> str:
        """Return the role of a seat, or an empty string."""
        return self.seats[number - 1] if number <= len(self.seats) else ""


def about(game: Game[Any]) -> About:
    """Return the description of a game, or an empty description. Raises `Damaged`."""
    return _about(game.seeds, game.slug)


def picture(game: Game[Any]) -> Scene:
    """Return a scene of the demonstration match, or of the start without one."""
    try:
        match = demonstration(game)
    except Usage:
        match = open_match(game, game.options())
    ply = min(about(game).picture, len(match.line))
    scene = game.scene(match.at(ply).position.view(None))
    return msgspec.structs.replace(scene, panels=scene.panels[:1], trays=(), caption="")


def demonstration(game: Game[Any]) -> Match:
    """Return the demonstration match. Raises `Usage` for a game without one, and `Damaged`."""
    record = next(iter(read_records(rules_text.demo(game))))
    if isinstance(record, RecordFault):
        raise Damaged(f"the demonstration match of {game.name}: {record.words()}")
    return record.match


@functools.cache
def _about(package: str, slug: str) -> About:
    try:
        text = rules_text.seed(package, slug, "about.toml")
    except Usage:
        return About()
    try:
        return msgspec.convert(tomllib.loads(text), About)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise Damaged(f"about.toml of {slug}: {error}") from None
