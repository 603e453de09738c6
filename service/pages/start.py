"""Start a match: choose a game, and optionally the players and the settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from litestar import get
from litestar.params import FromPath
from litestar.response import Template

from domain.game import Game
from replay import registry, rules_text
from replay.games import game_info
from replay.games.game_info import About
from service.http.access import TheSettings, find_game
from service.http.rights import ANYBODY
from service.http.text_limits import NAME
from service.pages.layout import page


class FormAnswer(NamedTuple):
    """An answer to a question: the value sent, and its label."""

    value: int | str
    words: str
    more: str = ""


class Question(NamedTuple):
    """A question with its answers; `seats` marks answers that are seats, which a match may lack."""

    name: str
    words: str
    answers: Sequence[FormAnswer]
    seats: bool = False


class Limit(NamedTuple):
    """A setting of the clock, in words, and the kinds of clock that have it; no kinds mean all."""

    name: str
    words: str
    least: int
    most: int
    kinds: Sequence[str] = ()
    usual: int | None = None


CLOCKS: Final = {
    "fischer": "Each move adds time (Fischer)",
    "delay": "Each move waits before it costs time (delay)",
    "bronstein": "Each move gives its time back (Bronstein)",
    "byo-yomi": "Periods at the end (byo-yomi)",
    "pgn": "Stages, as in PGN",
}
"""The kinds of clock, in words; `start.js` writes the control of each."""
LIMITS: Final = (
    Limit("minutes", "Minutes for each player", 1, 1440, tuple(CLOCKS)[:4]),
    Limit("increment", "Extra seconds after each move", 0, 3600, ("fischer",)),
    Limit("seconds", "Most seconds for one move", 1, 86400, ("fischer",)),
    Limit("bonus", "Seconds of each move", 1, 3600, ("delay", "bronstein"), 5),
    Limit("periods", "Periods after that", 1, 99, ("byo-yomi",), 5),
    Limit("period", "Seconds of a period", 1, 3600, ("byo-yomi",), 30),
)
PROGRAMMING: Final = Limit("programming", "Seconds to make a plan, before it is late", 1, 3600)
"""The clock setting of games in which a player can claim that another is late."""

READERS: Final = (
    FormAnswer("unlisted", "Anyone with the link", "Only the link leads to the match."),
    FormAnswer("public", "Everybody", "The match is listed in the library."),
    FormAnswer("private", "Only people invited", "No one else can open it."),
)

ROLLERS: Final = (
    FormAnswer("table", "We roll our own dice", "You enter what they show."),
    FormAnswer("service", "Plybook rolls", "Fair, and it can be checked afterwards."),
)


def numbers(game: Game[Any]) -> list[FormAnswer]:
    """Return the possible numbers of players."""
    return [FormAnswer(count, str(count)) for count in game.seats]


def questions(game: Game[Any], about: About) -> list[Question]:
    """Return a game's options as questions, and a question about the dice if the game has any."""
    default = game.options()
    asked = [
        Question(
            f"option.{name}",
            about.question(name),
            _answers(name, values, about.first(name, getattr(default, name)), about),
            about.names_seats(name),
        )
        for name, values in game.choices().items()
    ]
    rolled = any(move.chance for move in game.moves)
    return [*asked, Question("dice", "Who rolls the dice?", ROLLERS)] if rolled else asked


def clock_limits(game: Game[Any]) -> tuple[Limit, ...]:
    """Return the clock settings that a game supports."""
    patient = any(move.patience for move in game.moves)
    return (*LIMITS, PROGRAMMING) if patient else LIMITS


def _answers(name: str, values: Iterable[Any], first: Any, about: About) -> list[FormAnswer]:
    ordered = sorted(values, key=lambda value: str(value) != str(first))
    return [_answer(value, about.answer(name, value)) for value in ordered]


def _answer(value: Any, words: str) -> FormAnswer:
    short, colon, more = words.partition(": ")
    return (
        FormAnswer(value, short, more[:1].upper() + more[1:]) if colon else FormAnswer(value, words)
    )


@get("/new", guards=[ANYBODY])
async def pick() -> Template:
    """Show the games to choose from; one tap starts a match with the default settings."""
    games = [_card(game, game_info.about(game)) for game in registry.games().values()]
    return page(
        "pick.html",
        "New match · Plybook",
        {"games": games},
        styles=("start.css",),
        scripts=("start.js",),
        here="/new",
    )


@get("/new/{game:str}", guards=[ANYBODY])
async def choose(settings: TheSettings, game: FromPath[str]) -> Template:
    """Ask for the players and settings of a game; everything has a default."""
    found = find_game(game)
    about = game_info.about(found)
    data = {
        "game": _card(found, about),
        "like": about.like,
        "has_rules": rules_text.is_there(found),
        "numbers": numbers(found),
        "usual": about.usual or None,
        "roles": {seat: about.seat(seat) for seat in range(1, found.seats[-1] + 1)},
        "longest_name": NAME.longest(settings),
        "questions": questions(found, about),
        "readers": READERS,
        "clocks": CLOCKS,
        "limits": clock_limits(found),
    }
    return page(
        "choose.html",
        f"New match of {found.name} · Plybook",
        data,
        styles=("board.css", "start.css"),
        scripts=("start.js",),
        here="/new",
    )


def _card(game: Game[Any], about: About) -> dict[str, str | bool]:
    return {
        "slug": game.slug,
        "name": game.name,
        "short": describe_size(game, about),
        "sentence": about.sentence,
        "told": game_info.is_explained(game),
        "open": not game.has_secrets,
    }


def describe_size(game: Game[Any], about: About) -> str:
    """Describe how many can play, and how long it takes: "2 players, 10 to 20 minutes"."""
    least, most = game.seats[0], game.seats[-1]
    many = f"{least} to {most} players" if least < most else f"{least} players"
    if about.minutes is None:
        return many
    shortest, longest = about.minutes
    return f"{many}, {shortest}{f' to {longest}' if longest > shortest else ''} minutes"
