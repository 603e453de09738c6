"""The first page: what this is, the matches of this device, recent ones, and the games."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from contextlib import suppress
from html import escape
from itertools import islice
from typing import Final

from litestar import Response, Router, get

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

BODY: Final = """<main class="wide home-page">
<section class="welcome"><h1>Play on the table.<br>Keep the score here.</h1>
<p>Plybook writes down your board game move by move, tells you when a move is not by the rules,
and plays it all back whenever you like.</p>
<a class="button large" href="/new">New match</a></section>
{own}{recent}<section class="shelf"><h2>The games</h2><ul class="games">{games}</ul></section>
</main>
"""

GAME: Final = """<li><a class="card game-card" href="/new/{slug}">
<img class="thumb" src="/new/{slug}/picture.svg" alt="" loading="lazy" width="112" height="112">
<span class="about"><strong>{name}</strong><span>{sentence}</span></span></a></li>
"""

LOOKED: Final = 50
"""So many matches of a device are read at most."""
OWN: Final = 6
RECENT: Final = 6


@get("/")
async def home(request: AnyRequest, book: TheBook, settings: TheSettings) -> Response[str]:
    """Show what can be done here, and what goes on."""
    looking = read_scope(request, book, settings)
    return await asyncio.to_thread(lambda: _page(book, looking))


def _page(book: Book, looking: ReadScope) -> Response[str]:
    own = tuple(islice(_going_on(book, looking.token_streams), OWN))
    there = {one.id for one in own}
    shown = match_list.page(book, ListFilter(), ReadScope(looking.shown), RECENT).matches
    recent = tuple(one for one in shown if one.id not in there)
    body = BODY.format(
        own=_section(book, "Still open on this device", own),
        recent=_section(book, "Lately played", recent, more=True),
        games="".join(_game(slug) for slug in registry.games()),
    )
    return page("Plybook", body, styles=("board.css", "start.css"))


def _going_on(book: Book, borne: Collection[int]) -> Iterator[MatchRecord]:
    """Yield the matches that go on among those whose tokens are borne, newest first."""
    for number in sorted(borne, reverse=True)[:LOOKED]:
        with suppress(Damaged, Usage):  # the others are to be seen all the same
            recorded = book.read(book.store.stream(number))
            if not recorded.state.outcome and recorded.header.kind == "match":
                yield recorded


def _section(
    book: Book, title: str, matches: tuple[MatchRecord, ...], *, more: bool = False
) -> str:
    if not matches:
        return ""
    way = '<a class="button bare" href="/library">All matches</a>' if more else ""
    return (
        f'<section class="shelf"><div class="heading"><h2>{title}</h2>{way}</div>'
        f"{cards(book, matches)}</section>"
    )


def _game(slug: str) -> str:
    game = registry.find(slug)
    return GAME.format(
        slug=slug,
        name=escape(game.name),
        sentence=escape(game_info.about(game).sentence),
    )


ROUTER: Final = Router("/", route_handlers=[home], include_in_schema=False)
