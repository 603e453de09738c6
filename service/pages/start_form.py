"""The fields of the form that starts a match. The first answer to each question is the default."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from domain.game import Game
from replay.games.game_info import About


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
    """A setting of the clock, in words."""

    name: str
    words: str
    least: int
    most: int


LIMITS: Final = (
    Limit("minutes", "Minutes for each player", 1, 1440),
    Limit("increment", "Seconds more after each move", 0, 3600),
    Limit("seconds", "Seconds for one move at most", 1, 86400),
)
PROGRAMMING: Final = Limit("programming", "Seconds to make a plan, before it is late", 1, 3600)
"""The clock setting of games in which a player can claim that another is late."""

READERS: Final = (
    FormAnswer("unlisted", "Who has the link", "Nobody finds the match without it."),
    FormAnswer("public", "Everybody", "The match is listed in the library."),
    FormAnswer("private", "Who is invited", "Nobody else can open it."),
)

ROLLERS: Final = (
    FormAnswer("table", "We roll our own dice", "You tap in what they show."),
    FormAnswer("service", "Plybook rolls", "Fair, and it can be checked afterwards."),
)


def numbers(game: Game[Any]) -> list[FormAnswer]:
    """Return the possible numbers of players."""
    return [FormAnswer(count, str(count)) for count in game.seats]


def questions(game: Game[Any], about: About) -> list[Question]:
    """Return a game's options as questions, and who rolls if the game has dice."""
    default = game.options()
    asked = [
        Question(
            f"option.{name}",
            about.question(name),
            _answers(name, values, getattr(default, name), about),
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


def _answers(name: str, values: Iterable[Any], default: Any, about: About) -> list[FormAnswer]:
    ordered = sorted(values, key=lambda value: bool(value != default))
    return [_answer(value, about.answer(name, value)) for value in ordered]


def _answer(value: Any, words: str) -> FormAnswer:
    short, colon, more = words.partition(": ")
    return (
        FormAnswer(value, short, more[:1].upper() + more[1:]) if colon else FormAnswer(value, words)
    )
