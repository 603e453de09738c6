"""The lines of all matches and the positions in them: derived from their logs."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

from msgspec import Struct

from replay.store.protocol.facts import Fact, Unlike
from replay.store.protocol.streams import Stream


class IndexedLine(Struct, frozen=True):
    """The line of a match in short, for statistics and for the results of what was played in it.

    `game` is the ruleset, `kind` that of the header, `result` and `clause` those of the outcome
    (`*` and empty without one).
    """

    game: str
    kind: str
    plies: int
    turns: int
    result: str
    clause: str


class IndexedStep(Struct, frozen=True):
    """A move of a line: its version, who made it, and the position it was made in, as a digest."""

    version: int
    key: bytes
    seat: int
    token: str


class IndexedMatch(Struct, frozen=True):
    """The derived line of a match as it stood at version `head`, and its moves."""

    head: int
    line: IndexedLine
    steps: Sequence[IndexedStep]


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
        """Return the matches whose line is missing, or older than their head, oldest first."""
        ...

    def index_match(
        self, stream: int, head: int, line: IndexedLine, steps: Sequence[IndexedStep]
    ) -> Future[None]:
        """Replace the line and the steps of a match by those at version `head`.

        An indexer may be slow: if the match is beyond `head` by now, it stays unindexed.
        """
        ...

    def indexed_lines(self) -> list[tuple[Stream, IndexedLine]]:
        """Return the lines of all matches that have one, oldest match first, without the trash."""
        ...

    def move_counts(self, key: bytes, without: Fact | Unlike | None = None) -> list[MoveCount]:
        """Count the moves made in the position of a key, by seat, token, kind and result.

        A line counts once per move. A move that forks share counts once: for the oldest line it
        stands in. The trash is left out, and so are the matches that have the fact `without`, with
        the variations of them. Sorted by seat, token, kind and result.
        """
        ...

    def forget_index(self) -> Future[None]:
        """Delete all lines: every match is unindexed then."""
        ...

    def indexed_match(self, stream: int) -> IndexedMatch | None:
        """Return the line and the steps of a match, or `None` if there are none."""
        ...
