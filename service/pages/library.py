"""The library page: search for matches, and explore across all of them."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from litestar import Router, get
from litestar.params import FromQuery, QueryParameter
from litestar.response import Template
from msgspec import Struct

from replay import registry
from replay.access.read_scope import ReadScope
from replay.book import Book
from replay.library import match_list, text_search
from replay.library.match_list import ListFilter
from replay.referee.entering import SCOREKEEPER
from replay.store.protocol import Stream
from replay.store.search_words import words
from service.http.access import AnyRequest, TheBook, TheSettings
from service.http.addresses import prefix
from service.http.book_reads import in_thread
from service.http.read_scope import read_scope
from service.pages.cards import cards
from service.pages.layout import page

LIMIT: Final = 24
COMMENTS: Final = 6


class FoundComment(Struct, frozen=True):
    """A comment that was found, its place and its author; the scorekeeper's is empty."""

    match: str
    ply: int
    text: str
    author: str


@get("/library")
@in_thread
def library(
    request: AnyRequest,
    book: TheBook,
    settings: TheSettings,
    q: Annotated[str, QueryParameter(max_length=200)] = "",
    game: FromQuery[str] = "",
    status: FromQuery[Literal["", "open", "ended"]] = "",
    before: FromQuery[int | None] = None,
) -> Template:
    """List the matches that the visitor may find, newest first."""
    slug = registry.find(game).slug if game else None
    text = q if words(q) else None
    wish = ListFilter(game=slug, status=status or None, text=text)
    looking = read_scope(request, book, settings)
    asked = {"q": q, "game": game, "status": status}
    found = _found(book, wish, looking, asked, before)
    games = [(slug, game.name) for slug, game in registry.games().items()]
    data = {"asked": asked, "games": games, "any_match": wish == ListFilter(), **found}
    styles = ("board.css", "start.css")
    return page("library.html", "Library · Plybook", data, styles=styles, here="/library")


def _found(
    book: Book, wish: ListFilter, looking: ReadScope, asked: dict[str, str], before: int | None
) -> dict[str, Any]:
    there = match_list.page(book, wish, looking, LIMIT, before)
    older = ""
    if there.next is not None:
        wishes = {name: value for name, value in asked.items() if value}
        older = f"{prefix()}/library?{urlencode(wishes | {'before': there.next})}"
    return {
        "matches": cards(book, match_list.read(book, there.matches)),
        "older": older,
        "comments": _comments(book, wish.text, looking) if wish.text and before is None else (),
    }


def _comments(book: Book, text: str, looking: ReadScope) -> list[FoundComment]:
    """Return the comments found; names and tags lead to matches instead."""

    def wanted(stream: Stream) -> bool:
        return looking.may_list(book, stream) and not match_list.is_hidden_line(book, stream)

    found = text_search.find_among(book, text, wanted)
    said = [each for each in found if each.kind == text_search.COMMENT]
    return [
        FoundComment(
            each.match,
            each.ply or 0,
            each.text,
            each.author if each.author not in (None, SCOREKEEPER) else "",
        )
        for each in said[:COMMENTS]
    ]


ROUTER: Final = Router("/", route_handlers=[library], include_in_schema=False)
