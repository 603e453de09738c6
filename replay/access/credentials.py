"""Credentials of a new match: its id, and the tokens of its host and its seats.

Tokens are shown once and stored as digests. A client that missed the answer repeats its request
under the same idempotency name and must get the same tokens. They are therefore derived from that
name and from a salt that is stored with the match. Neither is enough without the other, and the
name is stored nowhere.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from replay.access import capability_tokens
from replay.access.capability_tokens import HOST, SEAT
from replay.book import Book
from replay.errors import Usage
from replay.match_creation import ALPHABET, MatchCredentials, new_match_id
from replay.match_record import MatchRecord

PRIVATE_VALUE: Final = "founding"
"""The private value that holds the salt, and a digest of the secret and the request."""

SALT: Final = 32
"""Bytes of the salt."""

GOOD_FOR: Final = 24 * 60 * 60 * 1000
"""Milliseconds after which a repeated request no longer gets the tokens."""


class MatchTokens(Struct, frozen=True):
    """The id of a new match and the secret that its tokens are derived from.

    `held` is stored with the match, so that a repeated request finds it.
    """

    id: str
    secret: bytes
    held: Mapping[str, bytes] = {}

    def token(self, role: str = HOST, seat: int | None = None) -> str:
        """Return the token of the host, or of a seat."""
        mac = hmac.digest(self.secret, f"{role} {seat}".encode(), "sha256")
        return base64.urlsafe_b64encode(mac[:24]).decode()

    def charter(self, seats: int) -> MatchCredentials:
        """Return the credentials that the store needs to create a match with this many seats."""
        bearers = [(HOST, None), *((SEAT, seat) for seat in range(1, seats + 1))]
        opening = [(capability_tokens.digest(self.token(*bearer)), *bearer) for bearer in bearers]
        return MatchCredentials(self.id, opening, self.held)


class CreatedMatch(NamedTuple):
    """A match at the version it was created with, and its tokens."""

    recorded: MatchRecord
    founding: MatchTokens


def draw(match: str | None = None) -> MatchTokens:
    """Draw random credentials, which no repeated request can derive again."""
    return MatchTokens(match or new_match_id(), secrets.token_bytes(SALT))


def derive(name: bytes, asked: bytes, match: str | None = None) -> MatchTokens:
    """Derive the credentials of a request from its unguessable idempotency name.

    `asked` is the whole request. Without `match`, the id follows from the name too, so that only
    one of several concurrent requests is stored.
    """
    salt = secrets.token_bytes(SALT)
    secret = _secret(salt, name)
    return MatchTokens(
        match or derived_id(name), secret, {PRIVATE_VALUE: salt + _digest(secret + asked)}
    )


def find_created(
    book: Book, name: bytes, asked: bytes, match: str | None = None
) -> CreatedMatch | None:
    """Return the match that an earlier request with this name created, or `None`.

    Raises `Usage` if that request asked for something else or is too old, and if the match was
    deleted.
    """
    stream = book.find_existing(match or derived_id(name))
    if stream is None:
        return None
    held = book.store.private_value(stream.id, PRIVATE_VALUE) or b""
    secret = _secret(held[:SALT], name)
    if not hmac.compare_digest(held[SALT:], _digest(secret + asked)):
        raise Usage("another request had this name already")
    recorded = _at_creation(book.read(stream))
    if stream.trashed or book.now() - recorded.header.created > GOOD_FOR:
        raise Usage("this was asked for long ago, or what came of it was deleted; ask anew")
    return CreatedMatch(recorded, MatchTokens(stream.public_id, secret))


def _at_creation(recorded: MatchRecord) -> MatchRecord:
    """Return a match at its first version, before any event of its own."""
    stream = recorded.stream
    created = recorded.at_version(stream.fork_version or 0)
    return replace(
        created, stream=replace(stream, head=created.match.version, head_hash=stream.origin)
    )


def derived_id(name: bytes) -> str:
    """Return the id of a match that follows from a name."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in _digest(b"id " + name)[:12])


def _secret(salt: bytes, name: bytes) -> bytes:
    return hmac.digest(salt, name, "sha256")


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
