"""Descriptions of a match for the API, the tools and the terminal: short for lists, or complete."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.names import Names
from domain.position import Awaited
from domain.scene import Scene
from replay.access.visibility import Visibility, read_visibility
from replay.book import Book
from replay.branches.forks import NAME
from replay.fields import (
    CommentsShown,
    DiceSource,
    Hash,
    LegalMoves,
    MatchKind,
    Milliseconds,
    Outcome,
    Plies,
    Ply,
    Seat,
    Tries,
    Version,
)
from replay.reading import timeline
from replay.record import clock
from replay.record.clock import SeatClock
from replay.record.match_record import Header, MatchRecord, header_of
from replay.record.match_summary import STANDING, Standing, standing_of
from replay.store.types import ListedMatch
from replay.tags.names import names_in, names_of


class Origin(Struct, frozen=True):
    """The match that a fork leaves: at a version of it, after a ply."""

    match: str
    version: Version
    ply: Ply


class Dice(Struct, frozen=True):
    """The source of dice: the table, or the service from a seed that it has committed to.

    The `seed` is revealed when the match has ended.
    """

    by: DiceSource
    """The source of the roll: `table` or `service`."""
    commitment: str | None = None
    """The SHA-256 digest of the seed, published before the first roll."""
    seed: str | None = None
    """The seed of the dice; null until the match has ended."""


class ClockState(Struct, frozen=True):
    """The limits of the clock in seconds, and each seat's clock at the last event.

    Running clocks have run since `since`, which is null until the first event.
    """

    move: int | None
    """Seconds for each move; null without this limit."""
    total: int | None
    """Seconds for all moves of a seat; null without this limit."""
    increment: int
    """Seconds added to the total after each of the seat's own moves."""
    programming: int
    """Seconds for a secret move before it can be claimed to be late."""
    control: str | None
    """The time control, as in PGN's `TimeControl`; null if it was not given."""
    since: Milliseconds | None
    """Milliseconds since 1970 when this began; null if it did not."""
    seats: tuple[SeatClock, ...]
    """The clock of each seat."""


class MatchSummary(Struct, frozen=True, kw_only=True):
    """A match in short.

    `name` is the name of a fork; `fork` says which match it leaves. `awaiting` lists who must or
    may act, `standing` says it in words, or how the match ended. `asked` is the ply that `asked_by`
    wants to take back to. While it is `unjudged`, moves are recorded and not judged. `ended` is the
    time of its last event, if it is over. `head` is the hash of the last event of the whole log.
    """

    match: str
    """The match's id."""
    game: str
    """The game's slug."""
    name: Annotated[str, Meta(description="The name of a fork; empty if it has none.")]
    rules: str
    """The ruleset: the slug and the edition of its rules."""
    kind: MatchKind
    """The kind of object, a word from a fixed list."""
    fork: Annotated[
        Origin | None, Meta(description="What a fork leaves; null for a match that leaves none.")
    ]
    options: dict[str, int | str]
    """The options of the ruleset by name."""
    seats: Seat
    """How many seats the match has."""
    players: dict[str, str]
    """The players' names by seat."""
    dice: Dice
    """The source of the dice, and its seed or commitment."""
    created: Milliseconds
    ended: Annotated[
        int | None,
        Meta(description="Milliseconds since 1970 at which the match ended; null during play."),
    ]
    version: Version
    plies: Plies
    turn: int
    """The number of the turn, from 1."""
    awaiting: tuple[Awaited, ...]
    """The seats that must or may act."""
    standing: str
    """The awaited players or the result of the match, in words."""
    unjudged: bool
    """Whether the match records moves without judging them."""
    offered: Seat | None
    """The seat that offers a draw."""
    asked: Ply | None
    """The ply that a player asks to take back to."""
    asked_by: Seat | None
    """The seat that asks for a take-back."""
    outcome: Outcome | None
    """The result of the match; null during play."""
    result: Annotated[str, Meta(description="`+1` if seat 1 has won, `=` for a draw, else `*`.")]
    head: Hash
    """The hash of the last event of the log."""


class MatchState(MatchSummary, frozen=True, kw_only=True):
    """A match after a `ply` of its line, as a viewer sees it.

    `start` is the position of ply 0 as text, if the match does not begin at the usual one. The
    `legal` moves may be withheld; after so many refused `tries` in a turn a seat forfeits. The
    `scene` is there if it was asked for.
    """

    visibility: Visibility
    people_head: Annotated[
        Hash | None,
        Meta(description="Hash of the last change of who played; null without any."),
    ]
    clock: ClockState | None
    """The time limits; null without a clock."""
    legal: Annotated[LegalMoves, Meta(description="Whether legal moves are listed before the end.")]
    tries: Tries | None
    """The refused tries in a turn after which a seat forfeits; null if none are counted."""
    comments: Annotated[
        CommentsShown,
        Meta(description="When others may read the host's annotations: `now`, or at the `end`."),
    ]
    start: Annotated[
        str | None, Meta(description="The position of ply 0 as text; null if it is the usual one.")
    ]
    ply: Ply
    scene: Scene | UnsetType = UNSET
    """The position as a picture, described as data."""


def summarise(book: Book, listed: ListedMatch) -> dict[str, Any]:
    """Return the fields of `MatchSummary` for a listed match, as a spectator sees it."""
    known, header = listed.summary, header_of(listed.stream)
    assert known is not None
    facts = book.stream_facts(listed.stream)
    return _summary(
        header,
        facts,
        names_in(facts, range(1, header.seats + 1)),
        STANDING.decode(known.standing),
        version=known.head,
        plies=known.plies,
        ended=known.last,
        head=listed.stream.head_hash,
    )


def describe(
    book: Book, record: MatchRecord, ply: int, viewer: int | None = None, *, scene: bool = False
) -> dict[str, Any]:
    """Return the fields of `MatchState` for a match after a ply, as a viewer sees it."""
    header, match, facts = record.header, record.match, book.facts(record)
    standing = standing_of(match.at(ply), match.asked, match.seed)
    found = _summary(
        header,
        facts,
        names_of(book, record, facts),
        standing,
        version=match.version,
        plies=len(match.line),
        ended=record.at,
        head=record.stream.head_hash,
    )
    drawn = {"scene": timeline.point(record, ply, viewer).scene} if scene else {}
    return found | {
        "visibility": read_visibility(facts, book.now()),
        "people_head": book.store.people_head(record.stream.id).hash.hex() or None,
        "clock": _clock(record),
        "legal": header.legal,
        "tries": header.tries,
        "comments": header.comments,
        "start": header.position,
        "ply": ply,
        **drawn,
    }


def _summary(
    header: Header,
    facts: Mapping[str, str],
    names: Names,
    now: Standing,
    *,
    version: int,
    plies: int,
    ended: int,
    head: bytes,
) -> dict[str, Any]:
    outcome = now.outcome
    return {
        "match": header.id,
        "game": header.rules.partition("/")[0],
        "name": facts.get(NAME, ""),
        "rules": header.rules,
        "kind": header.kind,
        "fork": header.fork and Origin(header.fork.match, header.fork.version, header.fork.ply),
        "options": header.options,
        "seats": header.seats,
        "players": {str(seat): name for seat, name in names.players.items()},
        "dice": Dice(header.dice, header.commitment, now.seed),
        "created": header.created,
        "ended": ended if outcome else None,
        "version": version,
        "plies": plies,
        "turn": now.turn,
        "awaiting": now.awaiting,
        "standing": now.words(names),
        "unjudged": now.unjudged,
        "offered": now.offered,
        "asked": now.asked and now.asked.ply,
        "asked_by": now.asked and now.asked.seat,
        "outcome": outcome.to_dict() if outcome else None,
        "result": outcome.result if outcome else "*",
        "head": head.hex(),
    }


def _clock(record: MatchRecord) -> ClockState | None:
    limits = record.header.clock
    if limits is None:
        return None
    times = record.times or clock.start_times(limits, record.match.seats)
    there = clock.clocks(limits, times)
    return ClockState(
        limits.move,
        limits.total,
        limits.increment,
        limits.programming,
        limits.control,
        there.since,
        there.seats,
    )
