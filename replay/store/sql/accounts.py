"""Accounts by name, and their tokens by digest.

The seats of accounts are capabilities of matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import astuple

from replay.errors import Conflict
from replay.store import validation
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, erases, reads, writes, writes_within_epoch
from replay.store.types import Account, AccountToken

ACCOUNT: Final = (
    "a.name, a.digest, a.created, "
    "EXISTS (SELECT 1 FROM asking WHERE asking.account = a.digest AND asking.asks = 1)"
)
TOKEN: Final = "t.digest, t.account, t.scopes, t.created, t.expires"
ONE: Final = f"SELECT {ACCOUNT} FROM accounts AS a WHERE a.name = ?"
ALL: Final = f"SELECT {ACCOUNT} FROM accounts AS a WHERE a.name > ? ORDER BY a.name LIMIT ?"
BEARER: Final = (
    f"SELECT {ACCOUNT}, {TOKEN} FROM account_tokens AS t "
    "JOIN accounts AS a ON a.digest = t.account WHERE t.digest = ?"
)
TOKENS: Final = (
    f"SELECT {TOKEN} FROM account_tokens AS t WHERE t.account = ? ORDER BY t.created, t.digest"
)
OF_MATCH: Final = (
    "SELECT t.digest FROM keys AS k JOIN account_tokens AS t ON t.account = k.digest "
    "WHERE k.stream = ?"
)
SEATED: Final = (
    "SELECT k.digest, a.name FROM keys AS k JOIN accounts AS a ON a.digest = k.digest "
    "WHERE k.stream = ?"
)
ASKED: Final = (
    "SELECT k.digest, a.name FROM keys AS k JOIN asking AS w ON w.digest = k.digest "
    "JOIN accounts AS a ON a.digest = w.account WHERE k.stream = ?"
)
DROP_KEYS: Final = (
    "DELETE FROM keys WHERE digest = ? OR digest IN (SELECT digest FROM asking WHERE account = ?)"
)
PUT_ASKING: Final = (
    "INSERT INTO asking (account, digest, asks) VALUES (?, ?, ?) "
    "ON CONFLICT (account) DO UPDATE SET asks = excluded.asks"
)
HEADS: Final = (
    "SELECT k.stream, s.head FROM keys AS k JOIN streams AS s ON s.id = k.stream WHERE k.digest = ?"
)
PUT: Final = "INSERT INTO accounts (name, digest, created) VALUES (?, ?, ?)"
PUT_TOKEN: Final = (
    "INSERT INTO account_tokens (digest, account, scopes, created, expires) VALUES (?, ?, ?, ?, ?)"
)


class Accounts(SqlPart):
    """Accounts and their tokens. An account is deleted with its tokens and all of its seats."""

    @writes_within_epoch
    def add_account(
        self, connection: Connection, account: Account, tokens: Sequence[AccountToken]
    ) -> None:
        """Add an account with tokens. Raises `Conflict` if the name is taken."""
        if connection.execute(ONE, (account.name,)).fetchone() is not None:
            raise Conflict(f"there is an account {account.name} already; choose another name")
        connection.execute(PUT, (account.name, account.digest, account.created))
        for token in tokens:
            connection.execute(PUT_TOKEN, astuple(token))

    @reads
    def account(self, connection: Connection, name: str) -> Account | None:
        """Return the account with a name, or `None`."""
        row = connection.execute(ONE, (name,)).fetchone()
        return None if row is None else Account(*row)

    @reads
    def accounts(
        self, connection: Connection, after: str = "", limit: int | None = None
    ) -> list[Account]:
        """Return at most `limit` accounts after a name, sorted by name."""
        most = validation.MAX_VERSION if limit is None else limit
        return [Account(*row) for row in connection.execute(ALL, (after, most)).fetchall()]

    @reads
    def bearer(self, connection: Connection, digest: bytes) -> tuple[Account, AccountToken] | None:
        """Return the account of the token with this digest, and the token, or `None`.

        The caller compares the time.
        """
        row = connection.execute(BEARER, (digest,)).fetchone()
        return None if row is None else (Account(*row[:4]), AccountToken(*row[4:]))

    @reads
    def account_tokens(self, connection: Connection, account: bytes) -> list[AccountToken]:
        """Return the tokens of an account, even expired ones, oldest first."""
        return [AccountToken(*row) for row in connection.execute(TOKENS, (account,)).fetchall()]

    @reads
    def account_tokens_of(self, connection: Connection, stream: int) -> frozenset[bytes]:
        """Return the digests of the tokens of all accounts that have a seat in a match."""
        return frozenset(row[0] for row in connection.execute(OF_MATCH, (stream,)).fetchall())

    @reads
    def accounts_of(self, connection: Connection, stream: int) -> dict[bytes, str]:
        """Return the names of the accounts with a capability of a match, by digest."""
        return dict(connection.execute(SEATED, (stream,)).fetchall())

    @reads
    def asked_in(self, connection: Connection, stream: int) -> dict[bytes, str]:
        """Return the names of the accounts that are asked to take a role in a match.

        The keys are the digests that `replay.access.accounts` makes for such questions.
        """
        return dict(connection.execute(ASKED, (stream,)).fetchall())

    @writes_within_epoch
    def set_asking(self, connection: Connection, account: bytes, digest: bytes, asks: bool) -> None:
        """Set whether an account is asked, and the digest under which it is asked."""
        connection.execute(PUT_ASKING, (account, digest, int(asks)))

    @reads
    def heads_of(self, connection: Connection, account: bytes) -> dict[int, int]:
        """Return the heads of the matches in which an account has a capability, by stream."""
        return dict(connection.execute(HEADS, (account,)).fetchall())

    @writes_within_epoch
    def add_account_token(self, connection: Connection, token: AccountToken) -> None:
        """Add a token of an account that exists."""
        connection.execute(PUT_TOKEN, astuple(token))

    @writes
    def drop_account_token(self, connection: Connection, digest: bytes) -> None:
        """Delete a token of an account, if it exists."""
        connection.execute("DELETE FROM account_tokens WHERE digest = ?", (digest,))

    @erases
    def drop_account(self, connection: Connection, account: bytes) -> bool:
        """Delete an account with its tokens and seats, if it exists.

        Its name must soon be unreadable in the files of the database.
        """
        connection.execute(DROP_KEYS, (account,) * 2)
        connection.execute("DELETE FROM asking WHERE account = ?", (account,))
        connection.execute("DELETE FROM account_tokens WHERE account = ?", (account,))
        connection.execute("DELETE FROM accounts WHERE digest = ?", (account,))
        return True
