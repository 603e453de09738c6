"""The pages of the library: search for matches, statistics of each game, import of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from litestar import get
from litestar.params import FromQuery, QueryParameter
from litestar.response import Template
from msgspec import Struct

from replay import registry, rules_text
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.errors import Usage
from replay.formats.archive.writer import taken_along
from replay.formats.text_formats import media_types
from replay.kept_book import KeptBook
from replay.library import explorer, match_list, text_search
from replay.library.explorer import GameStats, Lengths, PlayerResults
from replay.library.match_list import ListFilter
from replay.record.match_record import header_of
from replay.referee.entering import SCOREKEEPER
from replay.store.search_words import words
from replay.store.types import Stream
from service.http.access import AnyRequest, TheBook, TheSettings, listed_visibilities, read_scope
from service.http.addresses import prefix
from service.http.book_reads import in_thread
from service.http.kept_statistics import TheStatistics
from service.http.rights import ANYBODY
from service.pages.cards import cards
from service.pages.layout import page

LIMIT: Final = 24
COMMENTS: Final = 6


class FoundComment(Struct, frozen=True):
    """A comment that was found, its place and its author, which is empty for the scorekeeper."""

    match: str
    ply: int
    text: str
    author: str


@get("/library", guards=[ANYBODY])
@in_thread
def library(
    request: AnyRequest,
    book: TheBook,
    q: Annotated[str, QueryParameter(max_length=200)] = "",
    game: FromQuery[str] = "",
    status: FromQuery[Literal["", "open", "ended"]] = "",
    before: FromQuery[int | None] = None,
) -> Template:
    """List the matches that the visitor may find, newest first."""
    slug = registry.find(game).slug if game else None
    text = q if words(q) else None
    list_filter = ListFilter(game=slug, status=status or None, text=text)
    scope = read_scope(request)
    asked = {"q": q, "game": game, "status": status}
    found = _found(book, list_filter, scope, asked, before)
    games = registry.games()
    data = {
        "asked": asked,
        "games": [(slug, game.name) for slug, game in games.items()],
        "explored": [(slug, game.name) for slug, game in games.items() if game.text],
        "any_match": list_filter == ListFilter(),
        **found,
    }
    styles = ("board.css", "start.css")
    return page("library.html", "Library · Plybook", data, styles=styles, here="/library")


def _found(
    book: Book,
    list_filter: ListFilter,
    scope: ReadScope,
    asked: dict[str, str],
    before: int | None,
) -> dict[str, Any]:
    there = match_list.page(book, list_filter, scope, LIMIT, before)
    text = list_filter.text if before is None else None
    comments = _comments(book, text, scope) if text else ()
    older = ""
    if there.next is not None:
        wishes = {name: value for name, value in asked.items() if value}
        older = f"{prefix()}/library?{urlencode(wishes | {'before': there.next})}"
    return {
        "matches": cards(book, match_list.read(KeptBook(book), there.matches)),
        "older": older,
        "comments": comments,
    }


def _comments(book: Book, text: str, scope: ReadScope) -> list[FoundComment]:
    """Return the comments found; names and tags lead to matches instead."""

    def wanted(stream: Stream) -> bool:
        return scope.may_list(book, stream) and not match_list.is_hidden_line(book, stream)

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


MOST: Final = 20


class ShownGame(Struct, frozen=True):
    """A game with facts as terms and words, and its players' results."""

    name: str
    facts: Sequence[tuple[str, str]]
    players: Sequence[PlayerResults]


@get("/library/stats", guards=[ANYBODY])
@in_thread
def statistics(
    request: AnyRequest, book: TheBook, kept_statistics: TheStatistics, settings: TheSettings
) -> Template:
    """Show statistics by game: of the visitor's own matches, and of the listed ones."""
    scope = read_scope(request)
    own = kept_statistics.own(request, scope) if scope.token_streams or scope.key else []
    listed = kept_statistics.get(request, listed_visibilities(settings))
    data = {
        "own": _shown(own),
        "players": explorer.totals(own)[:MOST] if len(own) > 1 else (),
        "games": _shown(listed),
    }
    title = "Statistics · Plybook"
    return page("statistics.html", title, data, styles=("start.css",), here="/library")


def _shown(found: Sequence[GameStats]) -> list[ShownGame]:
    return [ShownGame(_name(one.game), _facts(one), one.players[:MOST]) for one in found]


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
    if found.refused:
        facts.append(("Refused tries", _refusals(found)))
    return facts


def _refusals(found: GameStats) -> str:
    """Count the refused tries by clause and by player, the most frequent first."""
    clauses, players = Counter[str](), Counter[str]()
    for each in found.refused:
        clauses[each.clause] += each.times
        players[each.player] += each.times
    told = (
        ", ".join(f"{name} {times}" for name, times in counts.most_common(MOST))
        for counts in (clauses, players)
    )
    return f"{clauses.total()}: {'; by '.join(told)}"


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


@get("/library/import", guards=[ANYBODY])
async def import_page() -> Template:
    """Show the form for files or text to import."""
    return page(
        "import_records.html",
        "Bring in a record · Plybook",
        {"clauses": _games(), "types": media_types(), "example": registry.EXAMPLE},
        styles=("start.css",),
        scripts=("import_records.js",),
        here="/library",
    )


@get("/library/take-away", guards=[ANYBODY])
@in_thread
def take_away_page(request: AnyRequest, book: TheBook) -> Template:
    """Show how to save the matches that this device opened, to take them away."""
    ready, sealed = taken_along(book, read_scope(request))
    data = {
        "count": sum(header_of(each).kind == "match" for each in ready),
        "roots": [each.public_id for each in ready if each.parent is None],
        "sealed": [each.public_id for each in sealed],
    }
    return page(
        "take_away.html",
        "Take matches away · Plybook",
        data,
        styles=("start.css",),
        scripts=("take_away.js",),
        here="/library",
    )


def _games() -> dict[str, str]:
    """Return the slug of each game with rules, by the prefix of its clauses."""
    found = {}
    for slug, game in registry.games().items():
        try:
            first = next(iter(rules_text.clauses(game)), "")
        except Usage:
            continue
        found[first.partition("-")[0]] = slug
    return found
