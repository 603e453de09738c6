"""Motions: events of a turn that lead on from one another, like the hops of a jump."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

from domain.events import Moved, Ply
from domain.names import UNNAMED, Names
from domain.scene import Arrow
from replay.reading import timeline
from replay.record.match_record import MatchRecord


def motion(record: MatchRecord, ply: int) -> tuple[Ply, ...]:
    """Return the events of the turn up to a ply.

    An event continues the one before it if its arrow begins where that one's ended, or if it has
    no effects, like the end of a jump.
    """
    first, arrows = ply, cache(partial(_arrows, record))  # each event is drawn once
    while first > 1 and _continues(record, first, arrows):
        first -= 1
    return record.match.line[max(0, first - 1) : ply]


def motion_point(
    record: MatchRecord, ply: int, names: Names = UNNAMED, viewer: int | None = None
) -> timeline.LinePoint:
    """Return the point after a ply, as a viewer sees it, with the whole motion drawn."""
    return draw_motion(record, ply, motion(record, ply), names, viewer)


def draw_motion(
    record: MatchRecord,
    ply: int,
    whole: Sequence[Ply],
    names: Names = UNNAMED,
    viewer: int | None = None,
) -> timeline.LinePoint:
    """Return the same, given the motion that led to the ply."""
    effects = tuple(effect for each in whole for effect in each.effects)
    return timeline.point(record, ply, viewer, names, effects)


def _arrows(record: MatchRecord, ply: int) -> tuple[Arrow, ...]:
    return timeline.point(record, ply).scene.arrows


def _continues(record: MatchRecord, ply: int, arrows: Callable[[int], tuple[Arrow, ...]]) -> bool:
    """Return whether the event that led to a ply continues the one before it."""
    turn = _turn(record, ply)
    if turn is None or turn != _turn(record, ply - 1):
        return False
    if not record.match.line[ply - 1].effects:
        return True
    ends, starts = arrows(ply - 1), arrows(ply)
    return bool(ends and starts) and ends[-1].end == starts[0].start


def _turn(record: MatchRecord, ply: int) -> tuple[int, int] | None:
    """Return the turn and the seat of a move, or `None` for another event."""
    event = record.match.line[ply - 1].event
    turn = record.match.at(ply - 1).position.turn
    return (turn, event.seat) if isinstance(event, Moved) else None
