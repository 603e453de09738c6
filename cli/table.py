"""Commands at the table, while a match goes on: play, record, takeback."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli.context import Db, Json, MatchId, in_colour, open_book, print_json
from domain.events import awaited_words, outcome_words
from replay import playing, timeline
from replay.addresses import parse
from replay.book import Recorded
from replay.errors import Refused, Usage
from replay.refusals import explained, told

Tokens = Annotated[list[str], typer.Argument(metavar="TOKEN...", help="Moves, like c1>S@c3.")]


def play(match: MatchId, tokens: Tokens, db: Db = None, json: Json = False) -> None:
    """Enter moves, all or none; the referee checks them first."""
    with open_book(db) as book:
        before = book.open(match)
        try:
            after = playing.play(book, before, tokens)
        except Refused as refused:
            refusal = told(refused, tokens[refused.index])
            if json:
                print_json(refusal)
            else:
                print(explained(refusal), file=sys.stderr)
            raise typer.Exit(1) from None
        entered = list(timeline.entries(after))[len(before.match.line) :]
        if json:
            print_json(_answer(after, entered))
        else:
            for entry in entered:
                print(told_at_length(entry))
            print(status(after))


def takeback(
    match: Annotated[str, typer.Argument(metavar="MATCH[@PLY]", help="The ply to go back to.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Take back the last event, or everything after a ply. The log keeps what stood there."""
    address = parse(match)
    if address.version is not None:
        raise Usage("only the line that stands can be taken back; leave the version away")
    with open_book(db) as book:
        before = book.open(address.match)
        last = len(before.match.line)
        after = playing.take_back(book, before, last - 1 if address.ply is None else address.ply)
        if json:
            print_json(_answer(after, []))
        else:
            print(f"taken back to ply {len(after.match.line)}\n{status(after)}")


def record(match: MatchId, db: Db = None) -> None:
    """Record a match move by move: shows the board, prompts, explains refusals."""
    from cli.recording import Recorder

    with open_book(db) as book:
        refused = Recorder(book, book.open(match)).run()
    if refused and not sys.stdin.isatty():
        raise typer.Exit(1)


WIDTH = 96
"""Characters of a line before what came of an event is told in lines of its own."""


def told_entry(entry: timeline.Entry) -> str:
    """Tell an event in a line: its turn, token and what came of it."""
    seat = f"seat {entry.seat}" if entry.seat else "ruling"
    token = entry.token if entry.token is not None else "(sealed)"
    words = entry.words()
    return f"{entry.turn}. {seat}: {token}" + (f"  {words}" if words else "")


def told_at_length(entry: timeline.Entry) -> str:
    """Tell an event, each of its consequences in a line of its own where one is not enough."""
    line = told_entry(entry)
    if len(line) <= WIDTH:
        return line
    head = line.removesuffix(entry.words()).rstrip()
    return "\n".join([head, *(f"      {effect.words()}" for effect in entry.effects)])


def status(recorded: Recorded) -> str:
    """Tell in a line how the match stands."""
    state = recorded.state
    if state.outcome is not None:
        return outcome_words(state.outcome)
    offer = f"; seat {state.offered} offers a draw" if state.offered else ""
    return awaited_words(state) + offer


def draw(recorded: Recorded, ply: int | None = None) -> str:
    """Draw the position after a ply, by default the last, for a spectator."""
    from replay.drawing import text

    number = len(recorded.match.line) if ply is None else ply
    return text.draw(timeline.point(recorded, number).scene, colour=in_colour())


def _answer(recorded: Recorded, entered: list[timeline.Entry]) -> dict[str, object]:
    point = timeline.point(recorded, len(recorded.match.line))
    return {
        "ok": True,
        "match": recorded.id,
        "version": recorded.match.version,
        "ply": point.ply,
        "events": entered,
        "awaiting": point.awaiting,
        "outcome": point.outcome and point.outcome.told(),
    }
