"""Invitations: capability tokens, and links that store them in a browser."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Literal
from urllib.parse import urlencode

import litestar
import msgspec
from litestar import Response
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Template
from msgspec import Struct

from replay.access import capability_tokens, credentials
from replay.book import Book
from replay.fields import Seat
from replay.record.match_record import MatchRecord
from replay.referee import phones
from replay.referee.account_seats import invite_account
from replay.referee.rematch import find_rematch
from replay.tags.names import player_names
from service.api.creation import (
    HEADERS,
    CreationRequest,
    creation_request,
    invitation,
    refusing_reuse,
)
from service.api.presenters import answer
from service.http.access import AnyRequest, TheBook, TheMatchAccess, find_match
from service.http.addresses import join_address, prefix
from service.http.book_reads import in_thread, reads_book
from service.http.caching import NO_STORE
from service.http.cookies import carried_cookie, cookie_with, token_cookie
from service.http.idempotency import once
from service.http.problems import Problem, blaming
from service.http.rights import ANYBODY, OfWriter
from service.models import responses
from service.openapi.operations import delete, get, post, put
from service.pages.layout import page


class InvitationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The role to invite: another host, the player of a seat, or a viewer.

    Example: {"role": "viewer"}
    """

    role: Literal["host", "seat", "viewer"]
    """The role that the token gives."""
    seat: Seat | None = None


@get(
    "/matches/{match:str}/invitations",
    {200: responses.KeyList},
    right=OfWriter("see who was invited"),
)
@reads_book
def list_invitations(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """List the tokens of a match that are not revoked, without their values."""
    there = tuple(
        responses.Key(key.id, key.role, key.seat, key.account, key.pending)
        for key in capability_tokens.list_issued(book, visit.record)
    )
    return answer(responses.KeyList(visit.record.id, there), headers=NO_STORE)


@post(
    "/matches/{match:str}/invitations",
    {201: responses.Invitation},
    right=OfWriter("invite"),
    problems=(409,),
    headers=HEADERS,
)
async def invite(
    request: AnyRequest, data: JSONBody[InvitationRequest], book: TheBook, visit: TheMatchAccess
) -> Response[bytes]:
    """Invite a player, a viewer or another host; the answer contains a new token and its link.

    Tokens are not stored. A retry under its `Idempotency-Key` gets the same token until it is
    revoked; without a key, it gets a new one. 409 if the key belongs to a different request.
    """
    record = visit.record
    links = join_address(request)  # may fail, and a failure issues nothing
    this = creation_request(request, msgspec.json.encode(data))
    token = await once(
        this.name,
        partial(asyncio.to_thread, _find, book, record, this, data),
        partial(asyncio.to_thread, _issue, book, record, this, data),
    )
    made = invitation(links, record.id, data.role, data.seat, token)
    return answer(made, 201, NO_STORE)


def _find(
    book: Book, record: MatchRecord, this: CreationRequest, inviting: InvitationRequest
) -> str | None:
    """Return the token that this request was issued before."""
    assert this.name is not None
    with refusing_reuse():
        return credentials.find_invited(
            book, record, this.name, this.body, inviting.role, inviting.seat
        )


def _issue(
    book: Book, record: MatchRecord, this: CreationRequest, inviting: InvitationRequest
) -> str:
    role, seat = inviting.role, inviting.seat
    with blaming("$.seat"):
        if this.name is None:
            return capability_tokens.issue(book, record, role, seat)
        return credentials.invite(book, record, this.name, this.body, role, seat)


@put(
    "/matches/{match:str}/accounts/{account:str}",
    {200: responses.Key, 202: responses.Key},
    right=OfWriter("invite"),
    problems=(409,),
)
def invite_an_account(
    data: JSONBody[InvitationRequest], book: TheBook, visit: TheMatchAccess, account: FromPath[str]
) -> Response[bytes]:
    """Give an account a role: all of its tokens open the match, and its stream has a message.

    An unnamed seat gets its name. An account that wants to be asked is asked: 202, and it has the
    role once it accepts. A repetition changes nothing; 409 if it has a different role.
    """
    with blaming("$.seat"):
        made = invite_account(book, visit.record, account, data.role, data.seat)
    key = responses.Key(made.id, made.role, made.seat, account, made.pending)
    return answer(key, 202 if made.pending else 200, NO_STORE)


@delete(
    "/matches/{match:str}/invitations/{key:str}",
    {200: responses.Key},
    right=OfWriter("revoke an invitation"),
)
def revoke(book: TheBook, visit: TheMatchAccess, key: FromPath[str]) -> Response[bytes]:
    """Revoke a token, which then opens nothing. The host's last token cannot be revoked."""
    there = capability_tokens.list_issued(book, visit.record)
    if key not in {each.id for each in there}:
        raise Problem(404, f"there is no invitation {key!r}")
    gone = capability_tokens.revoke(book, visit.record, key)
    told = responses.Key(gone.id, gone.role, gone.seat, gone.account, gone.pending)
    return answer(told, headers=NO_STORE)


@litestar.get("/join/{match:str}/{token:str}", include_in_schema=False, guards=[ANYBODY])
@in_thread
def join(
    request: AnyRequest, book: TheBook, match: FromPath[str], token: FromPath[str]
) -> Redirect | Template:
    """Add a token to a browser's tokens for a match or an evening, and show it that.

    The browser acts with the strongest token, so no link takes rights away. For the code of a phone
    the page asks first.
    """
    evening = book.store.evening(match)
    if evening is not None:
        if evening.digest != capability_tokens.digest(token):
            raise Problem(404, "this link of the evening was replaced; open the new one")
        cookie = token_cookie(request, evening.id, token)
        where = f"{prefix()}/evenings/{evening.id}"
        return Redirect(where, status_code=303, cookies=[cookie], headers=NO_STORE)
    record = find_match(book, match)
    if capability_tokens.invites(book, record, token):
        return _lead_to(request, record.id, cookie_with(request, book, record, token))
    seat = phones.seat_of_code(book, record, token)
    data = {
        "match": record.id,
        "game": record.game.name,
        "code": token,
        "name": player_names(book, record).players[seat],
        "heard": phones.last_heard(record, seat),
    }
    return page("phone.html", "Replace a phone · Plybook", data, headers=NO_STORE)


@litestar.get("/m/{match:str}/next", status_code=303, include_in_schema=False)
@in_thread
def go_to_rematch(
    request: AnyRequest, book: TheBook, visit: TheMatchAccess, tv: FromQuery[bool] = False
) -> Redirect:
    """Lead a page to the rematch of its match, a large screen to its page there.

    The browser keeps its tokens for the match.
    """
    found = find_rematch(book, visit.record)
    if found is None:
        raise Problem(404, "this match has no rematch yet; ask for one first")
    after = find_match(book, found.match)
    tokens = carried_cookie(request, book, visit.record, after)
    return _lead_to(request, after.id, tokens, f"/tv{_turns(request)}" if tv else "")


def _turns(request: AnyRequest) -> str:
    """Return the query of a screen that takes turns, to pass it on; empty for any other page."""
    kept = [
        each
        for each in request.query_params.multi_items()
        if each[0] in ("with", "seconds", "evening")
    ]
    return f"?{urlencode(kept)}" if kept else ""


def _lead_to(request: AnyRequest, match: str, tokens: str, part: str = "") -> Redirect:
    """Redirect to a match's page, with the tokens that the browser has for it."""
    cookies = [token_cookie(request, match, tokens)] if tokens else []
    return Redirect(
        f"{prefix()}/m/{match}{part}", status_code=303, cookies=cookies, headers=NO_STORE
    )
