"""Capability tokens, which let their holder write to a match or read a private one.

A token is shown once and stored as a digest. The beginning of the digest names the key and does not
reveal the token.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from replay.access import visibility
from replay.book import Book
from replay.errors import Usage
from replay.match_record import MatchRecord
from replay.store.protocol import Stream

HOST: Final = "host"
SEAT: Final = "seat"
VIEWER: Final = "viewer"

NAME_BYTES: Final = 6
LONGEST: Final = 200
"""The longest token that is looked up, in characters; issued tokens have 32."""


class IssuedToken(Struct, frozen=True):
    """A token that was issued and not revoked: its name, and its holder's role."""

    id: str
    role: str
    seat: int | None


def issue(book: Book, recorded: MatchRecord, role: str = HOST, seat: int | None = None) -> str:
    """Issue a new token for the host, a seat or a viewer; only its digest is stored.

    Raises `Usage` for a seat that the match does not have.
    """
    if (role == SEAT) != (seat is not None):
        raise Usage("a seat's token names its seat, and no other does")
    if seat is not None and not 1 <= seat <= recorded.match.seats:
        raise Usage(f"{recorded.id} has seats 1 to {recorded.match.seats}, not {seat}")
    token = secrets.token_urlsafe(24)
    book.store.add_key(recorded.stream.id, digest(token), role, seat).result()
    return token


def role_of(book: Book, recorded: MatchRecord, token: str) -> tuple[str, int | None] | None:
    """Return the role and seat that a token grants in a match, or `None`.

    Tokens of a match also work for its variations: the host's grants the same role, all others
    grant reading. The lookup is by digest, so its timing reveals nothing about valid tokens.
    """
    if len(token) > LONGEST:
        return None
    hashed = digest(token)
    own = book.store.key(recorded.stream.id, hashed)
    if own is not None:
        return own
    match = visibility.analysed_match(book, recorded.stream)
    if match.id == recorded.stream.id:
        return None
    inherited = book.store.key(match.id, hashed)
    return inherited and (inherited[0] if inherited[0] == HOST else VIEWER, None)


def matches_opened_by(book: Book, tokens: Iterable[str]) -> list[tuple[str, Stream]]:
    """Return each token and match that it grants access to, without matches in the trash."""
    known = {digest(token): token for token in tokens if len(token) <= LONGEST}
    opened = book.store.matches_for_tokens(known)
    return [(known[hashed], stream) for hashed, stream in opened if not stream.trashed]


def list_issued(book: Book, recorded: MatchRecord) -> list[IssuedToken]:
    """Return the keys of a match that are not revoked, ordered by role: host, seats, viewers."""
    order = (HOST, SEAT, VIEWER)
    found = [
        IssuedToken(digest_name(digest), role, seat)
        for digest, role, seat in book.store.keys(recorded.stream.id)
    ]
    return sorted(found, key=lambda key: (order.index(key.role), key.seat or 0, key.id))


def revoke(book: Book, recorded: MatchRecord, name: str) -> IssuedToken:
    """Revoke a key and return its description.

    Raises `Usage` for an unknown key, and for the host's last one.
    """
    issued = list_issued(book, recorded)
    found = next((key for key in issued if key.id == name), None)
    if found is None:
        raise Usage(f"{recorded.id} has no token {name!r}")
    if found.role == HOST and sum(key.role == HOST for key in issued) == 1:
        raise Usage("this is the last key of the host; issue another first")
    for digest, _, _ in book.store.keys(recorded.stream.id):
        if digest_name(digest) == name:
            book.store.drop_key(recorded.stream.id, digest).result()
    return found


def token_name(token: str) -> str:
    """Return the name of a token's key."""
    return digest_name(digest(token))


def digest_name(digest: bytes) -> str:
    """Return the name of a key."""
    return digest[:NAME_BYTES].hex()


def digest(token: str) -> bytes:
    """Return the digest under which a token is stored."""
    return hashlib.sha256(token.encode(errors="replace")).digest()
