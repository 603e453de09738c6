"""Accounts: players of an installation. A name, and tokens that have scopes and may expire.

An account has neither password nor address. Its seats are capabilities of matches under a digest
of its own, so lists, changes and rematches find them like the seats of a token.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal, get_args

from msgspec import Struct

from domain.names import is_role
from replay.access import capability_tokens
from replay.access.capability_tokens import MAX_TOKEN, VIEWER, digest, digest_name
from replay.book import Book
from replay.errors import Conflict, UnknownName, Usage
from replay.record.match_record import MatchRecord
from replay.store.sql.store import Store
from replay.store.types import Account, AccountToken

Scope = Literal["play", "read"]
"""The right of a token: `read` the account's matches; `play` also plays and opens matches."""

SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
PLAY: Final = "play"

Accept = Literal["all", "ask"]
"""Whether an account takes every seat that it is given, or is asked."""
ASK: Final = "ask"

NAME: Final = re.compile("[a-z0-9][a-z0-9_-]{0,29}")
NAME_RULE: Final = "use 1 to 30 of a-z, 0-9, - and _, a letter or digit first"

MAX_TOKENS: Final = 20
"""The most tokens of an account."""
Issue = Callable[[Book, str, Iterable[str], int | None], str]
"""Makes a token for the account with a name; the token has scopes, and expires at a time."""


class Bearer(Struct, frozen=True):
    """The holder of a valid token of an account."""

    account: Account
    token: AccountToken

    @property
    def may_play(self) -> bool:
        """Whether the token may do more than read."""
        return PLAY in self.token.scopes.split(",")


class IssuedAccountToken(Struct, frozen=True):
    """A token of an account that was issued and not revoked; its times are in milliseconds."""

    id: str
    """The token's id, with which it is revoked."""
    scopes: tuple[Scope, ...]
    """The rights of the token."""
    created: int
    """Milliseconds since 1970 at which the token was issued."""
    expires: int | None
    """Milliseconds since 1970 at which the token expires; null if it does not."""


class ListedAccount(Struct, frozen=True):
    """An account with its tokens."""

    account: str
    """The name of an account of the installation."""
    created: int
    """Milliseconds since 1970 at which the account was added."""
    tokens: tuple[IssuedAccountToken, ...]
    """The tokens that are valid, oldest first."""


def add(book: Book, name: str, scopes: Iterable[str] = SCOPES, expires: int | None = None) -> str:
    """Add an account and return its first token, of which only the digest is stored.

    `expires` is in milliseconds since 1970. Raises `Usage` for a name that is taken or not valid,
    and as `issue` does.
    """
    check_name(name)
    account = Account(name, secrets.token_bytes(32), book.now())
    token, stored = _new_token(book, account, scopes, expires)
    book.store.add_account(account, [stored]).result()
    return token


def issue(book: Book, name: str, scopes: Iterable[str] = SCOPES, expires: int | None = None) -> str:
    """Issue another token of an account. Expired tokens are dropped.

    Raises `Usage` for scopes that do not exist, a time in the past, and too many tokens.
    """
    account = find(book, name)
    token, stored = _new_token(book, account, scopes, expires)
    valid = 0
    for each in book.store.account_tokens(account.digest):
        if _is_valid(book, each):
            valid += 1
        else:
            book.store.drop_account_token(each.digest).result()
    if valid >= MAX_TOKENS:
        raise Conflict(f"{name} has {valid} of at most {MAX_TOKENS} tokens; revoke one first")
    book.store.add_account_token(stored).result()
    return token


def asked_digest(account: Account) -> bytes:
    """Return the digest whose capabilities are the roles that an account is asked to take."""
    return hashlib.sha256(b"asked " + account.digest).digest()


def set_accept(store: Store, account: Account, accept: Accept) -> None:
    """Set whether an account takes every seat given to it, or is asked first."""
    store.set_asking(account.digest, asked_digest(account), accept == ASK).result()


def find(book: Book, name: str) -> Account:
    """Return the account with a name. Raises `UnknownName` for other names."""
    found = book.store.account(name) if NAME.fullmatch(name) else None
    if found is None:
        raise UnknownName(
            f"{name!r} is not the name of an account here; ask its owner for the name"
        )
    return found


def check_name(name: str) -> None:
    """Raise `Usage` for a name that no account can have."""
    if not NAME.fullmatch(name):
        raise Usage(f"{name!r} is not a valid name of an account; {NAME_RULE}")
    if is_role(name):
        raise Usage(f"an account cannot be {name!r}, the word for a role; use another name")


def list_accounts(book: Book, after: str = "", limit: int | None = None) -> list[ListedAccount]:
    """Return at most `limit` accounts after a name, sorted by name, each with its tokens."""
    found = book.store.accounts(after, limit)
    return [
        ListedAccount(each.name, each.created, tuple(list_issued(book, each))) for each in found
    ]


def list_issued(book: Book, account: Account) -> Iterator[IssuedAccountToken]:
    """Yield the tokens of an account that are not revoked and have not expired, oldest first."""
    for each in book.store.account_tokens(account.digest):
        if _is_valid(book, each):
            scopes = tuple(scope for scope in SCOPES if scope in each.scopes.split(","))
            yield IssuedAccountToken(digest_name(each.digest), scopes, each.created, each.expires)


def revoke(book: Book, name: str, token: str) -> None:
    """Revoke a token of an account by its id. Raises `UnknownName`."""
    issued = book.store.account_tokens(find(book, name).digest)
    found = [each.digest for each in issued if digest_name(each.digest) == token]
    if not found:
        raise UnknownName(f"{name} has no token {token!r}; name one of its tokens")
    for one in found:
        book.store.drop_account_token(one).result()


def bearer_of(book: Book, token: str) -> Bearer | None:
    """Return the account of a valid token, or `None`."""
    if len(token) > MAX_TOKEN:
        return None
    found = book.store.bearer(digest(token))
    return Bearer(*found) if found and _is_valid(book, found[1]) else None


def role_of(book: Book, record: MatchRecord, bearer: Bearer) -> tuple[str, int | None] | None:
    """Return the role and seat of an account in a match, or `None`.

    A token that may only read gives the role of a viewer: it may be in a program that others see.
    """
    role = capability_tokens.role_of_digest(book, record, bearer.account.digest)
    return role and (role if bearer.may_play else (VIEWER, None))


def _new_token(
    book: Book, account: Account, scopes: Iterable[str], expires: int | None
) -> tuple[str, AccountToken]:
    chosen = set(scopes)
    if not chosen or chosen - set(SCOPES):
        wrong = ",".join(sorted(chosen)) or "nothing"
        raise Usage(f"{wrong!r} is not a valid scope; use play, read or both: play,read")
    if expires is not None and expires <= book.now():
        raise Usage("a token cannot expire in the past; use a later time")
    token = secrets.token_urlsafe(24)
    words = ",".join(scope for scope in SCOPES if scope in chosen)
    return token, AccountToken(digest(token), account.digest, words, book.now(), expires)


def _is_valid(book: Book, token: AccountToken) -> bool:
    return token.expires is None or book.now() < token.expires
