"""The matches of a person's account: a link puts a token into a browser, and a page lists them."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final, Literal

from litestar import get, post
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect, Template

from replay.access import accounts
from replay.access.accounts import Bearer
from replay.book import Book
from replay.library import match_list
from replay.library.match_list import ListFilter
from replay.referee import account_seats
from service.http.access import AnyRequest, TheBook, account_in_browser
from service.http.addresses import prefix
from service.http.book_reads import in_thread
from service.http.caching import NO_STORE
from service.http.cookies import ACCOUNT, check_origin, token_cookie
from service.http.problems import Problem
from service.http.rights import ANYBODY
from service.live.account_messages import asked_roles, is_awaited, own_scope
from service.pages.cards import cards
from service.pages.layout import page

LIMIT: Final = 24
MINE: Final = "/mine"


@get("/mine/{token:str}", status_code=303, guards=[ANYBODY])
@in_thread
def take_token(request: AnyRequest, book: TheBook, token: FromPath[str]) -> Redirect:
    """Keep a token of an account in this browser, and show the account's matches."""
    if accounts.bearer_of(book, token) is None:
        raise Problem(404, "this link no longer works; ask the operator of this server for another")
    return _lead_back(request, token)


@get(MINE, guards=[ANYBODY])
@in_thread
def my_matches(
    request: AnyRequest, book: TheBook, before: FromQuery[int | None] = None
) -> Template:
    """List the matches of this browser's account, first the matches that await it."""
    bearer = account_in_browser(request, book)
    data = {"account": None} if bearer is None else _matches(book, bearer, before)
    return page("mine.html", "My matches · Plybook", data)


@post("/mine/{said:str}/{match:str}", status_code=303, guards=[ANYBODY])
@in_thread
def answer_invitation(
    request: AnyRequest, book: TheBook, said: FromPath[Literal["yes", "no"]], match: FromPath[str]
) -> Redirect:
    """Take the role that the browser's account is asked for, or refuse it."""
    change = account_seats.accept if said == "yes" else account_seats.decline
    change(book, match, _player(request, book).account)
    return Redirect(prefix() + MINE, status_code=303, headers=NO_STORE)


@post("/mine/accept/{accept:str}", status_code=303, guards=[ANYBODY])
@in_thread
def choose_to_be_asked(
    request: AnyRequest, book: TheBook, accept: FromPath[accounts.Accept]
) -> Redirect:
    """Set whether the browser's account is asked before it takes a role."""
    accounts.set_accept(book.store, _player(request, book).account, accept)
    return Redirect(prefix() + MINE, status_code=303, headers=NO_STORE)


def _player(request: AnyRequest, book: Book) -> Bearer:
    """Return the browser's account.

    Raises `Problem` 403 for a browser without an account that may play.
    """
    check_origin(request)
    bearer = account_in_browser(request, book)
    if bearer is None or not bearer.may_play:
        raise Problem(403, "this device has no account that plays; open your link here")
    return bearer


@post("/mine/leave", status_code=303, guards=[ANYBODY])
async def leave(request: AnyRequest) -> Redirect:
    """Delete the account's token from this browser."""
    check_origin(request)
    return _lead_back(request, "")


def _matches(book: Book, bearer: Bearer, before: int | None) -> dict[str, Any]:
    scope = own_scope(bearer)
    there = match_list.page(book, ListFilter(status="open"), scope, LIMIT, before)
    turn = [each for each in there.matches if is_awaited(book, bearer, each)]
    others = [each for each in there.matches if each not in turn]
    ended = (
        () if before else match_list.page(book, ListFilter(status="ended"), scope, LIMIT).matches
    )
    shelves = [("Your turn", turn), ("Going on", others), ("Over", ended)]
    return {
        "account": bearer.account.name,
        "accept": bearer.may_play and ("all" if bearer.account.asks else "ask"),
        "asked": list(islice(asked_roles(book, bearer.account), LIMIT)),
        "shelves": [
            (name, cards(book, match_list.read(book, found))) for name, found in shelves if found
        ],
        "older": f"{prefix()}{MINE}?before={there.next}" if there.next else "",
    }


def _lead_back(request: AnyRequest, token: str) -> Redirect:
    cookies = [token_cookie(request, ACCOUNT, token)]
    return Redirect(prefix() + MINE, status_code=303, cookies=cookies, headers=NO_STORE)
