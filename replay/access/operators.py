"""Tokens of operators, who run the server: they see every match, and may put it into the trash.

A token is shown once and stored as a digest, like the tokens of matches. An operator enters no
events, and sees sealed moves no sooner than a spectator.
"""

from __future__ import annotations

import secrets
from typing import Final

from msgspec import Struct

from replay.access.capability_tokens import MAX_TOKEN, digest, digest_name
from replay.book import Book
from replay.errors import Forbidden, Usage
from replay.store.types import Stream

OPERATOR: Final = "operator"
"""The role of an operator."""


class IssuedOperator(Struct, frozen=True):
    """An operator's token that was issued and not revoked: its name, and when it was made."""

    id: str
    created: int


def issue(book: Book) -> str:
    """Issue a new operator's token; only its digest is stored."""
    token = secrets.token_urlsafe(24)
    book.store.add_operator(digest(token), book.now()).result()
    return token


TRASHED: Final = "trash.operator"
"""The fact of a match that an operator put into the trash; a host cannot restore it."""


def trash(book: Book, stream: Stream, trashed: bool = True) -> None:
    """Put a match into the trash as an operator, or take it out, whoever put it there."""
    book.store.set_metadata(stream.id, {TRASHED: "yes" if trashed else None}).result()
    book.store.trash(stream.id, trashed).result()


def restore_as_host(book: Book, stream: Stream) -> None:
    """Take a match out of the trash that its host put there.

    Raises `Forbidden` if an operator did.
    """
    if TRASHED in book.store.metadata(stream.id):
        raise Forbidden("the operator put this match into the trash; ask for it there")
    book.store.trash(stream.id, False).result()


def is_operator(book: Book, token: str) -> bool:
    """Return whether a token is an operator's now, whichever process issued or revoked it."""
    return len(token) <= MAX_TOKEN and book.store.is_operator(digest(token))


def list_issued(book: Book) -> list[IssuedOperator]:
    """Return the operators' tokens that are not revoked, oldest first."""
    return [
        IssuedOperator(digest_name(digest), created) for digest, created in book.store.operators()
    ]


def revoke(book: Book, name: str) -> None:
    """Revoke an operator's token. Raises `Usage` for an unknown one."""
    found = [digest for digest, _ in book.store.operators() if digest_name(digest) == name]
    if not found:
        raise Usage(f"{name!r} is not the name of an operator's token")
    for one in found:
        book.store.drop_operator(one).result()
