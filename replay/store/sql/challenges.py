"""Challenges: offers of accounts to play, until they are accepted, declined or expire."""

from __future__ import annotations

from typing import Final

from msgspec.structs import astuple

from replay.errors import Conflict
from replay.store import validation
from replay.store.account_types import Challenge
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, reads, writes_within_epoch

FIELDS: Final = "id, account, opponent, offer, created, expires"
PUT: Final = f"INSERT INTO challenges ({FIELDS}) VALUES (?, ?, ?, ?, ?, ?)"
ONE: Final = f"SELECT {FIELDS} FROM challenges WHERE id = ?"
ALL: Final = f"SELECT {FIELDS} FROM challenges ORDER BY created DESC, id LIMIT ?"
FOR: Final = (
    f"SELECT {FIELDS} FROM challenges "
    "WHERE expires > ? AND (opponent IS NULL OR opponent = ? OR account = ?) "
    "ORDER BY created DESC, id LIMIT ?"
)

OPEN: Final = f"SELECT {FIELDS} FROM challenges WHERE expires > ? ORDER BY created DESC, id LIMIT ?"

MAX_OPEN: Final = 20
"""The most open challenges of an account."""


class Challenges(SqlPart):
    """Challenges by id. One is deleted with each of its accounts."""

    @writes_within_epoch
    def add_challenge(self, connection: Connection, challenge: Challenge, now: int) -> None:
        """Add a challenge, and delete the expired ones of its account.

        Raises `Conflict` if the account has too many.
        """
        connection.execute(
            "DELETE FROM challenges WHERE account = ? AND expires <= ?", (challenge.account, now)
        )
        count = "SELECT count(*) FROM challenges WHERE account = ?"
        if connection.execute(count, (challenge.account,)).fetchone()[0] >= MAX_OPEN:
            raise Conflict(
                f"{challenge.account} has {MAX_OPEN} open challenges, and may have no more; "
                "withdraw one first"
            )
        connection.execute(PUT, astuple(challenge))

    @reads
    def challenge(self, connection: Connection, challenge: str) -> Challenge | None:
        """Return a challenge by its id, also an expired one, or `None`."""
        row = connection.execute(ONE, (challenge,)).fetchone()
        return None if row is None else Challenge(*row)

    @reads
    def challenges(self, connection: Connection) -> list[Challenge]:
        """Return all challenges, also expired ones, the newest first."""
        rows = connection.execute(ALL, (validation.MAX_VERSION,)).fetchall()
        return [Challenge(*row) for row in rows]

    @reads
    def open_challenges(self, connection: Connection, now: int, limit: int) -> list[Challenge]:
        """Return the open challenges of all accounts, the newest first."""
        return [Challenge(*row) for row in connection.execute(OPEN, (now, limit)).fetchall()]

    @reads
    def challenges_for(
        self, connection: Connection, account: str, now: int, limit: int
    ) -> list[Challenge]:
        """Return the open challenges to an account, to all and of its own, the newest first."""
        rows = connection.execute(FOR, (now, account, account, limit)).fetchall()
        return [Challenge(*row) for row in rows]

    @writes_within_epoch
    def drop_challenge(self, connection: Connection, challenge: str) -> None:
        """Delete a challenge, if it exists."""
        connection.execute("DELETE FROM challenges WHERE id = ?", (challenge,))
