"""What the API answers: the bodies as types, from which the schema is made."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.position import Awaited
from domain.scene import Scene
from replay.fields import Hash as Hash
from replay.fields import Milliseconds as Milliseconds
from replay.fields import Ply as Ply
from replay.fields import Seat as Seat
from replay.fields import Token as Token
from replay.fields import Version as Version

Typed = Annotated[
    dict[str, Any],
    Meta(
        title="Typed",
        extra_json_schema={"required": ["type"], "properties": {"type": {"type": "string"}}},
    ),
]
"""An object whose `type` tells what it is, as the game defines it."""

Outcome = Annotated[
    dict[str, int | bool | str],
    Meta(
        title="Outcome",
        description="How it ended: `winner` (a seat), `draw` or `abandoned`, by which `clause`.",
        extra_json_schema={"required": ["clause"]},
    ),
]


class Problem(Struct, frozen=True):
    """What went wrong (RFC 9457). `path` is the JSON path or the parameter at fault."""

    title: str
    status: int
    detail: str
    path: str | UnsetType = UNSET


class Refusal(Struct, frozen=True):
    """A rule refuses an event: which of those sent, by which clause, and what would be legal."""

    title: str
    status: int
    detail: str
    event: int | UnsetType = UNSET
    token: str | UnsetType | None = UNSET
    seat: int | UnsetType | None = UNSET
    clause: str | UnsetType = UNSET
    words: str | UnsetType | None = UNSET
    squares: tuple[str, ...] | UnsetType = UNSET
    version: Version | UnsetType = UNSET
    legal: tuple[Token, ...] | UnsetType = UNSET


class Event(Struct, frozen=True):
    """An event of the line. `token` is null while it is hidden from the caller.

    `effects` are what followed from it, `words` say them. `used` is how long the clock of its
    seat ran for it, in milliseconds, in a match with a clock. `amended` tells that an amendment
    put it there.
    """

    ply: Ply
    version: Version
    turn: int
    seat: Seat | None
    type: str
    token: Token | None
    words: str
    effects: tuple[Typed, ...]
    actor: str
    at: Milliseconds
    used: int | None
    hash: Hash
    note: str
    amended: bool


class Logged(Struct, frozen=True):
    """An event of the log, also one that no longer stands in the line.

    While it is hidden from the caller `token` is null and `event` has a commitment for the move.
    """

    version: Version
    actor: str
    at: Milliseconds
    hash: Hash
    stands: bool
    token: Token | None
    what: str
    event: Typed


class Log(Struct, frozen=True):
    """The log of a match after a version, up to its head."""

    match: str
    version: Version
    events: tuple[Logged, ...]


class Stale(Struct, frozen=True):
    """Others have written since the expected version; `missed` is what."""

    title: str
    status: int
    detail: str
    expected: int
    version: Version
    missed: tuple[Logged, ...]


class Time(Struct, frozen=True):
    """The clock of a seat: milliseconds used and left, and whether it runs."""

    seat: Seat
    used: int
    left: int | None
    running: bool


class Clocks(Struct, frozen=True):
    """The limits of the clock in seconds, and how it stood at the last event for each seat.

    What runs has run since `since`, which is null until the first event.
    """

    move: int | None
    total: int | None
    increment: int
    programming: int
    since: Milliseconds | None
    seats: tuple[Time, ...]


class Dice(Struct, frozen=True):
    """Who rolls: the table, or the service from a seed it is committed to.

    The `seed` is told when the match has ended.
    """

    by: str
    commitment: str | None = None
    seed: str | None = None


class You(Struct, frozen=True):
    """Whom the token speaks for; a spectator has neither role nor seat."""

    role: str | None
    seat: Seat | None


class Standing(Struct, frozen=True):
    """How a match stands, or stood at an address, as the caller may see it.

    `awaiting` says who must or may act, `standing` the same in words. `asked` is the ply that
    `asked_by` wants to take back to. `head` is the hash of the last event of the whole log.
    """

    match: str
    game: str
    name: str
    rules: str
    kind: str
    options: dict[str, int | str]
    seats: Seat
    players: dict[str, str]
    visibility: str
    dice: Dice
    clock: Clocks | None
    created: Milliseconds
    version: Version
    ply: Ply
    plies: int
    turn: int
    standing: str
    awaiting: tuple[Awaited, ...]
    offered: Seat | None
    asked: Ply | None
    asked_by: Seat | None
    outcome: Outcome | None
    scene: Scene
    head: Hash
    you: You


class Tokens(Struct, frozen=True):
    """The tokens of a new match, told this once: the host's, and one for each seat."""

    host: str
    seats: dict[str, str]


class Opened(Standing, frozen=True):
    """A new match, with its tokens."""

    tokens: Tokens


class Entered(Struct, frozen=True):
    """What came of events: the version and the ply they led to, and who is awaited there.

    `stored` is false after a dry run, and then `events` have neither version nor hash.
    """

    match: str
    stored: bool
    version: Version
    ply: Ply
    events: tuple[Event, ...]
    awaiting: tuple[Awaited, ...]
    standing: str
    outcome: Outcome | None


class Judgement(Struct, frozen=True):
    """The verdict on an event that was not stored: its token, and what would follow.

    `effects` are null where they would tell what others have sealed.
    """

    token: Token | None
    seat: Seat | None
    words: str
    effects: tuple[Typed, ...] | None


class DryRun(Struct, frozen=True):
    """What would come of events. `awaiting` is null where it would tell what others have sealed."""

    match: str
    stored: bool
    version: Version
    events: tuple[Judgement, ...]
    awaiting: tuple[Awaited, ...] | None
    outcome: Outcome | None


class Field(Struct, frozen=True):
    """A part of a move that a person points at or chooses, like `from` and `c3`."""

    name: str
    text: str


class Choice(Struct, frozen=True):
    """A legal move: its token, and what is picked for it in the order of the token."""

    token: Token
    fields: tuple[Field, ...]


class Legal(Struct, frozen=True):
    """The legal moves as tokens, by seat and by the piece or place they begin with.

    Secret moves cannot be listed. `awaiting` says which seats can act, and on what.
    """

    match: str
    version: Version
    awaiting: tuple[Awaited, ...]
    legal: dict[str, tuple[Token, ...]]
    pieces: dict[str, dict[str, tuple[Token, ...]]]


class Hint(Struct, frozen=True):
    """What the beginning of a move comes to: illegal, incomplete or complete.

    `continuations` are longer beginnings, or the next things to pick. An illegal one comes with
    the clause that refuses it and its words.
    """

    match: str
    version: Version
    verdict: str
    token: Token | None
    continuations: tuple[str, ...]
    clause: str | None
    words: str | None
    message: str | None
    squares: tuple[str, ...]


class Key(Struct, frozen=True):
    """A capability: the host's, a seat's or a viewer's. Its token was shown once."""

    id: str
    role: str
    seat: Seat | None


class Keys(Struct, frozen=True):
    """The capabilities of a match that are not revoked."""

    match: str
    keys: tuple[Key, ...]


class Invitation(Key, frozen=True):
    """A new capability: its token, shown this once, and the link that lets a browser bear it."""

    token: str
    link: str


class Healthy(Struct, frozen=True):
    """The process answers."""

    ok: bool
