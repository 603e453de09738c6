"""The home page: an introduction, the matches of this device, recent ones, and the games."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, Final

from litestar import Router, get
from litestar.response import Template

from replay import game_info, registry
from replay.book import Book
from replay.errors import Damaged, Usage
from replay.library import match_list
from replay.library.match_list import ListFilter, ReadScope
from replay.match_record import MatchRecord
from service.http.access import AnyRequest, TheBook, TheSettings
from service.http.read_scope import read_scope
from service.pages.cards import cards
from service.pages.layout import page

LOOKED: Final = 50
"""The most matches of a device that are read."""
OWN: Final = 6
RECENT: Final = 6


@get("/")
async def home(request: AnyRequest, book: TheBook, settings: TheSettings) -> Template:
    """Show the home page."""
    looking = read_scope(request, book, settings)
    data = await asyncio.to_thread(lambda: _data(book, looking))
    return page("home.html", "Plybook", data, styles=("board.css", "start.css"))


def _data(book: Book, looking: ReadScope) -> dict[str, Any]:
    own = tuple(islice(_going_on(book, looking.token_streams), OWN))
    there = {one.id for one in own}
    shown = match_list.page(book, ListFilter(), ReadScope(looking.shown), RECENT).matches
    recent = tuple(one for one in shown if one.id not in there)
    games = [
        {"slug": slug, "name": game.name, "sentence": game_info.about(game).sentence}
        for slug, game in registry.games().items()
    ]
    return {"own": cards(book, own), "recent": cards(book, recent), "games": games}


def _going_on(book: Book, borne: Collection[int]) -> Iterator[MatchRecord]:
    """Yield the unfinished matches among those whose tokens the visitor has, newest first."""
    for number in sorted(borne, reverse=True)[:LOOKED]:
        with suppress(Damaged, Usage):  # a damaged match must not hide the others
            recorded = book.read(book.store.stream(number))
            if not recorded.state.outcome and recorded.header.kind == "match":
                yield recorded


ROUTER: Final = Router("/", route_handlers=[home], include_in_schema=False)
