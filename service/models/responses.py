"""Response bodies of the API, from which the schema is generated."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.entry.completion import Verdict
from domain.entry.taps import Choice
from domain.position import Awaited
from replay.fields import EventVersion as EventVersion
from replay.fields import Hash as Hash
from replay.fields import MatchKind as MatchKind
from replay.fields import Milliseconds as Milliseconds
from replay.fields import Outcome as Outcome
from replay.fields import Plies as Plies
from replay.fields import Ply as Ply
from replay.fields import Seat as Seat
from replay.fields import Token as Token
from replay.fields import Typed as Typed
from replay.fields import Version as Version
from replay.library.match_state import MatchState
from replay.reading.hints import SecretMoves
from replay.reading.timeline import LineEntry, LogEntry
from replay.referee.dry_run import Judgement as Judgement
from service.http.problems import CODES

Role = Annotated[str, Meta(extra_json_schema={"enum": ["host", "seat", "viewer"]})]
CallerRole = Annotated[
    str, Meta(extra_json_schema={"enum": ["host", "seat", "viewer", "operator"]})
]
Stored = Annotated[bool, Meta(extra_json_schema={"const": True})]
NotStored = Annotated[bool, Meta(extra_json_schema={"const": False})]
"""`stored` is false in the answer to a dry run."""


Code = Annotated[
    str,
    Meta(
        description="The kind of problem, a word for programs that stays the same: "
        + ", ".join(f"`{code}`" for code in CODES)
        + ". There may be new ones.",
        pattern="^[a-z]+(-[a-z]+)*$",
    ),
]


class Problem(Struct, frozen=True):
    """An error (RFC 9457). `path` is the JSON path or the parameter at fault."""

    title: str
    status: int
    code: Code
    detail: str
    path: str | UnsetType = UNSET


class BadRequest(Struct, frozen=True):
    """A malformed request. `path` is the JSON path, the parameter or the header at fault.

    `$` is the whole body.
    """

    title: str
    status: int
    code: Code
    detail: str
    path: str


class Refusal(Struct, frozen=True):
    """A refusal by a rule: the index of the event, the clause, and what would be legal.

    In a match that counts refused tries, `tries_left` are those left before the seat forfeits.
    `near` are the moves that a text of the wrong form may mean.
    """

    title: str
    status: int
    code: Code
    detail: str
    event: int | UnsetType = UNSET
    text: str | UnsetType | None = UNSET
    seat: int | UnsetType | None = UNSET
    clause: str | UnsetType = UNSET
    words: str | UnsetType | None = UNSET
    squares: tuple[str, ...] | UnsetType = UNSET
    version: Version | UnsetType = UNSET
    legal: tuple[Token, ...] | UnsetType = UNSET
    tries_left: int | UnsetType = UNSET
    near: tuple[Token, ...] | UnsetType = UNSET


class Log(Struct, frozen=True):
    """The log of a match after a version, up to its head."""

    match: str
    version: Version
    events: tuple[LogEntry, ...]


class Stale(Struct, frozen=True):
    """The log has grown since the expected version; `missed` are the new events."""

    title: str
    status: int
    code: Code
    detail: str
    expected: int
    version: Version
    missed: tuple[LogEntry, ...]


class You(Struct, frozen=True):
    """The role and seat of the token; a spectator has neither."""

    role: CallerRole | None
    seat: Seat | None


class Standing(MatchState, frozen=True, kw_only=True):
    """The state of play of a match, now or at an address, in the caller's view."""

    you: You


class Tokens(Struct, frozen=True):
    """The tokens of a new match, shown only once: the host's, and one for each seat."""

    host: str
    seats: dict[str, str]


class Opened(Standing, frozen=True, kw_only=True):
    """A new match with its tokens, and with invitations if they were wanted."""

    tokens: Tokens
    invitations: tuple[Invitation, ...]


class Entered(Struct, frozen=True):
    """The result of entering events: the version and the ply they led to, and who is awaited.

    `legal` are the legal moves by seat, if they were asked for.
    """

    match: str
    stored: Stored
    version: Version
    ply: Ply
    events: tuple[LineEntry, ...]
    awaiting: tuple[Awaited, ...]
    standing: str
    outcome: Outcome | None
    legal: dict[str, tuple[Token, ...]] | UnsetType = UNSET


class DryRun(Struct, frozen=True):
    """The result of a dry run.

    `awaiting`, `outcome` and `position` are null if they would reveal sealed moves of others;
    `position` is also null in games without position texts.
    """

    match: str
    stored: NotStored
    version: Version
    events: tuple[Judgement, ...]
    awaiting: tuple[Awaited, ...] | None
    outcome: Outcome | None
    position: str | None


class LegalMoves(Struct, frozen=True):
    """The legal moves as texts, by seat and by the piece or place they begin with.

    Secret moves cannot be listed; `secret` describes them by seat, if the request has `all`.
    `begun` are moves of kinds too large to list that contain the `picks` asked for, by seat.
    `awaiting` says which seats can act, and on what.
    """

    match: str
    version: Version
    awaiting: tuple[Awaited, ...]
    legal: dict[str, tuple[Token, ...]]
    pieces: dict[str, dict[str, tuple[Token, ...]]]
    secret: dict[str, tuple[SecretMoves, ...]] | UnsetType = UNSET
    begun: dict[str, tuple[Choice, ...]] | UnsetType = UNSET


class Hint(Struct, frozen=True):
    """The state of the beginning of a move: illegal, incomplete or complete.

    `continuations` are longer beginnings, or the next things to pick. An illegal one comes with the
    clause that refuses it, and the clause's text.
    """

    match: str
    version: Version
    verdict: Verdict
    text: Token | None
    continuations: tuple[str, ...]
    clause: str | None
    words: str | None
    message: str | None
    squares: tuple[str, ...]


class Capability(Struct, frozen=True):
    """A capability: the host's, a seat's or a viewer's."""

    id: str
    role: Role
    seat: Seat | None


class Key(Capability, frozen=True, omit_defaults=True):
    """A capability: the host's, a seat's or a viewer's. Its token was shown once.

    With an `account` it has no token: the account has the role, or is asked if it is `pending`.
    """

    account: str | None = None
    pending: bool = False


class RoleInMatch(Struct, frozen=True):
    """A role of an account in a match, or one that it is asked to take."""

    match: str
    role: Role
    seat: Seat | None


class KeyList(Struct, frozen=True):
    """The capabilities of a match that are not revoked."""

    match: str
    keys: tuple[Key, ...]


class Invitation(Capability, frozen=True):
    """A new capability: its token, shown only once, and the link that stores it in a browser."""

    token: str
    link: str


class Healthy(Struct, frozen=True):
    """The process answers."""

    ok: bool
