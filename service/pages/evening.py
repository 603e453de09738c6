"""The pages of evenings: tables, results and points, and a sheet of codes for all tables."""

from __future__ import annotations

import base64
import functools
import hmac
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import chain, groupby, islice
from typing import Any, Final
from urllib.parse import urlencode

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template
from markupsafe import Markup, escape
from msgspec.structs import replace

from domain.game import Game
from domain.names import all_of
from domain.position import winners_of
from replay import registry
from replay.access import capability_tokens, visibility
from replay.access.visibility import VISIBILITIES, ReadScope
from replay.book import Book
from replay.formats.html.jinja import trust
from replay.library import evening_results
from replay.library.evening_results import EveningMatch, Place
from replay.record.match_record import MatchRecord
from replay.store.types import Evening
from replay.tags.names import player_names, seats
from replay.texts import make_visible
from service.http.access import (
    AnyRequest,
    TheBook,
    find_evening,
    find_match,
    link_token,
    read_scope,
)
from service.http.addresses import invitation_link, prefix
from service.http.book_reads import in_thread
from service.http.caching import NO_STORE
from service.http.cookies import links_sent
from service.http.rights import ANYBODY, OfLink
from service.pages.embed import Seconds
from service.pages.layout import page
from service.pages.words import FormAnswer

VARIES: Final = {"Vary": "Accept, Cookie, Authorization"}
READERS: Final = (
    FormAnswer("unlisted", "Anyone with its address"),
    FormAnswer("private", "Only whoever has the link"),
)
MAX_PEOPLE: Final = 500
"""The most names that a new table offers."""


@get("/new/evening", guards=[ANYBODY])
@in_thread
def list_evenings(request: AnyRequest, book: TheBook) -> Template:
    """List the evenings whose link this browser has, and offer to open another evening."""
    data = {"evenings": held_evenings(request, book)}
    return page("evenings.html", "Evenings · Plybook", data)


def held_evenings(request: AnyRequest, book: Book) -> list[Evening]:
    """Return the evenings of the links in a browser's cookies, the newest first."""
    digests = {capability_tokens.digest(token) for token in links_sent(request)}
    found = [each for digest in digests for each in book.store.evenings(digest)]
    return sorted(found, key=lambda each: each.created, reverse=True)


def evening_scope(request: AnyRequest, evening: Evening) -> ReadScope:
    """Return the scope of a caller in an evening, which includes its unlisted matches."""
    scope = read_scope(request)
    holds = link_token(request, evening) is not None
    return replace(scope, shown=scope.shown.union(VISIBILITIES if holds else visibility.OPEN))


def evening_page(request: AnyRequest, book: Book, evening: Evening, scope: ReadScope) -> Template:
    """Show the tables of an evening by round, and the points; its holder opens tables here."""
    token = link_token(request, evening)
    holds = token is not None
    rows, games = evening_results.every_match(book, evening, scope), registry.games()
    taken = {(row.round, row.table) for row in rows} if holds else None
    of_link = book.store.evenings(evening.digest) if holds else []
    others = _rows(book, (each for each in of_link if each.id != evening.id), scope)
    data = {
        "evening": evening,
        "link": invitation_link(request, evening.id, token) if token else "",
        "rounds": [
            (number, [_shown(evening, each, games, taken) for each in found])
            for number, found in groupby(rows, key=lambda row: row.round)
        ],
        "points": _points(rows),
        "several": _points(chain(rows, others)) if len(of_link) > 1 else (),
        "evenings": of_link,
        "readers": READERS,
    }
    title = f"{evening.title} · Plybook"
    return page("evening.html", title, data, headers=VARIES | NO_STORE)


@get("/evenings/{evening:str}/tv", status_code=303, guards=[ANYBODY])
@in_thread
def show_on_tv(
    request: AnyRequest,
    book: TheBook,
    evening: FromPath[str],
    after: FromQuery[str] = "",
    seconds: Seconds = 20,
) -> Redirect:
    """Redirect a large screen to the next open table; without one, to the last table, if any."""
    found = find_evening(request, book)
    rows = evening_results.every_match(book, found, evening_scope(request, found))
    tables = [row.match for row in rows if row.status == "open"] or [row.match for row in rows[-1:]]
    place = tables.index(after) + 1 if after in tables else 0
    where = f"{prefix()}/evenings/{evening}#tv={seconds}"
    if tables:
        query = urlencode({"evening": evening, "seconds": seconds})
        where = f"{prefix()}/m/{tables[place % len(tables)]}/tv?{query}"
    return Redirect(where, status_code=303, headers=NO_STORE)


def _shown(
    evening: Evening,
    row: EveningMatch,
    games: Mapping[str, Game[Any]],
    taken: Container[tuple[Place, Place]] | None,
) -> tuple[object, ...]:
    """Return a row of the page; holders of the link may open the next table of the same people.

    `taken` are the rounds and tables that exist, for holders of the link.
    """
    game = games.get(row.game)
    table = "" if row.table is None else row.table
    people = [
        (
            " – " if place else "",
            _person(name),
            f"{row.points[seat]:g}" if seat in row.points else "",
        )
        for place, (seat, name) in enumerate(row.players.items())
    ]
    name = game.name if game else row.game
    following = _next_table(evening, row, game, taken) if row.status == "ended" else ""
    return table, row.match, name, people, _standing(row), following


def _next_table(
    evening: Evening,
    row: EveningMatch,
    game: Game[Any] | None,
    taken: Container[tuple[Place, Place]] | None,
) -> str:
    """Return the address that opens the next table of these people, unless it is there."""
    after = row.round + 1 if isinstance(row.round, int) else None
    if taken is None or (after is not None and (after, row.table) in taken):
        return ""
    following = {"evening": evening.id, "table": row.table or ""}
    if after is not None:
        following["round"] = after
    following |= {f"seat{seat}": name for seat, name in row.players.items()}
    form = game.slug if game else "result"
    return f"{prefix()}/new/{form}?{urlencode({**following, 'title': row.game})}"


def _standing(row: EveningMatch) -> str:
    if row.status == "open":
        return "going on"
    if row.result in "*=":
        return "not finished" if row.result == "*" else "a draw"
    winners = winners_of(row.result)
    return f"{all_of(row.players.get(str(seat), f'player {seat}') for seat in winners)} won"


@functools.lru_cache(maxsize=1000)
def _person(name: str) -> Markup:
    """Return the attribute and the text of a name's element, which a page has several times."""
    shown = escape(make_visible(name))
    return trust(f'data-who="{shown}">{shown}')


def _points(rows: Iterable[EveningMatch]) -> list[tuple[Markup, str, int]]:
    """Return each named player with their points and the number of their matches, best first."""
    points, played = Counter[str](), Counter[str]()
    for row in rows:
        for seat, name in row.players.items():
            if seat in row.points:
                points[name] += row.points[seat]  # type: ignore[assignment]  # halves, too
                played[name] += 1
    names = sorted(played, key=lambda name: (-points[name], name))
    return [(_person(name), f"{points[name]:g}", played[name]) for name in names]


def people_of(book: Book, evening: Evening) -> list[str]:
    """Return the names of the players on the evenings of a link, the latest evening first."""
    every = ReadScope(frozenset(VISIBILITIES.values()))
    rows = _rows(book, book.store.evenings(evening.digest), every)
    names = (name for row in rows for name in row.players.values())
    return list(islice(dict.fromkeys(names), MAX_PEOPLE))


def _rows(book: Book, evenings: Iterable[Evening], scope: ReadScope) -> Iterator[EveningMatch]:
    for each in evenings:
        yield from evening_results.every_match(book, each, scope)


@post("/evenings/{evening:str}/codes", status_code=200, guards=[OfLink("invite to its tables")])
@in_thread
def print_codes(request: AnyRequest, book: TheBook, evening: FromPath[str]) -> Template:
    """Show a code for each seat of each open table, on one sheet to print.

    The tokens follow from the link, so the sheet can be printed again.
    """
    found = find_evening(request, book, "invite to its tables")
    token = link_token(request, found) or ""
    rows = evening_results.every_match(book, found, evening_scope(request, found))
    tables = [(row, find_match(book, row.match)) for row in rows if row.status == "open"]
    data = {
        "evening": found,
        "tables": [
            (row, record.game.name, list(_codes(book, record, token))) for row, record in tables
        ],
    }
    title = f"Codes · {found.title}"
    return page("evening_codes.html", title, data, headers=NO_STORE)


def _codes(book: Book, record: MatchRecord, token: str) -> Iterator[dict[str, Any]]:
    names = player_names(book, record).players
    for seat in seats(record):
        mac = hmac.digest(token.encode(), f"{record.id} {seat}".encode(), "sha256")
        own = base64.urlsafe_b64encode(mac[:24]).decode()
        capability_tokens.issue(book, record, capability_tokens.SEAT, seat, own)
        yield {"seat": seat, "name": names[seat], "token": own}
