"""Dashes of a match: which legal lines fit the events after one, as they are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from typing import Final

from domain.entry import move_text
from domain.events import DASH, FoundLater, LineEvent, Moved, Noted, Ruled, State, Unrecorded
from domain.log_edits import Filled
from domain.match import Match
from domain.position import Violation
from domain.reconstruction.answer import MAX_CHOICES, reconstruct
from domain.reconstruction.scoresheet import Entry, Scoresheet
from domain.reconstruction.steps import Work, moves_at, read_entry

MAX_STEPS: Final = 1000
"""The steps of a search for the moves of a dash, which take a tenth of a second at most."""
MAX_LATER: Final = 20
"""The most events after a dash that are looked at."""
WITNESSES: Final = 2
"""The later moves before the rules fill a dash at which several moves are legal."""

Moves = tuple[Moved, ...]


def filling(match: Match) -> Filled | None:
    """Return the filling of the open dash if exactly one legal line fits it and all later events.

    At the earliest after two later moves, unless one move alone is legal at the dash.
    """
    ply = match.open_dash()
    if ply is None:
        return None
    dash, state = match.line[ply - 1].event, match.at(ply - 1)
    later = _after(match, ply)
    assert isinstance(dash, Unrecorded)
    if dash.reopened or len(later) > MAX_LATER:
        return None
    work = Work(MAX_STEPS)
    if sum(isinstance(event, Noted) for event in later) < WITNESSES:
        own = (move for move in moves_at(state) if dash.seat in (None, move.seat))
        if len([*islice(own, 2)]) != 1:
            return None
    lines = [*islice(_of_dash(state, dash.seat, later, work), 2)]
    if len(lines) != 1 or work.ended:
        return None
    texts = tuple(state.game.write(move.move) for move in lines[0])
    return Filled(ply, lines[0][0].seat, texts, FoundLater("rules", (DASH,)))


def fillings(match: Match) -> Iterator[tuple[Filled, Match]]:
    """Yield the fillings of open dashes, one after the other, with the match after each."""
    while match.state.unjudged and (edit := filling(match)):
        match = match.evolve(edit)
        yield edit, match


def choices(match: Match) -> list[tuple[str, ...]]:
    """Return moves that may fill the open dash, at most five: those whose later events all fit.

    If no line fits, a later event is wrong, and the moves come from the cheapest lines.
    """
    ply = match.open_dash()
    if ply is None:
        return []
    dash, state = match.line[ply - 1].event, match.at(ply - 1)
    later = _after(match, ply)[:MAX_LATER]
    assert isinstance(dash, Unrecorded)
    lines = _of_dash(state, dash.seat, later, Work(MAX_STEPS))
    found = dict.fromkeys(tuple(_text(state, move) for move in each) for each in lines)
    if found:
        return [*islice(found, MAX_CHOICES)]
    entries = (Entry(move_text.write(state.game, each)) for each in (dash, *later))
    guess = reconstruct(state, [Scoresheet(tuple(entries))], most=MAX_STEPS)
    legal = [each.text for ply in guess.plies[:1] for each in ply.choices if not each.clause]
    fitting = [text for text in legal if any(True for _ in _fits_after(state, text, later))]
    return [(text,) for text in fitting or legal or [ply.text for ply in guess.plies[:1]]]


def _fits_after(state: State, text: str, later: Sequence[LineEvent]) -> Iterator[None]:
    """Yield once for each legal line that fits all events after a move text."""
    event = read_entry(state, text)
    if not isinstance(event, Violation):
        yield from _fits(event.evolve(state)[0], later, Work(MAX_STEPS // MAX_CHOICES))


def _after(match: Match, ply: int) -> list[LineEvent]:
    """Return the events after a ply; a ruling at the end may only say what the rules give."""
    return [each.event for each in match.line[ply:] if not isinstance(each.event, Ruled)]


def _text(state: State, move: Moved) -> str:
    return move_text.write(state.game, move)


def _of_dash(
    start: State, seat: int | None, later: Sequence[LineEvent], work: Work
) -> Iterator[Moves]:
    """Yield the moves of a dash for each line that fits the later events as well.

    Of further ways to the same state only the existence is told: the first way comes again.
    """
    arrivals = _reachable(start, seat, work)
    for state, last in arrivals.items():
        for _ in _fits(state, later, work) if last else ():
            for before, move in last:
                way, is_only = [move], not arrivals[start]
                while before is not start:
                    is_only &= len(arrivals[before]) == 1
                    before, move = arrivals[before][0]
                    way.insert(0, move)
                yield from repeat(tuple(way), 1 if is_only else 2)


def _reachable(
    start: State, seat: int | None, work: Work
) -> dict[State, list[tuple[State, Moved]]]:
    """Return the states that one seat can reach within the turn, with their last moves.

    The first of them comes from the way with the fewest moves.
    """
    arrivals, going = dict[State, list[tuple[State, Moved]]]({start: []}), [(start, seat)]
    for before, mover in going:
        awaiting = (one for one in before.position.awaiting() if mover in (None, one.seat))
        work.ended |= any({*one.moves} & {*before.game.unlisted_tags} for one in awaiting)
        for move in moves_at(before):
            if mover not in (None, move.seat):
                continue
            if not work.take():
                return arrivals
            after, _ = move.evolve(before)
            if after not in arrivals:
                arrivals[after] = []
                if after.outcome is None and after.position.turn == start.position.turn:
                    going.append((after, move.seat))
            arrivals[after].append((before, move))
    return arrivals


def _fits(state: State, events: Sequence[LineEvent], work: Work) -> Iterator[None]:
    """Yield once for each legal line from a state that fits all events."""
    if not events:
        yield
        return
    event, later = events[0], events[1:]
    if isinstance(event, Unrecorded):
        for _ in _of_dash(state, event.seat, later, work):
            yield
    elif work.take():
        judged = event.judged(state) if isinstance(event, Noted) else event.check(state) or event
        if not isinstance(judged, Violation):
            yield from _fits(judged.evolve(state)[0], later, work)
