"""Amendments of random matches: each changes one event, and the log keeps the old event."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from domain.entry import move_text
from domain.events import LineEvent, State
from domain.game import Game
from domain.log_edits import Amended, amendment, is_unanswered
from domain.match import Match
from plybook.testing.subjects import Subject, random_event
from replay.book import Book
from replay.book_file import open_book
from replay.corrections import amendments
from replay.errors import Refused
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee.verification import verify_match

FEW = 4
"""Amended plies of a match."""


def open_match(subject: Subject) -> Match:
    """Return the match up to the last point with nothing sealed."""
    match = subject.match
    ends = [n for n, state in enumerate(subject.states) if not state.position.sealed]
    return replace(match, line=match.line[: ends[-1]])


def some_plies(match: Match, seed: int) -> list[int]:
    """Choose plies of a match, among them the first and the last; none if the match is empty."""
    plies = range(1, len(match.line) + 1)
    if not plies:
        return []
    return sorted({*Random(seed).sample(plies, min(FEW, len(plies))), plies[0], plies[-1]})


def by_hand(match: Match, ply: int, event: LineEvent) -> list[tuple[LineEvent, State]]:
    """Replace an event and replay the rest while it is legal; drop unanswered events at the end."""
    line = [(played.event, played.state) for played in match.line[: ply - 1]]
    state = match.at(ply - 1)
    for each in (event, *(played.event for played in match.line[ply:])):
        if each.check(state) is not None:
            break
        state, _ = each.evolve(state)
        line.append((each, state))
    while len(line) > ply and is_unanswered(line[-1][1].position):
        line.pop()
    return line


def test_replacing_an_event_by_itself_changes_nothing(subject: Subject) -> None:
    match = open_match(subject)
    for ply in some_plies(match, subject.seed):
        amended = Amended(ply, "replaced", match.line[ply - 1].event, len(match.line) - ply)
        assert match.check(amended) is None
        found = amendment(match, amended)
        assert (found.fell, found.broken) == (0, None)
        after = match.evolve(amended)
        assert [(one.event, one.state) for one in after.line] == [
            (one.event, one.state) for one in match.line
        ]


def test_amendment_equals_playing_again(subject: Subject) -> None:
    match, rng = open_match(subject), Random(subject.seed)
    for ply in some_plies(match, subject.seed):
        event = random_event(subject.game, match.at(ply - 1), rng)
        expected = by_hand(match, ply, event)
        amended = Amended(ply, "replaced", event)
        amended = replace(amended, stood=amendment(match, amended).stood)
        refused = match.check(amended)
        if is_unanswered(expected[-1][1].position):
            assert refused.clause == "turn"
            continue
        assert refused is None
        assert [(one.event, one.state) for one in match.evolve(amended).line] == expected


def amend_at_random(book: Book, record: MatchRecord, rng: Random) -> MatchRecord:
    """Replace a random ply by a random event, if there is one and the rules allow it."""
    if not record.match.line:
        return record
    ply = rng.randint(1, len(record.match.line))
    event = random_event(record.game, record.match.at(ply - 1), rng)
    try:
        correction = amendments.plan_replacement(record, ply, seated(record.game, event))
    except Refused:  # a sealed move prevents the replacement
        return record
    return amendments.amend(book, correction)


def seated(game: Game[Any], event: LineEvent) -> str:
    """Write an event with its seat."""
    text = move_text.write(game, event)
    return text if text[1:2] == ":" else f"{event.seat}:{text}"


def test_amended_match_round_trip_verifies(subject: Subject, tmp_path: Path) -> None:
    match, rng = open_match(subject), Random(subject.seed)
    with open_book(tmp_path / "book.db") as book:
        record = book.create(
            NewMatch(
                subject.game,
                options=subject.game.set_options(subject.options),
                seats=subject.seats,
                events=[(ply.event, "scorekeeper") for ply in match.line],
            )
        )
        for _ in range(FEW):
            record = amend_at_random(book, record, rng)
    with open_book(tmp_path / "book.db") as book:
        again = book.open(record.id)
        assert again.match == record.match
        assert again.at_version(len(match.line)).match.line == match.line
        verdict = verify_match(book, again.stream)
    assert (verdict.ok, verdict.events) == (True, record.match.version)


def test_forgotten_events_are_inserted_together(subject: Subject) -> None:
    match, rng = open_match(subject), Random(subject.seed)
    for ply in some_plies(match, subject.seed):
        gone = rng.randint(1, 3)
        short = replace(match, line=(*match.line[: ply - 1], *match.line[ply - 1 + gone :]))
        if match.at(ply - 1).position.sealed or short.state.position.sealed:
            continue
        for place, forgotten in enumerate(match.line[ply - 1 :][:gone], ply):
            amended = Amended(place, "inserted", forgotten.event, more=True)
            assert short.check(amended) is None
            whole = replace(amended, more=False, stood=len(amended.tail(short)))
            last, short = short, short.evolve(amended)
        assert last.check(whole) is None
        assert [(one.event, one.state) for one in last.evolve(whole).line] == [
            (one.event, one.state) for one in match.line
        ]
