"""The moves of all matches by position: derived from their logs."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

from msgspec import Struct

from replay.store.protocol.facts import Fact, NotEqual
from replay.store.protocol.streams import Stream


class IndexedStep(Struct, frozen=True):
    """A move of a line: its version, who made it, and the position it was made in, as a digest."""

    version: int
    key: bytes
    seat: int
    token: str


class WrittenMove(Struct, frozen=True):
    """A move of a line as people write it.

    `token` is null while only its seat may see it; `clause` is the rule that a move broke which
    stood, else empty.
    """

    ply: int
    version: int
    turn: int
    seat: int
    token: str | None
    clause: str = ""


class IndexedMatch(Struct, frozen=True):
    """The moves of a match's line as it stood at version `head`.

    `moves` are for people who query the store itself; a store without views drops them.
    """

    head: int
    steps: Sequence[IndexedStep]
    moves: tuple[WrittenMove, ...] = ()


class MoveCount(Struct, frozen=True):
    """In how many lines of a kind, and with a result, a seat made a move in some position."""

    seat: int
    token: str
    kind: str
    result: str
    lines: int


class PositionIndex(Protocol):
    """Moves by the position they were made in. An indexer stores them after the fact."""

    def unindexed_matches(self) -> list[Stream]:
        """Return the matches whose moves are missing, or older than their head, oldest first."""
        ...

    def index_match(self, stream: int, known: IndexedMatch, after: int = 0) -> Future[None]:
        """Replace the moves of a match beyond version `after` by those at version `known.head`.

        An indexer may be slow: if the match is beyond `known.head` by now, it stays unindexed.
        """
        ...

    def move_counts(self, key: bytes, without: Fact | NotEqual | None = None) -> list[MoveCount]:
        """Count the moves made in the position of a key, by seat, token, kind and result.

        Kind and result are those of the match's summary; a match without a summary does not count.
        A line counts once per move. A move that forks share counts once: for the oldest line it
        stands in. The trash is left out, and so are the matches that have the fact `without`, with
        the variations of them. Sorted by seat, token, kind and result.
        """
        ...

    def forget_index(self) -> Future[None]:
        """Delete all moves: every match is unindexed then."""
        ...

    def indexed_match(self, stream: int) -> IndexedMatch | None:
        """Return the moves of a match by version, or `None` if it is not indexed."""
        ...
