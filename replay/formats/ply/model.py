"""A text record as data: its tags, the match it tells, and what is said about it.

Comments are kept with their white space as single spaces; an empty one says nothing and is not
kept. Everything here is a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from msgspec import Struct

from domain.events import Adjusted, LineEvent
from domain.game import Game
from domain.match import Match
from replay.errors import Usage

OWN_TAGS: Final = frozenset(("Game", "Rules", "Date", "Site", "Option", "Result"))
"""Tags with a place of their own, beside `SeatN`; all others are kept as they are, in order."""

SEAT_TAG: Final = re.compile("Seat([1-9])")
BOUND: Final = "bound"
"""The clause of a fault where there is more than is imported at once."""
BLANK: Final = re.compile("[ \t\r\n]+")
CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""What no tag, token or comment may hold: control characters, and halves of surrogate pairs."""


class Tag(NamedTuple):
    """`[Name "value"]`, the value without its escapes."""

    name: str
    value: str


class Node(Struct, frozen=True):
    """An event of a line, with what is said about it.

    `turn` is the number of the turn it belongs to, glyphs are in ascending order, comments are
    about the position after the event, variations are other lines instead of it.
    """

    event: LineEvent
    turn: int
    glyphs: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    variations: tuple[RecordLine, ...] = ()


class RecordLine(Struct, frozen=True):
    """A sequence of events; `comments` stand before the first and are about where it starts."""

    nodes: tuple[Node, ...] = ()
    comments: tuple[str, ...] = ()


class Record(Struct, frozen=True):
    """A record whose moves are by the rules.

    `tags` are those written, in their order; `match` is what the main line comes to; `line` is
    that line with its glyphs, comments and variations, event for event.
    """

    tags: tuple[Tag, ...]
    match: Match
    line: RecordLine
    number: int = 1
    """Which of its file's records this is, from 1."""

    @property
    def game(self) -> Game[Any]:
        """The game and ruleset."""
        return self.match.game

    @property
    def players(self) -> dict[int, str]:
        """The names of the players by seat, as far as there are tags for them."""
        seats = ((SEAT_TAG.fullmatch(tag.name), tag.value) for tag in self.tags)
        return dict(sorted((int(found[1]), value) for found, value in seats if found))

    @property
    def others(self) -> tuple[Tag, ...]:
        """The tags without a place of their own (`Position` among them), in their order."""
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
        """Return the value of the first tag of this name."""
        return next((tag.value for tag in self.tags if tag.name == name), None)

    def variations(self) -> Iterator[tuple[int, RecordLine]]:
        """List the variations of the main line, each with the ply it stands instead of, from 1."""
        for ply, node in enumerate(self.line.nodes, 1):
            for line in node.variations:
                yield ply, line


def plain_record(match: Match, tags: Mapping[str, str] = MappingProxyType({})) -> Record:
    """Return the record of a match without comments: `tags` are like `{"Seat1": "Jet"}`.

    It tells all moves, also secret ones. Raises `Usage` for a match with an adjusted position,
    which a line of moves cannot tell.
    """
    if any(isinstance(ply.event, Adjusted) for ply in match.line):
        raise Usage("a line of moves cannot tell how an adjusted position came about")
    states = (match.start, *(ply.state for ply in match.line))
    nodes = tuple(
        Node(ply.event, before.position.turn)
        for before, ply in zip(states, match.line, strict=False)
    )
    return Record(tuple(Tag(*tag) for tag in tags.items()), match, RecordLine(nodes))


class RecordFault(Struct, frozen=True):
    """Why, and where, a record was rejected.

    `record` counts the records of the file from 1. `event` counts the moves and match events of
    the main line from 0; it is `None` where the fault is at none of them, so also in a variation.
    Line and column count from 1, in code points, to the first character of `token`, which is as
    written, seat included, without a glyph. `seat` is the one named, else the one awaited.
    `clause` is `form`, `over`, `turn`, a clause of the rules, or `tag`, `syntax`, `result`, or
    `bound` for more than is imported at once.
    """

    record: int
    event: int | None
    line: int
    column: int
    token: str | None
    seat: int | None
    clause: str
    message: str

    def words(self) -> str:
        """Say it to a person in one line."""
        token = f"{self.token!r}: " if self.token is not None else ""
        return f"line {self.line}, column {self.column}: {token}{self.message} ({self.clause})"


class Note(NamedTuple):
    """What is said about one ply of a match."""

    glyphs: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()


def tidy(comment: str) -> str:
    """Return a comment with every run of white space as one space and none at the ends."""
    return BLANK.sub(" ", comment).strip(" ")
