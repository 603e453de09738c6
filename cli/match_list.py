"""The command that lists stored matches by their summaries: list."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from collections.abc import Mapping
from datetime import datetime
from itertools import islice
from typing import Annotated, Any, Final, Literal

import typer

from cli import completion
from cli.books import read_book
from cli.match_text import about_header, players_in
from cli.output import Db, Json, print_json, slug
from cli.progress import counted
from domain.plurals import count
from replay.book import Book
from replay.errors import Usage
from replay.record.match_record import Header, header_of
from replay.record.match_summary import STANDING
from replay.store.protocol import ListedMatch, Summary, SummaryFilter
from replay.tags.names import names_in

LIMIT: Final = 20
"""The number of matches that are listed by default, but for JSON."""

Status = Annotated[str | None, typer.Option(metavar="open|ended", help="Only such matches.")]
Since = Annotated[
    str | None,
    typer.Option(metavar="DATE", help="Only with an event on this day (2026-01-31) or later."),
]


def list_matches(
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="Only of this game.",
            callback=slug,
            autocompletion=completion.games,
        ),
    ] = None,
    player: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only with this player, in any case.")
    ] = None,
    status: Status = None,
    since: Since = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help=f"How many; by default {LIMIT}, and all in JSON.")
    ] = None,
    trash: Annotated[bool, typer.Option("--trash", help="List what was deleted.")] = False,
    variations: Annotated[
        bool, typer.Option("-a", "--variations", help="Variations too, not matches alone.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """List the matches, newest first.

    A line has the days of the opening and of the last event, the game, the players and who is next.
    """
    from replay.library import summaries

    wanted = SummaryFilter(
        kind=None if variations or trash else "match",
        game=_slug(game) if game is not None else None,
        status=_status(status),
        player=player,
        since=_milliseconds(since) if since is not None else None,
        trashed=trash,
    )
    with read_book(db) as book:
        summaries.catch_up(book, counted)
        found = (each for each in book.store.listed(wanted) if each.summary is not None)
        shown = 0
        for each in islice(found, limit if limit or json else LIMIT):
            shown += 1
            if json:
                print_json(_about(book, each))
            else:
                print(_line(book, each))
        more = 0 if json else book.store.count_listed(wanted) - shown
    if more > 0:
        print(f"and {more} more; --limit {shown + more} lists them", file=sys.stderr)


def _slug(game: str) -> str:
    from replay import registry

    return registry.find(game).slug


def _status(text: str | None) -> Literal["open", "ended"] | None:
    match text:
        case None | "open" | "ended":
            return text
    raise Usage(f"matches are open or ended, not {text!r}")


def _milliseconds(date: str) -> int:
    """Return the beginning of a local day in milliseconds since 1970. Raises `Usage`."""
    try:
        return int(datetime.strptime(date, "%Y-%m-%d").timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise Usage(f"{date!r} is no date; write it like 2026-01-31") from None


def _line(book: Book, each: ListedMatch) -> str:
    header, known, facts = header_of(each.stream), _summary(each), book.stream_facts(each.stream)
    players = " - ".join(players_in(facts, header.seats).values())
    plies = count(known.plies, "ply", "plies")
    words = f"{_words(known, header, facts)}{_describe_fork(header)}"
    return (
        f"{each.stream.public_id}  {_day(header.created)}  {_day(known.last)}  {known.game:13} "
        f"{players}  {plies}, {words}"
    )


def _about(book: Book, each: ListedMatch) -> dict[str, Any]:
    """Return a match in short as JSON data; `show --json` tells more."""
    header, known, facts = header_of(each.stream), _summary(each), book.stream_facts(each.stream)
    standing = STANDING.decode(known.standing)
    return about_header(header, facts) | {
        "seed": standing.seed,
        "last": known.last,
        "version": known.head,
        "plies": known.plies,
        "head": each.stream.head_hash.hex(),
        "awaiting": standing.awaiting,
        "outcome": standing.outcome and standing.outcome.to_dict(),
        "standing": _words(known, header, facts),
    }


def _summary(each: ListedMatch) -> Summary:
    assert each.summary is not None
    return each.summary


def _words(known: Summary, header: Header, facts: Mapping[str, str]) -> str:
    return STANDING.decode(known.standing).words(names_in(facts, range(1, header.seats + 1)))


def _day(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000).astimezone():%Y-%m-%d}"


def _describe_fork(header: Header) -> str:
    fork = header.fork
    return f"  ({header.kind} of {fork.match}@{fork.ply})" if fork else ""
