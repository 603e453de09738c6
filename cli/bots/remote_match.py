"""A match of a server, as the player of a seat follows it and enters moves over HTTP."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import Struct

from cli.bots.remote_server import RefusedThere, RemoteServer, checked, fault_of
from domain.position import Awaited
from replay.errors import Usage

STALE: Final = 412
LOGGED: Final = "logged"
"""The message of a stream about an event of the log."""


class Entry(Struct, frozen=True):
    """An event of the line; without a token it is hidden."""

    seat: int | None
    token: str | None
    note: str


class News(Struct, frozen=True):
    """A version of the log: `kept` plies of the line before stay, then comes `line`."""

    version: int
    kept: int
    line: tuple[Entry, ...]
    awaiting: tuple[Awaited, ...]
    outcome: dict[str, Any] | None


class You(Struct, frozen=True):
    """The role of the caller."""

    seat: int | None


class Standing(Struct, frozen=True):
    """The state of a match."""

    rules: str
    seats: int
    options: dict[str, Any]
    version: int
    quiet: bool
    awaiting: tuple[Awaited, ...]
    outcome: dict[str, Any] | None
    you: You


class Secrets(Struct, frozen=True):
    """Secret moves of a kind."""

    sample: tuple[str, ...]


class Legal(Struct, frozen=True):
    """The legal moves at a version, by seat."""

    version: int
    legal: dict[str, tuple[str, ...]]
    secret: dict[str, tuple[Secrets, ...]] = {}


class RemoteMatch:
    """A match of a server, whose token has a seat there."""

    def __init__(self, server: RemoteServer, match: str) -> None:
        self._server = server
        self._path = f"/matches/{match}"

    def standing(self) -> Standing:
        """Return the state of the match. Raises `RefusedThere`, or `Usage` without a seat."""
        answer = self._server.get(self._path)
        standing = msgspec.json.decode(answer.content, type=Standing)
        if standing.you.seat is None:
            raise Usage("this token has no seat; use the token in a player's invitation")
        return standing

    def legal(self, seat: int) -> Legal:
        """Return the legal moves of the seat."""
        answer = self._server.ask("GET", f"{self._path}/legal?all=true&seat={seat}")
        return msgspec.json.decode(checked(answer).content, type=Legal)

    def enter(self, token: str, expected: int) -> str | None:
        """Enter a token, once, unless the match is no longer at the expected version.

        Return the refusal if the match counts it as a try. Raises `RefusedThere` for any other.
        """
        body = {"events": [{"token": token}], "expected": expected}
        key = {"Idempotency-Key": str(uuid.uuid4())}
        answer = self._server.ask("POST", f"{self._path}/events", json=body, headers=key)
        fault = None if answer.status_code == STALE else fault_of(answer)
        if fault is not None and fault.tries_left is None:
            raise RefusedThere(f"{token} is refused: {fault}")
        return None if fault is None else str(fault)

    def follow(self, after: int) -> Iterator[News]:
        """Yield what happens after a version. Raises as `RemoteServer.follow` does."""
        for message in self._server.follow(f"{self._path}/stream", after):
            if message.event == LOGGED:
                yield msgspec.json.decode(message.data, type=News)
