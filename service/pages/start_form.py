"""The fields of the form that starts a match. The first answer to each question is chosen."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any, Final, NamedTuple

from domain.game import Game
from replay.formats.html.move_list import chip
from replay.game_info import About

NAME: Final = """<div class="field player" data-seat="{seat}">
<label for="seat{seat}">{chip} Player {seat}{what}</label>
<input id="seat{seat}" name="seat{seat}" list="known" maxlength="{longest}" autocapitalize="words"
 enterkeyhint="{key}" placeholder="Name, if you like"></div>
"""

EXTRAS: Final = """<details><summary>Who may look on, and a clock</summary><div class="stack">
{readers}
<fieldset class="clock"><legend>A clock</legend>
<p class="hint">Leave it empty to play without one.</p>
{limits}</fieldset></div></details>
"""


LIMIT: Final = """<div class="field"><label for="{name}">{words}</label>
<input id="{name}" name="{name}" type="number" inputmode="numeric" min="{least}" max="{most}"></div>
"""


class FormAnswer(NamedTuple):
    """One answer to a question: the value sent, and what it means."""

    value: int | str
    words: str
    more: str = ""


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
PROGRAMMING: Final = Limit("programming", "Seconds to make a plan, before it is a foul", 1, 3600)
"""For games in which one can be called upon others who are late."""

READERS: Final = (
    FormAnswer("unlisted", "Who has the link", "Nobody finds the match without it."),
    FormAnswer("public", "Everybody", "The match is listed in the library."),
    FormAnswer("private", "Who is invited", "Nobody else can open it."),
)

ROLLERS: Final = (
    FormAnswer("table", "We roll our own dice", "You tap in what they show."),
    FormAnswer("service", "Plybook rolls", "Fair, and it can be checked afterwards."),
)


def numbers(game: Game[Any]) -> str:
    """Return the choice of how many play, where there is one."""
    if len(game.seats) == 1:
        return f'<input type="hidden" name="seats" value="{game.seats[0]}">'
    answers = (FormAnswer(count, str(count)) for count in game.seats)
    return question("seats", "How many play?", answers, css="segments")


def names(game: Game[Any], about: About, longest: int) -> str:
    """Return a field for the name of each player there can be, of so many characters at most."""
    most = game.seats[-1]
    fields = (
        NAME.format(
            seat=seat,
            chip=chip(seat),
            what=_what(about.seat(seat)),
            longest=longest,
            key="done" if seat == most else "next",
        )
        for seat in range(1, most + 1)
    )
    return f'<fieldset class="players"><legend>Who plays?</legend>{"".join(fields)}</fieldset>'


def options(game: Game[Any], about: About) -> str:
    """Return the options of a game as questions, and who rolls where something is rolled."""
    default = game.options()
    asked = "".join(
        question(
            f"option.{name}",
            about.question(name),
            _answers(name, values, getattr(default, name), about),
            seats=about.names_seats(name),
        )
        for name, values in game.choices().items()
    )
    rolled = any(move.chance for move in game.moves)
    return asked + (question("dice", "Who rolls the dice?", ROLLERS) if rolled else "")


def extras(game: Game[Any]) -> str:
    """Return what is folded away: who may read the match, and a clock."""
    patient = any(move.patience for move in game.moves)
    limits = (*LIMITS, PROGRAMMING) if patient else LIMITS
    return EXTRAS.format(
        readers=question("visibility", "Who may look on?", READERS),
        limits="".join(LIMIT.format(**limit._asdict()) for limit in limits),
    )


def _answers(name: str, values: Iterable[Any], default: Any, about: About) -> Iterable[FormAnswer]:
    ordered = sorted(values, key=lambda value: bool(value != default))
    return [_answer(value, about.answer(name, value)) for value in ordered]


def _answer(value: Any, words: str) -> FormAnswer:
    short, colon, more = words.partition(": ")
    return (
        FormAnswer(value, short, more[:1].upper() + more[1:]) if colon else FormAnswer(value, words)
    )


def _what(words: str) -> str:
    return f' <span class="hint">{escape(words)}</span>' if words else ""


def question(
    name: str,
    words: str,
    answers: Iterable[FormAnswer],
    *,
    css: str = "choices",
    seats: bool = False,
    chosen: int | str | None = None,
) -> str:
    """Return a question with its answers. The `chosen` value is marked, or else the first.

    `seats` tells that the values are seats, of which a match may have fewer.
    """
    given = list(answers)
    marked = given[0].value if chosen is None else chosen
    choices = "".join(_choice(name, answer, answer.value == marked) for answer in given)
    return (
        f'<fieldset class="question"{" data-seats" if seats else ""}><legend>{escape(words)}'
        f'</legend><div class="{css}">{choices}</div></fieldset>'
    )


def _choice(name: str, answer: FormAnswer, chosen: bool) -> str:
    more = f' <span class="hint">{escape(answer.more)}</span>' if answer.more else ""
    return (
        f'<label class="choice"><input type="radio" name="{escape(name)}"'
        f' value="{escape(str(answer.value))}"{" checked" if chosen else ""}>'
        f"<span><b>{escape(answer.words)}</b>{more}</span></label>"
    )
