"""Commands over all matches: list, evening, explore, stats."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from cli import completion
from cli.books import existing_book, read_book
from cli.games import After, Seats, played_after
from cli.match_text import players_in
from cli.output import (
    MOST_LISTED,
    Db,
    GameName,
    Json,
    OptionTexts,
    complete_commands,
    print_json,
    print_json_lines,
    slug,
)
from cli.progress import counted
from domain.names import count, cut
from replay.book import Book
from replay.errors import DamagedMatch, Usage
from replay.record.match_record import Header, header_of
from replay.record.match_summary import STANDING
from replay.store.types import ListedMatch, Summary, SummaryFilter
from replay.tags.names import names_in

if TYPE_CHECKING:
    from replay.library.evening_results import EveningMatch
    from replay.library.explorer import GameStats, Lengths, SeenMove


LIMIT: Final = 20
"""The default number of listed matches, except in JSON."""

PlayerName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Only matches with this player; capitals do not matter.",
        autocompletion=completion.players,
    ),
]
Status = Annotated[
    str | None,
    typer.Option(
        metavar="open|ended",
        help="Only open matches, or only ended ones.",
        autocompletion=completion.one_of("open", "ended"),
    ),
]
Since = Annotated[
    str | None,
    typer.Option(
        metavar="DATE", help="Only matches with an event on this day (2026-01-31) or later."
    ),
]
Sure = Annotated[
    bool,
    typer.Option(
        "--sure", help="Leave out matches with a dash, or a move not sure or found out later."
    ),
]


def list_matches(
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="Only matches of this game.",
            callback=slug,
            autocompletion=completion.games,
        ),
    ] = None,
    player: PlayerName = None,
    status: Status = None,
    since: Since = None,
    sure: Sure = False,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1, max=MOST_LISTED, help=f"The most to list; by default {LIMIT}, and all in JSON."
        ),
    ] = None,
    trash: Annotated[bool, typer.Option("--trash", help="List what was deleted.")] = False,
    variations: Annotated[
        bool, typer.Option("-a", "--variations", help="List variations too.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """List the matches, newest first.

    A line has the id, the day of the last event, the game, the players and the
    result or the awaited seat.

    Examples:
        plybook list
        plybook list --player jet --status open
    """
    from replay.library import indexes

    wanted = SummaryFilter(
        kind=None if variations or trash else "match",
        game=_slug(game) if game is not None else None,
        status=_status(status),
        player=player,
        since=_milliseconds(since) if since is not None else None,
        sure=sure,
        trashed=trash,
    )
    with read_book(db) as book:
        indexes.catch_up_summaries(book, counted)
        found = indexes.with_summaries(book, book.store.listed(wanted), wanted)
        listed = islice(found, limit if limit or json else LIMIT)
        if json:
            print_json_lines(_about(book, each) for each in _readable(listed))
            return
        shown = list(listed)
        rows = [_row(book, each) for each in _readable(shown)]
        more = book.store.count_listed(wanted) - len(shown)
    for line in _table(rows) if rows else ():
        print(line)
    if more > 0:
        print(f"and {more} more; --limit {len(shown) + more} lists them", file=sys.stderr)


def evening(
    name: Annotated[str, typer.Argument(metavar="ID", help="The id of an evening.")],
    csv: Annotated[
        bool, typer.Option("--csv", help="A table with a line for each player of each match.")
    ] = False,
    title: Annotated[
        str | None, typer.Option(help="Rename it; an empty title erases the former one.")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """List the matches of an evening with their results and points.

    Examples:
        plybook evening t4b7m2c9q0ab
        plybook evening t4b7m2c9q0ab --csv
    """
    from replay.access.visibility import VISIBILITIES, ReadScope
    from replay.library import evening_results
    from replay.referee.evenings import find_evening, rename

    if title is not None:
        with existing_book(db) as book:
            rename(book, find_evening(book, name), title)
    with read_book(db) as book:
        found = find_evening(book, name)
        rows = evening_results.every_match(book, found, ReadScope(frozenset(VISIBILITIES.values())))
    if csv:
        sys.stdout.write(evening_results.to_csv(found, rows))
    elif json:
        print_json_lines(rows)
    else:
        print(f"{found.title}, {found.date}")
        for line in _table([_row_of_evening(each) for each in rows]) if rows else ():
            print(line)


def _row_of_evening(each: EveningMatch) -> Row:
    names = (
        f"{name} {each.points[seat]:g}" if seat in each.points else name
        for seat, name in each.players.items()
    )
    where = f"round {each.round} table {each.table}"
    return each.match, where, each.game, " - ".join(names), each.status


def _readable(listed: Iterable[ListedMatch]) -> Iterator[ListedMatch]:
    """Yield the matches whose headers can be read, and name the others on standard error."""
    for each in listed:
        try:
            header_of(each.stream)
            yield each
        except DamagedMatch as error:
            print(complete_commands(f"plybook: {error}"), file=sys.stderr)


def _slug(game: str) -> str:
    from replay import registry

    return registry.find(game).slug


def _status(text: str | None) -> Literal["open", "ended"] | None:
    match text:
        case None | "open" | "ended":
            return text
    raise Usage(f"use open or ended, not {text!r}")


def _milliseconds(date: str) -> int:
    """Return the beginning of a local day in milliseconds since 1970. Raises `Usage`."""
    try:
        return int(datetime.strptime(date, "%Y-%m-%d").timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        raise Usage(f"{date!r} is not a valid date; write it like 2026-01-31") from None


HEADINGS: Final = ("id", "last event", "game", "players", "standing")
MAX_NAME: Final = 24
"""The longest name that a list does not cut."""

Row = tuple[str, str, str, str, str]


def _row(book: Book, each: ListedMatch) -> Row:
    header, known, facts = header_of(each.stream), _summary(each), book.stream_facts(each.stream)
    players = (cut(name, MAX_NAME) for name in players_in(facts, header.seats).values())
    plies = count(known.plies, "ply", "plies")
    short = {name: cut(text, MAX_NAME) for name, text in facts.items()}
    words = f"{plies}, {_words(known, header, short)}{_describe_fork(header)}"
    return each.stream.public_id, _day(known.last), known.game, " - ".join(players), words


def _table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield aligned lines; in a terminal they have headings, and are cut to its width."""
    on_terminal = sys.stdout.isatty()
    table = [HEADINGS, *rows] if on_terminal else rows
    widths = [max(len(row[column]) for row in table) for column in range(4)]
    columns = shutil.get_terminal_size().columns - 1
    for *first, words in table:
        cells = (f"{text:{width}}" for text, width in zip(first, widths, strict=True))
        line = "  ".join([*cells, words])
        yield cut(line, columns) if on_terminal else line


def _about(book: Book, each: ListedMatch) -> dict[str, Any]:
    """Return the short description of a match as JSON data; `show --json` has more."""
    from replay.library.match_state import summarise

    return summarise(book, each) | {"changed": each.changed, "number": each.number}


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


Rebuild = Annotated[
    bool, typer.Option("--rebuild", help="Build the search index again from the logs.")
]


def explore(
    game: GameName,
    seats: Seats = None,
    option: OptionTexts = [],  # noqa: B006  # typer reads it as "none given"
    after: After = "",
    player: PlayerName = None,
    sure: Sure = False,
    rebuild: Rebuild = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """List the moves seen in a position, over all matches.

    Each with how often it was seen, and how those matches ended. With a player, only that player's
    moves count.

    Examples:
        plybook explore poptrix
        plybook explore poptrix --after 'M@c1 S@c6'
        plybook explore poptrix --player jet
    """
    from replay import registry
    from replay.library import explorer, indexes

    match = played_after(registry.find(game), seats, option, after)
    with read_book(db) as book:
        indexes.catch_up_summaries(book, counted)
        (indexes.rebuild if rebuild else indexes.catch_up_positions)(book, counted)
        found = explorer.explore(book, match, player=player, sure=sure)
    if json:
        print_json(found)
    elif not found.moves:
        print("nothing was played here")
    width = max((len(move.text) for move in found.moves), default=0)
    for move in () if json else found.moves:
        print(f"{move.text:{width}}  {_describe_move(move)}")
    if found.uncounted:
        missing = count(found.uncounted, "match is", "matches are")
        print(f"{missing} not counted: `plybook verify` says why", file=sys.stderr)


def stats(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="The game; by default all.",
            callback=slug,
            autocompletion=completion.games,
        ),
    ] = None,
    player: PlayerName = None,
    sure: Sure = False,
    refusals: Annotated[
        bool,
        typer.Option("--refusals", help="Count the refused moves by player and clause instead."),
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Count matches by length, winner and ending.

    Refused tries are counted in matches with `--tries`.

    Examples:
        plybook stats
        plybook stats poptrix --player jet
    """
    from replay import registry
    from replay.library import indexes
    from replay.library.explorer import stats as count

    slug = registry.find(game).slug if game else None
    with read_book(db) as book:
        indexes.catch_up_summaries(book, counted)
        found = count(book, slug, player, sure=sure)
    if json:
        print_json_lines(found)
    elif not found:
        print("no matches")
    for each in () if json else found:
        (_print_refusals if refusals else _print)(each)


def _describe_move(move: SeenMove) -> str:
    """Describe how often a move was played, and how the matches ended."""
    ends = {f"seat {seat} won": number for seat, number in move.won.items()}
    ends |= {"drawn": move.drawn, "unfinished": move.unfinished, "in analysis": move.variations}
    return f"{move.seen:4}  {_counts(ends)}"


def _print(each: GameStats) -> None:
    print(f"{each.game}: {count(each.matches, 'match', 'matches')}, {each.finished} ended")
    if each.plies and each.turns:
        print(f"  length      {_lengths(each.plies)} plies, {_lengths(each.turns)} turns")
    print(f"  results     {_counts({_describe_result(key): n for key, n in each.results.items()})}")
    if each.clauses:
        print(f"  ended by    {_counts(each.clauses)}")
    if each.stood:
        print(f"  stood       {_counts(each.stood)}")
    for one in each.players:
        ends = {"won": one.won, "drawn": one.drawn, "lost": one.lost, "unfinished": one.unfinished}
        told = "; ".join(filter(None, (_counts(ends), one.places_words)))
        print(f"  {one.player:11} {count(one.matches, 'match', 'matches')}: {told}")


def _print_refusals(each: GameStats) -> None:
    """Print the refused tries of a game, each clause with its words."""
    from cli.match_text import wrapped
    from replay import registry, rules_text

    print(f"{each.game}: {count(sum(one.times for one in each.refused), 'try', 'tries')} refused")
    game = registry.games().get(each.game)
    for one in each.refused:
        words = rules_text.words(game, one.clause) if game else None
        said = f"{one.clause} {words}" if words else one.clause
        print(wrapped(f"  {one.player:11} {one.times:4}  {said}"))


def _counts(counts: dict[str, int]) -> str:
    """Describe the counts that are not zero."""
    return ", ".join(f"{name} {number}" for name, number in counts.items() if number)


def _lengths(lengths: Lengths) -> str:
    return f"{lengths.least} to {lengths.most} (median {lengths.median:g})"


def _describe_result(result: str) -> str:
    if result.startswith("+"):
        return f"seat {result[1:]} won"
    return "drawn" if result == "=" else "unfinished"
