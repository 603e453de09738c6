"""The pages of the library: search for matches, statistics of each game, import of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from litestar import get
from litestar.params import FromQuery, QueryParameter
from litestar.response import Template

from domain.names import all_of
from replay import registry, rules_text
from replay.access import visibility
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.errors import Usage
from replay.formats.archive.writer import taken_along
from replay.formats.text_formats import media_types
from replay.kept_book import KeptBook
from replay.library import match_list, text_search
from replay.library.explorer import GameStats, Lengths
from replay.library.match_list import ListFilter
from replay.library.text_search import FoundText
from replay.record.match_record import header_of
from replay.store.search_words import words
from replay.store.types import Stream
from replay.tags.names import MAX_NAME, SCOREKEEPER
from service.app_state import TheAppState
from service.http.access import AnyRequest, TheBook, listed_visibilities, read_scope
from service.http.addresses import prefix
from service.http.book_reads import in_thread
from service.http.kept_statistics import KeptGames
from service.http.rights import ANYBODY
from service.pages.cards import by_month, cards
from service.pages.layout import page

LIMIT: Final = 24
COMMENTS: Final = 6


@get("/library", guards=[ANYBODY])
@in_thread
def library(
    request: AnyRequest,
    book: TheBook,
    q: Annotated[str, QueryParameter(max_length=200)] = "",
    game: FromQuery[str] = "",
    status: FromQuery[Literal["", "open", "ended"]] = "",
    player: Annotated[str, QueryParameter(max_length=MAX_NAME)] = "",
    sure: FromQuery[Literal["", "true"]] = "",
    before: FromQuery[int | None] = None,
) -> Template:
    """List the matches that the visitor may find, newest first."""
    slug = registry.find(game).slug if game else None
    # The index has words only: "🦊" may be the whole name of a player.
    text, name = (q, player or None) if words(q) else (None, player or q.strip() or None)
    list_filter = ListFilter(
        game=slug, player=name, status=status or None, sure=bool(sure), text=text
    )
    scope = read_scope(request)
    asked = {"q": q, "game": game, "status": status, "player": player, "sure": sure}
    found = _found(book, list_filter, scope, asked, before)
    games = registry.games()
    data = {
        "asked": asked,
        "filters": _filters(asked, [(game.name, slug) for slug, game in games.items()]),
        "explored": [(slug, game.name) for slug, game in games.items() if game.compares],
        "any_match": list_filter == ListFilter(),
        "unlisted": "" if visibility.UNLISTED in scope.shown else " and unlisted",
        **found,
    }
    return page("library.html", "Library · Plybook", data)


def _found(
    book: Book, list_filter: ListFilter, scope: ReadScope, asked: dict[str, str], before: int | None
) -> dict[str, Any]:
    there = match_list.page(book, list_filter, scope, LIMIT, before)
    text = list_filter.text if before is None else None
    older = ""
    if there.next is not None:
        older = _address(asked | {"before": str(there.next)})
    return {
        "months": by_month(cards(book, match_list.read(KeptBook(book), there.matches))),
        "older": older,
        "comments": _comments(book, text, scope) if text else (),
        "scorekeeper": SCOREKEEPER,
    }


def _address(asked: dict[str, str]) -> str:
    wishes = {name: value for name, value in asked.items() if value}
    return f"{prefix()}/library?{urlencode(wishes)}"


def _filters(
    asked: dict[str, str], games: Iterable[tuple[str, str]]
) -> list[tuple[str, str, bool]]:
    """Return the filters as words and addresses; the address of an active filter removes it."""
    changes = [
        ("Going on", "status", "open"),
        ("Over", "status", "ended"),
        ("Sure", "sure", "true"),
    ]
    changes += [(name, "game", slug) for name, slug in games]
    changes += [(asked["player"], "player", asked["player"])] if asked["player"] else []
    changes.sort(key=lambda change: asked[change[1]] != change[2])
    return [
        (words, _address(asked | {name: "" if chosen else value}), chosen)
        for words, name, value in changes
        for chosen in (asked[name] == value,)
    ]


def _comments(book: Book, text: str, scope: ReadScope) -> list[FoundText]:
    """Return the comments among the results; names and tags lead to matches instead."""

    def wanted(stream: Stream) -> bool:
        return scope.may_list(book, stream) and not match_list.is_hidden_line(book, stream)

    found = text_search.find_among(book, text, wanted)
    return [each for each in found if each.kind == text_search.COMMENT][:COMMENTS]


MOST: Final = 20


@get("/library/stats", guards=[ANYBODY])
@in_thread
def statistics(
    request: AnyRequest, live: TheAppState, *, sure: FromQuery[bool] = False
) -> Template:
    """Show statistics by game: of the visitor's own matches, and of listed matches."""
    scope, among = read_scope(request), listed_visibilities(live.settings)
    mine = scope.token_streams or scope.key
    data = {
        "own": _shown(live.statistics.own(request, scope, sure=sure)) if mine else None,
        "listed": _shown(live.statistics.get(request, among, sure=sure)),
        "sure": sure,
    }
    title = "Statistics · Plybook"
    return page("statistics.html", title, data)


def _shown(found: KeptGames) -> dict[str, Any]:
    """Return games with facts as terms and words, and their players' results.

    The results of the players in all are empty for one game.
    """
    games = [
        {
            "name": _name(one.game),
            "matches": one.matches,
            "facts": _facts(one),
            "players": one.players[:MOST],
        }
        for one in found.games
    ]
    return {"games": games, "players": found.totals[:MOST] if len(games) > 1 else ()}


def _facts(found: GameStats) -> Sequence[tuple[str, str]]:
    facts = [("With a result", str(found.finished))]
    if found.turns is not None:
        facts.append(("Turns", _lengths(found.turns)))
    for result, count in found.results.items():
        if result not in ("*", "="):
            seats = result[1:].split(",")
            who = f"Player{'s' * (len(seats) > 1)} {all_of(seats)} won"
            facts.append((who, str(count)))
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
    return page("take_away.html", "Take matches away · Plybook", data)


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
