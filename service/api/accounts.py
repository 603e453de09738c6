"""Accounts of the installation, for operators: add, list and remove them, and their tokens."""

from __future__ import annotations

from typing import Annotated

from litestar import Response
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta, Struct

from replay.access import accounts, capability_tokens
from replay.access.accounts import ListedAccount
from replay.referee.account_seats import remove_account
from service.api.presenters import answer
from service.http.access import TheBook
from service.http.caching import NO_STORE
from service.http.problems import blaming
from service.http.rights import OfOperator
from service.openapi.operations import delete, get, post

Limit = Annotated[int, QueryParameter(ge=1, le=1000, description="How many at most.")]
After = Annotated[
    str, QueryParameter(max_length=30, description="The name after which the page begins.")
]
AccountName = Annotated[str, Meta(pattern=rf"^{accounts.NAME.pattern}\Z")]


class TokenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A token to issue: its scopes, and the time when it expires, in milliseconds since 1970.

    Example: {"scopes": ["read"]}
    """

    scopes: Annotated[tuple[accounts.Scope, ...], Meta(min_length=1, max_length=2)] = (
        accounts.SCOPES
    )
    """The rights of the token."""
    expires: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    """Milliseconds since 1970 at which the token expires; null if it does not."""


class NewAccount(TokenRequest, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An account to add, with its first token.

    Example: {"name": "bob", "scopes": ["play", "read"]}
    """

    name: AccountName
    """A new name: 1 to 30 of a-z, 0-9, - and _."""


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


@post("/accounts", {201: AccountCredentials}, right=OfOperator("add accounts"), problems=(409,))
def add_account(data: JSONBody[NewAccount], book: TheBook) -> Response[bytes]:
    """Add an account, and return its first token; only its digest is stored.

    409 if the name is taken.
    """
    return _answer_token(book, data.name, data, accounts.add)


@get("/accounts", {200: AccountList}, right=OfOperator("list accounts"))
def list_accounts(book: TheBook, after: After = "", limit: Limit = 100) -> Response[bytes]:
    """List the accounts by name, each with its tokens that are valid."""
    found = accounts.list_accounts(book, after, limit)
    following = found[-1].account if len(found) == limit else None
    return answer(AccountList(tuple(found), following), headers=NO_STORE)


@delete("/accounts/{account:str}", {200: AccountGone}, right=OfOperator("remove accounts"))
def remove(book: TheBook, account: FromPath[str]) -> Response[bytes]:
    """Remove an account with its tokens, its seats, and its name at these seats.

    Its matches stay.
    """
    remove_account(book, account)
    return answer(AccountGone(account), headers=NO_STORE)


@post(
    "/accounts/{account:str}/tokens",
    {201: AccountCredentials},
    right=OfOperator("issue tokens of accounts"),
    problems=(409,),
)
def issue_token(
    data: JSONBody[TokenRequest], book: TheBook, account: FromPath[str]
) -> Response[bytes]:
    """Issue a further token of an account. 409 if it has too many."""
    return _answer_token(book, account, data, accounts.issue)


@delete(
    "/accounts/{account:str}/tokens/{token:str}",
    {200: AccountGone},
    right=OfOperator("revoke tokens of accounts"),
)
def revoke_token(book: TheBook, account: FromPath[str], token: FromPath[str]) -> Response[bytes]:
    """Revoke a token of an account by its id, at once; its streams end."""
    accounts.revoke(book, account, token)
    return answer(AccountGone(account), headers=NO_STORE)


def _answer_token(
    book: TheBook, name: str, asked: TokenRequest, make: accounts.Issue
) -> Response[bytes]:
    """Make a token, and return it. Raises `Problem` 400 for a time in the past."""
    with blaming("$.expires"):
        token = make(book, name, asked.scopes, asked.expires)
    made = AccountCredentials(name, capability_tokens.token_name(token), token)
    return answer(made, 201, NO_STORE)
