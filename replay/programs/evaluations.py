"""Evaluate the positions of a match by search: the value of each, and the best continuation.

Each position is searched from the view of the seat in turn, without secrets that are hidden from
the caller. The results are comments of the author `analysis`, outside the log of the match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Final

from msgspec import Struct

from domain.entry import move_text
from domain.events import Adjusted, Ply
from domain.match import Match, unrevealed_plies
from replay.annotations.editing import set_comments
from replay.book import Book
from replay.errors import Conflict
from replay.processes import ProcessPool, processors
from replay.programs import engine_lines
from replay.programs.engine_lines import SeenMatch
from replay.reading.curve import AUTHOR
from replay.record.match_record import MatchRecord
from replay.search.playouts import Choices, for_playouts, for_seconds
from replay.search.tree import Candidate, Findings, search

MAX_PLIES: Final = 1000
"""The most plies of a match that is analysed."""
SHOWN: Final = 3
"""The candidates that a comment names."""
WORTH_PROCESSES: Final = 4.0
"""From this many seconds of search on, several processes share it."""
SPEED: Final = 1000
"""The playouts in a second of search, roughly."""


class Effort(Struct, frozen=True):
    """The seconds or the playouts for each position, and the seed of the random numbers."""

    seconds: float
    playouts: int | None = None
    seed: int = 0


class SearchQuestion(Struct, frozen=True):
    """A position to be searched: a ply, and the lines that an engine gets up to it."""

    ply: int
    lines: tuple[str, ...]


class Evaluation(Struct, frozen=True):
    """The findings at a ply; empty if no possible position was found."""

    ply: int
    found: Findings | None

    def words(self) -> str:
        """Give the value of the position for each seat, and the best lines."""
        if self.found is None:
            return "no position was found that fits the view"
        return describe(self.found)


def evaluate(record: MatchRecord, effort: Effort) -> Iterator[Evaluation]:
    """Search all positions of a match in processes, and yield the evaluations by ply.

    Raises `Conflict` for a match that is unjudged or too long.
    """
    asked = questions(record)
    one = partial(evaluate_one, effort)
    weight = effort.playouts / SPEED if effort.playouts else effort.seconds
    with ProcessPool[SearchQuestion, Evaluation](one, one, WORTH_PROCESSES) as pool:
        for question in asked:
            yield from pool.put(question, weight)
        yield from pool.rest()


def share(seconds: float, positions: int) -> float:
    """Return the seconds for the evaluation of each position, given the time for all of them."""
    whole = seconds * processors()
    return (whole if whole >= WORTH_PROCESSES else seconds) / max(positions, 1)


def questions(record: MatchRecord) -> list[SearchQuestion]:
    """Return the positions of a match to evaluate: those in which a seat must move.

    Raises `Conflict`.
    """
    check_searchable(record.match)
    plies = range(len(record.match.line) + 1)
    return [asked for ply in plies if (asked := question(record, ply)) is not None]


def check_searchable(match: Match) -> None:
    """Raise `Conflict` unless the positions of a match can be searched."""
    if obstacle := find_obstacle(match):
        raise Conflict(obstacle)


def find_obstacle(match: Match) -> str | None:
    """Return why the positions of a match cannot be searched, if they cannot."""
    if match.state.unjudged:
        return "this match is not judged, so its positions are not known"
    if match.game.unlisted_tags:
        return f"{match.game.name} has moves that cannot be listed, so it cannot be searched"
    if len(match.line) > MAX_PLIES:
        return f"this match has {len(match.line)} plies; at most {MAX_PLIES} are analysed"
    return None


def question(record: MatchRecord, ply: int) -> SearchQuestion | None:
    """Return the position after a ply; `None` if no seat is awaited there."""
    match, state = record.match, record.match.at(ply)
    if not state.awaiting():
        return None
    header = record.header
    opening = engine_lines.opening(header.rules, match.seats, header.options, header.position)
    mover = Choices(match.game).mover(state.position)
    return SearchQuestion(ply, (*opening, *_seen(record, match.line[:ply], mover)))


def _seen(record: MatchRecord, line: Sequence[Ply], mover: int) -> Iterator[str]:
    """Yield the events of a line as a seat saw them, if the caller may know them."""
    hidden = unrevealed_plies(line) if record.game.has_secrets else {}
    for number, ply in enumerate(line, 1):
        seat = getattr(ply.event, "seat", None)
        if ply.version in record.secrets or hidden.get(number, mover) != mover:
            yield engine_lines.line_of(seat, None)
        else:
            note = engine_lines.NOW + ply.event.position if isinstance(ply.event, Adjusted) else ""
            yield engine_lines.line_of(seat, move_text.write(record.game, ply.event), note)


def evaluate_one(effort: Effort, question: SearchQuestion) -> Evaluation:
    """Evaluate a position by search."""
    seen = SeenMatch()
    for line in question.lines:
        seen.take(line)
    if seen.line is None:
        return Evaluation(question.ply, None)
    enough = for_playouts(effort.playouts) if effort.playouts else for_seconds(effort.seconds)
    rng = Random(f"{effort.seed}/{question.ply}")
    return Evaluation(question.ply, search(seen.line.draw, seen.seats, rng, enough))


def describe(found: Findings) -> str:
    """Describe the evaluation of a position: its value for each seat, and the best lines."""
    lines = "; ".join(_line_words(line, found.winners) for line in found.candidates[:SHOWN])
    if found.winners is not None:
        return f"{_proven(found.winners)}: {lines}"
    seats = ", ".join(f"seat {seat} {value:.0%}" for seat, value in enumerate(found.values, 1))
    return f"{seats} after {found.playouts} playouts; best: {lines}"


def _line_words(line: Candidate, said: Sequence[int] | None) -> str:
    """Return a line with its value, unless it leads to the end that is named already."""
    moves = " ".join(line.texts)
    if line.winners is None:
        return f"{moves} ({line.value:.0%})"
    return moves if line.winners == said else f"{moves} ({_proven(line.winners)})"


def _proven(winners: Sequence[int]) -> str:
    if not winners:
        return "a draw by force"
    seats = " and ".join(f"seat {seat}" for seat in winners)
    return f"{seats} {'wins' if len(winners) == 1 else 'win'} by force"


def write(book: Book, record: MatchRecord, evaluations: Sequence[Evaluation]) -> None:
    """Write the evaluations as comments, and remove the comments of an earlier analysis."""
    set_comments(book, record, {each.ply: each.words() for each in evaluations}, AUTHOR)
