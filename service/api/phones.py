"""A phone that takes the place of another: codes of seats, and their use."""

from __future__ import annotations

from typing import Annotated

from litestar import Response
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct
from msgspec.structs import asdict

from domain.entry import move_text
from replay.access.capability_tokens import SEAT
from replay.book import Book
from replay.fields import Seat
from replay.referee import phones
from service.api.creation import HEADERS, invitation
from service.api.presenters import answer
from service.http.access import AnyRequest, MatchAccess, TheBook, TheMatchAccess, find_match
from service.http.addresses import invitation_link, join_address
from service.http.book_reads import reads_book
from service.http.caching import NO_STORE
from service.http.conditions import demand_condition
from service.http.idempotency import derive_id, request_name
from service.http.problems import Problem, blaming
from service.http.rights import ANYBODY, READER, WRITER, OfWriter
from service.models import responses
from service.models.requests import Notation, Written
from service.openapi.operations import delete, get, post


class LostPhone(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat whose phone is to be replaced.

    Example: {"seat": 1}
    """

    seat: Seat


class UsedCode(Struct, frozen=True, forbid_unknown_fields=True):
    """The code that the new phone has scanned.

    Example: {"code": "2kU3v0b8mRkJt0bq8s8GxW3s1q2w9e4r5"}
    """

    code: Annotated[str, Meta(max_length=200)]
    """The code, as it was answered; good once."""


class HeldMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A move in the outbox of a phone whose seat now has another phone."""

    id: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
    """The id under which the phone had tried to enter it."""
    text: Written | None = None
    """The move in the notation of the game, if it is known."""
    picks: Annotated[tuple[Notation, ...], Meta(max_length=200)] = ()
    """The texts of the tapped fields."""
    roll: bool = False
    """Whether the service is asked to roll."""
    unsure: bool = False
    """Whether its writer was not sure of it."""


class HandedOver(Struct, frozen=True, forbid_unknown_fields=True):
    """The moves that a phone had not sent when another phone took over its seat.

    Example: {"moves": [{"id": "5f0cbb2d1b2f4c1d9a7e3c5b1a2d4e6f", "text": "M@c6"}]}
    """

    moves: Annotated[tuple[HeldMove, ...], Meta(max_length=phones.MAX_UNSENT)]
    """The moves in the order in which they were entered."""


class UnsentMoves(Struct, frozen=True):
    """The moves that were not sent, and wait for the caller's decision."""

    match: str
    moves: tuple[phones.UnsentMove, ...]
    """The moves that the caller decides about: the host, or for secret moves their seat."""


class PhoneCode(Struct, frozen=True):
    """A code that gives a seat to another phone, once."""

    match: str
    seat: Seat
    code: str
    """The code, shown only once."""
    link: str
    """The address of a page that asks, on the other phone, whether it replaces the former phone."""
    until: int
    """Milliseconds since 1970 at which the code is good no more: in two minutes."""


@post(
    "/matches/{match:str}/phone-codes",
    {201: PhoneCode},
    right=OfWriter("replace a phone"),
    problems=(409,),
)
def make_phone_code(
    request: AnyRequest, data: JSONBody[LostPhone], book: TheBook, visit: TheMatchAccess
) -> Response[bytes]:
    """Make a code with which another phone takes over a seat; it is valid once, for two minutes.

    Of several codes for a seat only one can be used. 409 for the seat of an account, which plays on
    any phone.
    """
    with blaming("$.seat"):
        code, until = phones.make_code(book, visit.record, data.seat)
    link = invitation_link(request, visit.record.id, code)
    return answer(PhoneCode(visit.record.id, data.seat, code, link, until), 201, NO_STORE)


@post(
    "/matches/{match:str}/phones",
    {200: responses.Invitation},
    right=ANYBODY,
    problems=(409,),
    headers=HEADERS,
)
def replace_phone(
    request: AnyRequest, data: JSONBody[UsedCode], book: TheBook, match: FromPath[str]
) -> Response[bytes]:
    """Use a code: the answer has the seat's new token. The former tokens may read, but not write.

    404 for an unknown code; 409 for a code that was used or has expired. A retry under its
    `Idempotency-Key` gets the same token.
    """
    demand_condition()
    links, record = join_address(request), find_match(book, match)
    seat, token = phones.replace_phone(book, record, data.code, request_name(request))
    return answer(invitation(links, record.id, SEAT, seat, token), headers=NO_STORE)


@post("/matches/{match:str}/unsent", {200: UnsentMoves}, right=READER, problems=(403, 409))
def hand_over(data: JSONBody[HandedOver], book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Hand over the moves that a replaced phone had not sent, with its former token, each once.

    A move that is in the log already is not kept. 403 for any other token.
    """
    demand_condition()
    caller, record = visit.caller, visit.record
    if not caller.replaced or caller.seat is None:
        raise Problem(403, "only a phone that was replaced hands over what it had not sent")
    secret = record.game.has_secrets or bool(record.state.position.guarded)
    stored, kept = {each.id for each in record.log}, list[phones.UnsentMove]()
    for number, each in enumerate(data.moves):
        whose = move_text.split(each.text or "").seat
        if whose not in (None, caller.seat):
            wrong = f"{each.text!r} is a move of seat {whose}; hand over those of your own seat"
            raise Problem(400, wrong, path=f"$.moves[{number}].text")
        if derive_id(caller, each.id) not in stored:
            kept.append(phones.UnsentMove(seat=caller.seat, secret=secret, **asdict(each)))
    phones.hand_over(book, record, kept)
    return _list(book, visit)


@get("/matches/{match:str}/unsent", {200: UnsentMoves}, right=WRITER)
@reads_book
def list_unsent(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """List the moves that replaced phones had not sent, for the host; secret moves for their seat.

    Enter a move under its `id`, or give it up; then delete it here.
    """
    return _list(book, visit)


@delete("/matches/{match:str}/unsent/{move:str}", {200: UnsentMoves}, right=WRITER)
def decide_unsent(book: TheBook, visit: TheMatchAccess, move: FromPath[str]) -> Response[bytes]:
    """Note that a move was entered or given up, and list the remaining moves."""
    demand_condition()
    phones.decide(book, visit.record, visit.caller.seat, move)
    return _list(book, visit)


def _list(book: Book, visit: MatchAccess) -> Response[bytes]:
    may = visit.caller.may_write
    moves = phones.unsent(book, visit.record, visit.caller.seat) if may else ()
    return answer(UnsentMoves(visit.record.id, tuple(moves)), headers=NO_STORE)
