"""Who played a match: the events that say so, and how names are changed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import NoReturn

from litestar import Response, get, patch, put
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from replay.access.capability_tokens import HOST
from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.store.people_chain import NAME, REASON, fold
from replay.store.types import PersonEvent
from replay.tags import people
from replay.tags.match_tags import check_tag
from service.api.presenters import answer
from service.http.access import Caller, TheBook, TheMatchAccess
from service.http.book_reads import reads_book
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem, blaming
from service.http.rights import ANYBODY, WRITER
from service.models.renamed import FormerName
from service.models.requests import ChangingPeople
from service.openapi.operations import documented


class PersonChange(Struct, frozen=True):
    """A change of who sits where; the text of a former name is for its seat and the host."""

    number: int
    """The number of the change, from 1."""
    event: str
    """`seated`, `renamed`, `swapped` or `erased`; `found` is a name from before this list."""
    seat: int
    other: int | None
    """The seat that it swapped with; null unless two players swapped."""
    name: str | None
    """The name; null if it was erased, or is a former one that is not for the caller."""
    after_version: int
    """The version of the match that the change followed."""
    at: int
    """The time, in milliseconds since 1970."""
    author: str | None
    """Who changed the name; null if it came with the match."""
    reason: str | None
    """The reason, for this seat and the host; null otherwise."""


class MatchPeople(Struct, frozen=True):
    """The changes of who sits where, in order, and the hash of the last one."""

    match: str
    head: str | None
    """The hash of the last change; null if no player was ever named."""
    people: list[PersonChange]
    """The changes, from the first."""


@get("/matches/{match:str}/people", **documented({200: MatchPeople}, sends=("ETag",)))
@reads_book
def read_people(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Show who sat where, since when, and who said so.

    A former name and a reason are for the seat of this player and for the host.
    """
    return _people(book, visit.record, visit.caller)


@patch("/matches/{match:str}/people", **documented({200: MatchPeople}, right=WRITER))
async def change_people(
    data: JSONBody[ChangingPeople], book: TheBook, visit: TheMatchAccess
) -> Response[bytes]:
    """Name players, erase their names, or let two swap their seats.

    The holder of a seat names that seat. After the end only the host does, with a reason: 403
    and 400. An empty name erases the name and all former ones of that player, at any time.
    """
    author, record = visit.caller, visit.record
    for seat, name in data.players.items():
        with blaming(f"$.players.{seat}"):
            check_tag(record.match.seats, f"Seat{seat}", name)
    if bool(data.players) == bool(data.swap):
        raise Problem(400, "use players, the names by seat, or swap, two seats", path="$")
    if data.swap:
        with blaming("$.swap"):
            people.check_swap(record, *data.swap)

    def change() -> Response[bytes]:
        if data.swap:
            people.swap_players(book, record, data.swap, author.seat, data.reason)
        else:
            names = {int(seat): name for seat, name in data.players.items()}
            people.name_players(book, record, names, author.seat, data.reason)
        return _people(book, record, author)

    return await asyncio.to_thread(change)


@put(
    ["/matches/{match:str}/players", "/matches/{match:str}/player"],
    include_in_schema=False,
    guards=[ANYBODY],
)
async def former_naming(match: FromPath[str]) -> NoReturn:
    """Say how players are named now."""
    raise FormerName(400, f"players are named by PATCH /matches/{match}/people now")


def _people(book: Book, record: MatchRecord, caller: Caller) -> Response[bytes]:
    events, texts, names = book.store.people(record.stream.id)
    said = fold(events)
    own = said.people.get(caller.seat or 0, ())
    every = caller.role == HOST
    readable = {
        (each.number, each.kind): each.text for each in texts if every or each.number in own
    }
    standing = {(number, NAME): names[seat] for seat, number in said.named.items()}
    told = [_change(each, standing | readable) for each in events]
    head = events[-1].hash.hex() if events else None
    return answer(MatchPeople(record.id, head, told), headers=ASK_AGAIN)


def _change(event: PersonEvent, texts: Mapping[tuple[int, str], str]) -> PersonChange:
    return PersonChange(
        number=event.number,
        event=event.event,
        seat=event.seat,
        other=event.other or None,
        name=texts.get((event.number, NAME)),
        after_version=event.after_version,
        at=event.at,
        author=event.author or None,
        reason=texts.get((event.number, REASON)),
    )
