"""Start a match: choose a game, and optionally the players and the settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from litestar import get
from litestar.params import FromPath, FromQuery
from litestar.response import Template

from domain.game import Game
from domain.names import count
from replay import registry, rules_text
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.games import game_info
from replay.games.game_info import About
from replay.library import match_list
from replay.library.match_list import ListFilter
from service.http.access import (
    AnyRequest,
    TheBook,
    TheSettings,
    find_game,
    link_token,
    read_scope,
)
from service.http.book_reads import in_thread
from service.http.cookies import MAX_MATCHES
from service.http.rights import ANYBODY
from service.http.text_limits import NAME
from service.pages.evening import people_of
from service.pages.layout import page
from service.pages.words import FormAnswer, reader_answers


class Question(NamedTuple):
    """A question with its answers; `seats` marks answers that are seats, which a match may lack."""

    name: str
    words: str
    answers: Sequence[FormAnswer]
    seats: bool = False


COMMENTS: Final = (
    FormAnswer("now", "At once"),
    FormAnswer("end", "After the end"),
)
"""The answers to when others read the scorekeeper's comments."""


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

FAIR: Final = "Fair, and it can be checked afterwards."
CHANCE: Final = {
    "dice": ("Who rolls the dice?", "We roll our own dice", "You enter what they show.", "rolls"),
    "cards": ("Who deals?", "We deal our own cards", "Each player enters their hand.", "deals"),
    "other": ("Who draws lots?", "We do, at the table", "You enter what chance brings.", "draws"),
}
"""For each kind of chance, the question who provides it, and the words of the answers."""


def questions(game: Game[Any], about: About) -> list[Question]:
    """Return a new match's options as questions, and a question about chance if there is any."""
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
    if not any(move.chance for move in game.moves):
        return asked
    kind = "dice" if game.dice_count else "cards" if game.pad == "card" else "other"
    ask, own, entered, deed = CHANCE[kind]
    service = FormAnswer("service", f"Plybook {deed}", FAIR)
    return [*asked, Question("dice", ask, (FormAnswer("table", own, entered), service))]


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
@in_thread
def pick(request: AnyRequest, book: TheBook, evening: FromQuery[str] = "") -> Template:
    """Show the games to choose from; one tap starts a match with the default settings."""
    query = f"?evening={evening}" if evening else ""
    games = game_rows(book, read_scope(request).own)
    data = {"games": games, "evening": evening, "query": query}
    return page("pick.html", "New match · Plybook", data)


@get("/new/result", guards=[ANYBODY])
@in_thread
def write_result(request: AnyRequest, book: TheBook, settings: TheSettings) -> Template:
    """Ask for the result of a match whose moves were not recorded."""
    data = {
        **_given(request, book),
        "titles": [game.name for game in registry.games().values()],
        "longest_name": NAME.longest(settings),
    }
    return page("result.html", "Only the result · Plybook", data)


def _given(request: AnyRequest, book: Book) -> dict[str, Any]:
    """Return the parts of the query: an evening whose link the browser has, and players."""
    given = request.query_params
    evening = book.store.evening(given.get("evening", ""))
    if evening is not None and link_token(request, evening) is None:
        evening = None
    people = people_of(book, evening) if evening else ()
    return {"given": given, "evening": evening, "people": people}


@get("/new/{game:str}", guards=[ANYBODY])
@in_thread
def choose(
    request: AnyRequest, book: TheBook, settings: TheSettings, game: FromPath[str]
) -> Template:
    """Ask for the players and settings of a match to start; everything has a default.

    The query may name an evening whose link the browser has, its round and table, and players.
    """
    found = find_game(game)
    about = game_info.about(found)
    data = {
        **_given(request, book),
        "game": _card(found, about),
        "like": about.like,
        "twins": [
            each
            for each in registry.games().values()
            if each is not found and _shared_name(each) == _shared_name(found)
        ],
        "has_rules": rules_text.is_there(found),
        "numbers": [FormAnswer(count, str(count)) for count in found.seats],
        "usual": about.usual or None,
        "roles": {seat: about.seat(seat) for seat in range(1, found.seats[-1] + 1)},
        "longest_name": NAME.longest(settings),
        "questions": questions(found, about),
        "readers": reader_answers(settings.lists_all),
        "comments": COMMENTS,
        "clocks": CLOCKS,
        "limits": clock_limits(found),
    }
    return page("choose.html", f"New match of {found.name} · Plybook", data)


def game_rows(book: Book, own: ReadScope) -> list[dict[str, str | bool]]:
    """Return the games to choose from, games that the caller played recently first.

    A game of several plug-ins is listed once; its form names the other plug-ins.
    """
    played = match_list.page(book, ListFilter(order="changed"), own, MAX_MATCHES).matches
    slugs = dict.fromkeys(one.summary.game for one in played if one.summary)
    last = {slug: place for place, slug in enumerate(slugs)}
    known = sorted(registry.games().values(), key=lambda game: "(" in game.name)
    known.sort(key=lambda game: last.get(game.slug, len(last)))
    found: dict[str, Game[Any]] = {}
    for game in known:
        found.setdefault(_shared_name(game), game)
    return [_card(game, game_info.about(game)) for game in found.values()]


def _shared_name(game: Game[Any]) -> str:
    """Return the name that a game shares with its twins, like "Chess" of "Chess (OpenSpiel)"."""
    return game.name.partition(" (")[0]


def _card(game: Game[Any], about: About) -> dict[str, str | bool]:
    return {
        "slug": game.slug,
        "name": game.name,
        "short": describe_size(game, about),
        "sentence": about.sentence,
        "told": game_info.is_explained(game),
        "open": not game.has_secrets and game.pad != "number",
    }


def describe_size(game: Game[Any], about: About) -> str:
    """Describe how many can play, and how long it takes: "2 players, 10 to 20 minutes"."""
    least, most = game.seats[0], game.seats[-1]
    many = f"{least} to {most} players" if least < most else count(least, "player")
    if about.minutes is None:
        return many
    shortest, longest = about.minutes
    return f"{many}, {shortest}{f' to {longest}' if longest > shortest else ''} minutes"
