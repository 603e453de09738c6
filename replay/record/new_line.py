"""The line of a new match before it is stored, with its derived data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.game import Game
from domain.match import AppliedEvents, LogEvent, Match, stretches
from replay.record.match_record import Cut, Header, MatchRecord, begin_record, extend, leave_parent
from replay.record.match_summary import steps_of, summarise, written_moves
from replay.record.sealed_moves import hidden_versions
from replay.store.hash_chain import chain_events
from replay.store.types import Creation, NewEvent, NewStream, Stream

Encode = Callable[[Game[Any], LogEvent, str], NewEvent]


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
        """Return the creation for the store, with the summary and any moves by position."""
        at = self.events[-1].at if self.events else self.header.created
        steps = tuple(steps_of(self.match, self.secrets)) if self.events else None
        summary = summarise(self.header, self.match, at)
        moves = tuple(written_moves(self.match, self.secrets))
        return Creation(stream, self.events, summary=summary, steps=steps, moves=moves, **more)

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
