"""The bodies of requests."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from replay.access import accounts
from replay.access.visibility import Visibility
from replay.fields import LegalMoves, Seat, Tries
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
"""The text of a move; that of an accepted illegal move includes the position after it."""
SEATED: Final = {
    "patternProperties": {"^Seat[1-9]$": {"type": "string"} | text_limits.NAME.marked()}
}
Tags = Annotated[dict[TagName, TagValue], Meta(extra_json_schema=SEATED)]
Players = dict[Literal["1", "2", "3", "4", "5", "6", "7", "8", "9"], Name]


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to open. `options` by name and `players` by seat: `{"1": "Jet"}`.

    A `quiet` match takes down moves without judging them. The `tags` are set last. With `invite`
    the answer has links for the players. With `legal` withheld no legal moves are listed; after so
    many refused `tries` in a turn a seat forfeits.
    """

    game: str
    options: dict[str, str | int] = {}
    seats: Seat | None = None
    players: dict[str, Name] = {}
    visibility: Visibility = "unlisted"
    dice: Literal["table", "service"] = "table"
    clock: Clock | None = None
    quiet: bool = False
    legal: LegalMoves = "listed"
    tries: Tries | None = None
    tags: Tags = {}
    invite: bool = False


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """An event: its `text` in the notation, or a `move` as JSON with its `seat`.

    `roll` asks the service for dice, where it rolls. An `id` chosen by the caller makes a retry
    safe. With `stood` the text is a move that broke a rule and was accepted, and `position` the
    position after it, which may be left out if the game can carry out the move.
    """

    text: str | None = None
    move: Raw | UnsetType = UNSET
    seat: Seat | None = None
    roll: bool = False
    id: Id | None = None
    stood: bool = False
    position: Annotated[str, Meta(min_length=1, max_length=2000)] | None = None


class Entries(Struct, frozen=True, forbid_unknown_fields=True):
    """Events to enter, all or none, at the `expected` version."""

    events: Annotated[list[Entry], Meta(min_length=1, max_length=1000)]
    expected: Version | None = None


class Inviting(Struct, frozen=True, forbid_unknown_fields=True):
    """The role to invite: another host, the player of a seat, or a viewer."""

    role: Literal["host", "seat", "viewer"]
    seat: Seat | None = None


AccountName = Annotated[str, Meta(pattern=rf"^{accounts.NAME.pattern}\Z")]


class IssuingToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A token to issue: its scopes, and the time when it expires, in milliseconds since 1970."""

    scopes: Annotated[tuple[accounts.Scope, ...], Meta(min_length=1, max_length=2)] = (
        accounts.SCOPES
    )
    expires: Annotated[int, Meta(ge=0, le=2**53)] | None = None


class AddingAccount(IssuingToken, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An account to add, with its first token."""

    name: AccountName


class SettingAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the account takes every role that hosts give it, or is asked first."""

    accept: accounts.Accept


class Showing(Struct, frozen=True, forbid_unknown_fields=True):
    """The new visibility: who may find and read the match."""

    visibility: Visibility


class TakingBack(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to cut the line back to a ply, at the `expected` version."""

    ply: Ply
    expected: Version | None = None


class Granting(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a take-back request. The host may name the `seat` that gives it."""

    grant: bool
    seat: Seat | None = None
    expected: Version | None = None


class Redoing(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to enter again the event that was taken back last."""

    expected: Version | None = None


class NamingSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """The name of one player; an empty name erases the stored one. The host gives the `seat`."""

    name: Name
    seat: Seat | None = None


class Rematching(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a rematch; `swap` moves every player to the next seat."""

    swap: bool = False


class Amending(Struct, frozen=True, forbid_unknown_fields=True):
    """An amendment: replace an event of the line, insert events before it, or delete it."""

    ply: Ply
    how: Literal["replaced", "inserted", "deleted"]
    texts: Annotated[tuple[Written, ...], Meta(max_length=100)] = ()
    expected: Version | None = None


class Adjusting(Struct, frozen=True, forbid_unknown_fields=True):
    """The position on the table, to be set, in the game's own text form, with a reason."""

    position: Annotated[str, Meta(min_length=1, max_length=2000)]
    reason: Annotated[Reason, Meta(min_length=1)]
    expected: Version | None = None


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling that ends the match: seat `winner` won, it is drawn, or it is abandoned."""

    result: Literal["won", "drawn", "abandoned"]
    winner: Seat | None = None
    reason: Reason = ""
    expected: Version | None = None


class JudgingMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """The wish to judge a quiet match, at the `expected` version."""

    expected: Version | None = None


class Forking(Struct, frozen=True, forbid_unknown_fields=True):
    """A fork that leaves the match after a ply of its line at a `version`.

    A `variation` is analysis, a `match` is played on, by the same people or others by seat. The
    `tags` are set last. With `invite` the answer has links for the players.
    """

    ply: Ply
    version: Version | None = None
    kind: Literal["variation", "match"] = "variation"
    name: Name | None = None
    players: Players = {}
    tags: Tags = {}
    invite: bool = False


class Seating(Struct, frozen=True, forbid_unknown_fields=True):
    """The names of the `players` by seat: `{"1": "Jet"}`. Omitted seats lose their names."""

    players: Players


class Recording(Struct, frozen=True, forbid_unknown_fields=True):
    """Text records as JSON: one or several of them, one after the other, as in a file."""

    records: str


class Tagging(Struct, frozen=True, forbid_unknown_fields=True):
    """Tags by name; an empty value erases its tag. The players' names are tags too."""

    tags: Tags


class Naming(Struct, frozen=True, forbid_unknown_fields=True):
    """A fork's name; an empty one removes it."""

    name: Name


class Rewording(Struct, frozen=True, forbid_unknown_fields=True):
    """A new wording of an annotation: one item of the same kind."""

    comment: Comment | None = None
    glyph: Notation | None = None
    arrow: Notation | None = None
    circle: Notation | None = None
    label: Notation | None = None


class Annotating(Rewording, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Annotations of the event at a ply (0: the start): at least one.

    A `glyph` is a sign or a number of PGN's (`!?`), an `arrow` goes from place to place (`a1-c3`),
    a `circle` is around one (`d4`), a `label` on one (`d4=A`). A `bookmark` is a moment to comment
    on later; a comment takes its place. Only the host may name an `author`.
    """

    ply: Ply
    bookmark: bool = False
    author: Name | None = None


class Analysing(Struct, frozen=True, forbid_unknown_fields=True):
    """The position after a ply, and how many seconds to search it."""

    ply: Ply
    seconds: Annotated[float, Meta(ge=0.1, le=10)] = 1.0
