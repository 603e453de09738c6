"""Commands on the records kept: new, list, show, goto, log, verify, token, delete."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import asdict, replace

from cli.annotating import remark_json, told_briefly, told_remark
from cli.archives import names_archive, verify_archive_file
from cli.context import (
    Db,
    GameName,
    Json,
    MatchId,
    OptionTexts,
    Place,
    clock,
    in_colour,
    open_book,
    options_of,
    players_by_seat,
    print_json,
)
from cli.table import status, told_at_length, told_entry
from domain.scene import Scene
from replay import jumps, timeline
from replay.addresses import Address, parse
from replay.annotations import annotated, by_ply, plies_by_version
from replay.book import Book, Recorded
from replay.errors import Usage
from replay.forking import name_of


def new(
    game: GameName,
    seat: Annotated[
        list[str], typer.Option("--seat", metavar="N=NAME", help="Who plays a seat: 1=Ann.")
    ] = [],  # noqa: B006  # typer reads it as "none given"
    seats: Annotated[int | None, typer.Option(help="How many play; by default as named.")] = None,
    option: OptionTexts = [],  # noqa: B006
    db: Db = None,
    json: Json = False,
) -> None:
    """Open a match, and print its id."""
    from replay import shelf
    from replay.opening import open_match

    found = shelf.find(game)
    players = players_by_seat(seat)
    with open_book(db) as book:
        recorded = open_match(
            book, found, players=players, seats=seats, options=options_of(found, option)
        )
        if json:
            print_json(about(book, recorded))
        else:
            print(recorded.id)


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
            fork = f"  ({_told_fork(recorded)})" if recorded.header.fork else ""
            print(f"{recorded.id}  {recorded.game.slug:13} {names}  {plies} plies, ", end="")
            print(status(recorded) + fork)


def show(
    match: Place,
    db: Db = None,
    json: Json = False,
    svg: Annotated[Path | None, typer.Option(help="Write the picture to this file.")] = None,
    diff: Annotated[
        str | None, typer.Option(metavar="PLY", help="Only tell what differs from this ply.")
    ] = None,
) -> None:
    """Show a position: the board, what happened last, what is said about it, who is awaited."""
    with open_book(db) as book:
        address = parse(match)
        if diff is not None:
            _show_difference(book, parse(f"{address.match}@{diff}"), address, json)
        else:
            _show(book, *book.at(address), json, svg)


def goto(
    match: Annotated[
        str, typer.Argument(metavar="MATCH[@PLY]", help="Where to begin; by default at an end.")
    ],
    aim: Annotated[str, typer.Argument(metavar="AIM", help=f"One of {', '.join(jumps.AIMS)}.")],
    kind: Annotated[
        str, typer.Argument(metavar="[KIND]", help="Of effect, like capture or tower.")
    ] = "",
    db: Db = None,
    json: Json = False,
) -> None:
    """Show the next (or previous) position where a turn begins, an effect or a note stands.

    Without a ply, what is next is sought from the start and what was previous from the end.
    """
    address = parse(match)
    with open_book(db) as book:
        recorded, _ = book.at(address)
        _show(book, recorded, jumps.jump(book, recorded, address.ply, aim, kind), json)


def _show_difference(book: Book, before: Address, after: Address, json: bool) -> None:
    from replay.differences import difference

    # Without a version of its own, the other ply is one of the line that is shown.
    before = before if before.version is not None else before._replace(version=after.version)
    there, here = book.at(before), book.at(after)
    found = difference(there, here)
    if json:
        ends = {"match": here[0].id, "from": there[1], "to": here[1]}
        print_json(ends | asdict(found))
        return
    print(f"from {there[0].id}@{there[1]} to {here[0].id}@{here[1]}")
    for line in found.words():
        print(f"  {line}")


def _show(book: Book, recorded: Recorded, ply: int, json: bool, svg: Path | None = None) -> None:
    from replay.drawing import text

    here = timeline.point(recorded, ply)
    last = list(timeline.entries(recorded))[ply - 1] if ply else None
    remarks = by_ply(book, recorded).get(ply, [])
    here = replace(here, scene=annotated(here.scene, remarks))
    if svg is not None:
        _write(svg, _picture(recorded, here.scene))
    elif json:
        plies = plies_by_version(recorded)
        said = [remark_json(recorded, remark, plies) for remark in remarks]
        print_json(about(book, recorded) | {"at": here, "last": last, "annotations": said})
    else:
        names = " - ".join(players_of(book, recorded).values())
        print(f"{recorded.game.name} {recorded.id}@{ply}  {names}")
        print(text.draw(here.scene, colour=in_colour()))
        if last is not None:
            print(told_at_length(last))
        for remark in remarks:
            print(f"  {told_remark(remark)}")
        print(_standing(recorded, ply))


def log(
    match: MatchId,
    db: Db = None,
    json: Json = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Everything ever entered, also what was taken back.")
    ] = False,
) -> None:
    """Print the events of the line, or with --all of the whole log."""
    with open_book(db) as book:
        recorded, ply = book.at(parse(match))
        if everything:
            for logged in timeline.log(recorded):
                if json:
                    print_json(logged)
                else:
                    gone = "" if logged.stands else "  (no longer in the line)"
                    told = f"{clock(logged.at)} {logged.actor}: {logged.what}"
                    print(f"v{logged.version:<4} {told}{gone}")
            return
        remarks = by_ply(book, recorded)
        for entry in list(timeline.entries(recorded))[:ply]:
            said = remarks.get(entry.ply, [])
            if json:
                print_json(asdict(entry) | {"annotations": [remark.said for remark in said]})
                continue
            print(f"{entry.ply:4} {clock(entry.at)} {told_entry(entry)}{told_briefly(said)}")


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
    """Verify matches of the book, without ids all of them."""
    from replay.verifying import verify_all, verify_match

    with open_book(db) as book:
        chosen = [verify_match(book, book.store.find(each)) for each in ids]
        verdicts = chosen or list(verify_all(book))
    for verdict in verdicts:
        if json:
            print_json(verdict)
        else:
            print(f"{verdict.match}: {verdict.told()}")
    return [verdict.ok for verdict in verdicts]


def token(match: MatchId, db: Db = None, json: Json = False) -> None:
    """Make a new host token for a match, to write to it over HTTP. It is shown this once."""
    from replay import keys

    with open_book(db) as book:
        recorded = book.open(match)
        made = keys.issue(book, recorded)
    if json:
        print_json({"match": recorded.id, "role": keys.HOST, "token": made})
    else:
        print(made)


def delete(
    match: MatchId,
    purge: Annotated[bool, typer.Option("--purge", help="For good, not into the trash.")] = False,
    restore: Annotated[bool, typer.Option("--restore", help="Take it out of the trash.")] = False,
    db: Db = None,
) -> None:
    """Put a match into the trash, take it out again, or delete it for good."""
    if purge and restore:
        raise Usage("--purge and --restore exclude each other")
    with open_book(db) as book:
        # The stream is enough: a match that cannot be read can still be deleted.
        stream = book.store.find(match)
        if purge:
            book.store.purge(stream.id).result()
        else:
            book.store.trash(stream.id, not restore).result()
    done = "deleted for good" if purge else "restored" if restore else "in the trash"
    print(f"{stream.public_id} {done}")


def players_of(book: Book, recorded: Recorded) -> dict[int, str]:
    """Return who plays each seat."""
    facts = book.facts(recorded)
    seats = range(1, recorded.match.seats + 1)
    return {seat: facts.get(f"Seat{seat}", f"seat {seat}") for seat in seats}


def about(book: Book, recorded: Recorded) -> dict[str, Any]:
    """Tell about a match in JSON."""
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
        "created": recorded.header.created,
        "version": recorded.match.version,
        "plies": len(recorded.match.line),
        "head": recorded.stream.head_hash.hex(),
        "awaiting": () if state.outcome else state.position.awaiting(),
        "outcome": state.outcome and state.outcome.told(),
    }


def _told_fork(recorded: Recorded) -> str:
    """Tell what a fork was forked from."""
    fork = recorded.header.fork
    return f"{recorded.header.kind} of {fork.match}@{fork.ply}" if fork else ""


def _standing(recorded: Recorded, ply: int) -> str:
    """Tell how the match stood at a ply."""
    from domain.events import awaited_words, outcome_words

    state = recorded.match.at(ply)
    return outcome_words(state.outcome) if state.outcome else awaited_words(state)


def _picture(recorded: Recorded, scene: Scene) -> str:
    from replay.drawing import svg

    return svg.draw(scene, title=f"{recorded.game.name} {recorded.id}")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Usage(f"cannot write {path}: {error.strerror}") from None
