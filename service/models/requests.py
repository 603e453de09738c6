"""The fields of requests, and the bodies that several modules read."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from replay.access.visibility import Visibility
from replay.fields import CommentsShown, LegalMoves, ScoresheetsKept, Seat, Tries
from replay.record.clock import Clock
from service.http import text_limits

Id = Annotated[str, Meta(pattern=r"^[\x21-\x7e]{1,200}\Z")]
Version = Annotated[int, Meta(ge=0, le=2**53)]
Ply = Annotated[int, Meta(ge=0, le=2**53)]
Name = Annotated[str, text_limits.NAME.mark()]
Comment = Annotated[str, text_limits.COMMENT.mark()]
Reason = Annotated[str, text_limits.REASON.mark()]
TagValue = Annotated[str, text_limits.TAG.mark()]
TagName = Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,49}\Z")]
Notation = Annotated[str, Meta(max_length=200)]
Written = Annotated[str, Meta(max_length=2500)]
"""The text of a move; for an accepted illegal move with the position after it."""
SEATED: Final = {
    "patternProperties": {"^Seat[1-9]$": {"type": "string"} | text_limits.NAME.marked()}
}
Tags = Annotated[dict[TagName, TagValue], Meta(extra_json_schema=SEATED)]
Players = dict[Literal["1", "2", "3", "4", "5", "6", "7", "8", "9"], Name]


class MatchOpening(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to open. `options` by name and `players` by seat: `{"1": "Jet"}`.

    An `unjudged` match records moves without judging them. The `tags` are set last. With `invite`
    the answer has links that invite the players. With `legal` withheld no legal moves are listed;
    after so many refused `tries` in a turn a seat forfeits. With `comments` at the `end` only the
    host reads the host's annotations during play. If `each` of two players keeps a scoresheet, two
    private unjudged matches are opened, and the answer has both as `scoresheets`.

    Example: {
        "game": "poptrix",
        "players": {"1": "Jet"},
        "clock": {"total": 600},
        "tags": {"Event": "Cup", "Round": "1"},
        "invite": true
    }
    """

    game: str
    options: dict[str, str | int] = {}
    seats: Seat | None = None
    """How many seats the match has."""
    players: dict[str, Name] = {}
    visibility: Visibility = "unlisted"
    """The visibility of the match: `unlisted`, `public` or `private`."""
    dice: Literal["table", "service"] = "table"
    clock: Clock | None = None
    """The time limits; null without a clock."""
    unjudged: bool = False
    """Whether the match records moves without judging them."""
    scoresheets: ScoresheetsKept = "one"
    """Whether `each` player keeps a scoresheet: two private, unjudged matches."""
    legal: LegalMoves = "listed"
    """Whether legal moves are listed before the end."""
    tries: Tries | None = None
    """The refused tries in a turn after which a seat forfeits; null if none are counted."""
    comments: CommentsShown = "now"
    """When others may read the host's annotations: `now`, or at the `end` of the match."""
    tags: Tags = {}
    """The tags by name."""
    invite: bool = False
    """Whether the answer has links that invite the players."""
    evening: str | None = None
    """The evening that the match joins, among the evenings of the link that the caller has."""


class EventEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An event: its `text` in the notation, or a `move` as JSON with its `seat`.

    `roll` asks the service for dice, where it rolls. An `id` chosen by the caller makes a retry
    safe. The text `--` is a dash: nobody wrote down one or more moves of a seat within one turn.
    With `stood` the text is a move that broke a rule and was accepted, and `position` the
    position after it, which may be left out if the game can carry out the move.

    Example: {"text": "M@c1"}
    """

    text: str | None = None
    move: Raw | UnsetType = UNSET
    """The move as an object, as the game defines it."""
    seat: Seat | None = None
    roll: bool = False
    """Whether the service is asked to roll the dice."""
    id: Id | None = None
    """An id chosen by the caller, so that a retry is stored once."""
    stood: bool = False
    """Whether the text is an accepted illegal move; only the host may enter such a move."""
    position: Annotated[str, Meta(min_length=1, max_length=2000)] | None = None
    """The position after an accepted illegal move, if the game cannot derive it."""
    unsure: bool = False
    """Whether the writer is not sure that this was the move."""


class EventEntries(Struct, frozen=True, forbid_unknown_fields=True):
    """Events to enter, all or none, at the `expected` version.

    Example: {"events": [{"text": "M@c1"}], "expected": 0}
    """

    events: Annotated[list[EventEntry], Meta(min_length=1, max_length=1000)]
    expected: Version | None = None


class VisibilityChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The new visibility: who may find and read the match.

    Example: {"visibility": "public"}
    """

    visibility: Visibility


class PositionAdjustment(Struct, frozen=True, forbid_unknown_fields=True):
    """The position on the table, to be set, in the game's own text form, with a reason.

    Example: {"position": "5/5/5/5/5/5 5S5M5L 5s5m5l 1 1", "reason": "the cat"}
    """

    position: Annotated[str, Meta(min_length=1, max_length=2000)]
    reason: Annotated[Reason, Meta(min_length=1)]
    """The reason, for the record."""
    expected: Version | None = None
    """The version that the caller has seen. A different version is answered with 412."""


class AnnotationWording(Struct, frozen=True, forbid_unknown_fields=True):
    """A new wording of an annotation: one item of the same kind.

    Example: {"comment": "a bold start"}
    """

    comment: Comment | None = None
    """A comment in plain text."""
    glyph: Notation | None = None
    """A sign or a number of PGN's: `!?` or `5`."""
    arrow: Notation | None = None
    """An arrow from place to place: `a1-c3`."""
    circle: Notation | None = None
    """A circle around a place: `d4`."""
    label: Notation | None = None
    """A short text on a place: `d4=A`."""


class NewAnnotation(AnnotationWording, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Annotations of the event at a ply (0: the start): at least one.

    A `glyph` is a sign or a number of PGN's (`!?`), an `arrow` goes from place to place (`a1-c3`),
    a `circle` is around one (`d4`), a `label` on one (`d4=A`). A `bookmark` is a moment to comment
    on later; a comment takes its place. Only the host may name an `author`.

    Example: {"ply": 0, "comment": "a calm start"}
    """

    ply: Ply
    """A place in the current line; 0 is the start."""
    bookmark: bool = False
    """Whether to bookmark the event, to comment on it later."""
    author: Name | None = None
    """The author's name, or their role."""
