"""Commands for queries over all matches: explore, stats."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from typing import TYPE_CHECKING, Annotated

import typer

from cli import completion
from cli.books import read_book
from cli.games import After, Seats, played_after
from cli.output import Db, GameName, Json, OptionTexts, print_json, print_json_lines, slug
from cli.progress import counted

if TYPE_CHECKING:
    from replay.library.explorer import SeenMove
    from replay.library.match_statistics import GameStats, Lengths

Rebuild = Annotated[
    bool, typer.Option("--rebuild", help="Derive what is looked through anew from the logs.")
]


def explore(
    game: GameName,
    seats: Seats = None,
    option: OptionTexts = [],  # noqa: B006  # typer reads it as "none given"
    after: After = "",
    rebuild: Rebuild = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """List the moves seen in a position, over all matches.

    Each with how often it was seen, and how those matches ended.
    """
    from replay import registry
    from replay.library import explorer, position_index, summaries

    match = played_after(registry.find(game), seats, option, after)
    with read_book(db) as book:
        summaries.catch_up(book, counted)
        (position_index.rebuild if rebuild else position_index.catch_up)(book, counted)
        found = explorer.explore(book, match)
    if json:
        print_json(found)
    elif not found.moves:
        print("nothing was played here")
    width = max((len(move.token) for move in found.moves), default=0)
    for move in () if json else found.moves:
        print(f"{move.token:{width}}  {_describe_move(move)}")


def stats(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="By default all.",
            callback=slug,
            autocompletion=completion.games,
        ),
    ] = None,
    player: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only matches with this player, in any case.")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Count matches by length, winner and ending."""
    from replay import registry
    from replay.library import summaries
    from replay.library.match_statistics import stats as count

    slug = registry.find(game).slug if game else None
    with read_book(db) as book:
        summaries.catch_up(book, counted)
        found = count(book, slug, player)
    if json:
        print_json_lines(found)
    elif not found:
        print("no matches")
    for each in () if json else found:
        _print(each)


def _describe_move(move: SeenMove) -> str:
    """Describe how often a move was played, and how the matches ended."""
    ends = {f"seat {seat} won": number for seat, number in move.won.items()}
    ends |= {"drawn": move.drawn, "unfinished": move.unfinished, "in analysis": move.variations}
    return f"{move.seen:4}  {_counts(ends)}"


def _print(each: GameStats) -> None:
    print(f"{each.game}: {_number(each.matches, 'match', 'matches')}, {each.finished} ended")
    if each.plies and each.turns:
        print(f"  length      {_lengths(each.plies)} plies, {_lengths(each.turns)} turns")
    print(f"  results     {_counts({_describe_result(key): n for key, n in each.results.items()})}")
    if each.clauses:
        print(f"  ended by    {_counts(each.clauses)}")
    if each.stood:
        print(f"  stood       {_counts(each.stood)}")
    for one in each.players:
        ends = {"won": one.won, "drawn": one.drawn, "lost": one.lost, "unfinished": one.unfinished}
        print(f"  {one.player:11} {_number(one.matches, 'match', 'matches')}: {_counts(ends)}")


def _counts(counts: dict[str, int]) -> str:
    """Describe the counts that are not zero."""
    return ", ".join(f"{name} {number}" for name, number in counts.items() if number)


def _lengths(lengths: Lengths) -> str:
    return f"{lengths.least} to {lengths.most} (median {lengths.median:g})"


def _number(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _describe_result(result: str) -> str:
    if result.startswith("+"):
        return f"seat {result[1:]} won"
    return "drawn" if result == "=" else "unfinished"
