"""A text record as data: its tags, its match, and its annotations.

White space in comments is collapsed to single spaces; empty comments are dropped. All classes are
values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct

from domain.events import Adjusted, LineEvent
from domain.game import Game
from domain.match import Match
from replay.errors import Usage
from replay.formats.reader_warning import ReaderWarning
from replay.store.people_chain import SEAT_TAG
from replay.tags.match_tags import Tag

MAX_DEPTH: Final = 200
"""The deepest nesting of variations: more than people write, and safe for recursive walks."""

OWN_TAGS: Final = frozenset(("Game", "Rules", "Date", "Site", "Option", "Result"))
"""Tags with special handling, besides `SeatN`; all others are kept unchanged and in order."""

POSITION_TAG: Final = "Position"
"""The tag of a record with a set position; a fact keeps the tag's place among the others."""
BOUND: Final = "bound"
"""The clause of a fault for a record beyond the limits of an import."""


class Node(Struct, frozen=True):
    """An event of a line, with its annotations.

    `turn` is the number of its turn; glyphs are in ascending order; comments are on the position
    after the event; variations are alternatives to the event. `left` is the time on the clock of
    the event's seat after it, in milliseconds; `None` without a clock.
    """

    event: LineEvent
    turn: int
    glyphs: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    variations: tuple[RecordLine, ...] = ()
    left: int | None = None


class RecordLine(Struct, frozen=True):
    """A sequence of events; `comments` come before the first and are on its starting position."""

    nodes: tuple[Node, ...] = ()
    comments: tuple[str, ...] = ()


class Record(Struct, frozen=True):
    """A record whose moves follow the rules.

    `tags` are in the order of the text; `match` is the match after the main line; `line` is that
    line with its glyphs, comments and variations, event for event.
    """

    tags: tuple[Tag, ...]
    match: Match
    line: RecordLine
    number: int = 1
    """The number of the record in its file, from 1."""
    warnings: tuple[ReaderWarning, ...] = ()
    """Warnings about parts that were not read as written; they are not stored."""
    begins: int = 1
    """The line of its file where it begins."""

    @property
    def game(self) -> Game[Any]:
        """The game and the ruleset of the text record."""
        return self.match.game

    @property
    def players(self) -> dict[int, str]:
        """The names of the players by seat, from the tags."""
        seated = (tag for tag in self.tags if SEAT_TAG.fullmatch(tag.name))
        return dict(sorted((int(tag.name[4:]), tag.value) for tag in seated))

    @property
    def others(self) -> tuple[Tag, ...]:
        """The tags without special handling (`Position` is among them), in order."""
        return tuple(
            tag
            for tag in self.tags
            if tag.name not in OWN_TAGS and not SEAT_TAG.fullmatch(tag.name)
        )

    @property
    def result(self) -> str:
        """The terminator: `*`, `=` or `+N`."""
        outcome = self.match.state.outcome
        return outcome.result if outcome else "*"

    def tag(self, name: str) -> str | None:
        """Return the value of the record's first tag with a name."""
        return next((tag.value for tag in self.tags if tag.name == name), None)

    def variations(self) -> Iterator[tuple[int, RecordLine]]:
        """Yield the variations of a text record's main line, each with the ply that it replaces."""
        for ply, node in enumerate(self.line.nodes, 1):
            for line in node.variations:
                yield ply, line


def plain_record(match: Match, tags: Mapping[str, str] = MappingProxyType({})) -> Record:
    """Return the record of a match without comments: `tags` are like `{"Seat1": "Jet"}`.

    It contains all moves, even secret ones. Raises `Usage` for a match with an adjusted position,
    which a line of moves cannot express.
    """
    if any(isinstance(ply.event, Adjusted) for ply in match.line):
        raise Usage("a line of moves cannot express an adjusted position")
    states = (match.start, *(ply.state for ply in match.line))
    nodes = tuple(
        Node(ply.event, before.position.turn)
        for before, ply in zip(states, match.line, strict=False)
    )
    return Record(tuple(Tag(*tag) for tag in tags.items()), match, RecordLine(nodes))


class RecordFault(Struct, frozen=True):
    """Why and where a record was rejected.

    `record` counts the records of the file from 1. `event` counts the moves and match events of the
    main line from 0; it is `None` for a fault elsewhere, and in a variation. Line and column count
    from 1, in code points, to the first character of `text`, which is as written, seat included,
    without a glyph. `seat` is the named seat, else the awaited one. `clause` is `form`, `over`,
    `turn`, a clause of the rules, `tag`, `syntax`, `result`, or `bound` for a record beyond the
    limits of an import.
    """

    record: int
    """The record's number in the file, from 1."""
    event: int | None
    """The index of the event in the main line, from 0."""
    line: int
    """The line of the file, from 1."""
    column: int
    """The column of the first character at fault, from 1."""
    text: str | None
    seat: int | None
    clause: str
    message: str
    """The error in words."""

    def words(self) -> str:
        """Describe the fault in one line."""
        given = f"{self.text!r}: " if self.text is not None else ""
        return f"line {self.line}, column {self.column}: {given}{self.message} ({self.clause})"
