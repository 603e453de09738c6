"""Accepted illegal moves: the options to record one, and the advice after a refusal."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from typing import TYPE_CHECKING, Annotated

import typer

from domain.entry import move_text, stood
from domain.events import broken_clause
from domain.position import Move
from replay.errors import Refused, Usage

if TYPE_CHECKING:
    from replay.book import Book

Stood = Annotated[
    bool,
    typer.Option("--stood", help="Record a move that broke a rule and that the players accepted."),
]
After = Annotated[
    str | None,
    typer.Option(
        "--position",
        metavar="POSITION",
        help="With --stood: the position after it, if the rules do not say.",
    ),
]


def read_stood(written: list[str], is_stood: bool, position: str | None) -> list[str]:
    """Return the given move texts, or with `is_stood` the move text of an illegal move.

    Raises `Usage`.
    """
    if not is_stood:
        if position is not None:
            raise Usage("--position needs --stood; `plybook adjust` sets only a position")
        return written
    if len(written) != 1:
        raise Usage(f"--stood takes one move, not {len(written)}; enter the other moves without it")
    return [move_text.as_stood(written[0], position)]


def advise(
    book: Book, match: str, refused: Refused, text: str, entered: str, asked: str
) -> str | None:
    """Return advice to record a refused move; `None` for a move that cannot be recorded.

    `entered` records it; `asked` includes the position after it, for a game that cannot derive it.
    """
    from replay.referee import entering

    seat, body = move_text.split(text)
    seat, state = seat or refused.seat, refused.match.state
    if seat is None or not isinstance(move := move_text.stood_move(state, seat, body), Move):
        return None
    body = state.game.write(move)
    if not isinstance(broken_clause(state, seat, body), str):
        return None
    known = stood.proposed(state, seat, body) is not None
    if not known and state.game.text is None:
        return None
    position = None if known else state.game.write_position(state.position)
    try:  # the match may roll the dice itself, or have ended with this try
        entering.dry_run(book, book.open(match), [move_text.as_stood(text, position)])
    except Refused:
        return None
    return f"  If it was played and stood: {entered if known else asked}"
