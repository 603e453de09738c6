"""Judge events for a viewer who may not know which moves of a guarded seat are legal.

A hand of cards decides what is legal, so a refusal tells of the hand, and so does its absence. Only
the guarded seat's own player learns the clause; for everybody else the clause is `hidden`. Another
seat's guarded move is entered on its own: after it, a second event would tell by its refusal that
the move was legal. It cannot be tried out.
"""

from __future__ import annotations

from collections.abc import Callable

from domain.events import HIDDEN, Moved
from domain.match import Match
from replay.errors import BY_CLAUSE, Refused
from replay.record.match_record import MatchRecord
from replay.referee.entering import JudgedEvents


def judge_for(
    viewer: int | None, record: MatchRecord, judge: Callable[[], JudgedEvents], *, dry: bool = False
) -> JudgedEvents:
    """Judge events, and tell the viewer no more of guarded seats than they may know.

    Raises `Refused` as `judge` does, and for a guarded move of another seat that is only tried
    (`dry`) or that other events follow.
    """
    try:
        judged = judge()
    except Refused as error:
        _refuse_guarded(viewer, record, error.match, 0)
        raise reworded(error, viewer) from None
    _refuse_guarded(viewer, record, judged.match, 0 if dry else 1)
    return judged


def reworded(refused: Refused, viewer: int | None) -> Refused:
    """Return a refusal as a viewer may read it: without the rule that a guarded move breaks."""
    by_rule = refused.violation.clause not in BY_CLAUSE
    if not by_rule or refused.seat not in refused.match.state.withheld(viewer):
        return refused
    return Refused(HIDDEN, refused.match, refused.seat, refused.index)


def _refuse_guarded(viewer: int | None, record: MatchRecord, match: Match, last: int) -> None:
    """Raise `Refused` for a guarded move of another seat among the new plies but the `last`."""
    before = record.match
    for index, ply in enumerate(match.line[len(before.line) : len(match.line) - last]):
        event = ply.event
        if isinstance(event, Moved) and event.seat in before.state.withheld(viewer):
            raise Refused(HIDDEN, before, event.seat, index)
        before = before.evolve(event)
