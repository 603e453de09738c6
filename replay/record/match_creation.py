"""New matches and forks before they are stored: headers, lines with derived data, streams."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.game import Game, OptionError
from domain.match import AppliedEvents, LogEvent, Match, open_match, stretches
from domain.position_text import PositionError
from replay import registry
from replay.errors import InvalidField, Usage
from replay.fields import MAX_TRIES, CommentsShown, Derivation, DiceSource, LegalMoves, MatchKind
from replay.record import dice
from replay.record.clock import Clock, check_clock
from replay.record.match_record import (
    Cut,
    Fork,
    Header,
    MatchRecord,
    begin_record,
    extend,
    leave_parent,
)
from replay.record.match_summary import summarise
from replay.record.sealed_moves import hidden_versions
from replay.store.hash_chain import chain_events
from replay.store.types import Author, Capability, Creation, NewEvent, NewStream, Stream, Text

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32, without letters that resemble digits or each other."""

LENGTH: Final = 12
MATCH_ID: Final = re.compile(f"[{ALPHABET}]{{{LENGTH}}}")
"""The form of a match's id. Tokens are longer."""
Encode = Callable[[Game[Any], LogEvent, str], NewEvent]


class MatchCredentials(Struct, frozen=True):
    """The credentials of a new match: its id, its capabilities and its private values."""

    id: str
    keys: Sequence[Capability] = ()
    held: Mapping[str, bytes] = {}


class NewVariation(Struct, frozen=True):
    """A variation to store with a new match: the line and the ply after which it leaves.

    `leaves` is the line: 0 for the match itself, and n for the n-th branch. The events come with
    their actors, `notes` are the events of its stream of annotations, `texts` its words for
    searches.
    """

    leaves: int
    ply: int
    events: Sequence[tuple[LogEvent, str]] = ()
    notes: Sequence[NewEvent] = ()
    texts: Sequence[Text] | None = None


class NewMatch(Struct, frozen=True):
    """A match to create. `events` come with their actors.

    `notes` are the events of its stream of annotations, `branches` variations that leave it by
    plies of `events`. If the service rolls the `dice`, a seed is drawn, and the header commits to
    it; a `clock` sets time limits; an `unjudged` match records moves without judging them. `legal`,
    `tries` and `comments` are fields of the header. Without `credentials` the match gets a random
    id and no tokens.
    """

    game: Game[Any]
    options: dict[str, Any] = {}
    seats: int | None = None
    position: str | None = None
    dice: DiceSource = "table"
    clock: Clock | None = None
    unjudged: bool = False
    legal: LegalMoves = "listed"
    tries: int | None = None
    comments: CommentsShown = "now"
    metadata: Mapping[str, str] = {}
    events: Sequence[tuple[LogEvent, str]] = ()
    notes: Sequence[NewEvent] = ()
    branches: Sequence[NewVariation] = ()
    credentials: MatchCredentials | None = None

    def open(self) -> Match:
        """Return the match at version 0.

        Raises `Usage` for options, seats, a position, dice or a clock that the game does not
        support.
        """
        game = self.game
        try:
            chosen = game.options(**self.options)
            match = open_match(game, chosen, self.seats, self.position, unjudged=self.unjudged)
        except OptionError as error:
            raise InvalidField(str(error), error.field) from None
        except PositionError as error:
            raise InvalidField(str(error), "position") from None
        if self.unjudged:
            check_unjudged(game, self.dice, self.clock, self.legal, self.tries)
        if self.dice == "service" and not any(move.chance for move in game.moves):
            raise InvalidField(f"{game.name} has no dice; leave out `dice`", "dice")
        if self.clock is not None:
            check_clock(game, self.clock)
        if self.tries is not None and not 1 <= self.tries <= MAX_TRIES:
            wrong = f"{self.tries} is not a number of tries; use 1 to {MAX_TRIES}"
            raise InvalidField(wrong, "tries")
        return match

    def header(self, match: str, seats: int, created: int, seed: bytes | None) -> Header:
        """Return the header of the match with an id, created at a time."""
        return Header(
            match,
            self.game.ruleset,
            seats,
            self.options,
            created,
            dice=self.dice,
            position=self.position,
            commitment=commitment(seed),
            clock=self.clock,
            unjudged=self.unjudged,
            package=registry.package_of(self.game),
            legal=self.legal,
            tries=self.tries,
            derivation=derivation(seed),
            comments=self.comments,
        )


def new_match_id() -> str:
    """Return an unused match id."""
    return "".join([secrets.choice(ALPHABET) for _ in range(LENGTH)])


def fork_header(
    match: str,
    parent: Header,
    kind: MatchKind,
    fork: Fork,
    created: int,
    seed: bytes | None = None,
) -> Header:
    """Return the header of a fork.

    A variation has neither dice of the service nor a clock, and holds no comments.
    """
    header = msgspec.structs.replace(
        parent,
        id=match,
        created=created,
        kind=kind,
        fork=fork,
        commitment=commitment(seed),
        derivation=derivation(seed),
    )
    if kind == "match":
        return header
    return msgspec.structs.replace(header, dice="table", clock=None, comments="now")


def fork_stream(header: Header, parent: int | None = None) -> NewStream:
    """Return the stream of a fork, whose parent may be created in the same transaction."""
    assert header.fork is not None
    return NewStream(
        header.id,
        msgspec.json.encode(header),
        parent=parent,
        fork_version=header.fork.version,
        fork_ply=header.fork.ply,
    )


def variation_creations(
    line: NewLine, branches: Sequence[NewVariation], created: int, encode: Encode
) -> Iterator[Creation]:
    """Yield the store's creations for the variations of a new line."""
    lines = [line]
    for branch in branches:
        left = lines[branch.leaves]
        fork = Fork(left.header.id, branch.ply, branch.ply)
        header = fork_header(new_match_id(), left.header, "variation", fork, created)
        line = left.branch(header, branch.events, encode)
        lines.append(line)
        yield line.creation(
            fork_stream(header), notes=branch.notes, texts=branch.texts, fork_of=branch.leaves
        )


def check_unjudged(
    game: Game[Any],
    rolls: DiceSource,
    clock: Clock | None,
    legal: LegalMoves = "listed",
    tries: int | None = None,
) -> None:
    """Raise `Usage` for a match that cannot be taken down without judging it."""
    if game.has_secrets:
        raise Usage(f"{game.name} has secret moves, so a match of it cannot be unjudged")
    if rolls != "table" or clock is not None:
        raise Usage("an unjudged match has no clock, and the table rolls its dice; leave out both")
    if legal != "listed" or tries is not None:
        raise Usage("an unjudged match neither withholds moves nor counts tries; leave out both")


def commitment(seed: bytes | None) -> str | None:
    """Return a header's commitment to a seed, if there is one."""
    return None if seed is None else dice.commitment(seed)


def derivation(seed: bytes | None) -> Derivation:
    """Return how the rolls of a new match follow from a seed; `None` without a seed."""
    return 1 if seed is None else 2


def held(seed: bytes | None) -> dict[str, bytes]:
    """Return the private value of a match whose dice the service rolls."""
    return {} if seed is None else {dice.HELD: seed}


class NewLine(Struct, frozen=True):
    """The header of a new match, its own events, and the match that they lead to.

    `added` are the events with the matches on the way. `secrets` are the versions of the moves that
    only their seat may see.
    """

    header: Header
    events: Sequence[NewEvent]
    added: Sequence[AppliedEvents]
    match: Match
    secrets: frozenset[int]

    def creation(self, stream: NewStream, **more: Any) -> Creation:
        """Return the creation for the store, with the summary; its moves by position are due."""
        at = self.events[-1].at if self.events else self.header.created
        summary = summarise(self.header, self.match, at)
        return Creation(stream, self.events, summary=summary, author=Author(at=at), **more)

    def record(self, stream: Stream) -> MatchRecord:
        """Return the stored match, which must not be a fork."""
        begun = begin_record(stream)
        if not self.events:
            return begun
        return extend(begun, stream, self.added, chain_events(0, stream.origin, self.events))

    def branch(
        self, header: Header, events: Sequence[tuple[LogEvent, str]], encode: Encode
    ) -> NewLine:
        """Return a line that leaves this one where its header says, at the version of that ply."""
        assert header.fork is not None
        cut = Cut(header.fork.version, header.fork.ply)
        start = replace(leave_parent(self.match, cut), version=cut.version)
        secrets = frozenset(version for version in self.secrets if version <= cut.version)
        return new_line(header, start, events, encode, secrets)


def line_of(header: Header, match: Match, events: Sequence[NewEvent]) -> NewLine:
    """Return the line of a match that was played from its start, with its encoded events."""
    played = AppliedEvents([ply.event for ply in match.line], match)
    start = replace(match, version=0, line=())
    secrets = hidden_versions(start, frozenset(), played) if events else frozenset[int]()
    return NewLine(header, events, (played,) if events else (), match, secrets)


def new_line(
    header: Header,
    match: Match,
    events: Sequence[tuple[LogEvent, str]],
    encode: Encode,
    secrets: frozenset[int] = frozenset(),
) -> NewLine:
    """Play events, which come with their actors, from a match on."""
    new = [encode(match.game, event, actor) for event, actor in events]
    added = tuple(stretches(match, [event for event, _ in events]))
    for stretch in added:
        secrets = hidden_versions(match, secrets, stretch)
        match = stretch.match
    return NewLine(header, new, added, match, secrets)
