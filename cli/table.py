"""Commands at the table, while a match goes on: play, record."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli.output import Db, Json, MatchId, duration, in_colour, open_book, print_json
from domain.names import Names
from replay.branches.line_tree import describe_standing
from replay.errors import Refused
from replay.match_record import MatchRecord
from replay.names import names_of
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
            names = names_of(book, after)
            for entry in entered:
                print(describe_in_detail(entry, names))
            print(status(after, names))


def record(match: MatchId, db: Db = None) -> None:
    """Record a match move by move: shows the board, prompts, explains refusals."""
    from cli.recorder import Recorder

    with open_book(db) as book:
        refused = Recorder(book, book.open(match)).run()
    if refused and not sys.stdin.isatty():
        raise typer.Exit(1)


WIDTH = 96
"""Characters of a line before what came of an event is told in lines of its own."""


def describe_entry(entry: timeline.TimelineEntry, names: Names) -> str:
    """Tell an event in a line: its turn, token and what came of it."""
    seat = names[entry.seat] if entry.seat else "scorekeeper"
    token = entry.token if entry.token is not None else "(sealed)"
    words = entry.words(names)
    return f"{entry.turn}. {seat}: {token}" + (f"  {words}" if words else "")


def describe_in_detail(entry: timeline.TimelineEntry, names: Names) -> str:
    """Tell an event, each of its consequences in a line of its own where one is not enough."""
    line = describe_entry(entry, names)
    if len(line) <= WIDTH or not entry.effects:
        return line
    head = line.removesuffix(entry.words(names)).rstrip()
    told = [effect.words(names) for effect in entry.effects]
    told += ["amended"] if entry.amended else []
    return "\n".join([head, *(f"      {words}" for words in told)])


def status(recorded: MatchRecord, names: Names) -> str:
    """Tell in a line how the match stands."""
    asked = recorded.match.asked
    request = f"; {names[asked.seat]} asks to take back to ply {asked.ply}" if asked else ""
    return describe_standing(recorded.state, names) + request


def describe_clocks(recorded: MatchRecord, names: Names) -> str:
    """Tell in a line what the clocks showed at the last event; empty without a clock."""
    found = timeline.clocks(recorded)
    return (
        "clock: " + "; ".join(_describe_clock(one, names) for one in found.seats) if found else ""
    )


def _describe_clock(one: SeatClock, names: Names) -> str:
    left = "" if one.left is None else f", has {duration(one.left)}"
    return f"{names[one.seat]} used {duration(one.used)}{left}{' and runs' if one.runs else ''}"


def draw(recorded: MatchRecord, names: Names) -> str:
    """Draw the position after the last ply for a spectator."""
    from replay.drawing import text

    here = timeline.point(recorded, len(recorded.match.line), names=names)
    return text.draw(here.scene, colour=in_colour())


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
