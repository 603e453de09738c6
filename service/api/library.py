"""The library: list and search the matches that the caller may find, and explore across matches.

The explorer's answers give counts, never the matches. `explore` counts unlisted matches too, but
for a player only those that the caller may list; player names come only from listed matches.
"""

from __future__ import annotations

import base64
import re
from typing import Annotated, Final, Literal

from litestar import Response
from litestar.params import FromPath, FromQuery, QueryParameter
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.match import Match, open_match
from replay import registry
from replay.access import visibility
from replay.book import Book
from replay.errors import Refused, UnknownRuleset, Usage
from replay.games import game_info
from replay.library import explorer, indexes, match_list, text_search
from replay.library.match_state import MatchSummary, summarise
from replay.referee import entering
from replay.store.types import ListedMatch, Stream
from service.api.presenters import answer
from service.app_state import TheAppState
from service.http.access import (
    AnyRequest,
    TheBook,
    TheMatchAccess,
    find_game,
    is_operator,
    listed_visibilities,
    read_scope,
)
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem, blaming
from service.http.rights import ANYBODY, NONE
from service.http.text_limits import MAX_MOVES
from service.openapi.operations import get

CURSOR: Final = re.compile("[A-Za-z0-9_-]{8}")
Limit = Annotated[int, QueryParameter(ge=1, le=100, description="How many at most.")]
Words = Annotated[
    str | None,
    QueryParameter(max_length=200, description="Beginnings of words in comments, names or tags."),
]
PlayerName = Annotated[
    str | None,
    QueryParameter(max_length=100, description="The whole name of a player; case does not count."),
]
TagValue = Annotated[
    str | None,
    QueryParameter(max_length=1100, description="A tag with its whole value, like `Event:Cup`."),
]
Since = Annotated[
    str | None,
    QueryParameter(
        pattern="^[0-9]{1,15}$",
        description="The earliest time of the last change, in milliseconds since 1970.",
    ),
]
Cursor = Annotated[str | None, QueryParameter(pattern="^[A-Za-z0-9_-]{8}$")]
After = Annotated[
    int | None,
    QueryParameter(ge=0, description="Only matches whose last change has a higher number."),
]
Sure = Annotated[
    bool,
    QueryParameter(
        description="Leave out matches with a dash, or a move not sure or found out later."
    ),
]


class ListedSummary(MatchSummary, frozen=True, kw_only=True):
    """A match in short, and its last change of any kind: the time, and the number."""

    changed: Annotated[
        int, Meta(description="When anything of the match last changed: milliseconds since 1970.")
    ]
    number: Annotated[int, Meta(ge=0, description="The number of the last change.")]


class Listing(Struct, frozen=True):
    """A page of the library in its order. `next` is the cursor of the next page, if any.

    A page may have fewer matches than requested, or none, and still have a successor.
    """

    matches: tuple[ListedSummary, ...]
    """The matches on this page, newest first."""
    next: str | None
    """The cursor of the next page; null on the last one."""
    indexed: Annotated[
        bool, Meta(description="False if a list by `tag` or `q` may lack matches, not indexed yet.")
    ]


class FoundTexts(Struct, frozen=True):
    """The texts found, the newest match first."""

    found: tuple[text_search.FoundText, ...]
    """The texts that were found."""


class PlayedMoves(Struct, frozen=True):
    """A position, and the moves played in it, the most frequent first."""

    position: str
    moves: tuple[explorer.SeenMove, ...]
    """The moves that were played here, with their results."""
    uncounted: int
    """How many matches of the book are not counted yet: ask again later."""


class Statistics(Struct, frozen=True):
    """Statistics by game."""

    games: tuple[explorer.GameStats, ...]
    """The counts of each game."""


@get("/matches", {200: Listing}, right=ANYBODY, problems=(403,), sends=("ETag",))
def list_matches(
    request: AnyRequest,
    book: TheBook,
    game: FromQuery[str | None] = None,
    player: PlayerName = None,
    status: FromQuery[Literal["open", "ended"] | None] = None,
    kind: FromQuery[Literal["match", "variation"] | None] = None,
    q: Words = None,
    cursor: Cursor = None,
    limit: Limit = 20,
    trashed: FromQuery[bool] = False,
    sort: FromQuery[Literal["opened", "changed"] | None] = None,
    tag: TagValue = None,
    since: Since = None,
    after: After = None,
    mine: FromQuery[bool] = False,
    sure: Sure = False,
) -> Response[bytes]:
    """List public matches, and those opened by the request's tokens, newest first.

    Without `kind` the list has played matches. `sort=changed` begins with the match that changed
    last; a match that changes between two pages goes to the top. `cursor` selects the next page of
    the same order. With `mine` the list has only the matches that the request's tokens open. An
    operator's token lists every match, and with `trashed` the matches in the trash.
    """
    with blaming("game"):
        slug = _slug(game)
    list_filter = match_list.ListFilter(
        kind or "match",
        slug,
        player,
        status,
        text=q,
        trashed=trashed,
        tag=None if tag is None else read_tag(tag),
        changed=None if since is None else int(since),
        after=after,
        sure=sure,
        order=sort or "opened",
    )
    _check_trash(request, book, list_filter)
    before = None if cursor is None else number_before(cursor)
    seen = read_scope(request)
    indexed = (tag is None and q is None) or not book.store.texts_due(1)
    page = match_list.page(book, list_filter, seen.own if mine else seen, limit, before)
    there = tuple(summary(book, each) for each in page.matches)
    following = None if page.next is None else cursor_after(page.next)
    return answer(Listing(there, following, indexed), headers=ASK_AGAIN)


@get("/search", {200: FoundTexts}, right=ANYBODY, sends=("ETag",))
def search(
    request: AnyRequest,
    book: TheBook,
    q: Annotated[
        str, QueryParameter(min_length=1, max_length=500, description="Words to look for.")
    ],
    limit: Limit = 100,
) -> Response[bytes]:
    """Search comments, names and tags in the matches that the caller may find.

    Every word of `q` must begin a word of the text; case and accents are ignored.
    """
    seen = read_scope(request)

    def wanted(stream: Stream) -> bool:
        return seen.may_list(book, stream) and not match_list.is_hidden_line(book, stream)

    with blaming("q"):
        found = FoundTexts(tuple(text_search.find_among(book, q, wanted, limit)))
    return answer(found, headers=ASK_AGAIN)


@get("/explore/{slug:str}", {200: PlayedMoves}, right=ANYBODY, problems=(409,), sends=("ETag",))
def explore_game(
    request: AnyRequest,
    book: TheBook,
    slug: FromPath[str],
    after: Annotated[
        str | None,
        QueryParameter(max_length=10_000, description="Texts of moves with spaces between them."),
    ] = None,
    player: PlayerName = None,
    sure: Sure = False,
) -> Response[bytes]:
    """Show the moves played from a game's usual start, or after `moves`. 409 if those are illegal.

    Equal positions count as one, whatever moves led to them. Private matches do not count. With
    `player` only the moves of that player count, in the newest 1,000 of the matches that the caller
    may list: public ones, and those that the request's tokens open.
    """
    game = find_game(slug)
    texts = (after or "").split()
    if len(texts) > MAX_MOVES:
        raise Problem(400, f"give at most {MAX_MOVES} moves", path="after")

    try:
        match = entering.judge_texts(open_match(game, game_info.usual_options(game)), texts)
    except Refused as error:
        facts = {"event": error.index, "text": texts[error.index]}
        clause = error.violation.clause
        raise Problem(409, error.violation.words(), error.code, clause=clause, **facts) from None
    return answer(_explored(request, book, match, player, sure=sure), headers=ASK_AGAIN)


@get("/matches/{match:str}/explore", {200: PlayedMoves}, problems=(409,), sends=("ETag",))
def explore(
    request: AnyRequest,
    book: TheBook,
    visit: TheMatchAccess,
    ply: FromQuery[int | None] = None,
    player: PlayerName = None,
    sure: Sure = False,
) -> Response[bytes]:
    """Show the moves played in the position after a ply, in this and other matches.

    Private matches do not count, unless for a `player`, as in an exploration of a game. While a
    move is sealed, this uses the position before the move.
    """
    record = visit.record
    match = replace(record.match, line=record.match.line[: record.ply(ply)])
    return answer(_explored(request, book, match, player, sure=sure), headers=ASK_AGAIN)


@get("/stats", {200: Statistics}, right=NONE, sends=("ETag",))
def statistics(
    request: AnyRequest,
    live: TheAppState,
    game: FromQuery[str | None] = None,
    player: PlayerName = None,
    sure: Sure = False,
) -> Response[bytes]:
    """Count matches, their lengths, winners and ending clauses. Only public matches count."""
    with blaming("game"):
        slug = _slug(game)
    among = listed_visibilities(live.settings)
    found = live.statistics.get(request, among, slug, player, sure=sure)
    return answer(Statistics(tuple(found.games)), headers=ASK_AGAIN)


def summary(book: Book, listed: ListedMatch) -> ListedSummary:
    """Return a match in short, as a spectator sees it."""
    return ListedSummary(**summarise(book, listed), changed=listed.changed, number=listed.number)


def _check_trash(request: AnyRequest, book: Book, list_filter: match_list.ListFilter) -> None:
    """Raise `Problem` if a caller without an operator's token asks for the trash."""
    if list_filter.trashed and not is_operator(request, book):
        raise Problem(403, "only an operator may list the trash")
    if list_filter.trashed and list_filter.text is not None:
        raise Problem(400, "the trash has no text search; leave out q", path="q")


def read_tag(written: str) -> tuple[str, str]:
    """Return the name and the value of a tag. Raises `Problem` 400."""
    name, separator, value = written.partition(":")
    if not (separator and name and value) or "\0" in written:
        raise Problem(
            400, f"{written!r} is not a valid tag; use NAME:VALUE, like Event:Cup", path="tag"
        )
    return name, value


def cursor_after(number: int) -> str:
    """Return the cursor of the page after a number."""
    return base64.urlsafe_b64encode(number.to_bytes(6, "big")).decode()


def number_before(cursor: str) -> int:
    """Return the number in a cursor. Raises `Problem` 400."""
    if not CURSOR.fullmatch(cursor):
        raise Problem(400, "this is not a valid cursor; use the `next` of a page", path="cursor")
    return int.from_bytes(base64.urlsafe_b64decode(cursor), "big")


def _explored(
    request: AnyRequest, book: Book, match: Match, player: str | None, *, sure: bool
) -> PlayedMoves:
    indexes.refresh(book)
    scope = read_scope(request)
    found = explorer.explore(book, match, visibility.CLOSED, player, scope, sure=sure)
    return PlayedMoves(found.text, found.moves, found.uncounted)


def _slug(game: str | None) -> str | None:
    """Return the slug of the game of a filter. Raises `Usage` for any other text."""
    try:
        return None if game is None else registry.find(game).slug
    except UnknownRuleset as error:
        raise Usage(str(error)) from None
