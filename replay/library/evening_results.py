"""The results of an evening: a row for each match, and a line of CSV for each player."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from replay.access.visibility import ReadScope
from replay.book import Book
from replay.fields import Seat
from replay.library import match_list
from replay.library.match_list import ListFilter
from replay.record.match_record import header_of
from replay.record.match_summary import STANDING, Standing, result_for
from replay.referee.evenings import number_in
from replay.store.types import Evening, ListedMatch
from replay.tags.match_tags import tags_of
from replay.tags.names import names_in
from replay.texts import MAX_TAG

COLUMNS: Final = ("date", "round", "table", "match", "game", "seat", "player", "result", "points")
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""The beginnings of a cell that spreadsheets run as a formula."""

Place = Annotated[int | str | None, Meta(description="A number, or the text of the tag.")]
Status = Literal["open", "ended"]


class EveningMatch(Struct, frozen=True):
    """A match of an evening. The `points` are the game's if the most wins, else 1, ½ and 0."""

    match: str
    table: Place
    round: Place
    game: str
    """The game's slug, or the title of a match of which only the result was written."""
    players: dict[str, str]
    """The players' names by seat."""
    status: Status
    """Whether the match is in play, or has ended."""
    result: Annotated[str, Meta(description="`+1` if seat 1 has won, `=` for a draw, else `*`.")]
    points: dict[str, int | float]
    """The points by seat; empty before the end, and if the match was abandoned."""


def page(
    book: Book, evening: Evening, scope: ReadScope, limit: int, before: int | None = None
) -> tuple[tuple[EveningMatch, ...], int | None]:
    """Return matches of an evening that the caller may read, and the number before the rest."""
    found = match_list.page(book, ListFilter(evening=evening), scope, limit, before)
    return tuple(sorted(map(_row, found.matches), key=_order)), found.next


def every_match(book: Book, evening: Evening, scope: ReadScope) -> list[EveningMatch]:
    """Return all matches of an evening that the caller may read, by round and table."""
    found = match_list.page_by_page(book, ListFilter(evening=evening), scope)
    return sorted(map(_row, found), key=_order)


def to_csv(evening: Evening, matches: Iterable[EveningMatch]) -> str:
    """Return a table of RFC 4180 with a line for each player of each match.

    A text that a spreadsheet would run as a formula gets an apostrophe before it.
    """
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for each in matches:
        for seat in sorted({**each.players, **each.points}):
            where = evening.date, each.round, each.table, each.match, each.game
            who, points = each.players.get(seat), each.points.get(seat)
            writer.writerow(
                map(_cell, (*where, seat, who, result_for(int(seat), each.result), points))
            )
    return file.getvalue()


def _row(listed: ListedMatch) -> EveningMatch:
    known, header = listed.summary, header_of(listed.stream)
    assert known is not None
    now = STANDING.decode(known.standing)
    tags = {each.name: each.value for each in tags_of(listed.metadata)}
    names = names_in(listed.metadata, range(1, header.seats + 1))
    return EveningMatch(
        header.id,
        _place(tags.get("Table")),
        _place(tags.get("Round")),
        tags.get("Title", known.game),
        {str(seat): name for seat, name in names.players.items()},
        "ended" if now.outcome else "open",
        now.outcome.result if now.outcome else "*",
        _points(now, header.seats),
    )


def _points(now: Standing, seats: Seat) -> dict[str, int | float]:
    outcome = now.outcome
    if outcome is None or outcome.abandoned:
        return {}
    scores = outcome.scores
    most = [seat for seat, score in enumerate(scores, 1) if score == max(scores)]
    if scores and set(outcome.winners) <= set(most):  # places and penalties do not add up
        return {str(seat): score for seat, score in enumerate(scores, 1)}
    drawn = 0.5 if not outcome.winners else 0
    won = [1 if seat in outcome.winners else drawn for seat in range(1, seats + 1)]
    return {str(seat): each for seat, each in enumerate(won, 1)}


def _place(text: str | None) -> int | str | None:
    number = number_in(text)
    return text if number is None else number


def _order(each: EveningMatch) -> tuple[str, ...]:
    """Return the key by which rows are sorted: by round, then by table, numbers as numbers."""
    return tuple(str(part).rjust(MAX_TAG) for part in (each.round, each.table))


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text
