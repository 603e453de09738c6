"""The book of recorded matches: open a match, read it, append to it.

What people do with a record (play, take back, import, verify …) are functions in modules of
their own over a `Book`.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Struct

from domain.edits import Edit
from domain.events import Moved, State
from domain.game import Game, OptionError, PositionError, Secret
from domain.match import LogEvent, Match, fold, open_match
from replay import codec, shelf
from replay.addresses import Address
from replay.errors import Damaged, UnknownAddress, Usage
from replay.store.protocol import (
    Appended,
    Creation,
    NewEvent,
    NewStream,
    Store,
    StoredEvent,
    Stream,
)

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no letters that look like digits or like each other."""

KEPT: Final = 256
"""How many matches a book keeps folded."""


class Cut(NamedTuple):
    """A line is cut back to `ply` after the event of a version, for there a fork begins."""

    version: int
    ply: int


class Fork(Struct, frozen=True, omit_defaults=True):
    """Where a match leaves another: the match's id, and the address.

    `cuts` are those in the shared part of the log, where what it leaves had left others itself.
    """

    match: str
    version: int
    ply: int
    cuts: tuple[Cut, ...] = ()


class Header(Struct, frozen=True, omit_defaults=True):
    """What a match is opened with, for ever. `created` is in milliseconds since 1970.

    `position` is set if it does not begin at the start, `fork` if it leaves another match; a
    `variation` is analysis, a `match` is played.
    """

    id: str
    rules: str
    seats: int
    options: dict[str, Any]
    created: int
    dice: Literal["table"] = "table"
    kind: Literal["match", "variation"] = "match"
    position: str | None = None
    fork: Fork | None = None

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """Where the line is cut while the log is played: at every fork it descends from."""
        fork = self.fork
        return () if fork is None else (*fork.cuts, Cut(fork.version, fork.ply))


class Branch(Struct, frozen=True):
    """A variation to be stored together with a new match: what it leaves, and after which ply.

    `leaves` is 0 for the match itself, and n for the n-th branch. The events come with their
    actors, `notes` are those of its stream of annotations.
    """

    leaves: int
    ply: int
    events: Sequence[tuple[LogEvent, str]] = ()
    notes: Sequence[NewEvent] = ()


class Recorded(Struct, frozen=True):
    """A match as recorded: its header, what the log comes to, and the log itself.

    `secrets` are the versions of the moves that are still hidden from all but their seat.
    """

    stream: Stream
    header: Header
    match: Match
    log: tuple[StoredEvent, ...] = ()
    secrets: frozenset[int] = frozenset()

    @property
    def game(self) -> Game[Any]:
        """The game by whose rules the match is played."""
        return self.match.game

    @property
    def id(self) -> str:
        """The public id."""
        return self.stream.public_id

    @property
    def state(self) -> State:
        """The point the line has reached."""
        return self.match.state

    def entry(self, version: int) -> StoredEvent:
        """Return the event that was logged as this version."""
        return self.log[version - 1]

    def at_version(self, version: int) -> Recorded:
        """Return the match as it stood at a version. Raises `Usage` beyond the head."""
        if version == self.match.version:
            return self
        if not 0 <= version < self.match.version:
            raise UnknownAddress(
                f"{self.id} has versions 0 to {self.match.version}, and none numbered {version}"
            )
        start = Match(self.match.game, self.match.options, self.match.seats, self.match.start)
        return _fold(Recorded(self.stream, self.header, start), self.log[:version])


class Book:
    """Recorded matches in a store. Safe to use from several threads."""

    def __init__(
        self,
        store: Store,
        *,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        new_id: Callable[[], bytes] = lambda: secrets.token_bytes(16),
    ) -> None:
        self.store = store
        self.now = now
        self.new_id = new_id
        self._kept: OrderedDict[int, Recorded] = OrderedDict()
        self._lock = threading.Lock()

    def create(
        self,
        game: Game[Any],
        *,
        options: dict[str, Any] | None = None,
        seats: int | None = None,
        position: str | None = None,
        facts: dict[str, str] | None = None,
        events: Sequence[tuple[LogEvent, str]] = (),
        notes: Sequence[NewEvent] = (),
        branches: Sequence[Branch] = (),
    ) -> Recorded:
        """Open a match and return it once it is stored. `events` come with their actors.

        `notes` are the events of its stream of annotations, `branches` variations of it that
        leave it by plies of `events`. All or nothing is stored.

        Raises `Usage` for options, seats or a position that the game does not have.
        """
        try:
            match = open_match(game, game.options(**(options or {})), seats, position)
        except (OptionError, PositionError) as error:
            raise Usage(str(error)) from None
        header = Header(
            _new_match_id(),
            game.ruleset,
            match.seats,
            options or {},
            self.now(),
            position=position,
        )
        new = [self.encode(game, event, actor) for event, actor in events]
        stream = NewStream(header.id, msgspec.json.encode(header))
        whole = Creation(stream, new, facts or {}, notes)
        made = self.store.create_all([whole, *self._branches(game, header, branches)]).result()
        return self.read(made[0])

    def _branches(
        self, game: Game[Any], header: Header, branches: Sequence[Branch]
    ) -> Iterator[Creation]:
        headers = [header]
        for branch in branches:
            left = headers[branch.leaves]
            fork = Fork(left.id, branch.ply, branch.ply)
            header = _forked(left, fork, "variation", self.now())
            headers.append(header)
            yield Creation(
                _new_fork(header),
                [self.encode(game, event, actor) for event, actor in branch.events],
                notes=branch.notes,
                fork_of=branch.leaves,
            )

    def fork(
        self,
        parent: Recorded,
        ply: int,
        kind: Literal["match", "variation"],
        facts: dict[str, str] | None = None,
    ) -> Recorded:
        """Open a match that begins as its parent's line does up to a ply; nothing is copied."""
        version = parent.match.version
        cuts = tuple(cut for cut in parent.header.cuts if cut.version < version)
        fork = Fork(parent.id, version, ply, cuts)
        new = _new_fork(_forked(parent.header, fork, kind, self.now()), parent.stream.id)
        return self.read(self.store.create(new, (), facts).result())

    def open(self, match: str) -> Recorded:
        """Return the match of an id or of its beginning.

        Raises `UnknownMatch` or `AmbiguousMatch`, and `Damaged` for a log that cannot be read.
        """
        return self.read(self.store.find(match))

    def at(self, address: Address) -> tuple[Recorded, int]:
        """Return the match at the address's version, and the ply. Raises `Usage` beyond it."""
        recorded = self.open(address.match)
        if address.version is not None:
            recorded = recorded.at_version(address.version)
        last = len(recorded.match.line)
        ply = last if address.ply is None else address.ply
        if ply > last:
            raise UnknownAddress(
                f"the line of {recorded.id} has plies 0 to {last}, and none numbered {ply}"
            )
        return recorded, ply

    def read(self, stream: Stream) -> Recorded:
        """Return the match of a stream at its head, folding only what is new since last time."""
        kept = self._keep(stream.id)
        if kept is None or kept.match.version > stream.head:
            kept = unplayed(stream)
        fresh = self.store.read(stream.id, after=kept.match.version)
        recorded = _fold(msgspec.structs.replace(kept, stream=stream), fresh)
        with self._lock:
            self._kept[stream.id] = recorded
            self._kept.move_to_end(stream.id)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return recorded

    def matches(self, *, trashed: bool = False) -> Iterator[Recorded]:
        """Return all matches, newest first, leaving out what cannot be read."""
        for stream in self.store.matches(trashed=trashed):
            try:
                yield self.read(stream)
            except (Damaged, Usage):
                continue

    def append(
        self, recorded: Recorded, events: Sequence[NewEvent], expected: int | None = None
    ) -> Future[Appended]:
        """Append encoded events at the expected version, by default the one that was read.

        The future raises `Stale` if somebody else was quicker.
        """
        version = recorded.match.version if expected is None else expected
        return self.store.append(recorded.stream.id, version, events)

    def encode(
        self, game: Game[Any], event: LogEvent, actor: str, event_id: bytes | None = None
    ) -> NewEvent:
        """Return an event ready to be appended, with an id and the time."""
        return codec.encode(
            game, event, event_id=event_id or self.new_id(), actor=actor, at=self.now()
        )

    def parent(self, recorded: Recorded) -> Recorded | None:
        """Return the match that a fork leaves, as it is now."""
        parent = recorded.stream.parent
        return None if parent is None else self.read(self.store.stream(parent))

    def facts(self, recorded: Recorded) -> dict[str, str]:
        """Return the names and tags of a match; a variation has those of the match it leaves."""
        facts = self.store.facts(recorded.stream.id)
        while recorded.header.kind == "variation" and (parent := self.parent(recorded)):
            recorded = parent
            shared = self.store.facts(recorded.stream.id)
            facts = {name: text for name, text in shared.items() if is_tag(name)} | facts
        return facts

    def _keep(self, stream: int) -> Recorded | None:
        with self._lock:
            return self._kept.get(stream)


def _new_match_id() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(12))


def is_tag(fact: str) -> bool:
    """Tell whether a fact is a name or tag of the match; what it is not has a dot in its name."""
    return "." not in fact


def _forked(left: Header, fork: Fork, kind: Literal["match", "variation"], created: int) -> Header:
    return msgspec.structs.replace(left, id=_new_match_id(), created=created, kind=kind, fork=fork)


def _new_fork(header: Header, parent: int | None = None) -> NewStream:
    """Return the stream of a fork; without a parent it is created together with that."""
    assert header.fork is not None
    return NewStream(
        header.id,
        msgspec.json.encode(header),
        parent=parent,
        fork_version=header.fork.version,
        fork_ply=header.fork.ply,
    )


def unplayed(stream: Stream) -> Recorded:
    """Return the match at version 0."""
    try:
        header = msgspec.json.decode(stream.header, type=Header)
        game = shelf.find(header.rules)
        match = open_match(game, game.options(**header.options), header.seats, header.position)
    except (ValueError, TypeError) as error:  # JSON, options or position that cannot be
        raise Damaged(f"the header of match {stream.public_id} cannot be read: {error}") from None
    return Recorded(stream, header, match)


def _fold(recorded: Recorded, fresh: Sequence[StoredEvent]) -> Recorded:
    """Play stored events upon a match; where a fork leaves its parent, the line is cut first."""
    last = fresh[-1].version if fresh else recorded.match.version
    for cut in recorded.header.cuts:
        if recorded.match.version <= cut.version <= last:
            shared = [stored for stored in fresh if stored.version <= cut.version]
            recorded = _play(recorded, shared) if shared else recorded
            match = leave_parent(recorded.match, cut)
            recorded = msgspec.structs.replace(recorded, match=match)
            fresh = fresh[len(shared) :]
    return _play(recorded, fresh) if fresh else recorded


def leave_parent(match: Match, cut: Cut) -> Match:
    """Return the match at the version of a cut with its line as it is in the fork."""
    return msgspec.structs.replace(match, line=match.line[: cut.ply], asked=None)


def _play(recorded: Recorded, fresh: Sequence[StoredEvent]) -> Recorded:
    events = [codec.decode(recorded.game, stored) for stored in fresh]
    try:
        match = fold(recorded.match, events)
        hidden = _hidden(recorded, events)
    except Exception as error:  # a log that was tampered with can upset a reducer in any way
        versions = f"{fresh[0].version} to {fresh[-1].version}"
        raise Damaged(
            f"match {recorded.id} cannot be played through, versions {versions}: {error!r}"
        ) from error
    played = Recorded(recorded.stream, recorded.header, match, (*recorded.log, *fresh), hidden)
    _check_revealed(played, recorded.secrets.union(stored.version for stored in fresh))
    return played


def _check_revealed(played: Recorded, versions: Iterable[int]) -> None:
    """Raise `Damaged` if one of these versions was revealed, and what was revealed is not here."""
    for version in versions:
        if version not in played.secrets and codec.is_withheld(played.entry(version)):
            raise Damaged(
                f"match {played.id} cannot be played through: version {version} is sealed,"
                " and its content is not here"
            )


def _hidden(recorded: Recorded, events: Sequence[LogEvent]) -> frozenset[int]:
    """Follow the events one by one and return the versions of secret moves not yet revealed.

    What is taken back before it is revealed stays hidden for ever, and so does what a seat had
    sealed when it left the game: only a move reveals.
    """
    secret = any(isinstance(e, Moved) and isinstance(e.move, Secret) for e in events)
    if not secret and not recorded.secrets:
        return recorded.secrets
    match, hidden, buried = recorded.match, dict[int, int](), set(recorded.secrets)
    for ply in match.line:
        if ply.version in buried and isinstance(ply.event, Moved):
            buried.remove(ply.version)
            hidden[ply.version] = ply.event.seat
    for event in events:
        match = match.evolve(event)
        if isinstance(event, Edit):
            cut = hidden.keys() - {ply.version for ply in match.line}
            buried |= cut
            hidden = {version: seat for version, seat in hidden.items() if version not in cut}
        elif isinstance(event, Moved) and isinstance(event.move, Secret):
            hidden[match.version] = event.seat
        still = match.state.position.sealed
        gone = {version for version, seat in hidden.items() if seat not in still}
        if not isinstance(event, Moved):
            buried |= gone
        hidden = {version: seat for version, seat in hidden.items() if version not in gone}
    return frozenset(buried | hidden.keys())
