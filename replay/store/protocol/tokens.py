"""Capability tokens: who may do what in a match. A store has only their digests."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Protocol

from replay.store.protocol.streams import Stream

Capability = tuple[bytes, str, int | None]
"""The SHA-256 of a token, and what its bearer may do: the role, and the seat of a player's."""


class Tokens(Protocol):
    """Capabilities by stream and digest. A match in the trash keeps its own."""

    def add_key(self, stream: int, digest: bytes, role: str, seat: int | None) -> Future[None]:
        """Add a capability: the SHA-256 of a token, and what its bearer may do.

        A second one with the same digest replaces the first.
        """
        ...

    def key(self, stream: int, digest: bytes) -> tuple[str, int | None] | None:
        """Return the role and seat of a capability of this stream, or `None` if it is none.

        A stream that does not exist has none; that is no error.
        """
        ...

    def keys(self, stream: int) -> list[Capability]:
        """Return the capabilities of a stream. Raises `UnknownMatch`."""
        ...

    def matches_for_token(self, digest: bytes) -> list[Stream]:
        """Return the matches that have a capability with this digest, oldest first."""
        ...

    def drop_key(self, stream: int, digest: bytes) -> Future[None]:
        """Delete a capability. One that does not exist is no error. Raises `UnknownMatch`."""
        ...
