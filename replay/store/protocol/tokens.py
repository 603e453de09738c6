"""Capability tokens of matches, and tokens of operators. A store has only their digests."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from concurrent.futures import Future
from types import MappingProxyType
from typing import Protocol

from replay.store.protocol.streams import Stream

Capability = tuple[bytes, str, int | None]
"""The SHA-256 of a token, and what its bearer may do: the role, and the seat of a player's."""


class Tokens(Protocol):
    """Capabilities by stream and digest, and operators by digest.

    A match in the trash keeps its own.
    """

    def add_key(
        self,
        stream: int,
        digest: bytes,
        role: str,
        seat: int | None,
        held: Mapping[str, bytes] = MappingProxyType({}),
    ) -> Future[None]:
        """Add a capability: the SHA-256 of a token, and what its bearer may do.

        A second one with the same digest replaces the first. Private values that are `held` with it
        are stored in the same transaction; raises `Usage` if the stream has one of them already.
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

    def matches_for_tokens(
        self, matches: Collection[str], digests: Collection[bytes]
    ) -> list[tuple[bytes, Stream]]:
        """Return each capability of these matches with one of these digests, and its match.

        The oldest match comes first. There may be some thousand ids and digests, and the cost does
        not grow with the other matches that a digest opens.
        """
        ...

    def drop_key(self, stream: int, digest: bytes) -> Future[None]:
        """Delete a capability. One that does not exist is no error. Raises `UnknownMatch`."""
        ...

    def add_operator(self, digest: bytes, created: int) -> Future[None]:
        """Add an operator: the SHA-256 of a token, and a time in milliseconds since 1970."""
        ...

    def is_operator(self, digest: bytes) -> bool:
        """Return whether this is the digest of an operator's token."""
        ...

    def operators(self) -> list[tuple[bytes, int]]:
        """Return the operators' digests with their times, oldest first."""
        ...

    def drop_operator(self, digest: bytes) -> Future[None]:
        """Delete an operator. One that does not exist is no error."""
        ...
