"""Response bodies of the API, from which the schema is generated."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.entry.completion import Verdict
from domain.entry.taps import Choice
from domain.position import Awaited
from replay.fields import EventText as EventText
from replay.fields import EventVersion as EventVersion
from replay.fields import Hash as Hash
from replay.fields import MatchKind as MatchKind
from replay.fields import Milliseconds as Milliseconds
from replay.fields import Outcome as Outcome
from replay.fields import Plies as Plies
from replay.fields import Ply as Ply
from replay.fields import Seat as Seat
from replay.fields import Typed as Typed
from replay.fields import Version as Version
from replay.library.match_state import MatchState
from replay.reading.hints import SecretMoves
from replay.reading.timeline import LineEntry, LogEntry
from replay.referee.dry_run import Judgement as Judgement
from replay.tags.people_changes import PersonChange as PersonChange
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


class ProblemFacts(Struct, frozen=True):
    """The members that every problem has."""

    title: str
    """The name of the status."""
    status: int
    """The HTTP status."""
    code: Code
    detail: str
    """The fault and its remedy, in one sentence."""


class Problem(ProblemFacts, frozen=True):
    """An error (RFC 9457). `path` is the JSON path or the parameter at fault.

    Example: {
        "title": "Bad Request",
        "status": 400,
        "code": "invalid-request",
        "detail": "$.expected is not a whole number; use a number, not text",
        "path": "$.expected"
    }
    """

    path: str | UnsetType = UNSET
    """The JSON path or the parameter at fault."""


class BadRequest(ProblemFacts, frozen=True):
    """A malformed request. `path` is the JSON path, the parameter or the header at fault.

    `$` is the whole body.
    """

    path: str
    """The JSON path or the parameter at fault."""


class Refusal(ProblemFacts, frozen=True):
    """A refusal by a rule: the index of the event, the clause, and a legal alternative.

    In a match that counts refused tries, `tries_left` are the tries left before the seat forfeits.
    `near` are the moves that a text of the wrong form may mean.

    Example: {
        "title": "Conflict",
        "status": 409,
        "code": "rule-broken",
        "detail": "c6 is not on the home row of seat 1, row 1",
        "event": 0,
        "text": "M@c6",
        "seat": 1,
        "clause": "POP-2.1",
        "squares": ["c6"],
        "version": 0,
        "legal": ["S@a1", "M@a1", "L@a1"]
    }
    """

    event: int | UnsetType = UNSET
    """The index of the refused event in the request, from 0."""
    text: str | UnsetType | None = UNSET
    """An event in the notation of the game."""
    seat: int | UnsetType | None = UNSET
    """The number of a seat, from 1."""
    clause: str | UnsetType = UNSET
    """The id of the clause in the rules, like `POP-2.3`."""
    words: str | UnsetType | None = UNSET
    """The text of the clause; null for a fault of form."""
    squares: tuple[str, ...] | UnsetType = UNSET
    """The places that the refusal is about."""
    version: Version | UnsetType = UNSET
    legal: tuple[EventText, ...] | UnsetType = UNSET
    """Legal moves as texts."""
    tries_left: int | UnsetType = UNSET
    """The tries that the seat has left in this turn."""
    near: tuple[EventText, ...] | UnsetType = UNSET
    """The moves that a text of the wrong form may mean."""


class Log(Struct, frozen=True):
    """The log of a match after a version, up to its head."""

    match: str
    version: Version
    events: tuple[LogEntry, ...]
    people: tuple[PersonChange, ...]
    """The changes of who sits where since then, without changes before the first move."""


class Stale(ProblemFacts, frozen=True):
    """The log has grown since the expected version; `missed` are the new events."""

    expected: int
    version: Version
    missed: tuple[LogEntry, ...]
    """The events since the expected version."""


class You(Struct, frozen=True):
    """The role and seat of the token; a spectator has neither."""

    role: CallerRole | None
    """The role that the token gives."""
    seat: Seat | None


class Standing(MatchState, frozen=True, kw_only=True):
    """The state of play of a match, now or at an address, in the caller's view."""

    you: You
    """The role of the caller."""


class Tokens(Struct, frozen=True):
    """The tokens of a new match, shown only once: the host's, and one for each seat."""

    host: str
    """The host's token."""
    seats: dict[str, str]
    """The token of each seat."""


class OpenedScoresheet(Struct, frozen=True):
    """The new scoresheet of a `seat`: its match, and the tokens of the host and of this seat."""

    seat: Seat
    match: str
    tokens: Tokens
    """The tokens of this scoresheet."""
    invitations: tuple[Invitation, ...]
    """With `invite`: the link for the seat."""


class OpenedMatch(Standing, frozen=True, kw_only=True):
    """A new match with its tokens, and with invitations if they were wanted.

    If each player keeps a scoresheet, it is that of the first, and `scoresheets` has both.
    """

    tokens: Tokens
    """The tokens of the new match."""
    invitations: tuple[Invitation, ...]
    """With `invite`: links for the seats, and for viewers of a private match."""
    scoresheets: tuple[OpenedScoresheet, ...] | UnsetType = UNSET
    """The scoresheets of both players, if each keeps one."""


class EnteredEvents(Struct, frozen=True):
    """The result of entering events: the version and the ply they led to, and who is awaited.

    `legal` are the legal moves by seat, if they were asked for. If exactly one legal line fits a
    dash now, the referee fills the dash: `reconstructed` are the moves that it must have been.
    """

    match: str
    stored: Stored
    version: Version
    ply: Ply
    events: tuple[LineEntry, ...]
    awaiting: tuple[Awaited, ...]
    standing: str
    outcome: Outcome | None
    legal: dict[str, tuple[EventText, ...]] | UnsetType = UNSET
    reconstructed: tuple[LineEntry, ...] | UnsetType = UNSET
    """The moves that a dash must have been; absent if no dash was filled."""


class DryRun(Struct, frozen=True):
    """The result of a dry run.

    `awaiting`, `outcome` and `position` are null if they would reveal sealed moves of others;
    `position` is also null in games without position texts.
    """

    match: str
    stored: NotStored
    """Whether it was stored; false after a dry run."""
    version: Version
    events: tuple[Judgement, ...]
    """The events in order."""
    awaiting: tuple[Awaited, ...] | None
    outcome: Outcome | None
    position: str | None
    """The position in the game's own text form."""


class LegalMoves(Struct, frozen=True):
    """The legal moves as texts, by seat and by the piece or place they begin with.

    Secret moves cannot be listed; `secret` describes them by seat, if the request has `all`.
    `begun` are moves of kinds too large to list that contain the `picks` asked for, by seat.
    `awaiting` says which seats can act, and on what.
    """

    match: str
    version: Version
    awaiting: tuple[Awaited, ...]
    legal: dict[str, tuple[EventText, ...]]
    """The legal moves by seat, as texts."""
    pieces: dict[str, dict[str, tuple[EventText, ...]]]
    """The legal moves by seat, and by the piece or place they begin with."""
    secret: dict[str, tuple[SecretMoves, ...]] | UnsetType = UNSET
    """The kinds of secret moves that each seat may seal."""
    begun: dict[str, tuple[Choice, ...]] | UnsetType = UNSET
    """The moves that contain the picks, by seat, of kinds too large to list."""


class Hint(Struct, frozen=True):
    """The state of the beginning of a move: illegal, incomplete or complete.

    `continuations` are longer beginnings, or the next things to pick. An illegal beginning comes
    with the clause that refuses it, and the clause's text.
    """

    match: str
    version: Version
    verdict: Verdict
    """The state of the beginning of a move."""
    text: EventText | None
    continuations: tuple[str, ...]
    """Longer beginnings of the move, or the next things to pick."""
    clause: str | None
    words: str | None
    message: str | None
    """The error in words."""
    squares: tuple[str, ...]


class Capability(Struct, frozen=True):
    """A capability: the host's, a seat's or a viewer's."""

    id: str
    """The capability's id, with which it is revoked."""
    role: Role
    """The role that the token gives."""
    seat: Seat | None


class Key(Capability, frozen=True, omit_defaults=True):
    """A capability: the host's, a seat's or a viewer's. The token of the capability was shown once.

    With an `account` it has no token: the account has the role, or is asked if it is `pending`.
    """

    account: str | None = None
    """The account that has the role; missing if the holder of a token has the role."""
    pending: bool = False
    """True while the account is asked; missing otherwise."""


class RoleInMatch(Struct, frozen=True):
    """A role that an account has in a match, or is asked to take."""

    match: str
    role: Role
    """The role that the account has, had, or is asked to take."""
    seat: Seat | None


class KeyList(Struct, frozen=True):
    """The capabilities of a match that are not revoked."""

    match: str
    keys: tuple[Key, ...]
    """The capabilities, without their tokens."""


class Invitation(Capability, frozen=True):
    """A new capability: its token, shown only once, and the link that stores it in a browser."""

    token: str
    """The capability token, shown only once."""
    link: str
    """An address that stores the token in the browser that opens it."""


class Health(Struct, frozen=True):
    """The process answers."""

    ok: bool
    """Whether every check succeeded."""
