"""A match in short, for lists and statistics: derived from its header and the match itself."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from domain.edits import TakebackAsked
from domain.events import State, Task, outcome_words, task_words, tasks
from domain.match import Match
from domain.names import UNNAMED, Names
from domain.position import Outcome
from replay.match_record import Header, MatchRecord
from replay.store.protocol import Summary


class Standing(Struct, frozen=True, omit_defaults=True):
    """How a match stands: the turn, what must be done, what was offered or asked, the outcome."""

    turn: int
    tasks: tuple[Task, ...] = ()
    offered: int | None = None
    outcome: Outcome | None = None
    asked: TakebackAsked | None = None

    def words(self, names: Names = UNNAMED) -> str:
        """Say who is awaited and what was offered, or how the match ended."""
        if self.outcome is not None:
            return outcome_words(self.outcome, names)
        offer = f"; {names[self.offered]} offers a draw" if self.offered else ""
        return task_words(self.tasks, names) + offer


STANDING: Final = msgspec.json.Decoder(Standing)


def standing_of(state: State) -> Standing:
    """Return how a match stands at a point of its line."""
    return Standing(state.position.turn, tasks(state), state.offered, state.outcome)


def summary_of(recorded: MatchRecord) -> Summary:
    """Return the summary of a recorded match."""
    return summarise(recorded.header, recorded.match, recorded.at)


def summarise(header: Header, match: Match, at: int) -> Summary:
    """Return the summary of a match whose last event, or else its opening, was at a time."""
    line, state = match.line, match.state
    now = Standing(state.position.turn, tasks(state), state.offered, state.outcome, match.asked)
    outcome = state.outcome
    return Summary(
        match.version,
        match.game.slug,
        header.kind,
        len(line),
        match.at(len(line) - 1).position.turn if line else 0,
        outcome.result if outcome else "*",
        outcome.clause if outcome else "",
        at,
        msgspec.json.encode(now),
    )
