"""A connection to a database: the seam of a store, with all differences between databases."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Protocol

from replay.store.types import NewEvent, StoredEvent, Stream, Text

Row = tuple[Any, ...]


class Cursor(Protocol):
    """The answer to a statement."""

    def fetchone(self) -> Any:
        """Return the next row, or `None`."""
        ...

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""
        ...


class Connection(Protocol):
    """A connection that returns texts as `str`.

    In a group of writes a statement may be sent without waiting for it, until a row is fetched.
    """

    NEXT_STREAM: ClassVar[str]
    """A statement that returns the number of a new stream."""
    OF_SEAT: ClassVar[str]
    """A condition on a row `{fact}` of `facts`: it names the player of a seat."""
    FIELD: ClassVar[str]
    """The text of the member `{name}` of the JSON of an event."""

    def execute(self, statement: str, values: Sequence[Any] = ..., /) -> Cursor:
        """Execute a statement."""
        ...

    def transaction(self) -> AbstractContextManager[Any]:
        """Let all statements read the same state of the database.

        Only for connections that read.
        """
        ...

    def insert_all(self, table: str, rows: Sequence[Row]) -> None:
        """Insert rows into a table: `segments`, `steps`, `written`, `people` or `people_texts`."""
        ...

    def put_metadata(self, number: int, metadata: Mapping[str, str]) -> None:
        """Set metadata of a stream."""
        ...

    def put_text(self, number: int, text: Text, found: Sequence[str]) -> None:
        """Add a text of a match, with its words."""
        ...

    def matching(
        self, begun: Sequence[str], inside: Sequence[str]
    ) -> tuple[str, list[str], list[Any]]:
        """Return the tables with texts `t`, the conditions on these, and the conditions' values.

        `begun` has words that begin a word of the text, `inside` words that may be anywhere in it.
        """
        ...

    def events(self, number: int, after: int, until: int) -> list[StoredEvent]:
        """Return the events of a stream, shared ones included, with after < version <= until."""
        ...

    def present(self, number: int, new: Sequence[NewEvent]) -> list[StoredEvent]:
        """Return the events of a stream that have the ids of new ones, in their order."""
        ...

    def put_events(self, number: int, events: Sequence[StoredEvent]) -> None:
        """Store the next events of a stream."""
        ...

    def delete_stream(self, number: int) -> None:
        """Delete everything of a stream."""
        ...

    def carry(self, stream: Stream, until: int, metadata: Collection[str] | None) -> None:
        """Replace a stream by a carrier with its events up to a version.

        The carrier keeps the metadata of these names, or all.
        """
        ...

    def reindex(self) -> None:
        """Rebuild the indexes of the database."""
        ...
