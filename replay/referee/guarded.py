"""Show a viewer no more of a guarded seat than they may know.

A hand of cards decides which moves are legal, so a refusal reveals the hand, and so does its
absence. Only the guarded seat's own player learns the clause; for everybody else the clause is
`hidden`. Another seat's guarded move is entered on its own, because the refusal of a second event
after it would reveal that the move was legal. A guarded move cannot be tried in a dry run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from domain.events import HIDDEN, Moved
from domain.match import Match, fold
from domain.position import Violation
from replay.errors import BY_CLAUSE, Refused
from replay.record.match_record import MatchRecord
from replay.referee.entering import JudgedEvents

UNTRIED: Final = Violation(
    "hidden", "this match withholds its legal moves, so a move cannot be tried; enter it instead"
)


def try_for(
    viewer: int | None, record: MatchRecord, judge: Callable[[], JudgedEvents]
) -> JudgedEvents:
    """Judge events that are only tried.

    Raises `Refused` as `judge` does, in the words that the viewer may read. A guarded move of
    another seat is refused, legal or not; so is any move in a match that withholds legal moves.
    """
    if record.header.legal == "withheld":
        raise Refused(UNTRIED, record.match, record.state.in_turn)
    try:
        judged = judge()
    except Refused as error:
        raise as_told(error, viewer, record) from None
    if guarded := find_guarded(viewer, record, judged.match, 0):
        raise guarded
    return judged


def as_told(refused: Refused, viewer: int | None, record: MatchRecord) -> Refused:
    """Return a refusal of entered events as a viewer may read it, without what is guarded."""
    if guarded := find_guarded(viewer, record, refused.match, 0):
        return guarded
    by_rule = refused.violation.clause not in BY_CLAUSE
    if not by_rule or refused.seat not in refused.match.state.withheld(record.seeing(viewer)):
        return refused
    return Refused(HIDDEN, refused.match, refused.seat, refused.index)


def find_guarded(
    viewer: int | None, record: MatchRecord, match: Match, last: int
) -> Refused | None:
    """Return the refusal of a guarded move of another seat among the new plies but the `last`."""
    state, shared = record.match.state, len(record.match.line)
    for index, ply in enumerate(match.line[shared : len(match.line) - last]):
        event = ply.event
        if isinstance(event, Moved) and event.seat in state.withheld(record.seeing(viewer)):
            earlier = [each.event for each in match.line[shared : shared + index]]
            return Refused(HIDDEN, fold(record.match, earlier), event.seat, index)
        state = ply.state
    return None
