"""The structs of accounts: players of an installation, and their tokens."""

from __future__ import annotations

from msgspec import Struct


class Account(Struct, frozen=True):
    """An account, made at a time in milliseconds since 1970.

    Its `digest` has its seats among the capabilities of matches. It is drawn at random: no token
    has it.
    """

    name: str
    digest: bytes
    created: int


class Challenge(Struct, frozen=True):
    """An offer of an account to play, to an `opponent` or to all accounts, by their names.

    The store passes the JSON of `offer` through. The times are in milliseconds since 1970.
    """

    id: str
    account: str
    opponent: str | None
    offer: bytes
    created: int
    expires: int


class AccountToken(Struct, frozen=True):
    """A token of an account: its SHA-256, the words of its scopes with commas, and two times.

    They are in milliseconds since 1970; a token without `expires` is valid until it is revoked.
    """

    digest: bytes
    account: bytes
    scopes: str
    created: int
    expires: int | None = None
