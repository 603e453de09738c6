"""The summary of a match for lists, and its positions for the index."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.canonical import Canonical, canonical
from domain.entry import move_text
from domain.events import (
    DASH,
    STORED,
    Moved,
    State,
    Stood,
    Unrecorded,
    outcome_words,
    result_words,
    task_words,
)
from domain.game import Game, Options
from domain.log_edits import TakebackAsked
from domain.match import Match
from domain.names import UNNAMED, Names
from domain.position import Awaited, Outcome, Position, Ranks, winners_of
from domain.position_text import PositionError
from replay.record.match_record import Header, MatchRecord
from replay.store.types import IndexedStep, Summary, WrittenMove

KEY: Final = 16
"""Bytes of a key: enough that no two positions ever share one."""


def key_of(game: Game[Any], options: Options, seats: int, found: Canonical) -> bytes:
    """Return the key of a position in a game with these options and seats."""
    named = (game.ruleset, game.set_options(options), seats, found.text)
    return hashlib.sha256(msgspec.json.encode(named)).digest()[:KEY]


def find_canonical(game: Game[Any], position: Position) -> Canonical | None:
    """Return the canonical form that indexes a position; `None` if it cannot be compared."""
    try:
        return canonical(game, position)
    except PositionError:
        return None


def steps_of(match: Match, secrets: Collection[int], after: int = 0) -> Iterator[IndexedStep]:
    """Yield the moves of a line after a ply, each with the last position without sealed moves.

    `secrets` are the versions of the moves that only their seat may see; these are omitted. At the
    ply `after`, every move must be revealed.
    """
    game, state, at = match.game, match.at(after), None
    for ply in match.line[after:]:
        if not state.position.sealed:
            at = find_canonical(game, state.position)
        state = ply.state
        if at is None or not isinstance(ply.event, Moved) or ply.version in secrets:
            continue
        key = key_of(game, match.options, match.seats, at)
        yield IndexedStep(ply.version, key, ply.event.seat, at.write(game, ply.event.move))


def written_moves(match: Match, secrets: Collection[int], after: int = 0) -> Iterator[WrittenMove]:
    """Yield the moves of a line after a ply as people write them, without the text of a secret.

    A dash is one of them; the moves after it are not judged, and left out until it is filled.
    """
    state = match.at(after)
    for number, ply in enumerate(match.line[after:], after + 1):
        event, before, state = ply.event, state, ply.state
        at = number, ply.version, before.position.turn
        if isinstance(event, Stood):
            yield WrittenMove(*at, event.seat, event.text, event.clause)
        elif isinstance(event, Unrecorded) and not before.unjudged:
            seat = event.seat or before.in_turn or 0
            yield WrittenMove(*at, seat, DASH, unsure=bool(event.unsure))
        elif isinstance(event, Moved):
            text = None if ply.version in secrets else move_text.write(match.game, event)
            found = text and event.reconstructed
            how = msgspec.json.encode(found).decode() if found else ""
            yield WrittenMove(*at, event.seat, text, unsure=bool(event.unsure), reconstructed=how)


class StoredOutcome(Struct, frozen=True):
    """An outcome as summaries and JSON have it; some fields only if the outcome has them."""

    winner: int | None
    clause: str
    abandoned: bool
    winners: tuple[int, ...] | UnsetType = UNSET
    scores: tuple[int, ...] | UnsetType = UNSET
    ranks: Ranks | UnsetType = UNSET

    @classmethod
    def of(cls, outcome: Outcome) -> StoredOutcome:
        """Return the stored form of an outcome."""
        winners = outcome.winners
        return cls(
            winners[0] if len(winners) == 1 else None,
            outcome.clause,
            outcome.abandoned,
            winners if len(winners) > 1 else UNSET,
            outcome.scores or UNSET,
            outcome.ranks or UNSET,
        )

    def read(self) -> Outcome:
        """Return the outcome that was stored."""
        winners = self.winners or (() if self.winner is None else (self.winner,))
        return Outcome(self.clause, winners, self.scores or (), self.abandoned, self.ranks or ())


class Standing(Struct, frozen=True, omit_defaults=True, rename={**STORED, "ended": "outcome"}):
    """The state of play: turn, awaited seats, draw offer, request to take back, outcome.

    `by_name` has the words of tasks for players with names, where they differ. `seed` is the seed
    of the dice, once it is revealed. `stood` are the clauses that accepted illegal moves broke.
    While it is `unjudged`, moves are recorded and not judged.
    """

    turn: int
    awaiting: tuple[Awaited, ...] = ()
    by_name: dict[str, str] = {}
    offered: int | None = None
    ended: StoredOutcome | None = None
    asked: TakebackAsked | None = None
    seed: str | None = None
    stood: tuple[str, ...] = ()
    unjudged: bool = False

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; `None` before the end."""
        return self.ended.read() if self.ended else None

    def words(self, names: Names = UNNAMED) -> str:
        """Name the awaited seats and any offer or request, or say how the match ended."""
        asked = self.asked
        request = f"; {names[asked.seat]} asks to take back to ply {asked.ply}" if asked else ""
        if self.ended is not None:
            return outcome_words(self.ended.read(), names) + request
        if self.unjudged:
            return f"taken down and not judged{request}"
        offer = f"; {names[self.offered]} offers a draw" if self.offered else ""
        tasks = task_words(self.awaiting, self.by_name, names) or "its game is not installed"
        return tasks + offer + request


STANDING: Final = msgspec.json.Decoder(Standing)


def standing_of(
    state: State, asked: TakebackAsked | None = None, seed: str | None = None
) -> Standing:
    """Return the state of play at a point of a line."""
    if state.outcome is not None:
        ended = StoredOutcome.of(state.outcome)
        return Standing(state.position.turn, ended=ended, asked=asked, seed=seed)
    if state.unjudged:
        return Standing(state.position.turn, offered=state.offered, asked=asked, unjudged=True)
    awaiting, words = tuple(state.position.awaiting()), state.game.tasks_by_name
    by_name = {one.what: words[one.what] for one in awaiting if one.what in words} if words else {}
    return Standing(state.position.turn, awaiting, by_name, state.offered, None, asked, seed)


def summary_of(record: MatchRecord) -> Summary:
    """Return the summary of a recorded match."""
    return summarise(record.header, record.match, record.at)


def summarise(header: Header, match: Match, at: int) -> Summary:
    """Return the summary of a match whose last event came `at` a time.

    A fork may be opened after its last event; its summary has the time of the opening.
    """
    line = match.line
    state = line[-1].state if line else match.start
    before = line[-2].state if len(line) > 1 else match.start
    outcome, standing = state.outcome, standing_of(state, match.asked, match.seed)
    return Summary(
        match.version,
        match.game.slug,
        header.kind,
        len(line),
        before.position.turn if line else 0,
        outcome.result if outcome else "*",
        outcome.clause if outcome else "",
        max(at, header.created),
        msgspec.json.encode(replace(standing, stood=state.stood) if state.stood else standing),
        state.doubtful,
    )


def result_for(seat: int, result: str) -> Literal["unfinished", "drawn", "won", "lost"]:
    """Return the meaning of a match's result, like `+1,3`, for a seat."""
    match result:
        case "*":
            return "unfinished"
        case "=":
            return "drawn"
    return "won" if seat in winners_of(result) else "lost"


def describe_standing(state: State, names: Names = UNNAMED) -> str:
    """Summarise a match in words: the awaited seats and any draw offer, or how the match ended."""
    return standing_of(state).words(names)


def describe_standing_briefly(state: State, names: Names = UNNAMED) -> str:
    """Summarise a match in words, without the clause by which it ended."""
    return result_words(state.outcome, names) if state.outcome else describe_standing(state, names)


def describe_match(match: Match, ply: int, names: Names = UNNAMED) -> str:
    """Summarise a match after a ply briefly in words, or name the move that nobody wrote down."""
    state, dash = match.at(ply), match.open_dash(ply)
    missing = dash and not state.outcome
    return f"move {dash} is missing" if missing else describe_standing_briefly(state, names)
