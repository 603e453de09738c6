"""Who a request speaks for: the bearer of a capability token, or a spectator."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.di import NamedDependency
from msgspec import Struct

from replay import keys
from replay.book import Book
from replay.playing import SCOREKEEPER
from replay.recorded import Recorded
from service.problems import Problem

TheBook = NamedDependency[Book]
"""The book that the application was made over."""


class Bearer(Struct, frozen=True):
    """A role and, for a player, the seat; a spectator has neither."""

    role: str | None = None
    seat: int | None = None

    @property
    def actor(self) -> str:
        """The name in the log."""
        return SCOREKEEPER if self.role == keys.HOST else f"seat {self.seat}"


def bearer(request: Request[Any, Any, Any], book: Book, recorded: Recorded) -> Bearer:
    """Return who sends the request. Raises `Problem` 401 for a token that opens nothing."""
    header = request.headers.get("authorization")
    if header is None:
        return Bearer()
    scheme, _, token = header.partition(" ")
    found = keys.bearer(book, recorded, token.strip()) if scheme.lower() == "bearer" else None
    if found is None:
        raise Problem(
            401,
            "this token opens nothing here; send Authorization: Bearer TOKEN of this match",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return Bearer(*found)


def writer(request: Request[Any, Any, Any], book: Book, recorded: Recorded) -> Bearer:
    """Return who writes. Raises `Problem` 401 without a token."""
    found = bearer(request, book, recorded)
    if found.role is None:
        raise Problem(
            401,
            "writing needs a token: send Authorization: Bearer TOKEN",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return found
