"""Start a match: pick a game, and if you like say who plays and how."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from litestar import Response, Router, get
from litestar.params import FromPath

from domain.game import Game
from replay import game_info, registry, rules_text
from replay.errors import Usage
from replay.game_info import About
from service.http.access import TheSettings, find_game
from service.models.text_limits import NAME
from service.pages.layout import page
from service.pages.start_form import extras, names, numbers, options

PICK: Final = """<main class="wide"><h1>What do you play?</h1>
<p class="notice bad" role="alert" data-part="trouble" hidden></p>
<noscript><p class="notice">Starting a match needs JavaScript. Reading works without.</p></noscript>
<ul class="cards picks">{games}</ul></main>
"""

GAME: Final = """<li class="card pick"><a href="/new/{slug}" tabindex="-1" aria-hidden="true">
<img class="picture" src="/new/{slug}/picture.svg" alt="" loading="lazy" width="320"
 height="240"></a>
<h2>{name}</h2><p class="soft small">{short}</p><p>{sentence}</p>
<form class="row" data-game="{slug}"><button class="button">Start</button>
<a class="button quiet" href="/new/{slug}">Names &amp; options</a></form></li>
"""

READING: Final = '<p><a href="/rules/{slug}">Read the rules</a></p>'

CHOOSE: Final = """<main class="choose">
<header class="game-head"><img class="picture" src="/new/{slug}/picture.svg" alt="" width="160"
 height="120"><div><h1>{name}</h1><p class="soft small">{short}</p></div></header>
<p>{sentence} {like}</p>{reading}
<form class="stack" data-game="{slug}" autocomplete="off">
<noscript><p class="notice">Starting a match needs JavaScript. Reading works without.</p></noscript>
{numbers}{names}{options}{extras}
<p class="notice bad" role="alert" data-part="trouble" hidden></p>
<div class="last"><button class="button large broad">Start</button></div>
<datalist id="known"></datalist>
</form></main>
"""


@get("/new")
async def pick() -> Response[str]:
    """Show the games to choose from; one tap starts a match as it is mostly played."""
    games = "".join(_card(game) for game in registry.games().values())
    body = PICK.format(games=games)
    return page(
        "New match · Plybook", body, styles=("start.css",), scripts=("start.js",), here="/new"
    )


@get("/new/{game:str}")
async def choose(settings: TheSettings, game: FromPath[str]) -> Response[str]:
    """Ask who plays a game, and how; everything has a default."""
    found = find_game(game)
    about = game_info.about(found)
    body = CHOOSE.format(
        **_words(found, about),
        like=escape(about.like),
        reading=READING.format(slug=found.slug) if _has_rules(found) else "",
        numbers=numbers(found),
        names=names(found, about, NAME.longest(settings)),
        options=options(found, about),
        extras=extras(found),
    )
    title = f"New match of {found.name} · Plybook"
    return page(title, body, styles=("board.css", "start.css"), scripts=("start.js",), here="/new")


def _has_rules(game: Game[Any]) -> bool:
    try:
        return bool(rules_text.text(game))
    except Usage:
        return False


def _card(game: Game[Any]) -> str:
    return GAME.format(**_words(game, game_info.about(game)))


def _words(game: Game[Any], about: About) -> dict[str, str]:
    return {
        "slug": escape(game.slug),
        "name": escape(game.name),
        "short": escape(short(game, about)),
        "sentence": escape(about.sentence),
    }


def short(game: Game[Any], about: About) -> str:
    """Say for how many a game is, and how long it takes: "2 players, 10 to 20 minutes"."""
    least, most = game.seats[0], game.seats[-1]
    many = f"{least} to {most} players" if least < most else f"{least} players"
    if about.minutes is None:
        return many
    return f"{many}, {about.minutes[0]} to {about.minutes[1]} minutes"


ROUTER: Final = Router("/", route_handlers=[pick, choose], include_in_schema=False)
