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
    quiet: bool = False
    """Whether the match records moves without judging them."""
    legal: LegalMoves = "listed"
    """Whether legal moves are listed before the end."""
    tries: Tries | None = None
    """The refused tries in a turn after which a seat forfeits; null if none are counted."""
    tags: Tags = {}
    """The tags by name."""
    invite: bool = False
    """Whether the answer has links that invite the players."""


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """An event: its `text` in the notation, or a `move` as JSON with its `seat`.

    `roll` asks the service for dice, where it rolls. An `id` chosen by the caller makes a retry
    safe. With `stood` the text is a move that broke a rule and was accepted, and `position` the
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
    """Whether the text is an accepted illegal move; only the host may say so."""
    position: Annotated[str, Meta(min_length=1, max_length=2000)] | None = None
    """The position after an accepted illegal move, if the game cannot derive it."""


class Entries(Struct, frozen=True, forbid_unknown_fields=True):
    """Events to enter, all or none, at the `expected` version.

    Example: {"events": [{"text": "M@c1"}], "expected": 0}
    """

    events: Annotated[list[Entry], Meta(min_length=1, max_length=1000)]
    expected: Version | None = None


class Inviting(Struct, frozen=True, forbid_unknown_fields=True):
    """The role to invite: another host, the player of a seat, or a viewer.

    Example: {"role": "viewer"}
    """

    role: Literal["host", "seat", "viewer"]
    """The role that the token gives."""
    seat: Seat | None = None


AccountName = Annotated[str, Meta(pattern=rf"^{accounts.NAME.pattern}\Z")]


class IssuingToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A token to issue: its scopes, and the time when it expires, in milliseconds since 1970.

    Example: {"scopes": ["read"]}
    """

    scopes: Annotated[tuple[accounts.Scope, ...], Meta(min_length=1, max_length=2)] = (
        accounts.SCOPES
    )
    """The rights of the token."""
    expires: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    """Milliseconds since 1970 at which the token expires; null if it does not."""


class AddingAccount(IssuingToken, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An account to add, with its first token.

    Example: {"name": "bob", "scopes": ["play", "read"]}
    """

    name: AccountName
    """A new name: 1 to 30 of a-z, 0-9, - and _."""


class SettingAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the account takes every role that hosts give it, or is asked first.

    Example: {"accept": "ask"}
    """

    accept: accounts.Accept
    """`all`: the account takes every role; `ask`: it is asked first."""


class Showing(Struct, frozen=True, forbid_unknown_fields=True):
    """The new visibility: who may find and read the match.

    Example: {"visibility": "public"}
    """

    visibility: Visibility


class TakingBack(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to cut the line back to a ply, at the `expected` version.

    Example: {"ply": 0}
    """

    ply: Ply
    expected: Version | None = None


class Granting(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a take-back request. The host may name the `seat` that gives it.

    Example: {"grant": true}
    """

    grant: bool
    """Whether the take-back is granted."""
    seat: Seat | None = None
    expected: Version | None = None


class Redoing(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to enter again the event that was taken back last.

    Example: {}
    """

    expected: Version | None = None


class Rematching(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a rematch; `swap` moves every player to the next seat.

    Example: {"swap": true}
    """

    swap: bool = False
    """Whether each player takes the next seat."""


class Amending(Struct, frozen=True, forbid_unknown_fields=True):
    """An amendment: replace an event of the line, insert events before it, or delete it.

    Example: {"ply": 1, "how": "replaced", "texts": ["M@c1"]}
    """

    ply: Ply
    how: Literal["replaced", "inserted", "deleted"]
    """The kind of amendment."""
    texts: Annotated[tuple[Written, ...], Meta(max_length=100)] = ()
    """The texts that replace the event or are inserted before it."""
    expected: Version | None = None


class Adjusting(Struct, frozen=True, forbid_unknown_fields=True):
    """The position on the table, to be set, in the game's own text form, with a reason.

    Example: {"position": "5/5/5/5/5/5 5S5M5L 5s5m5l 1 1", "reason": "the cat"}
    """

    position: Annotated[str, Meta(min_length=1, max_length=2000)]
    reason: Annotated[Reason, Meta(min_length=1)]
    """The reason, for the record."""
    expected: Version | None = None
    """The version that the caller has seen. A different version is answered with 412."""


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling that ends the match: seat `winner` won, it is drawn, or it is abandoned.

    Example: {"result": "drawn", "reason": "the last train leaves"}
    """

    result: Literal["won", "drawn", "abandoned"]
    """How the ruling ends the match."""
    winner: Seat | None = None
    """The seat that has won."""
    reason: Reason = ""
    """The reason, for the record."""
    expected: Version | None = None


class JudgingMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """The wish to judge a quiet match, at the `expected` version.

    Example: {"expected": 0}
    """

    expected: Version | None = None


class Forking(Struct, frozen=True, forbid_unknown_fields=True):
    """A fork that leaves the match after a ply of its line at a `version`.

    A `variation` is analysis, a `match` is played on, by the same people or others by seat. The
    `tags` are set last. With `invite` the answer has links for the players.

    Example: {"ply": 0, "kind": "variation", "name": "a bolder start"}
    """

    ply: Ply
    version: Version | None = None
    """The version at which the line is taken; the present one if omitted."""
    kind: Literal["variation", "match"] = "variation"
    name: Name | None = None
    """A name for the fork."""
    players: Players = {}
    tags: Tags = {}
    invite: bool = False
    """Whether the answer has links that invite the players."""


class ChangingPeople(Struct, frozen=True, forbid_unknown_fields=True):
    """The names of `players` by seat, or two seats to `swap`: others stay. An empty name erases.

    After the end of the match a `reason` is required, unless names are only erased.

    Example: {"players": {"1": "Jet"}, "reason": "a slip"}
    """

    players: Players = {}
    swap: tuple[Seat, Seat] | None = None
    """The numbers of two seats whose players change places."""
    reason: Reason = ""


class Recording(Struct, frozen=True, forbid_unknown_fields=True):
    r"""Text records as JSON: one or several of them, one after the other, as in a file.

    Example: {"records": "[Game \"poptrix\"]\n\n1. M@c1 2. S@c6 *\n"}
    """

    records: str
    """One or several text records, one after the other, as in a file."""


class Tagging(Struct, frozen=True, forbid_unknown_fields=True):
    """Tags by name; an empty value erases its tag.

    Example: {"tags": {"Event": "Second evening"}}
    """

    tags: Tags


class Naming(Struct, frozen=True, forbid_unknown_fields=True):
    """A fork's name; an empty one removes it.

    Example: {"name": "a bolder start"}
    """

    name: Name
    """The new name; empty to remove it."""


class Rewording(Struct, frozen=True, forbid_unknown_fields=True):
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


class Annotating(Rewording, frozen=True, forbid_unknown_fields=True, kw_only=True):
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


class Analysing(Struct, frozen=True, forbid_unknown_fields=True):
    """The position after a ply, and how many seconds to search it.

    Example: {"ply": 1, "seconds": 0.5}
    """

    ply: Ply
    """The ply after which the position is searched."""
    seconds: Annotated[float, Meta(ge=0.1, le=10)] = 1.0
    """How long to search."""
