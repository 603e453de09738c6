"""Commands at the table, while a match goes on: play, record."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli.output import Db, Json, MatchId, duration, in_colour, open_book, print_json
from domain.events import awaited_words, outcome_words
from replay.errors import Refused
from replay.match_record import MatchRecord
from replay.reading import timeline
from replay.referee import entering
from replay.referee.clock import SeatClock
from replay.referee.refusal import describe, explain

Tokens = Annotated[list[str], typer.Argument(metavar="TOKEN...", help="Moves, like c1>S@c3.")]


def play(match: MatchId, tokens: Tokens, db: Db = None, json: Json = False) -> None:
    """Enter moves, all or none; the referee checks them first."""
    with open_book(db) as book:
        before = book.open(match)
        try:
            after = entering.play(book, before, tokens)
        except Refused as refused:
            refusal = describe(refused, tokens[refused.index])
            if json:
                print_json(refusal)
            else:
                print(explain(refusal), file=sys.stderr)
            raise typer.Exit(1) from None
        entered = list(timeline.entries(after, after=len(before.match.line)))
        if json:
            print_json(answer(after, entered))
        else:
            for entry in entered:
                print(describe_in_detail(entry))
            print(status(after))


def record(match: MatchId, db: Db = None) -> None:
    """Record a match move by move: shows the board, prompts, explains refusals."""
    from cli.recorder import Recorder

    with open_book(db) as book:
        refused = Recorder(book, book.open(match)).run()
    if refused and not sys.stdin.isatty():
        raise typer.Exit(1)


WIDTH = 96
"""Characters of a line before what came of an event is told in lines of its own."""


def describe_entry(entry: timeline.TimelineEntry) -> str:
    """Tell an event in a line: its turn, token and what came of it."""
    seat = f"seat {entry.seat}" if entry.seat else "scorekeeper"
    token = entry.token if entry.token is not None else "(sealed)"
    words = entry.words()
    return f"{entry.turn}. {seat}: {token}" + (f"  {words}" if words else "")


def describe_in_detail(entry: timeline.TimelineEntry) -> str:
    """Tell an event, each of its consequences in a line of its own where one is not enough."""
    line = describe_entry(entry)
    if len(line) <= WIDTH or not entry.effects:
        return line
    head = line.removesuffix(entry.words()).rstrip()
    told = [*(effect.words() for effect in entry.effects), *(["amended"] if entry.amended else [])]
    return "\n".join([head, *(f"      {words}" for words in told)])


def status(recorded: MatchRecord) -> str:
    """Tell in a line how the match stands."""
    state, asked = recorded.state, recorded.match.asked
    request = f"; seat {asked.seat} asks to take back to ply {asked.ply}" if asked else ""
    if state.outcome is not None:
        return outcome_words(state.outcome) + request
    offer = f"; seat {state.offered} offers a draw" if state.offered else ""
    return awaited_words(state) + offer + request


def describe_clocks(recorded: MatchRecord) -> str:
    """Tell in a line what the clocks showed at the last event; empty without a clock."""
    found = timeline.clocks(recorded)
    return "clock: " + "; ".join(map(_describe_clock, found.seats)) if found else ""


def _describe_clock(one: SeatClock) -> str:
    left = "" if one.left is None else f", has {duration(one.left)}"
    return f"seat {one.seat} used {duration(one.used)}{left}{' and runs' if one.runs else ''}"


def draw(recorded: MatchRecord, ply: int | None = None) -> str:
    """Draw the position after a ply, by default the last, for a spectator."""
    from replay.drawing import text

    number = len(recorded.match.line) if ply is None else ply
    return text.draw(timeline.point(recorded, number).scene, colour=in_colour())


def answer(recorded: MatchRecord, entered: list[timeline.TimelineEntry]) -> dict[str, object]:
    """Return what a command that wrote to a match answers in JSON."""
    point = timeline.point(recorded, len(recorded.match.line))
    return {
        "ok": True,
        "match": recorded.id,
        "version": recorded.match.version,
        "ply": point.ply,
        "events": entered,
        "awaiting": point.awaiting,
        "outcome": point.outcome and point.outcome.told(),
        "asked": recorded.match.asked,
    }
