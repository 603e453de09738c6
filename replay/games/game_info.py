"""The words of a game, from files of its seeds: its description and its instructions.

`seeds/<game>/about.toml`; every key is optional:

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
    first = "basic"             # the answer that forms offer first, if it is not the default
    [endings]
    "POP-6.1" = "…"             # a plain reason for a match that ended by this clause

`seeds/<game>/how-to-play.toml`: things on the table, and a few positions with few words:

    [[need]]
    thing = "A board of 5 by 6 squares"
    instead = "A grid on paper" # a substitute for it, if any
    [[example]]
    title = "Launch"
    words = "…"
    moves = "M@c1 S@c6 c1>L@c3" # from the start, as in a text record
    demo = 12                   # instead of moves: the first 12 events of the demonstration match
    step = 2                    # the second picture on the way to the last position
    clauses = ["POP-3.2"]       # the exact wording
    options.length = "advanced"
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.effects import Effect
from domain.events import State
from domain.game import Game, Options
from domain.match import Match, open_match
from domain.position import Violation
from domain.scene import Scene
from domain.toml_text import parse_toml
from replay import rules_text
from replay.errors import Damaged, Usage
from replay.formats.ply.model import RecordFault
from replay.formats.ply.reader import read_records
from replay.formats.ply.referee import LineCursor

T = TypeVar("T")
ASK: Final = "ask"
ARE: Final = "are"
FIRST: Final = "first"
HOW_TO_PLAY: Final = "how-to-play.toml"


class About(Struct, frozen=True, forbid_unknown_fields=True):
    """The description of a game; `minutes` are the least and the most."""

    minutes: tuple[int, int] | None = None
    sentence: str = ""
    like: str = ""
    usual: int = 0
    seats: tuple[str, ...] = ()
    picture: int = 0
    options: Mapping[str, Mapping[str, str]] = {}
    endings: Mapping[str, str] = {}

    def question(self, option: str) -> str:
        """Return an option of the game as a question; by default its name."""
        return self.options.get(option, {}).get(ASK, option)

    def answer(self, option: str, value: int | str) -> str:
        """Return the meaning of a value of the game's option; by default the value."""
        return self.options.get(option, {}).get(str(value), str(value))

    def first(self, option: str, default: int | str) -> int | str:
        """Return the value of an option that is offered first; by default its default."""
        return self.options.get(option, {}).get(FIRST, default)

    def offered_first(self, game: Game[Any]) -> dict[str, str]:
        """Return the values of a game's options that forms offer first and that are no defaults."""
        firsts = {name: self.options.get(name, {}).get(FIRST, "") for name in game.choices()}
        return {name: first for name, first in firsts.items() if first}

    def names_seats(self, option: str) -> bool:
        """Return whether the values of an option are seats; a match may have fewer seats."""
        return self.options.get(option, {}).get(ARE) == "seats"

    def seat(self, number: int) -> str:
        """Return the role of a seat, or an empty string."""
        return self.seats[number - 1] if number <= len(self.seats) else ""


def about(game: Game[Any]) -> About:
    """Return the description of a game; every field is empty without a description.

    Raises `Damaged`.
    """
    found: About = _read_seed(game.seeds, game.slug, "about.toml", About)
    return found


def usual_options(game: Game[Any]) -> Options:
    """Return the options that forms offer first."""
    return game.read_options(about(game).offered_first(game))


def picture(game: Game[Any]) -> Scene:
    """Return a scene of the demonstration match, or without one of the start."""
    try:
        return picture_of(demonstration(game))
    except Usage:
        return picture_of(open_match(game, game.options()))


def picture_of(match: Match) -> Scene:
    """Return a scene of a match, at the ply that the description of its game names."""
    game = match.game
    ply = min(about(game).picture, len(match.line))
    scene = game.scene(match.at(ply).position.view(None))
    return msgspec.structs.replace(scene, panels=scene.panels[:1], trays=(), caption="")


def demonstration(game: Game[Any]) -> Match:
    """Return the demonstration match.

    Raises `Usage` for a game without a demonstration match, and `Damaged`.
    """
    record = next(iter(read_records(rules_text.demo(game))))
    if isinstance(record, RecordFault):
        raise Damaged(f"the demonstration match of {game.name}: {record.words()}")
    return record.match


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
    """The things on the table, and the examples; both are empty if the game describes none."""

    needs: tuple[Need, ...] = ()
    examples: tuple[Example, ...] = msgspec.field(name="example", default=())


def guide(game: Game[Any]) -> Guide:
    """Return the guide to a game; empty if the game has no guide. Raises `Damaged`."""
    found: Guide = _read_seed(game.seeds, game.slug, HOW_TO_PLAY, Guide)
    return found


def is_explained(game: Game[Any]) -> bool:
    """Return whether a game has examples, or at least rules. Raises `Damaged`."""
    return bool(guide(game).examples) or rules_text.is_there(game)


@functools.lru_cache(maxsize=256)
def example_picture(game: Game[Any], number: int) -> Scene:
    """Return the board of an example, counted from 0. Raises `Damaged` for an illegal move."""
    example = guide(game).examples[number]
    scene = _example_scene(game, example)
    if example.step:
        scene = scene.frames[example.step - 1]
    board = tuple(replace(panel, title="") for panel in scene.panels[:1])
    return replace(scene, panels=board, trays=(), caption="", frames=())


def clauses(game: Game[Any], example: Example) -> list[rules_text.RuleClause]:
    """Return the clauses of an example. Raises `Damaged` for a clause that the rules lack."""
    try:
        return [rules_text.clause(game, name) for name in example.clauses]
    except Usage as error:
        raise _damaged(game, example, str(error)) from None


def _example_scene(game: Game[Any], example: Example) -> Scene:
    """Draw the last position of an example."""
    if example.demo:
        match = demonstration(game)
        return _scene_of(game, match.at(example.demo), match.line[example.demo - 1].effects)
    start = open_match(game, game.read_options(dict(example.options))).start
    cursor = LineCursor(game, start)
    for text in example.moves.split():
        played = cursor.play(text)
        if isinstance(played, Violation):
            raise _damaged(game, example, f"{text!r}: {played.message}")
    return _scene_of(game, cursor.state, cursor.effects)


def _scene_of(game: Game[Any], state: State, effects: Sequence[Effect]) -> Scene:
    return game.scene(state.position.view(None), effects)


def _damaged(game: Game[Any], example: Example, words: str) -> Damaged:
    return Damaged(f"{HOW_TO_PLAY} of {game.slug}, {example.title}: {words}")


@functools.cache
def _read_seed(package: str, slug: str, file: str, form: type[T]) -> T:
    """Read a file of a game's seeds; a missing file counts as empty."""
    try:
        text = rules_text.seed(package, slug, file)
    except Usage:
        return form()
    try:
        return msgspec.convert(parse_toml(text), form)
    except (ValueError, msgspec.ValidationError) as error:
        raise Damaged(f"{file} of {slug}: {error}") from None
