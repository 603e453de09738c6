"""Capability tokens: who bears one may write. Shown once, stored as a digest."""

from __future__ import annotations

import hashlib
import secrets

from replay.book import Book
from replay.recorded import Recorded

HOST = "host"
SEAT = "seat"


def issue(book: Book, recorded: Recorded, role: str = HOST, seat: int | None = None) -> str:
    """Make a new token for the host, or for one seat, and return it. It is not kept."""
    token = secrets.token_urlsafe(24)
    book.store.add_key(recorded.stream.id, _digest(token), role, seat).result()
    return token


def bearer(book: Book, recorded: Recorded, token: str) -> tuple[str, int | None] | None:
    """Return role and seat of the token's bearer, or `None` if it opens nothing here."""
    return book.store.key(recorded.stream.id, _digest(token))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
