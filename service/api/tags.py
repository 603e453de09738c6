"""The players' names and other tags of a match."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from litestar import Response, delete, get, patch, put
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.tags import match_tags, people
from replay.tags.match_tags import SEAT_TAG
from replay.tags.names import seats
from service.api.presenters import answer, players
from service.http import text_limits
from service.http.access import Caller, TheBook, TheMatchAccess, TheSettings
from service.http.book_reads import in_thread, reads_book
from service.http.caching import ASK_AGAIN
from service.http.conditions import TAG_OF
from service.http.problems import Problem, blaming
from service.http.rights import WRITER, OfWriter
from service.models.requests import NamingSeat, Seating, Tagging
from service.openapi.operations import documented
from service.settings import Settings


class Heading(Struct, frozen=True):
    """The players' names by seat, and all tags by name, as a text record has them."""

    match: str
    players: dict[str, str]
    tags: dict[str, str]


@get("/matches/{match:str}/tags", **documented({200: Heading}, sends=("ETag",)))
@reads_book
def read_tags(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Show the players' names and the tags of a match."""
    return _heading(book, visit.record)


@patch("/matches/{match:str}/tags", **documented({200: Heading}, right=OfWriter("tag the match")))
async def patch_tags(
    data: JSONBody[Tagging], book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Response[bytes]:
    """Set tags; an empty value erases its tag. Other tags do not change."""
    check_tags(settings, visit.record.match.seats, data.tags)
    return await asyncio.to_thread(lambda: _tag(book, visit.record, data.tags))


@put("/matches/{match:str}/tags", **documented({200: Heading}, right=OfWriter("tag the match")))
async def put_tags(
    data: JSONBody[Tagging], book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Response[bytes]:
    """Replace the tags; others are erased. Players keep their names unless these are given."""
    check_tags(settings, visit.record.match.seats, data.tags)

    def replace() -> Response[bytes]:
        there = (each.name for each in match_tags.tags(book, visit.record))
        erased = {name: "" for name in there if not SEAT_TAG.fullmatch(name)}
        return _tag(book, visit.record, erased | data.tags)

    return await asyncio.to_thread(replace)


@delete(
    "/matches/{match:str}/tags/{tag:str}",
    **documented({200: Heading}, right=OfWriter("tag the match"), problems=(400,)),
)
@in_thread
def erase_tag(book: TheBook, visit: TheMatchAccess, tag: FromPath[str]) -> Response[bytes]:
    """Erase a tag."""
    if tag not in {each.name for each in match_tags.tags(book, visit.record)}:
        raise Problem(404, f"{tag!r} is not a tag of this match")
    return _tag(book, visit.record, {tag: ""})


@put(
    "/matches/{match:str}/players",
    **documented({200: Heading}, right=OfWriter("name the players"), opt={TAG_OF: "tags"}),
)
async def seat_players(
    data: JSONBody[Seating], book: TheBook, visit: TheMatchAccess
) -> Response[bytes]:
    """Name the players by seat, and erase all other names."""
    names = {int(seat): name for seat, name in data.players.items()}
    there = seats(visit.record)
    beyond = next((seat for seat, name in names.items() if name and seat not in there), None)
    if beyond is not None:
        wrong = f"{beyond} is not a seat of this match"
        raise Problem(400, wrong, path=f"$.players.{beyond}")
    named = {seat: names.get(seat, "") for seat in there}
    return await asyncio.to_thread(lambda: _name(book, visit.record, named, visit.caller))


@put(
    "/matches/{match:str}/player",
    **documented({200: Heading}, right=WRITER, opt={TAG_OF: "tags"}),
)
async def name_player(
    data: JSONBody[NamingSeat], book: TheBook, visit: TheMatchAccess
) -> Response[bytes]:
    """Write or erase the name of one player. The holder of a seat names that seat.

    After the end of the match the holder may only erase the name: 403.
    """
    author = visit.caller
    if author.seat is not None and data.seat not in (None, author.seat):
        raise Problem(400, f"this token is for seat {author.seat}", path="$.seat")
    seat = author.seat or data.seat
    if seat is None or seat not in seats(visit.record):
        wrong = "say which seat" if seat is None else f"{seat} is not a seat of this match"
        raise Problem(400, wrong, path="$.seat")
    return await asyncio.to_thread(lambda: _name(book, visit.record, {seat: data.name}, author))


def check_tags(settings: Settings, seats: int, tags: Mapping[str, str]) -> None:
    """Refuse names and values that no text record of a match can hold. Raises `Problem` 400."""
    for name, value in tags.items():
        if SEAT_TAG.fullmatch(name):
            text_limits.check(settings, text_limits.NAME, value, f"$.tags.{name}")
        with blaming(f"$.tags.{name}"):
            match_tags.check_tag(seats, name, value)


def _name(
    book: Book, record: MatchRecord, names: Mapping[int, str], author: Caller
) -> Response[bytes]:
    people.name_players(book, record, names, author.seat)
    return _heading(book, record)


def _tag(book: Book, record: MatchRecord, values: Mapping[str, str]) -> Response[bytes]:
    match_tags.tag(book, record, values)
    return _heading(book, record)


def _heading(book: Book, record: MatchRecord) -> Response[bytes]:
    tags = {tag.name: tag.value for tag in match_tags.tags(book, record)}
    body = Heading(record.id, players(book, record), tags)
    return answer(body, headers=ASK_AGAIN)
