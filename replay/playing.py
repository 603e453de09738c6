"""Enter events into a match: read tokens, referee them, and append them."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from concurrent.futures import Future

from msgspec import Struct

from domain import tokens
from domain.edits import Edit
from domain.events import LineEvent, Moved, Ply
from domain.game import Secret, Violation
from domain.match import LogEvent, Match
from replay import codec
from replay.book import Book
from replay.errors import Refused
from replay.recorded import Recorded
from replay.store.protocol import Appended

SCOREKEEPER = "scorekeeper"
"""The actor of events that whoever has the file enters."""


class Judged(Struct, frozen=True):
    """Events found by the rules: what comes of them, to be appended at `expected`."""

    events: tuple[LogEvent, ...]
    match: Match
    expected: int


def judge(recorded: Recorded, entries: Sequence[str | LogEvent]) -> Judged:
    """Referee tokens or events one after the other, upon the head of the match.

    Raises `Refused` with the index of the first that breaks a rule; nothing is stored here.
    """
    blocked = next(pending(recorded), None)
    if blocked is not None and not all(isinstance(entry, Edit) for entry in entries):
        seat = getattr(blocked.event, "seat", None)
        sealed = f"what seat {seat} sealed is not in this book: take it back, then go on"
        raise Refused(Violation("turn", sealed), recorded.match, seat)
    events, match = _judge(recorded.match, entries)
    return Judged(events, match, recorded.match.version)


def pending(recorded: Recorded) -> Iterator[Ply]:
    """Yield the sealed moves still to be revealed whose content did not come along."""
    state = recorded.state
    for seat in state.position.sealed if state.outcome is None else ():
        ply = next(filter(functools.partial(_is_secret_of, seat), reversed(recorded.match.line)))
        if codec.is_withheld(recorded.entry(ply.version)):
            yield ply


def _is_secret_of(seat: int, ply: Ply) -> bool:
    event = ply.event
    return isinstance(event, Moved) and event.seat == seat and isinstance(event.move, Secret)


def judge_tokens(match: Match, entries: Sequence[str]) -> Match:
    """Play tokens upon a match that is not stored. Raises `Refused`."""
    return _judge(match, entries)[1]


def _judge(match: Match, entries: Sequence[str | LogEvent]) -> tuple[tuple[LogEvent, ...], Match]:
    events: list[LogEvent] = []
    for index, entry in enumerate(entries):
        event = tokens.read(match.game, match.state, entry) if isinstance(entry, str) else entry
        violation = event if isinstance(event, Violation) else match.check(event)
        if violation is not None or isinstance(event, Violation):
            assert violation is not None
            raise Refused(violation, match, _seat(match, entry), index)
        match = match.evolve(event)
        events.append(event)
    return tuple(events), match


def append(
    book: Book,
    recorded: Recorded,
    judged: Judged,
    *,
    actor: str = SCOREKEEPER,
    ids: Sequence[bytes] | None = None,
) -> Future[Appended]:
    """Append judged events. The future raises `Stale` if somebody else was quicker."""
    keys = ids or [book.new_id() for _ in judged.events]
    encoded = [
        book.encode(recorded.game, event, actor, key)
        for event, key in zip(judged.events, keys, strict=True)
    ]
    return book.append(recorded, encoded, judged.expected)


def play(
    book: Book,
    recorded: Recorded,
    entries: Sequence[str | LineEvent],
    *,
    actor: str = SCOREKEEPER,
) -> Recorded:
    """Enter tokens or events, all or none, and return the match with them.

    Raises `Refused` or `Stale`.
    """
    append(book, recorded, judge(recorded, entries), actor=actor).result()
    return book.open(recorded.id)


def _seat(match: Match, entry: str | LogEvent) -> int | None:
    """Return the seat that the entry names, else the one awaited."""
    named = tokens.split(entry).seat if isinstance(entry, str) else getattr(entry, "seat", None)
    return named or match.state.in_turn
