"""The mutable facts of a stream: player names, tags."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Protocol

from msgspec import Struct


class Fact(Struct, frozen=True):
    """A mutable fact of a stream: its name and its value."""

    name: str
    value: str


class NotEqual(Struct, frozen=True):
    """A fact of this name with any value but these."""

    name: str
    values: tuple[str, ...]


class Facts(Protocol):
    """Texts by stream and name. They are outside the hash chain, and the last write wins."""

    def facts(self, stream: int) -> dict[str, str]:
        """Return the facts of a stream in the order in which they were first set."""
        ...

    def set_facts(self, stream: int, facts: Mapping[str, str | None]) -> Future[None]:
        """Set facts, or erase those whose value is `None`; the others stay.

        A fact that is changed stays in its place of the order; one that was erased comes last when
        it is set again. An old value must soon be unreadable in the backend's files. The match is
        outdated for search afterwards, and its texts are no longer found.
        """
        ...
