"""How a game is played: the things on the table, and a few positions with few words.

A game may bring them as `seeds/<game>/how-to-play.toml`:

[[need]] thing = "A board of 5 by 6 squares" # a thing on the table instead = "A grid on paper" # a
substitute for it, if any [[example]] title = "Launch" words = "…" moves = "M@c1 S@c6 c1>L@c3" #
from the start, as in a text record; or instead of them demo = 12 # so many events of the
demonstration match step = 2 # a picture on the way to the last position, from 1 clauses =
["POP-3.2"] # the exact wording options.length = "advanced"
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.effects import Effect
from domain.events import State
from domain.game import Game
from domain.match import open_match
from domain.position import Violation
from domain.scene import Scene
from replay import rules_text
from replay.errors import Damaged, Usage
from replay.formats.ply.referee import LineCursor
from replay.games import game_info

FILE: Final = "how-to-play.toml"


class Need(Struct, frozen=True, forbid_unknown_fields=True):
    """A thing that a game needs on the table, and a substitute for it."""

    thing: str
    instead: str = ""


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A position with few words, and the clauses that it shows.

    It is reached by `moves`, or by the first `demo` events of the demonstration match. A `step` is
    a picture on the way there, counted from 1; 0 is the position itself.
    """

    title: str
    words: str
    moves: str = ""
    demo: int = 0
    step: int = 0
    clauses: tuple[str, ...] = ()
    options: Mapping[str, str] = {}


class Guide(Struct, frozen=True, forbid_unknown_fields=True, rename={"needs": "need"}):
    """The things on the table, and the examples; both are empty for a game that brings none."""

    needs: tuple[Need, ...] = ()
    examples: tuple[Example, ...] = msgspec.field(name="example", default=())


def guide(game: Game[Any]) -> Guide:
    """Return the guide to a game, empty without one. Raises `Damaged`."""
    return _guide(game.seeds, game.slug)


def is_told(game: Game[Any]) -> bool:
    """Return whether a game has examples, or at least rules. Raises `Damaged`."""
    return bool(guide(game).examples) or rules_text.is_there(game)


@functools.lru_cache(maxsize=256)
def picture(game: Game[Any], number: int) -> Scene:
    """Return the board of an example, counted from 0. Raises `Damaged` for an illegal move."""
    example = guide(game).examples[number]
    scene = _scene(game, example)
    if example.step:
        scene = scene.frames[example.step - 1]
    board = tuple(replace(panel, title="") for panel in scene.panels[:1])
    return replace(scene, panels=board, trays=(), caption="", frames=())


def clauses(game: Game[Any], example: Example) -> list[rules_text.RuleClause]:
    """Return the clauses of an example. Raises `Damaged` for one that the rules do not have."""
    try:
        return [rules_text.clause(game, name) for name in example.clauses]
    except Usage as error:
        raise _damaged(game, example, str(error)) from None


def _scene(game: Game[Any], example: Example) -> Scene:
    """Draw the last position of an example."""
    if example.demo:
        match = game_info.demonstration(game)
        return _drawn(game, match.at(example.demo), match.line[example.demo - 1].effects)
    start = open_match(game, game.read_options(dict(example.options))).start
    cursor = LineCursor(game, start)
    for token in example.moves.split():
        played = cursor.play(token)
        if isinstance(played, Violation):
            raise _damaged(game, example, f"{token!r}: {played.message}")
    return _drawn(game, cursor.state, cursor.effects)


def _drawn(game: Game[Any], state: State, effects: Sequence[Effect]) -> Scene:
    return game.scene(state.position.view(None), effects)


def _damaged(game: Game[Any], example: Example, words: str) -> Damaged:
    return Damaged(f"{FILE} of {game.slug}, {example.title}: {words}")


@functools.cache
def _guide(package: str, slug: str) -> Guide:
    try:
        text = rules_text.seed(package, slug, FILE)
    except Usage:
        return Guide()
    try:
        return msgspec.convert(tomllib.loads(text), Guide)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise Damaged(f"{FILE} of {slug}: {error}") from None
