"""The credentials of a new match (its id and its tokens), and the tokens of invitations.

Tokens are shown once and stored as digests. A client that missed the answer repeats its request
under the same idempotency name and must get the same tokens. They are therefore derived from that
name and from a salt that is stored with the match. Neither the name nor the salt is enough alone,
and the name is stored nowhere.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from replay.access import capability_tokens
from replay.access.capability_tokens import HOST, SEAT, VIEWER
from replay.book import Book
from replay.errors import Usage
from replay.record.match_creation import ALPHABET, MatchCredentials, new_match_id
from replay.record.match_record import MatchRecord

PRIVATE_VALUE: Final = "founding"
"""The private value that holds the salt, and a digest of the secret and the request."""

INVITATION: Final = "invitation."
"""The prefix of the private values of invitations, which also hold a salt and a digest."""

SALT: Final = 32
"""Bytes of the salt."""

KEY_TIMEOUT: Final = 24 * 60 * 60 * 1000
"""Milliseconds after which a repeated request no longer gets the tokens."""


class MatchTokens(Struct, frozen=True):
    """The id of a new match and the secret that its tokens are derived from.

    `held` is stored with the match, so that a repeated request finds it. `key` is the digest of the
    host's own token, and `viewers` says whether viewers have a token. With a `seat` no other seat
    has one.
    """

    id: str
    secret: bytes
    held: Mapping[str, bytes] = {}
    key: bytes | None = None
    viewers: bool = False
    seat: int | None = None

    def token(self, role: str = HOST, seat: int | None = None) -> str:
        """Return the token of the host, of a seat or of viewers."""
        return _token(self.secret, role, seat)

    def seats(self, count: int) -> Sequence[int]:
        """Return the seats that have a token, of this many."""
        return range(1, count + 1) if self.seat is None else (self.seat,)

    def credentials(self, seats: int) -> MatchCredentials:
        """Return the credentials that the store needs to create a match with this many seats."""
        bearers = [(HOST, None), *((SEAT, seat) for seat in self.seats(seats))]
        bearers += [(VIEWER, None)] if self.viewers else []
        opening = [(capability_tokens.digest(self.token(*bearer)), *bearer) for bearer in bearers]
        opening += [] if self.key is None else [(self.key, HOST, None)]
        return MatchCredentials(self.id, opening, self.held)


class CreatedMatch(NamedTuple):
    """A match at the version it was created with, and its tokens."""

    record: MatchRecord
    tokens: MatchTokens


def draw(match: str | None = None) -> MatchTokens:
    """Draw random credentials, which no repeated request can derive again."""
    return MatchTokens(match or new_match_id(), secrets.token_bytes(SALT))


def derive(name: bytes, asked: bytes, match: str | None = None) -> MatchTokens:
    """Derive the credentials of a request from its unguessable idempotency name.

    `asked` is the whole request. Without `match`, the id follows from the name too, so that only
    one of several concurrent requests is stored.
    """
    secret, held = _new_secret(name, asked)
    return MatchTokens(match or derived_id(name), secret, {PRIVATE_VALUE: held})


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
    secret = _same_secret(held, name, asked)
    record = _at_creation(book.read(stream))
    if stream.trashed or book.now() - record.header.created > KEY_TIMEOUT:
        raise Usage(
            "this Idempotency-Key has expired (24 hours), or its match was deleted; send a new key"
        )
    return CreatedMatch(record, MatchTokens(stream.public_id, secret))


def invite(
    book: Book, record: MatchRecord, name: bytes, asked: bytes, role: str, seat: int | None
) -> str:
    """Issue a token; `find_invited` returns the same token when the request is repeated.

    Raises `Usage` for a seat that the match does not have, and for a repeated request.
    """
    secret, held = _new_secret(name, asked)
    kept = {INVITATION + derived_id(name): held}
    return capability_tokens.issue(book, record, role, seat, _token(secret, role, seat), kept)


def find_invited(
    book: Book, record: MatchRecord, name: bytes, asked: bytes, role: str, seat: int | None
) -> str | None:
    """Return the token that an earlier request with this name was issued, or `None`.

    Raises `Usage` if that request asked for something else, or if the token was revoked.
    """
    held = book.store.private_value(record.stream.id, INVITATION + derived_id(name))
    if held is None:
        return None
    token = _token(_same_secret(held, name, asked), role, seat)
    if book.store.key(record.stream.id, capability_tokens.digest(token)) is None:
        raise Usage("the token of this Idempotency-Key was revoked; send a new key")
    return token


def _at_creation(record: MatchRecord) -> MatchRecord:
    """Return a match at its first version, before any event of its own."""
    stream = record.stream
    created = record.at_version(stream.fork_version or 0)
    return replace(
        created, stream=replace(stream, head=created.match.version, head_hash=stream.origin)
    )


def derived_id(name: bytes) -> str:
    """Return the id of a match that follows from a name."""
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in _digest(b"id " + name)[:12])


def derived_token(name: bytes) -> str:
    """Return a token that follows from a name."""
    return _token(_digest(b"token " + name), HOST, None)


def _new_secret(name: bytes, asked: bytes) -> tuple[bytes, bytes]:
    """Return a new secret of a request, with the salt and digest by which it is derived again."""
    salt = secrets.token_bytes(SALT)
    secret = _secret(salt, name)
    return secret, salt + _digest(secret + asked)


def _same_secret(held: bytes, name: bytes, asked: bytes) -> bytes:
    """Return the secret of an earlier request. Raises `Usage` if it asked for something else."""
    secret = _secret(held[:SALT], name)
    if not hmac.compare_digest(held[SALT:], _digest(secret + asked)):
        raise Usage("this Idempotency-Key belongs to another request; send a new key")
    return secret


def _token(secret: bytes, role: str, seat: int | None) -> str:
    mac = hmac.digest(secret, f"{role} {seat}".encode(), "sha256")
    return base64.urlsafe_b64encode(mac[:24]).decode()


def _secret(salt: bytes, name: bytes) -> bytes:
    return hmac.digest(salt, name, "sha256")


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
