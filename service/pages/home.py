"""The home page: an introduction, the matches of this device, recent ones, and the games."""

from __future__ import annotations

from typing import Any, Final

from litestar import get
from litestar.response import Template

from replay import registry
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.games import game_info
from replay.library import match_list
from replay.library.match_list import ListFilter
from service.http.access import AnyRequest, TheBook, TheSettings, account_in_browser, read_scope
from service.http.book_reads import in_thread
from service.http.rights import ANYBODY
from service.pages.cards import cards
from service.pages.layout import page

OWN: Final = 6
RECENT: Final = 6


@get("/", guards=[ANYBODY])
@in_thread
def home(request: AnyRequest, book: TheBook, settings: TheSettings) -> Template:
    """Show the home page."""
    data = _data(book, read_scope(request))
    data["has_site"] = settings.site is not None
    data["account"] = account_in_browser(request, book)
    styles = ("board.css", "start.css")
    return page("home.html", "Plybook", data, styles=styles, scripts=("home.js",))


def _data(book: Book, looking: ReadScope) -> dict[str, Any]:
    own = match_list.page(book, ListFilter(status="open"), looking.own, OWN).matches
    there = {one.stream.id for one in own}
    shown = match_list.page(book, ListFilter(), ReadScope(looking.shown), RECENT).matches
    recent = tuple(one for one in shown if one.stream.id not in there)
    games = [
        {
            "slug": slug,
            "name": game.name,
            "sentence": game_info.about(game).sentence,
            "told": game_info.is_explained(game),
        }
        for slug, game in registry.games().items()
    ]
    return {
        "own": cards(book, match_list.read(book, own)),
        "recent": cards(book, match_list.read(book, recent)),
        "games": games,
    }
