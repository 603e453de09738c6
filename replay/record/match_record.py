"""A recorded match: its header, its log, and the match folded from it.

This module folds stored events, cuts the line where forks begin, and tracks hidden moves.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from domain.events import STORED, Moved, State
from domain.game import Game
from domain.log_edits import Edit
from domain.match import AppliedEvents, LogEvent, Match, open_match, stretches
from replay import registry
from replay.errors import DamagedMatch, UnknownAddress, UnknownPly, UnknownRuleset
from replay.fields import CommentsShown, Derivation, DiceSource, LegalMoves, MatchKind
from replay.record import codec
from replay.record.clock import Clock, Times, follow, start_times
from replay.record.sealed_moves import hidden_versions, sealing
from replay.store.types import StoredEvent, Stream


class Cut(NamedTuple):
    """A cut of the line back to `ply`, after the event of a version, where a fork begins."""

    version: int
    ply: int


class Fork(Struct, frozen=True, omit_defaults=True):
    """The origin of a fork: the parent match's id, and the address.

    `cuts` are the parent's own cuts in the shared part of the log.
    """

    match: str
    version: int
    ply: int
    cuts: tuple[Cut, ...] = ()


class Header(Struct, frozen=True, omit_defaults=True, rename=STORED):
    """The immutable header of a match. `created` is in milliseconds since 1970.

    `position` is set if the match does not begin at the start, `fork` if it leaves another match; a
    `variation` is analysis, a `match` is played. If the service rolls the `dice`, `commitment`
    commits to its seed, and `derivation` says how rolls follow (`replay.record.dice`); with a
    `clock` time counts (`replay.record.clock`). The moves of an `unjudged` match are not
    judged. `package` is the distribution of a game that is not built in (`hive 1.0`). Its
    `legal` moves may be withheld, and after so many refused `tries` in a turn a seat forfeits. The
    scorekeeper's `comments` may be held until the end.
    """

    id: str
    rules: str
    seats: int
    options: dict[str, Any]
    created: int
    dice: DiceSource = "table"
    kind: MatchKind = "match"
    position: str | None = None
    fork: Fork | None = None
    commitment: str | None = None
    clock: Clock | None = None
    unjudged: bool = False
    package: str | None = None
    legal: LegalMoves = "listed"
    tries: int | None = None
    derivation: Derivation = 1
    comments: CommentsShown = "now"

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts of the line during a replay of the log, one for every fork it descends from."""
        fork = self.fork
        return () if fork is None else (*fork.cuts, Cut(fork.version, fork.ply))


HEADER: Final = msgspec.json.Decoder(Header)


class MatchRecord(Struct, frozen=True):
    """A recorded match: its header, the match folded from its log, and the log itself.

    `log` holds the events as stored, `events` the decoded events. `secrets` are the versions of the
    moves that only their seat may see. `times` is the state of the clock if the match has one.
    """

    stream: Stream
    header: Header
    match: Match
    log: tuple[StoredEvent, ...] = ()
    secrets: frozenset[int] = frozenset()
    times: Times | None = None
    events: tuple[LogEvent, ...] = ()

    @property
    def game(self) -> Game[Any]:
        """The game whose rules the match follows."""
        return self.match.game

    @property
    def id(self) -> str:
        """The public id of the match."""
        return self.stream.public_id

    @property
    def state(self) -> State:
        """The current state of the line."""
        return self.match.state

    @property
    def shared(self) -> int:
        """The last version that a fork shares with its parent; 0 for any other match."""
        return self.header.fork.version if self.header.fork else 0

    @property
    def at(self) -> int:
        """The time of the match's last event, or of its opening before the first event."""
        return self.log[-1].at if self.log else self.header.created

    def entry(self, version: int) -> StoredEvent:
        """Return the event logged as this version."""
        return self.log[version - 1]

    def ply(self, number: int | None = None) -> int:
        """Return the number of a ply that the line has, by default of the last one.

        Raises `UnknownPly` for a ply beyond the line.
        """
        last = len(self.match.line)
        if number is None:
            return last
        if not 0 <= number <= last:
            raise UnknownPly(number, self.id, last)
        return number

    def opens(self, version: int, event: LogEvent, viewer: int | None) -> bool:
        """Return whether a viewer may read an event.

        A seat of a fork may belong to a different person, who must not read the parent's secrets.
        """
        if version not in self.secrets:
            return True
        own = isinstance(event, Moved) and event.seat == viewer
        return own and version > self.shared

    def seeing(self, viewer: int | None, ply: int | None = None) -> int | None:
        """Return the seat whose secrets a viewer may know at a ply, by default the last."""
        if viewer is None or not self.shared:
            return viewer
        sealed = sealing(self.match.line[:ply], viewer)
        if sealed is None or self.opens(sealed.version, sealed.event, viewer):
            return viewer
        return None

    def at_version(self, version: int) -> MatchRecord:
        """Return the match at a version. Raises `Usage` beyond the head."""
        if version == self.match.version:
            return self
        if not 0 <= version < self.match.version:
            raise UnknownAddress(
                f"version {version} is not in {self.id}; use 0 to {self.match.version}"
            )
        if self.only_grew_since(version):
            return self._shortened(version)
        begun = msgspec.structs.replace(self.match.start, unjudged=self.header.unjudged)
        start = Match(self.match.game, self.match.options, self.match.seats, begun)
        return fold_events(_begun(self.stream, self.header, start), self.log[:version])

    def only_grew_since(self, version: int) -> bool:
        """Return whether every event from a version on only added one ply to the line."""
        return (
            version > self.shared
            and self.times is None
            and not self.game.has_secrets
            and not any(isinstance(event, Edit) for event in self.events[version - 1 :])
        )

    def _shortened(self, version: int) -> MatchRecord:
        plies = len(self.match.line) - (self.match.version - version)
        line = self.match.line[:plies]
        match = msgspec.structs.replace(
            self.match,
            version=version,
            line=line,
            asked=None,
            aside=None,
            redone=max(0, self.match.redone - (self.match.version - version)),
        )
        return msgspec.structs.replace(
            self, match=match, log=self.log[:version], events=self.events[:version]
        )


def header_of(stream: Stream) -> Header:
    """Return the header of a match. Raises `Damaged`."""
    try:
        return HEADER.decode(stream.header)
    except ValueError as error:  # includes invalid UTF-8
        raise _unreadable(stream, error) from None


def begin_record(stream: Stream, find: Callable[[Header], Game[Any]] | None = None) -> MatchRecord:
    """Return the match at version 0. Raises `Damaged`, and `UnknownRuleset` without its game.

    `find` returns the game of a header; by default, the installed game.
    """
    header = header_of(stream)
    try:
        game = (find or game_of)(header)
        options = game.options(**header.options)
        match = open_match(game, options, header.seats, header.position, unjudged=header.unjudged)
    except (ValueError, TypeError) as error:  # invalid JSON, options or position
        raise _unreadable(stream, error) from None
    return _begun(stream, header, match)


def game_of(header: Header) -> Game[Any]:
    """Return the game of a match. Raises `UnknownRuleset`, which names the package to install."""
    try:
        return registry.find(header.rules)
    except UnknownRuleset as error:
        where = f"; the match was opened with {header.package}" if header.package else ""
        raise UnknownRuleset(f"{error}{where}") from None


def share_parent(begun: MatchRecord, parent: MatchRecord) -> MatchRecord:
    """Return a fork at version 0 with the events that its parent has folded, if no edit follows."""
    version = begun.shared
    known = 0 < version == begun.stream.fork_version and version <= parent.match.version
    if not (known and parent.only_grew_since(version)):
        return begun
    shared = parent.at_version(version)
    match = leave_parent(shared.match, begun.header.cuts[-1])
    return fork_record(shared, begun.stream, begun.header, match)


def fork_record(parent: MatchRecord, stream: Stream, header: Header, match: Match) -> MatchRecord:
    """Return a new fork, whose line is `match`, of its parent at the version where it leaves."""
    begun = _begun(stream, header, match)
    return msgspec.structs.replace(
        begun, log=parent.log, secrets=parent.secrets, events=parent.events
    )


def _unreadable(stream: Stream, error: Exception) -> DamagedMatch:
    return DamagedMatch(stream.public_id, f"its header cannot be read: {error}")


def _begun(stream: Stream, header: Header, match: Match) -> MatchRecord:
    begun = MatchRecord(stream, header, match)
    times = start_times(header.clock, match.seats, begun.shared) if header.clock else None
    return msgspec.structs.replace(begun, times=times)


def fold_events(record: MatchRecord, fresh: Sequence[StoredEvent]) -> MatchRecord:
    """Fold stored events into a match; where a fork leaves its parent, the line is cut first."""
    last = fresh[-1].version if fresh else record.match.version
    for cut in record.header.cuts:
        if record.match.version <= cut.version <= last:
            shared = [stored for stored in fresh if stored.version <= cut.version]
            record = _play(record, shared) if shared else record
            match = leave_parent(record.match, cut)
            record = msgspec.structs.replace(record, match=match)
            fresh = fresh[len(shared) :]
    return _play(record, fresh) if fresh else record


def steps(before: MatchRecord, head: MatchRecord) -> Iterator[MatchRecord]:
    """Yield the match after each event from `before` to `head`, refolding few events."""
    for version in range(before.match.version + 1, head.match.version + 1):
        if version == head.match.version or head.only_grew_since(version):
            before = head.at_version(version)
        else:
            before = fold_events(before, head.log[version - 1 : version])
        yield before


def leave_parent(match: Match, cut: Cut) -> Match:
    """Return the match at the version of a cut, with its line as in the fork."""
    line = match.line[: cut.ply]
    return msgspec.structs.replace(
        match, line=line, asked=None, seed=None, aside=None, undone=(), redone=0, fell=False
    )


def _play(record: MatchRecord, fresh: Sequence[StoredEvent]) -> MatchRecord:
    events = [codec.decode(record.game, stored) for stored in fresh]
    _check_stored(record, fresh)
    _check_seats(record, events, fresh)
    try:
        played = extend(record, record.stream, stretches(record.match, events), fresh)
    except Exception as error:  # a tampered log can raise anything in a reducer
        versions = f"{fresh[0].version} to {fresh[-1].version}"
        what = f"versions {versions} cannot be played through: {error!r}"
        *_, last = traceback.extract_tb(error.__traceback__)
        place = f"{type(error).__name__} in {last.name}, line {last.lineno} of {last.filename}"
        raise DamagedMatch(record.id, what, place) from error
    _check_revealed(played, record.secrets.union(stored.version for stored in fresh))
    return played


def _check_stored(record: MatchRecord, fresh: Sequence[StoredEvent]) -> None:
    """Raise `Damaged` for a missing event, or for a secret that does not match its commitment."""
    for version, stored in enumerate(fresh, record.match.version + 1):
        if stored.version != version:
            raise DamagedMatch(record.id, f"it lacks version {version}")
        if not codec.commitment_holds(stored):
            what = f"the content of its sealed version {version} does not match its commitment"
            raise DamagedMatch(record.id, what)


def _check_seats(
    record: MatchRecord, events: Iterable[LogEvent], fresh: Sequence[StoredEvent]
) -> None:
    """Raise `DamagedMatch` for an event of a seat that the match does not have."""
    for event, stored in zip(events, fresh, strict=True):
        seat = getattr(event, "seat", None)
        if seat is not None and not 1 <= seat <= record.match.seats:
            raise DamagedMatch(record.id, f"its version {stored.version} is of seat {seat}")


def extend(
    record: MatchRecord,
    stream: Stream,
    added: Iterable[AppliedEvents],
    fresh: Sequence[StoredEvent],
) -> MatchRecord:
    """Return a match with the stored events `fresh`, whose consequences `added` are known.

    `stream` is the stream of the match with these events.
    """
    match, secrets = record.match, record.secrets
    events, states = list[LogEvent](), list[State]()
    for stretch in added:
        secrets = hidden_versions(match, secrets, stretch)
        match = stretch.match
        events += stretch.events
        if record.times is not None:
            states += stretch.states
    times = record.times
    if times is not None:
        times = _times(record, times, zip(events, states, fresh, strict=True), fresh[-1].version)
    return MatchRecord(
        stream,
        record.header,
        match,
        (*record.log, *fresh),
        secrets,
        times,
        (*record.events, *events),
    )


def _times(
    record: MatchRecord,
    times: Times,
    happened: Iterable[tuple[LogEvent, State, StoredEvent]],
    last: int,
) -> Times:
    """Advance the clock by these events, unless a fork shares them with its parent."""
    if last <= record.shared:
        return times
    return follow(times, ((event, state, stored.at) for event, state, stored in happened))


def _check_revealed(played: MatchRecord, versions: Iterable[int]) -> None:
    """Raise `Damaged` if one of these versions was revealed without its secret."""
    for version in versions:
        if version not in played.secrets and codec.is_withheld(played.entry(version)):
            what = f"the content of its sealed version {version} is missing"
            raise DamagedMatch(played.id, what)
