"""Who played a match: the events that name players, and the routes that change names."""

from __future__ import annotations

from typing import NoReturn

import litestar
from litestar import Response
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from replay.access.operators import OPERATOR
from replay.book import Book
from replay.fields import Seat
from replay.record.match_record import MatchRecord
from replay.tags import people, people_changes
from replay.tags.match_tags import check_tag
from replay.tags.people_changes import PersonChange
from service.api.presenters import answer
from service.http.access import Caller, TheBook, TheMatchAccess
from service.http.book_reads import reads_book
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem, blaming
from service.http.rights import ANYBODY, TO_ERASE
from service.models.renamed import FormerName
from service.models.requests import Players, Reason
from service.openapi.operations import get, patch


class PeopleChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The names of `players` by seat, or two seats to `swap`; all other names stay.

    An empty name erases. After the end of the match a `reason` is required, unless names are only
    erased.

    Example: {"players": {"1": "Jet"}, "reason": "a slip"}
    """

    players: Players = {}
    swap: tuple[Seat, Seat] | None = None
    """The numbers of two seats whose players change places."""
    reason: Reason = ""


class MatchPeople(Struct, frozen=True):
    """The changes of who sits where, in order, and the hash of the last change."""

    match: str
    head: str | None
    """The hash of the last change; null if no player was ever named."""
    people: tuple[PersonChange, ...]
    """The changes, from the first."""


@get("/matches/{match:str}/people", {200: MatchPeople}, sends=("ETag",))
@reads_book
def read_people(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Show who sat where, since when, and who recorded it.

    A former name and a reason are for the seat of this player and for the host.
    """
    return _people(book, visit.record, visit.caller)


@patch("/matches/{match:str}/people", {200: MatchPeople}, right=TO_ERASE)
def change_people(
    data: JSONBody[PeopleChange], book: TheBook, visit: TheMatchAccess
) -> Response[bytes]:
    """Name players, erase their names, or let two swap their seats.

    The holder of a seat names that seat. After the end only the host does, with a reason: 403
    and 400. An empty name erases the name and all former ones of that player, at any time, in the
    match and its forks; an operator may do that, too.
    """
    author, record = visit.caller, visit.record
    by = author.seat, data.reason, author.host_account
    names = {int(seat): name for seat, name in data.players.items()}
    if not people.erases(names):
        visit.writer()
    for seat, name in data.players.items():
        with blaming(f"$.players.{seat}"):
            check_tag(record.match.seats, f"Seat{seat}", name)
    if bool(data.players) == bool(data.swap):
        raise Problem(400, "use players, the names by seat, or swap, two seats", path="$")
    if data.swap:
        with blaming("$.swap"):
            people.check_swap(record, *data.swap)
        people.swap_players(book, record, data.swap, *by)
    else:
        people.name_players(book, record, names, *by, operator=author.role == OPERATOR)
    return _people(book, record, author)


@litestar.put(
    ["/matches/{match:str}/players", "/matches/{match:str}/player"],
    include_in_schema=False,
    guards=[ANYBODY],
)
async def former_naming(match: FromPath[str]) -> NoReturn:
    """Say how players are named now."""
    raise FormerName(400, f"players are named by PATCH /matches/{match}/people now")


def _people(book: Book, record: MatchRecord, caller: Caller) -> Response[bytes]:
    head, changes = people_changes.read_people(book, record, caller.reader)
    told = MatchPeople(record.id, head.hex() if head else None, changes)
    return answer(told, headers=ASK_AGAIN)
