"""A phone that takes the place of another: codes of seats, and their use."""

from __future__ import annotations

from typing import Annotated

from litestar import Response
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from replay.access.capability_tokens import SEAT
from replay.fields import Seat
from replay.referee import phones
from service.api.creation import HEADERS, invitation
from service.api.presenters import answer
from service.http.access import AnyRequest, TheBook, TheMatchAccess, find_match
from service.http.addresses import invitation_link, join_address
from service.http.book_reads import in_thread
from service.http.caching import NO_STORE
from service.http.idempotency import request_name
from service.http.problems import blaming
from service.http.rights import ANYBODY, OfWriter
from service.models import responses
from service.openapi.operations import post


class LostPhone(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat whose phone is to be replaced.

    Example: {"seat": 2}
    """

    seat: Seat


class UsedCode(Struct, frozen=True, forbid_unknown_fields=True):
    """The code that the new phone has scanned.

    Example: {"code": "2kU3v0b8mRkJt0bq8s8GxW3s1q2w9e4r5"}
    """

    code: Annotated[str, Meta(max_length=200)]
    """The code, as it was answered; good once."""


class PhoneCode(Struct, frozen=True):
    """A code that gives a seat to another phone, once."""

    match: str
    seat: Seat
    code: str
    """The code, shown only once."""
    link: str
    """The address that asks on the other phone whether it replaces the former one."""
    until: int
    """Milliseconds since 1970 at which the code is good no more: in two minutes."""


@post(
    "/matches/{match:str}/phone-codes",
    {201: PhoneCode},
    right=OfWriter("replace a phone"),
    problems=(409,),
)
@in_thread
def make_phone_code(
    request: AnyRequest, data: JSONBody[LostPhone], book: TheBook, visit: TheMatchAccess
) -> Response[bytes]:
    """Make a code with which another phone takes over a seat; it is good once, for two minutes.

    Of several codes for a seat only one is used. 409 for the seat of an account, which plays on any
    phone.
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
@in_thread
def replace_phone(
    request: AnyRequest, data: JSONBody[UsedCode], book: TheBook, match: FromPath[str]
) -> Response[bytes]:
    """Use a code: the answer has the seat's new token. The former ones read on, and do not write.

    404 for an unknown code; 409 for one that was used, or is too old. A retry under its
    `Idempotency-Key` gets the same token.
    """
    links, record = join_address(request), find_match(book, match)
    seat, token = phones.replace_phone(book, record, data.code, request_name(request))
    return answer(invitation(links, record.id, SEAT, seat, token), headers=NO_STORE)
