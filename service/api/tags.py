"""The tags of a match."""

from __future__ import annotations

from collections.abc import Mapping

from litestar import Response
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.store.people_chain import SEAT_TAG
from replay.tags import match_tags
from service.api.presenters import answer, players
from service.http import text_limits
from service.http.access import TheBook, TheMatchAccess, TheSettings
from service.http.book_reads import reads_book
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem, blaming
from service.http.rights import OfWriter
from service.models.renamed import FormerName
from service.models.requests import Tags
from service.openapi.operations import delete, get, patch, put
from service.settings import Settings


class TagChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Tags by name; an empty value erases its tag.

    Example: {"tags": {"Event": "Second evening"}}
    """

    tags: Tags


class Heading(Struct, frozen=True):
    """The players' names by seat, and all tags by name, as a text record has them."""

    match: str
    players: dict[str, str]
    tags: dict[str, str]


@get("/matches/{match:str}/tags", {200: Heading}, sends=("ETag",))
@reads_book
def read_tags(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Show the players' names and the tags of a match."""
    return _heading(book, visit.record)


@patch("/matches/{match:str}/tags", {200: Heading}, right=OfWriter("tag the match"))
def patch_tags(
    data: JSONBody[TagChange], book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Response[bytes]:
    """Set tags of a match; an empty value erases its tag. Tags that are not named do not change."""
    check_tags(settings, visit.record.match.seats, data.tags)
    return _tag(book, visit.record, data.tags)


@put("/matches/{match:str}/tags", {200: Heading}, right=OfWriter("tag the match"))
def put_tags(
    data: JSONBody[TagChange], book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Response[bytes]:
    """Replace the tags; tags that are not named are erased. Players keep their names."""
    check_tags(settings, visit.record.match.seats, data.tags)
    there = (each.name for each in match_tags.tags(book, visit.record))
    erased = {name: "" for name in there if not SEAT_TAG.fullmatch(name)}
    return _tag(book, visit.record, erased | data.tags)


@delete("/matches/{match:str}/tags/{tag:str}", {200: Heading}, right=OfWriter("tag the match"))
def erase_tag(book: TheBook, visit: TheMatchAccess, tag: FromPath[str]) -> Response[bytes]:
    """Erase a tag of a match."""
    if tag not in {each.name for each in match_tags.tags(book, visit.record)}:
        raise Problem(404, f"{tag!r} is not a tag of this match")
    return _tag(book, visit.record, {tag: ""})


def check_tags(settings: Settings, seats: int, tags: Mapping[str, str]) -> None:
    """Refuse names and values that no text record of a match can hold. Raises `Problem` 400."""
    for name, value in tags.items():
        if SEAT_TAG.fullmatch(name):
            text_limits.check(settings, text_limits.NAME, value, f"$.tags.{name}")
        with blaming(f"$.tags.{name}"):
            match_tags.check_tag(seats, name, value)


def _tag(book: Book, record: MatchRecord, values: Mapping[str, str]) -> Response[bytes]:
    stand = {tag.name: tag.value for tag in match_tags.tags(book, record)}
    players = {name for name in values if SEAT_TAG.fullmatch(name)}
    renamed = next((name for name in sorted(players) if values[name] != stand.get(name)), None)
    if renamed:
        now = f"{renamed} is a player; players are named by PATCH /matches/{record.id}/people"
        raise FormerName(400, now, path=f"$.tags.{renamed}")
    others = {name: value for name, value in values.items() if name not in players}
    match_tags.tag(book, record, others)
    return _heading(book, record)


def _heading(book: Book, record: MatchRecord) -> Response[bytes]:
    tags = {tag.name: tag.value for tag in match_tags.tags(book, record)}
    body = Heading(record.id, players(book, record), tags)
    return answer(body, headers=ASK_AGAIN)
