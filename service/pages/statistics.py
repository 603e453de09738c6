"""Statistics of each game: its matches, their lengths and their winners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from litestar import Router, get
from litestar.response import Template
from msgspec import Struct

from replay import registry
from replay.errors import Usage
from replay.library import match_statistics
from replay.library.match_statistics import GameStats, Lengths, PlayerResults
from service.http.access import TheBook, TheSettings
from service.http.book_reads import in_thread
from service.http.read_scope import listed_visibilities
from service.pages.layout import page

MOST: Final = 20


class ShownGame(Struct, frozen=True):
    """A game with facts as terms and words, and its players' results."""

    name: str
    facts: Sequence[tuple[str, str]]
    players: Sequence[PlayerResults]


@get("/library/stats")
@in_thread
def statistics(book: TheBook, settings: TheSettings) -> Template:
    """Show statistics by game."""
    among = listed_visibilities(settings)
    found = match_statistics.stats(book, among=among)
    games = [ShownGame(_name(one.game), _facts(one), one.players[:MOST]) for one in found]
    data = {"games": games}
    title = "Statistics · Plybook"
    return page("statistics.html", title, data, styles=("start.css",), here="/library")


def _facts(found: GameStats) -> Sequence[tuple[str, str]]:
    facts = [("Matches", str(found.matches)), ("Ended", str(found.finished))]
    if found.turns is not None:
        facts.append(("Turns", _lengths(found.turns)))
    for result, count in found.results.items():
        if result not in ("*", "="):
            facts.append((f"Player {result[1:]} won", str(count)))
    if drawn := found.results.get("="):
        facts.append(("Drawn", str(drawn)))
    if found.stood:
        facts.append(("Moves that stood against the rules", str(sum(found.stood.values()))))
    return facts


def _lengths(lengths: Lengths) -> str:
    if lengths.least == lengths.most:
        return str(lengths.least)
    return f"{lengths.least} to {lengths.most}, mostly about {lengths.median:g}"


def _name(slug: str) -> str:
    """Return the name of a game, or its slug if it is no longer installed."""
    try:
        return registry.find(slug).name
    except Usage:
        return slug


ROUTER: Final = Router("/", route_handlers=[statistics], include_in_schema=False)
