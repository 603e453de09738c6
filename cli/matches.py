"""Commands for stored matches: new, delete."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import completion
from cli.books import existing_book, open_book
from cli.match_text import described
from cli.output import (
    Db,
    GameName,
    Json,
    MatchId,
    OptionTexts,
    chosen,
    options_of,
    players_by_seat,
    print_json,
)
from replay.errors import Usage

if TYPE_CHECKING:
    from domain.game import Game
    from replay.upkeep.purge import Purged


def new(
    game: GameName,
    seat: Annotated[
        list[str],
        typer.Option("--seat", metavar="N=NAME", help="The player of a seat, like 1=Jet."),
    ] = [],  # noqa: B006  # typer reads it as "none given"
    seats: Annotated[
        int | None, typer.Option(help="The number of players; by default as many as are named.")
    ] = None,
    option: OptionTexts = [],  # noqa: B006
    dice: Annotated[
        str,
        typer.Option(
            help="Who rolls: `table`, or `service` from a seed it commits to.",
            autocompletion=completion.one_of("table", "service"),
        ),
    ] = "table",
    clock: Annotated[
        str | None,
        typer.Option(
            metavar="CONTROL",
            help="As in PGN: 300+5, 40/7200:3600; 300+5d (delay), 300+5b (Bronstein), 3600:5x30"
            " (byo-yomi). Or NAME=SECONDS,... of move, total, increment, programming.",
        ),
    ] = None,
    unjudged: Annotated[
        bool,
        typer.Option("--unjudged", help="Record moves without judging them; `check` judges them."),
    ] = False,
    scoresheets: Annotated[
        str,
        typer.Option(
            metavar="one|each",
            help="Whether each player keeps a scoresheet: two private, unjudged matches.",
            autocompletion=completion.one_of("one", "each"),
        ),
    ] = "one",
    withhold: Annotated[
        bool, typer.Option("--withhold-legal", help="List no legal moves until the end.")
    ] = False,
    tries: Annotated[
        int | None,
        typer.Option(help="The number of refused moves in a turn after which a seat forfeits."),
    ] = None,
    comments: Annotated[
        str,
        typer.Option(
            metavar="now|end",
            help="When others may read the scorekeeper's annotations: now, or at the end.",
            autocompletion=completion.one_of("now", "end"),
        ),
    ] = "now",
    renamed: Annotated[bool, typer.Option("--quiet", hidden=True)] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Open a match, and print its id.

    If each player keeps a scoresheet, the ids of both matches are printed.

    Whist, Hearts and Bridge take --option hands=unseen: nobody types hands, and cards are entered
    as they fall.

    Examples:
        plybook new poptrix --seat 1=Jet --seat 2=Red
        plybook new blockade --dice service --clock 300+5
    """
    from replay import registry
    from replay.record.clock import read_clock
    from replay.record.match_creation import MatchCredentials, new_match_id
    from replay.referee.opening import open_match, seat_count
    from replay.referee.scoresheet_pairs import SEATS, check_pair, open_scoresheet

    if renamed:
        raise typer.BadParameter("'--quiet' is now '--unjudged'")
    found = registry.find(game)
    players = players_by_seat(seat)
    how: dict[str, Any] = {
        "players": players,
        "seats": seats,
        "options": options_of(found, option),
        "dice": chosen(dice, ("table", "service"), "cannot roll the dice"),
        "clock": read_clock(clock) if clock is not None else None,
        "legal": "withheld" if withhold else "listed",
        "tries": tries,
        "comments": chosen(comments, ("now", "end"), "is not a time to show comments"),
    }
    kept = chosen(scoresheets, ("one", "each"), "is not a number of scoresheets")
    with open_book(db) as book:
        if kept == "each":
            check_pair(found, seat_count(found, seats, players))
            ids = [new_match_id() for _ in SEATS]
            opened = [
                open_scoresheet(
                    book, found, seat, ids[-seat], **how, credentials=MatchCredentials(own)
                )
                for seat, own in zip(SEATS, ids, strict=True)
            ]
        else:
            opened = [open_match(book, found, **how, unjudged=unjudged)]
        for record in opened:
            if json:
                print_json(described(book, record))
            else:
                print(record.id)
    _tell_options(found, option)


def _tell_options(game: Game[Any], given: list[str]) -> None:
    """Print to standard error which options the forms offer first, unless they are given."""
    from replay.games import game_info

    told = game_info.about(game)
    names = options_of(game, given)
    for name, value in told.offered_first(game).items():
        if name not in names:
            asked = f"{told.question(name)} {told.answer(name, value)}"
            print(f"{asked} (--option {name}={value})", file=sys.stderr)


def delete(
    match: MatchId,
    purge: Annotated[
        bool, typer.Option("--purge", help="Delete it for good instead of moving it to the trash.")
    ] = False,
    variations: Annotated[
        bool, typer.Option("--variations", help="With --purge: delete its variations too.")
    ] = False,
    restore: Annotated[bool, typer.Option("--restore", help="Take it out of the trash.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --purge: do not ask first.")] = False,
    db: Db = None,
) -> None:
    """Put a match into the trash, or delete it for good.

    Forks that are played on, or have tokens of their own, stay; of a match that is deleted for
    good they keep the events they share with it, without names and comments.

    Examples:
        plybook delete k7m2
        plybook delete k7m2 --purge --variations --yes
    """
    from replay.access import operators
    from replay.upkeep.purge import purge as purged

    if variations and not purge:
        raise Usage("--variations needs --purge")
    if purge and restore:
        raise Usage("--purge and --restore exclude each other")
    with existing_book(db) as book:
        # Only the stream is read, so a match that cannot be read can still be deleted.
        stream = book.store.find(match)
        if purge:
            if not yes:
                _confirm(f"Delete {stream.public_id} for good?")
            for line in _describe_purge(purged(book, stream, variations=variations)):
                print(line)
            return
        if restore and not stream.trashed:
            raise Usage(f"{stream.public_id} is not in the trash")
        operators.trash(book, stream, not restore)
    print(f"{stream.public_id} {'restored' if restore else 'in the trash'}")


def _confirm(question: str) -> None:
    """Ask the user. Raises `Usage` if there is no terminal, or if the answer is not yes."""
    if not sys.stdin.isatty():
        raise Usage("without a terminal nothing can be asked; use --purge with --yes")
    if not typer.confirm(question):
        raise Usage("nothing is deleted")


def _describe_purge(purged: Purged) -> Iterator[str]:
    for match in (purged.match, *purged.variations):
        yield f"{match} deleted for good"
    for fork in purged.left:
        yield f"{fork} stays: a separate fork, with the events it shares"
