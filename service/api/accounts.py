"""Accounts of the installation, for operators: add, list and remove them, and their tokens."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Response, delete, get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Struct

from replay.access import accounts, capability_tokens
from replay.access.accounts import ListedAccount
from replay.referee.account_seats import remove_account
from service.api.presenters import answer
from service.http.access import TheBook
from service.http.book_reads import in_thread
from service.http.caching import NO_STORE
from service.http.problems import blaming
from service.http.rights import OfOperator
from service.models.requests import AddingAccount, IssuingToken
from service.openapi.operations import documented

Limit = Annotated[int, QueryParameter(ge=1, le=1000, description="How many at most.")]
After = Annotated[
    str, QueryParameter(max_length=30, description="The name after which the page begins.")
]


class AccountCredentials(Struct, frozen=True):
    """A new token of an account, which is shown once, and the id to revoke it."""

    account: str
    """The name of an account of the installation."""
    id: str
    """The token's id, with which it is revoked."""
    token: str
    """A secret, to send as `Authorization: Bearer`."""


class AccountList(Struct, frozen=True):
    """A page of accounts by name. `next` is the `after` of the next page, if any."""

    accounts: tuple[ListedAccount, ...]
    """The accounts on this page, by name."""
    next: str | None
    """The `after` of the next page; null on the last one."""


class AccountGone(Struct, frozen=True):
    """The account that was removed, or whose token was revoked."""

    account: str
    """The name of an account of the installation."""


@post(
    "/accounts",
    **documented({201: AccountCredentials}, right=OfOperator("add accounts"), problems=(409,)),
)
async def add_account(data: JSONBody[AddingAccount], book: TheBook) -> Response[bytes]:
    """Add an account, and return its first token; only its digest is stored.

    409 if the name is taken.
    """
    return await _answer_token(book, data.name, data, accounts.add)


@get("/accounts", **documented({200: AccountList}, right=OfOperator("list accounts")))
@in_thread
def list_accounts(book: TheBook, after: After = "", limit: Limit = 100) -> Response[bytes]:
    """List the accounts by name, each with its tokens that are valid."""
    found = accounts.list_accounts(book, after, limit)
    following = found[-1].account if len(found) == limit else None
    return answer(AccountList(tuple(found), following), headers=NO_STORE)


@delete(
    "/accounts/{account:str}", **documented({200: AccountGone}, right=OfOperator("remove accounts"))
)
@in_thread
def remove(book: TheBook, account: FromPath[str]) -> Response[bytes]:
    """Remove an account with its tokens, its seats, and its name on these. Its matches stay."""
    remove_account(book, account)
    return answer(AccountGone(account), headers=NO_STORE)


@post(
    "/accounts/{account:str}/tokens",
    **documented(
        {201: AccountCredentials}, right=OfOperator("issue tokens of accounts"), problems=(409,)
    ),
)
async def issue_token(
    data: JSONBody[IssuingToken], book: TheBook, account: FromPath[str]
) -> Response[bytes]:
    """Issue another token of an account. 409 if it has too many."""
    return await _answer_token(book, account, data, accounts.issue)


@delete(
    "/accounts/{account:str}/tokens/{token:str}",
    **documented({200: AccountGone}, right=OfOperator("revoke tokens of accounts")),
)
@in_thread
def revoke_token(book: TheBook, account: FromPath[str], token: FromPath[str]) -> Response[bytes]:
    """Revoke a token of an account by its id, at once; its streams end."""
    accounts.revoke(book, account, token)
    return answer(AccountGone(account), headers=NO_STORE)


async def _answer_token(
    book: TheBook, name: str, asked: IssuingToken, make: accounts.Issue
) -> Response[bytes]:
    """Make a token in a thread, and return it. Raises `Problem` 400 for a time in the past."""
    with blaming("$.expires"):
        token = await asyncio.to_thread(make, book, name, asked.scopes, asked.expires)
    made = AccountCredentials(name, capability_tokens.token_name(token), token)
    return answer(made, 201, NO_STORE)
