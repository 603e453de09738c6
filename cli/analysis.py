"""Commands that search: analyse."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from typing import Annotated

import typer

from cli.books import existing_book
from cli.match_text import wrapped
from cli.output import Db, Json, MatchId, print_answers
from cli.progress import bar


def analyse(
    match: MatchId,
    seconds: Annotated[
        float,
        typer.Option(
            min=0.1, max=86400, help="The seconds for the whole match, on all processors."
        ),
    ] = 60.0,
    playouts: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_000_000,
            help="The number of playouts for each position, instead of a time.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the random numbers.")] = 0,
    db: Db = None,
    json: Json = False,
) -> None:
    """Search every position of a match, and comment on it.

    The comments have the author "analysis", and replace its earlier ones. Ctrl-C
    changes nothing.

    Examples:
        plybook analyse - --playouts 20
        plybook analyse k7m2 --seconds 1
    """
    from replay.programs import evaluations

    with existing_book(db) as book:
        record = book.open(match)
        positions = len(evaluations.questions(record))
        each = evaluations.share(seconds, positions)
        found = []
        with bar("positions", positions, True) as advance:
            for one in evaluations.evaluate(record, evaluations.Effort(each, playouts, seed)):
                found.append(one)
                advance(1)
        evaluations.write(book, record, found)
    print_answers(found, (wrapped(f"{one.ply:4} {one.words()}") for one in found), json)
