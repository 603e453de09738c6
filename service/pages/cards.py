"""Matches as cards, thumbnails and link previews: board, players, state, last event.

Only callers without a token get a preview, because the programs that request previews have no
token. A private match has no preview.
"""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Final

from litestar import Response, get
from litestar.params import FromPath
from msgspec import Struct

from replay.access import visibility
from replay.book import Book
from replay.drawing import svg
from replay.drawing.card import HEIGHT, WIDTH
from replay.formats.pictures.stills import is_installed
from replay.games import game_info
from replay.reading import timeline
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_match
from replay.tags.names import player_names
from service.http.access import AnyRequest, MatchAccess, TheMatchAccess, find_game
from service.http.addresses import absolute, prefix
from service.http.caching import HOUR, address_headers
from service.http.rights import ANYBODY
from service.pages.frame import Frame
from service.pages.words import ago, dated, sentence, table_words, title_of

SVG: Final = "image/svg+xml"


def thumbnail(record: MatchRecord) -> str:
    """Return the address of the thumbnail on a match's card: its head."""
    return f"{prefix()}/m/{record.id}/small/{record.match.version}/{record.ply()}"


@get("/m/{match:str}/small/{version:int}/{ply:int}")
async def small_board(
    visit: TheMatchAccess, version: FromPath[int], ply: FromPath[int]
) -> Response[str]:
    """Draw the board at an address as the caller may see it."""
    then = visit.at(version)
    here = then.ply(ply)
    scene = timeline.point(then, here, visit.viewer).scene
    headers = address_headers(visit, then, here)
    return Response(svg.draw_small(scene, title=then.game.name), media_type=SVG, headers=headers)


@get("/new/{game:str}/picture.svg", guards=[ANYBODY])
async def game_picture(game: FromPath[str]) -> Response[str]:
    """Draw a position of a game's demonstration match for the game's card."""
    found = find_game(game)
    drawn = svg.draw_small(game_info.picture(found), title=found.name)
    return Response(drawn, media_type=SVG, headers=HOUR)


Seated = tuple[int, str, tuple[str, ...]]
"""A seat, its name, and the colours of its pieces if they are not the seat's."""


class MatchCard(Struct, frozen=True):
    """A match in a list: the address of its picture, and its texts.

    `day` is the machine-readable date of a match recorded elsewhere, or else of its last event;
    `when` is the date for people.
    """

    id: str
    over: bool
    picture: str
    players: tuple[Seated, ...]
    standing: str
    game: str
    where: str
    moves: str
    day: str
    when: str


def by_month(shown: Iterable[MatchCard]) -> list[tuple[str, list[MatchCard]]]:
    """Group cards by the months of their days, in the order of each month's first."""
    months: dict[str, list[MatchCard]] = {}
    for card in shown:
        months.setdefault(f"{date.fromisoformat(card.day[:10]):%B %Y}", []).append(card)
    return [*months.items()]


def cards(book: Book, matches: Iterable[MatchRecord]) -> list[MatchCard]:
    """Return the cards by which pages list matches."""
    return [_card(book, each) for each in matches]


def seated(book: Book, record: MatchRecord) -> tuple[Seated, ...]:
    """Return who plays the match of a card, by seat."""
    scene = record.game.scene(record.state.position.view(None))
    players = player_names(book, record).players
    return tuple((seat, name, scene.colours(seat)) for seat, name in players.items())


def describe_with_names(book: Book, record: MatchRecord) -> str:
    """Describe the state of a match with the names of its players, for its card."""
    words = describe_match(record.match, record.ply(), player_names(book, record))
    return words[:1].upper() + words[1:]


def _elsewhere(book: Book, record: MatchRecord) -> date | None:
    """Return the date tag of an imported record; `None` for a match recorded during play."""
    opened = datetime.fromtimestamp(record.header.created / 1000).date()
    try:
        day = datetime.strptime(book.facts(record).get("Date", ""), "%Y.%m.%d").date()
    except ValueError:  # a record may omit parts of the date: 2026.??.??
        return None
    return day if abs(day - opened) > timedelta(days=1) else None


def _moves(count: int) -> str:
    return f"{count} move{'' if count == 1 else 's'}" if count else "not begun"


def _card(book: Book, record: MatchRecord) -> MatchCard:
    day = _elsewhere(book, record)
    at = record.log[-1].at if record.log else record.header.created
    return MatchCard(
        id=record.id,
        over=record.state.outcome is not None,
        picture=thumbnail(record),
        players=seated(book, record),
        standing=describe_with_names(book, record),
        game=title_of(book.facts(record), record.game.name),
        where=table_words(book.facts(record)),
        moves=_moves(len(record.match.line)),
        day=day.isoformat() if day else f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%dT%H:%MZ}",
        when=dated(day) if day else ago(at, time.time_ns() // 1_000_000),
    )


LONGEST: Final = 200
"""The length of a description, in characters; sites cut longer texts."""


class LinkPreview(Struct, frozen=True):
    """A preview: its texts and absolute addresses; `picture` is empty without the extra."""

    title: str
    description: str
    address: str
    picture: str
    width: int = WIDTH
    height: int = HEIGHT


def link_preview(
    request: AnyRequest, book: Book, visit: MatchAccess, shown: Frame, title: str
) -> LinkPreview | None:
    """Return the preview of a page with a frame of a match; `None` for a private match."""
    record = visit.record
    past = shown.version != record.match.version
    if visit.caller.role is not None or past or visibility.is_private(book, record):
        return None
    address = absolute(request, f"/m/{record.id}/replay?ply={shown.ply}")
    picture = picture_address(request, record, shown.ply)
    return LinkPreview(title, _description(shown), address, picture)


def picture_address(request: AnyRequest, record: MatchRecord, ply: int) -> str:
    """Return the address of the picture at a ply of the line; empty without the extra."""
    path = f"/matches/{record.id}/record?format=card&ply={ply}"
    return absolute(request, path) if is_installed() else ""


def _description(shown: Frame) -> str:
    told = filter(None, (shown.standing, shown.happened))
    return textwrap.shorten(". ".join(map(sentence, told)), LONGEST, placeholder=" …")
