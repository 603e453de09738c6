"""Start a match: choose a game, and optionally the players and the settings."""

from __future__ import annotations

from typing import Any, Final

from litestar import Router, get
from litestar.params import FromPath
from litestar.response import Template

from domain.game import Game
from replay import registry, rules_text
from replay.games import game_info, how_to_play
from replay.games.game_info import About
from service.http.access import TheSettings, find_game
from service.http.text_limits import NAME
from service.pages.layout import page
from service.pages.start_form import READERS, clock_limits, numbers, questions


@get("/new")
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


@get("/new/{game:str}")
async def choose(settings: TheSettings, game: FromPath[str]) -> Template:
    """Ask for the players and settings of a game; everything has a default."""
    found = find_game(game)
    about = game_info.about(found)
    data = {
        "game": _card(found, about),
        "like": about.like,
        "has_rules": rules_text.is_there(found),
        "numbers": numbers(found),
        "roles": {seat: about.seat(seat) for seat in range(1, found.seats[-1] + 1)},
        "longest_name": NAME.longest(settings),
        "questions": questions(found, about),
        "readers": READERS,
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
        "told": how_to_play.is_told(game),
        "open": game.lists_all,
    }


def describe_size(game: Game[Any], about: About) -> str:
    """Describe how many can play, and how long it takes: "2 players, 10 to 20 minutes"."""
    least, most = game.seats[0], game.seats[-1]
    many = f"{least} to {most} players" if least < most else f"{least} players"
    if about.minutes is None:
        return many
    shortest, longest = about.minutes
    return f"{many}, {shortest}{f' to {longest}' if longest > shortest else ''} minutes"


ROUTER: Final = Router("/", route_handlers=[pick, choose], include_in_schema=False)
