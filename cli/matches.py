"""Commands for stored matches: new, list, verify, token, delete."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.archives import names_archive, verify_archive_file
from cli.match_text import status
from cli.output import (
    Db,
    GameName,
    Json,
    MatchId,
    OptionTexts,
    open_book,
    options_of,
    players_by_seat,
    print_json,
)
from replay.addresses import parse
from replay.book import Book, Rolls
from replay.branches.forks import name_of
from replay.errors import Usage
from replay.match_record import MatchRecord
from replay.names import names_of, seats
from replay.reading import timeline

if TYPE_CHECKING:
    from replay.upkeep.purge import Purged


def new(
    game: GameName,
    seat: Annotated[
        list[str], typer.Option("--seat", metavar="N=NAME", help="Who plays a seat: 1=Jet.")
    ] = [],  # noqa: B006  # typer reads it as "none given"
    seats: Annotated[int | None, typer.Option(help="How many play; by default as named.")] = None,
    option: OptionTexts = [],  # noqa: B006
    dice: Annotated[
        str, typer.Option(help="Who rolls: `table`, or `service` from a seed it commits to.")
    ] = "table",
    clock: Annotated[
        str | None,
        typer.Option(metavar="NAME=SECONDS,...", help="Of move, total, increment, programming."),
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Open a match, and print its id."""
    from replay import registry
    from replay.referee.clock import read_clock
    from replay.referee.opening import open_match

    found = registry.find(game)
    players = players_by_seat(seat)
    with open_book(db) as book:
        recorded = open_match(
            book,
            found,
            players=players,
            seats=seats,
            options=options_of(found, option),
            dice=_who_rolls(dice),
            clock=read_clock(clock) if clock is not None else None,
        )
        if json:
            print_json(about(book, recorded))
        else:
            print(recorded.id)


def _who_rolls(text: str) -> Rolls:
    if text == "service":
        return "service"
    if text != "table":
        raise Usage(f"the dice are rolled by the table or the service, not by {text!r}")
    return "table"


def list_matches(
    db: Db = None,
    json: Json = False,
    trash: Annotated[bool, typer.Option("--trash", help="List what was deleted.")] = False,
    variations: Annotated[
        bool, typer.Option("-a", "--variations", help="Variations too, not matches alone.")
    ] = False,
) -> None:
    """List the matches, newest first."""
    with open_book(db) as book:
        for recorded in book.matches(trashed=trash):
            if recorded.header.kind == "variation" and not (variations or trash):
                continue
            if json:
                print_json(about(book, recorded))
                continue
            names = " - ".join(players_of(book, recorded).values())
            plies = len(recorded.match.line)
            fork = f"  ({_describe_fork(recorded)})" if recorded.header.fork else ""
            print(f"{recorded.id}  {recorded.game.slug:13} {names}  {plies} plies, ", end="")
            print(status(recorded, names_of(book, recorded)) + fork)


def verify(
    subjects: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MATCH|FILE...]", help="Matches or archives; by default all matches."
        ),
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Hash and referee matches or archives again, and name the first place that is off."""
    files = [each for each in subjects or () if names_archive(each)]
    ids = [parse(each).match for each in subjects or () if each not in files]
    good = [verify_archive_file(file, json) for file in files]
    if ids or not files:
        good += _verify_stored(ids, db, json)
    if not all(good):
        raise typer.Exit(1)


def _verify_stored(ids: list[str], db: Path | None, json: bool) -> list[bool]:
    """Verify matches of the book; without ids, all of them."""
    from replay.upkeep.verification import verify_all, verify_match

    with open_book(db) as book:
        chosen = [verify_match(book, book.store.find(each)) for each in ids]
        verdicts = chosen or list(verify_all(book))
    for verdict in verdicts:
        if json:
            print_json(verdict)
        else:
            print(f"{verdict.match}: {verdict.words()}")
    return [verdict.ok for verdict in verdicts]


def token(match: MatchId, db: Db = None, json: Json = False) -> None:
    """Make a new host token for a match, to write to it over HTTP. It is shown this once."""
    from replay.access import capability_tokens

    with open_book(db) as book:
        recorded = book.open(match)
        issued = capability_tokens.issue(book, recorded)
    if json:
        print_json({"match": recorded.id, "role": capability_tokens.HOST, "token": issued})
    else:
        print(issued)


def delete(
    match: MatchId,
    purge: Annotated[bool, typer.Option("--purge", help="For good, not into the trash.")] = False,
    variations: Annotated[
        bool, typer.Option("--variations", help="With --purge: its variations too.")
    ] = False,
    restore: Annotated[bool, typer.Option("--restore", help="Take it out of the trash.")] = False,
    db: Db = None,
) -> None:
    """Put a match into the trash, take it out again, or delete it for good.

    Forks that are played on, or have tokens of their own, stay; of a match that is deleted for
    good they keep the events they share with it, without names and comments.
    """
    from replay.upkeep.purge import purge as purged

    if variations and not purge:
        raise Usage("--variations goes with --purge")
    if purge and restore:
        raise Usage("--purge and --restore exclude each other")
    with open_book(db) as book:
        # Only the stream is read, so a match that cannot be read can still be deleted.
        stream = book.store.find(match)
        if purge:
            for line in _describe_purge(purged(book, stream, variations=variations)):
                print(line)
            return
        book.store.trash(stream.id, not restore).result()
    print(f"{stream.public_id} {'restored' if restore else 'in the trash'}")


def _describe_purge(purged: Purged) -> Iterator[str]:
    for match in (purged.match, *purged.variations):
        yield f"{match} deleted for good"
    for fork in purged.left:
        yield f"{fork} stays: a fork of its own, with the events it shares"


def players_of(book: Book, recorded: MatchRecord) -> dict[int, str]:
    """Return the names of the players by seat."""
    facts = book.facts(recorded)
    return {seat: facts.get(f"Seat{seat}", f"seat {seat}") for seat in seats(recorded)}


def about(book: Book, recorded: MatchRecord) -> dict[str, Any]:
    """Return the description of a match as JSON data."""
    state, fork = recorded.state, recorded.header.fork
    return {
        "match": recorded.id,
        "game": recorded.game.slug,
        "rules": recorded.header.rules,
        "kind": recorded.header.kind,
        "fork": fork and {"match": fork.match, "version": fork.version, "ply": fork.ply},
        "name": name_of(book, recorded.stream),
        "options": recorded.header.options,
        "players": {str(seat): name for seat, name in players_of(book, recorded).items()},
        "dice": recorded.header.dice,
        "commitment": recorded.header.commitment,
        "seed": recorded.match.seed,
        "clock": recorded.header.clock,
        "clocks": _clocks_json(recorded),
        "created": recorded.header.created,
        "version": recorded.match.version,
        "plies": len(recorded.match.line),
        "head": recorded.stream.head_hash.hex(),
        "awaiting": () if state.outcome else state.position.awaiting(),
        "outcome": state.outcome and state.outcome.to_dict(),
    }


def _describe_fork(recorded: MatchRecord) -> str:
    """Describe the parent of a fork."""
    fork = recorded.header.fork
    return f"{recorded.header.kind} of {fork.match}@{fork.ply}" if fork else ""


def _clocks_json(recorded: MatchRecord) -> dict[str, Any] | None:
    """Return the clocks at the last event; scripts know whether one runs as `runs`."""
    clocks = timeline.clocks(recorded)
    if clocks is None:
        return None
    seats = [
        {"seat": one.seat, "used": one.used, "left": one.left, "runs": one.running}
        for one in clocks.seats
    ]
    return {"since": clocks.since, "seats": seats}
