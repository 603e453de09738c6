"""How many matches there are of each game, how long they were, and who won."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from html import escape
from typing import Final

from litestar import Response, Router, get

from replay import registry
from replay.errors import Usage
from replay.library import match_statistics
from replay.library.match_statistics import GameStats, Lengths, PlayerResults
from service.http.access import TheBook, TheSettings
from service.http.read_scope import listed_visibilities
from service.pages.layout import page

BODY: Final = """<main class="stats"><h1>Statistics</h1>
<p class="soft">Of the matches that are listed for everybody.</p>{games}</main>
"""

GAME: Final = """<section class="shelf"><h2>{name}</h2>
<dl class="facts">{facts}</dl>{players}</section>
"""

PLAYERS: Final = """<div class="scroll" tabindex="0" role="group"
 aria-label="Players of {name}"><table><caption class="unseen">Players of {name}</caption>
<thead><tr><th scope="col">Player</th><th scope="col" class="number">Matches</th>
<th scope="col" class="number">Won</th><th scope="col" class="number">Drawn</th>
<th scope="col" class="number">Lost</th></tr></thead><tbody>{rows}</tbody></table></div>
"""

MOST: Final = 20


@get("/library/stats")
async def statistics(book: TheBook, settings: TheSettings) -> Response[str]:
    """Show statistics game by game."""
    among = listed_visibilities(settings)
    found = await asyncio.to_thread(lambda: match_statistics.stats(book, among=among))
    games = "".join(map(_game, found)) or '<p class="notice">No match is listed yet.</p>'
    body = BODY.format(games=games)
    return page("Statistics · Plybook", body, styles=("start.css",), here="/library")


def _game(found: GameStats) -> str:
    name = escape(_name(found.game))
    rows = "".join(map(_player, found.players[:MOST]))
    return GAME.format(
        name=name,
        facts="".join(
            f"<div><dt>{term}</dt><dd>{escape(told)}</dd></div>" for term, told in _facts(found)
        ),
        players=PLAYERS.format(name=name, rows=rows) if rows else "",
    )


def _facts(found: GameStats) -> Sequence[tuple[str, str]]:
    facts = [("Matches", str(found.matches)), ("Ended", str(found.finished))]
    if found.turns is not None:
        facts.append(("Turns", _lengths(found.turns)))
    for result, count in found.results.items():
        if result not in ("*", "="):
            facts.append((f"Player {result[1:]} won", str(count)))
    if drawn := found.results.get("="):
        facts.append(("Drawn", str(drawn)))
    return facts


def _lengths(lengths: Lengths) -> str:
    if lengths.least == lengths.most:
        return str(lengths.least)
    return f"{lengths.least} to {lengths.most}, mostly about {lengths.median:g}"


def _player(one: PlayerResults) -> str:
    numbers = (one.matches, one.won, one.drawn, one.lost)
    cells = "".join(f'<td class="number">{number}</td>' for number in numbers)
    return f'<tr><th scope="row">{escape(one.player)}</th>{cells}</tr>'


def _name(slug: str) -> str:
    """Return the name of a game; its slug, if it is not on the shelf any more."""
    try:
        return registry.find(slug).name
    except Usage:
        return slug


ROUTER: Final = Router("/", route_handlers=[statistics], include_in_schema=False)
