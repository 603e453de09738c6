"""Commands for a match in progress: play, record."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from typing import Annotated

import typer

from cli.match_text import answer, describe_in_detail, status
from cli.output import Db, Json, MatchId, open_book, print_json, print_refusals
from replay.names import names_of
from replay.reading import timeline
from replay.referee import entering

Tokens = Annotated[list[str], typer.Argument(metavar="TOKEN...", help="Moves, like c1>S@c3.")]


def play(match: MatchId, tokens: Tokens, db: Db = None, json: Json = False) -> None:
    """Enter moves, all or none; the referee checks them first."""
    with open_book(db) as book:
        before = book.open(match)
        with print_refusals(tokens, json, names_of(book, before)):
            after = entering.play(book, before, tokens)
        if json:
            print_json(answer(after, list(timeline.entries(after, after=len(before.match.line)))))
        else:
            names = names_of(book, after)
            for entry in timeline.entries(after, None, len(before.match.line), names):
                print(describe_in_detail(entry, names))
            print(status(after, names))


def record(match: MatchId, db: Db = None) -> None:
    """Record a match move by move: shows the board, prompts, explains refusals."""
    from cli.recorder import Recorder  # the completion's modules are for this command only

    with open_book(db) as book:
        refused = Recorder(book, book.open(match)).run()
    if refused and not sys.stdin.isatty():
        raise typer.Exit(1)
