"""Explore across matches: moves played in a position, and statistics.

The answers give counts, never the matches. `explore` counts unlisted matches too; private matches
are never counted, and player names come only from listed matches.
"""

from __future__ import annotations

from typing import Annotated, Final

from litestar import Response, Router, get
from litestar.params import FromPath, FromQuery, QueryParameter
from msgspec import Struct
from msgspec.structs import replace

from domain.match import Match, open_match
from replay import registry
from replay.access import visibility
from replay.book import Book
from replay.errors import Refused
from replay.library import explorer, indexes
from replay.referee import entering
from service.api.presenters import answer
from service.http.access import TheBook, TheMatchAccess, TheSettings, find_game
from service.http.book_reads import in_thread
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.http.read_scope import listed_visibilities
from service.http.text_limits import MOST_TOKENS
from service.openapi.operations import documented


class Explored(Struct, frozen=True):
    """A position, and the moves played in it, the most frequent first."""

    position: str
    moves: tuple[explorer.SeenMove, ...]


class Statistics(Struct, frozen=True):
    """Statistics by game."""

    games: tuple[explorer.GameStats, ...]


@get(
    "/explore/{slug:str}",
    **documented({200: Explored}, auth="none", problems=(409,), sends=("ETag",)),
)
@in_thread
def explore_game(
    book: TheBook,
    slug: FromPath[str],
    after: Annotated[
        str | None,
        QueryParameter(max_length=10_000, description="Tokens with spaces between them."),
    ] = None,
) -> Response[bytes]:
    """Show the moves played from a game's usual start, or after `moves`. 409 if those are illegal.

    Equal positions count as one, whatever moves led to them. Private matches do not count.
    """
    game = find_game(slug)
    tokens = (after or "").split()
    if len(tokens) > MOST_TOKENS:
        raise Problem(400, f"at most {MOST_TOKENS} tokens lead to a position here", path="after")

    try:
        match = entering.judge_tokens(open_match(game, game.options(), None, None), tokens)
    except Refused as error:
        facts = {"event": error.index, "token": tokens[error.index]}
        clause = error.violation.clause
        raise Problem(409, error.violation.words(), error.code, clause=clause, **facts) from None
    return answer(_explored(book, match), headers=ASK_AGAIN)


@get("/matches/{match:str}/explore", **documented({200: Explored}, sends=("ETag",)))
@in_thread
def explore(
    book: TheBook, visit: TheMatchAccess, ply: FromQuery[int | None] = None
) -> Response[bytes]:
    """Show the moves played in the position after a ply, in this and other matches.

    Private matches do not count. While something is sealed, the position before it is used.
    """
    record = visit.record
    match = replace(record.match, line=record.match.line[: record.ply(ply)])
    return answer(_explored(book, match), headers=ASK_AGAIN)


@get("/stats", **documented({200: Statistics}, auth="none", sends=("ETag",)))
@in_thread
def statistics(
    book: TheBook,
    settings: TheSettings,
    game: FromQuery[str | None] = None,
    player: Annotated[str | None, QueryParameter(max_length=100)] = None,
) -> Response[bytes]:
    """Count matches, their lengths, winners and ending clauses. Only public ones count."""
    slug = registry.find(game).slug if game is not None else None
    among = listed_visibilities(settings)
    found = explorer.stats(book, slug, player, among=among)
    return answer(Statistics(tuple(found)), headers=ASK_AGAIN)


def _explored(book: Book, match: Match) -> Explored:
    indexes.refresh(book)
    found = explorer.explore(book, match, visibility.CLOSED)
    return Explored(found.text, found.moves)


ROUTER: Final = Router("/", route_handlers=[explore_game, explore, statistics])
