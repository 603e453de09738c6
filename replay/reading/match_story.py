"""The story of a match that is over: the largest lead, the longest turn, the turning points."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from domain.names import Names, count
from domain.scene import Score
from replay.reading import timeline
from replay.record.match_record import MatchRecord

MAX_HIGHLIGHTS: Final = 3
"""The most plies that a story has."""

MIN_LONG_TURN: Final = 10_000
"""The shortest turn that a story mentions, in milliseconds."""

Scores = dict[int, Score]
"""The scores of the seats at a ply."""


class Lead(Struct, frozen=True):
    """The largest lead of a match: its seat, its size in words, and its ply."""

    seat: int
    words: str
    ply: int


class LongTurn(Struct, frozen=True):
    """The turn that took longest: its seat, its milliseconds, and its last ply."""

    seat: int
    time: int
    ply: int


class Moment(Struct, frozen=True):
    """A turning point: a ply, and its event in words."""

    ply: int
    words: str


class Story(Struct, frozen=True):
    """The story of a match that is over; missing parts are `None` or empty."""

    lead: Lead | None
    longest: LongTurn | None
    moments: tuple[Moment, ...]


def tell_story(record: MatchRecord, names: Names) -> Story:
    """Return the story of a match. Draws every position, so call it in a thread."""
    scores = [scores_at(record, ply) for ply in range(len(record.match.line) + 1)]
    lead, longest = _largest_lead(scores), _longest_turn(record)
    mentioned = {each.ply for each in (lead, longest) if each}
    return Story(lead, longest, _moments(record, scores, names, mentioned))


def scores_at(record: MatchRecord, ply: int) -> Scores:
    """Return the scores after a ply of the line."""
    trays = timeline.point(record, ply).scene.trays
    return {tray.seat: tray.score for tray in trays if tray.seat and tray.score}


def _largest_lead(scores: Sequence[Scores]) -> Lead | None:
    leads = [lead for ply, at in enumerate(scores) for lead in _lead(at, ply)]
    return max(leads, key=lambda each: each[0])[1] if leads else None


def _lead(scores: Scores, ply: int) -> Iterator[tuple[float, Lead]]:
    """Yield the lead of a seat at a ply, if one leads."""
    best, *others = sorted(scores, key=lambda seat: -scores[seat].points) or [0]
    by = scores[best].points - scores[others[0]].points if others else 0
    if by > 0:
        yield by, Lead(best, count(by, scores[best].unit), ply)


def _longest_turn(record: MatchRecord) -> LongTurn | None:
    """Add up the time of the events of each turn; the time before the first is unknown.

    The time of an amended event is that of its correction, so it counts for no turn.
    """
    turns: dict[int, LongTurn] = {}
    line = record.match.line
    for ply, (before, after) in enumerate(pairwise(line), 2):
        seat = getattr(after.event, "seat", 0)
        time = record.entry(after.version).at - record.entry(before.version).at
        turn = before.state.position.turn
        amended = timeline.is_amended(record, before) or timeline.is_amended(record, after)
        if seat and time > 0 and not amended:
            spent = turns[turn].time if turn in turns else 0
            turns[turn] = LongTurn(seat, spent + time, ply)
    longest = max(turns.values(), key=lambda turn: turn.time, default=None)
    return longest if longest and longest.time >= MIN_LONG_TURN else None


def _moments(
    record: MatchRecord, scores: Sequence[Scores], names: Names, mentioned: Collection[int]
) -> tuple[Moment, ...]:
    """Return the events that changed the score most, in order, except the plies `mentioned`."""
    swings = {
        ply: swing
        for ply, each in enumerate(record.match.line, 1)
        if ply not in mentioned and any(effect.notable for effect in each.effects)
        if (swing := _swing(scores[ply - 1], scores[ply]))
    }
    chosen = sorted(swings, key=lambda ply: (-swings[ply], -ply))[: MAX_HIGHLIGHTS - len(mentioned)]
    return tuple(Moment(ply, _words(record, ply, names)) for ply in sorted(chosen))


def _swing(before: Scores, after: Scores) -> float:
    return sum(abs(after[seat].points - before[seat].points) for seat in after if seat in before)


def _words(record: MatchRecord, ply: int, names: Names) -> str:
    effects = record.match.line[ply - 1].effects
    return "; ".join(effect.words(names) for effect in effects if effect.notable)
