"""The board of a match that has no address yet, for a device that starts one without a network.

The device keeps it, and the boards after it, when it shows the form for a new match. The match is
opened once the server can be reached; until then its moves wait on the device.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Annotated, Final, Literal

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.response import Template
from msgspec import Struct

from replay import registry
from replay.access import capability_tokens
from replay.book import Book
from replay.fields import DiceSource
from replay.record.match_creation import LENGTH, MatchCredentials
from replay.record.match_record import MatchRecord
from replay.referee.opening import open_match
from replay.store import temporary_store
from service.app_state import TheAppState
from service.http.access import AnyRequest, Caller, MatchAccess, find_game
from service.http.addresses import at_prefix, prefix
from service.http.rights import ANYBODY
from service.http.text_limits import REASON
from service.pages.ahead import COST, grow_tree
from service.pages.frame import Frame, frame
from service.pages.layout import page
from service.pages.match import scripts_of, styles_of

HOST: Final = Caller(capability_tokens.HOST)
UNOPENED: Final = MatchCredentials("0" * LENGTH)
"""The id of every such match, always the same, so that a board does not change."""

OPTION: Final = "option."
"""The beginning of a parameter that sets an option of the game."""

Seats = Annotated[int | None, QueryParameter(ge=1, le=9)]


class Start(Struct, frozen=True):
    """The choices that decide the first board of a match: its game, and those on the form."""

    game: str
    seats: int | None
    dice: DiceSource
    options: tuple[tuple[str, str], ...]


@get("/new/{game:str}/board", guards=[ANYBODY])
async def first_board(
    request: AnyRequest,
    live: TheAppState,
    game: FromPath[str],
    seats: Seats = None,
    dice: FromQuery[Literal["table", "service"]] = "table",
) -> Template:
    """Show the board before the first move, to record moves that wait."""
    found = find_game(game)
    start = Start(game, seats, dice, _options(request.query_params))
    shown = await live.workers.do(request, draw, start, prefix())
    data = {
        "match": "",
        "game": found,
        "role": HOST.role,
        "seat": "",
        "at_head": True,
        "secret": found.has_secrets,
        "recording": True,
        "longest_reason": REASON.longest(live.settings),
        "variation": None,
        "frame": shown,
        "turned": False,
        "preview": None,
        "moves": 0,
        "may_invite": False,
        "styles": styles_of(found, clock=True),
        "scripts": (*scripts_of(found, own=False), "record.js"),
        "evening": None,
        "lost": None,
    }
    return page("match.html", found.name, data)


@get("/new/{game:str}/ahead", guards=[ANYBODY])
async def boards_after(
    request: AnyRequest,
    live: TheAppState,
    game: FromPath[str],
    seats: Seats = None,
    dice: FromQuery[Literal["table", "service"]] = "table",
) -> Response[bytes]:
    """Answer the boards after the first board of an unopened match."""
    start = Start(find_game(game).slug, seats, dice, _options(request.query_params))
    key = ("ahead", start, prefix())
    grown = await live.workers.do(request, grow_first, start, prefix(), cost=COST, key=key)
    return Response(grown, media_type="application/json", headers={"Cache-Control": "no-cache"})


def draw(book: Book, start: Start, under: str) -> Frame:
    """Draw the first board of a match that is not opened yet.

    Raises `Usage` for choices that the game does not have.
    """
    with _opened(start, under) as (scratch, record):
        return frame(scratch, MatchAccess(record, HOST), record, 0)


def grow_first(book: Book, start: Start, under: str) -> bytes:
    """Return the tree below the board of an unopened match as JSON.

    Raises `Usage` as `draw` does.
    """
    with _opened(start, under) as (scratch, record):
        return msgspec.json.encode(grow_tree(scratch, record, HOST))


@contextmanager
def _opened(start: Start, under: str) -> Iterator[tuple[Book, MatchRecord]]:
    """Open the match in a book that lasts as long as the block."""
    with closing(temporary_store()) as store, at_prefix(under):
        scratch, game = Book(store), registry.find(start.game)
        record = open_match(
            scratch,
            game,
            seats=start.seats,
            options=dict(start.options),
            dice=start.dice,
            credentials=UNOPENED,
        )
        yield scratch, record


def _options(query: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    chosen = ((name, value) for name, value in query.items() if name.startswith(OPTION))
    return tuple(sorted((name.removeprefix(OPTION), value) for name, value in chosen))
