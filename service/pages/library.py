"""The library: matches to look for, and ways across all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from html import escape
from typing import Annotated, Final, Literal
from urllib.parse import urlencode

from litestar import Response, Router, get
from litestar.params import FromQuery, QueryParameter

from replay import registry
from replay.book import Book
from replay.library import match_list, text_search
from replay.library.match_list import ListFilter, ReadScope
from replay.library.text_search import TextMatch
from replay.referee.entering import SCOREKEEPER
from replay.store.protocol import Stream
from replay.store.search_words import words
from service.http.access import AnyRequest, TheBook, TheSettings
from service.http.read_scope import read_scope
from service.pages.cards import cards
from service.pages.layout import page

BODY: Final = """<main class="wide library"><h1>Library</h1>
<form class="search" role="search" action="/library">
<div class="field"><label class="unseen" for="q">Look for</label>
<input id="q" type="search" name="q" value="{q}" maxlength="200" enterkeyhint="search"
 placeholder="A name, or a word of a comment"></div>
<label class="unseen" for="game">Game</label><select id="game" name="game">{games}</select>
<label class="unseen" for="status">Stand</label><select id="status" name="status">{stands}</select>
<button class="button">Show</button></form>
{found}
<section class="across"><div class="card"><h2>Bring in a record</h2>
<p>A match written down elsewhere, or kept from another Plybook.</p>
<p><a class="button quiet" href="/library/import">Import</a></p></div>
<div class="card"><h2>What do people play here?</h2>
<p>Walk through a game by the moves that were made in it.</p>
<p class="row">{explore}</p></div>
<div class="card"><h2>Who wins?</h2><p>Counts of all the matches that are listed.</p>
<p><a class="button quiet" href="/library/stats">Statistics</a></p></div></section></main>
"""

REMARK: Final = """<li><a href="/m/{match}/replay#{ply}">{text}</a> <span class="soft small">{by}
</span></li>"""

STANDS: Final = (("", "All matches"), ("open", "Going on"), ("ended", "Over"))
LIMIT: Final = 24
REMARKS: Final = 6


@get("/library")
async def library(
    request: AnyRequest,
    book: TheBook,
    settings: TheSettings,
    q: Annotated[str, QueryParameter(max_length=200)] = "",
    game: FromQuery[str] = "",
    status: FromQuery[Literal["", "open", "ended"]] = "",
    before: FromQuery[int | None] = None,
) -> Response[str]:
    """List the matches that the visitor may be told of, newest first."""
    slug = registry.find(game).slug if game else None
    text = q if words(q) else None
    wish = ListFilter(game=slug, status=status or None, text=text)
    looking = read_scope(request, book, settings)
    asked = {"q": q, "game": game, "status": status}
    found = await asyncio.to_thread(lambda: _found(book, wish, looking, asked, before))
    body = BODY.format(
        q=escape(q),
        games=_select([("", "All games"), *_games()], game),
        stands=_select(STANDS, status),
        found=found,
        explore="".join(
            f'<a class="button quiet" href="/library/explore/{slug}">{escape(name)}</a>'
            for slug, name in _games()
        ),
    )
    return page("Library · Plybook", body, styles=("board.css", "start.css"), here="/library")


def _found(
    book: Book, wish: ListFilter, looking: ReadScope, asked: dict[str, str], before: int | None
) -> str:
    there = match_list.page(book, wish, looking, LIMIT, before)
    more = ""
    if there.next is not None:
        way = urlencode({name: value for name, value in asked.items() if value})
        way = f"/library?{way}{'&' if way else ''}before={there.next}"
        more = f'<p><a class="button quiet broad" href="{escape(way)}">Older ones</a></p>'
    remarks = _remarks(book, wish.text, looking) if wish.text and before is None else ""
    if there.matches:
        return f"<section>{cards(book, there.matches)}{more}</section>{remarks}"
    nothing = "" if more or remarks else f'<p class="notice">{_nothing(wish)}</p>'
    return f"<section>{nothing}{more}</section>{remarks}"


def _nothing(wish: ListFilter) -> str:
    if wish == ListFilter():
        return "No match is listed yet. Those that are private, or for who has the link, are not."
    return "Nothing here fits that. Try fewer words, or another game."


def _remarks(book: Book, text: str, looking: ReadScope) -> str:
    """Return the comments that were found; matches are found by names and tags too."""

    def wanted(stream: Stream) -> bool:
        return looking.may_list(book, stream) and not match_list.is_hidden_line(book, stream)

    found = text_search.find_among(book, text, wanted)
    said = [each for each in found if each.kind == text_search.COMMENT][:REMARKS]
    if not said:
        return ""
    listed = "".join(map(_remark, said))
    return f'<section class="said-there"><h2>What was said</h2><ul>{listed}</ul></section>'


def _remark(found: TextMatch) -> str:
    return REMARK.format(
        match=found.match,
        ply=found.ply or 0,
        text=escape(found.text),
        by=escape(found.author if found.author not in (None, SCOREKEEPER) else ""),
    )


def _games() -> Sequence[tuple[str, str]]:
    return [(slug, game.name) for slug, game in registry.games().items()]


def _select(values: Iterable[tuple[str, str]], chosen: str) -> str:
    return "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>'
        f"{escape(words)}</option>"
        for value, words in values
    )


ROUTER: Final = Router("/", route_handlers=[library], include_in_schema=False)
