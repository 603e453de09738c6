"""The book of recorded matches: open a match, read it, append to it.

What people do with a record (play, take back, import, verify …) are functions in modules of
their own over a `Book`.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from domain.edits import Edit
from domain.events import Moved, State
from domain.game import Game, OptionError, PositionError, Secret
from domain.match import LogEvent, Match, fold, open_match
from replay import codec, shelf
from replay.addresses import Address
from replay.errors import Damaged, UnknownAddress, Usage
from replay.store.protocol import Appended, NewEvent, NewStream, Store, StoredEvent, Stream

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no letters that look like digits or like each other."""

KEPT: Final = 256
"""How many matches a book keeps folded."""


class Fork(Struct, frozen=True):
    """Where a match leaves another: the match's id, and the address."""

    match: str
    version: int
    ply: int


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
    ) -> Recorded:
        """Open a match and return it once it is stored. `events` come with their actors.

        `notes` are the events of its stream of annotations.

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
        stream = self.store.create(
            NewStream(header.id, msgspec.json.encode(header)), new, facts, notes
        ).result()
        return self.read(stream)

    def fork(
        self,
        parent: Recorded,
        ply: int,
        kind: Literal["match", "variation"],
        facts: dict[str, str] | None = None,
    ) -> Recorded:
        """Open a match that begins as its parent's line does up to a ply; nothing is copied."""
        header = msgspec.structs.replace(
            parent.header,
            id=_new_match_id(),
            created=self.now(),
            kind=kind,
            fork=Fork(parent.id, parent.match.version, ply),
        )
        new = NewStream(
            header.id,
            msgspec.json.encode(header),
            parent=parent.stream.id,
            fork_version=parent.match.version,
            fork_ply=ply,
        )
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

    def _keep(self, stream: int) -> Recorded | None:
        with self._lock:
            return self._kept.get(stream)


def _new_match_id() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(12))


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
    fork = recorded.header.fork
    if fork is None or recorded.match.version > fork.version or not _reaches(fresh, fork.version):
        return _play(recorded, fresh) if fresh else recorded
    shared = [stored for stored in fresh if stored.version <= fork.version]
    recorded = _play(recorded, shared) if shared else recorded
    match = leave_parent(recorded.match, fork)
    recorded = msgspec.structs.replace(recorded, match=match)
    own = fresh[len(shared) :]
    return _play(recorded, own) if own else recorded


def leave_parent(match: Match, fork: Fork) -> Match:
    """Return the match at the fork's version with its line cut where the fork begins."""
    return msgspec.structs.replace(match, line=match.line[: fork.ply], asked=None)


def _reaches(fresh: Sequence[StoredEvent], version: int) -> bool:
    return version == 0 or (bool(fresh) and fresh[-1].version >= version)


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
    return Recorded(recorded.stream, recorded.header, match, (*recorded.log, *fresh), hidden)


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
