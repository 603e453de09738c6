"""The home page: an introduction, the matches of this device, recent ones, and the games."""

from __future__ import annotations

from typing import Any, Final

from litestar import get
from litestar.response import Template

from replay.access.visibility import ReadScope
from replay.book import Book
from replay.library import match_list
from replay.library.match_list import ListFilter
from service.http.access import AnyRequest, TheBook, TheSettings, account_in_browser, read_scope
from service.http.book_reads import in_thread
from service.http.cookies import MAX_MATCHES
from service.http.rights import ANYBODY
from service.pages.cards import cards
from service.pages.layout import page
from service.pages.start import game_rows

RECENT: Final = 6


@get("/", guards=[ANYBODY])
@in_thread
def home(request: AnyRequest, book: TheBook, settings: TheSettings) -> Template:
    """Show the home page."""
    data = _data(book, read_scope(request))
    data["has_site"] = settings.site is not None
    data["account"] = account_in_browser(request, book)
    return page("home.html", "Plybook", data)


def _data(book: Book, looking: ReadScope) -> dict[str, Any]:
    own = match_list.page(book, ListFilter(status="open"), looking.own, MAX_MATCHES).matches
    there = {one.stream.id for one in own}
    shown = match_list.page(book, ListFilter(), ReadScope(looking.shown), RECENT).matches
    recent = tuple(one for one in shown if one.stream.id not in there)
    return {
        "own": cards(book, match_list.read(book, own)),
        "recent": cards(book, match_list.read(book, recent)),
        "games": game_rows(book, looking.own),
    }
