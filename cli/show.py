"""Commands that read a match: show, goto, log."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from collections import deque
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from msgspec import UNSET, to_builtins
from msgspec.structs import asdict, replace

from cli import completion
from cli.annotation import describe_briefly, describe_remark, remark_json
from cli.books import LATEST, read_book, read_kept
from cli.exports import Force, check_replaceable, write_output
from cli.match_text import (
    describe_clocks,
    describe_entry,
    describe_in_detail,
    described,
    players_in,
)
from cli.output import (
    Db,
    Json,
    MatchId,
    Place,
    clock,
    duration,
    in_colour,
    place_argument,
    print_answer,
    print_json,
)
from domain.names import UNNAMED, Names
from domain.scene import Scene
from replay.access.authors import authors
from replay.annotations.current import annotated, by_ply, plies_by_version
from replay.book import Book
from replay.errors import Usage
from replay.kept_book import is_kept, needs
from replay.reading import stops, timeline
from replay.reading.brought_in import brought_in
from replay.record.addresses import Address, parse
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.tags.names import names_of
from replay.tags.people_changes import HOST, PersonChange, corrections, news


def show(
    match: Place = LATEST,
    db: Db = None,
    json: Json = False,
    svg: Annotated[Path | None, typer.Option(help="Write the picture to this file.")] = None,
    diff: Annotated[
        str | None, typer.Option(metavar="PLY", help="Print only the differences from this ply.")
    ] = None,
    scene: Annotated[
        bool, typer.Option("--scene", help="With --json: answer the drawing, too.")
    ] = False,
    legend: Annotated[
        bool, typer.Option("--legend", help="Explain all codes and signs of boards too.")
    ] = False,
    link: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Print a link to a Plybook, with the match in it."),
    ] = None,
    codes: Annotated[
        bool,
        typer.Option(
            "--codes", help="With --link: print one link for each QR code that the match needs."
        ),
    ] = False,
    force: Force = False,
) -> None:
    """Show a position: board, last move, comments, who is next.

    Examples:
        plybook show
        plybook show @3 --diff 1
        plybook show k7m2@3 --svg board.svg
    """
    if legend and (json or svg is not None or diff is not None):
        raise Usage("--legend explains the board in text; leave out --json, --svg and --diff")
    if link is not None and (legend or json or svg is not None or diff is not None):
        raise Usage("--link prints only the link; leave out the other options")
    if codes and link is None:
        raise Usage("--codes needs --link ADDRESS")
    if scene and not json:
        raise Usage("--scene needs --json")
    check_replaceable(svg, force)
    with read_kept(db) as book:
        address = parse(match)
        if link is not None:
            print(*_links(book, address, link, codes), sep="\n")
        elif diff is not None:
            _show_difference(book, parse(f"{address.match}@{diff}"), address, json)
        else:
            _show(book, *book.at(address), json, svg, scene=scene)
    if legend:
        _explain_signs()


def _explain_signs() -> None:
    from replay.drawing import text

    print("\n".join(["", *text.all_signs()]))


def _links(book: Book, address: Address, to: str, codes: bool) -> list[str]:
    """Return a link with the text record of a match, or links for codes. Raises `Usage`."""
    from replay.formats import record_link
    from replay.formats.export_formats import export

    if not to.startswith(("https://", "http://")) or "#" in to:
        raise Usage(
            f"{to!r} is not a valid address of a Plybook; use https://HOST/ or http://HOST/"
        )
    text = export(book, address, "ply").decode()
    links = record_link.chain(to, text) if codes else [record_link.link(to, text)]
    if not links:
        raise Usage(
            f"{address.match} needs more than {record_link.MAX_CODES} codes;"
            " hand it over as a file, or with one link"
        )
    return links


def goto(
    match: Annotated[
        str,
        place_argument(
            "MATCH[@PLY]",
            "The ply to begin at; by default the start or the end. - is the match that changed"
            " last.",
        ),
    ],
    aim: Annotated[
        str,
        typer.Argument(
            metavar="AIM", help=f"One of {', '.join(stops.AIMS)}.", autocompletion=completion.aims
        ),
    ],
    kind: Annotated[
        str, typer.Argument(metavar="[KIND]", help="The kind of effect, like capture or tower.")
    ] = "",
    db: Db = None,
    json: Json = False,
) -> None:
    """Show the next or previous turn, effect or note.

    Without a ply, `next-…` searches from the start of the match, and `previous-…` from its end.

    Examples:
        plybook goto - next-turn
        plybook goto k7m2@1 next-note
    """
    address = parse(match)
    with read_book(db) as book:
        record, _ = book.at(address)
        _show(book, record, stops.jump(book, record, address.ply, aim, kind), json)


def log(
    match: MatchId = LATEST,
    db: Db = None,
    json: Json = False,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Print everything that was entered, even moves taken back."),
    ] = False,
    turns: Annotated[
        bool, typer.Option("--turns", help="Print the line, one turn in each row.")
    ] = False,
) -> None:
    """Print the events of the line, or with --all of the whole log.

    Examples:
        plybook log
        plybook log k7m2 --all
    """
    if everything and turns:
        raise Usage("--all and --turns exclude each other")
    with read_kept(db) as book:
        record, ply = book.at(parse(match))
        people = deque(corrections(book, record, HOST))
        if everything:
            _print_all(book, record, people, json)
            return
        if turns:
            _print_turns(list(timeline.entries(record))[:ply], json)
            return
        remarks, names = by_ply(book, record, whole=True), _names(book, record, json)
        for entry in list(timeline.entries(record, names=names))[:ply]:
            said = remarks.get(entry.ply, [])
            if json:
                print_json(to_builtins(entry) | {"annotations": [remark.said for remark in said]})
                continue
            _print_corrections(people, entry.version)
            used = "" if entry.used is None else f"  [{duration(entry.used)}]"
            line = describe_entry(entry, names) + used + describe_briefly(said)
            print(f"{entry.ply:4} {clock(entry.at)} {line}")
        if not json and ply == record.ply():
            _print_corrections(people)
        if not json and ply == record.ply() and (clocks := describe_clocks(record, names)):
            print(clocks)


def _print_all(book: Book, record: MatchRecord, people: deque[PersonChange], json: bool) -> None:
    """Print the whole log with the changes of who sits where."""
    names, claimed = names_of(book, record), brought_in(book, record)
    known = authors(book, record)
    for logged in timeline.log(record, names=names, brought_in=claimed, authors=known):
        _print_corrections(people, logged.version, json)
        if json:
            print_json(logged)
        else:
            gone = "" if logged.stands else "  (no longer in the line)"
            by = "" if logged.author is UNSET else f", {logged.author}"
            text = f"{clock(logged.at)} {logged.actor}{by}: {logged.what}"
            print(f"v{logged.version:<4} {text}{gone}{_describe_claim(logged)}")
    _print_corrections(people, None, json)


def _print_corrections(
    people: deque[PersonChange], before: int | None = None, json: bool = False
) -> None:
    """Print the changes of who sits where that came before a version, by default all."""
    while people and (before is None or people[0].after_version < before):
        change = people.popleft()
        print_answer(change, f"     {clock(change.at)} {change.told()}", json)


def _describe_claim(logged: timeline.LogEntry) -> str:
    """Return words for when the host imported an event from an archive, or empty words."""
    at = logged.brought_in
    return "" if at is UNSET else f"  (brought in by the host, {clock(at)})"


def _print_turns(entries: list[timeline.LineEntry], json: bool) -> None:
    """Print the line turn by turn, as a text record counts turns."""
    for turn, group in groupby(entries, key=lambda entry: entry.turn):
        played = list(group)
        if json:
            print_json({"turn": turn, "first": played[0].ply, "events": played})
        else:
            texts = " ".join(entry.written for entry in played)
            print(f"{turn:4}. {texts}  @{played[-1].ply}")


def _show_difference(book: Book, before: Address, after: Address, json: bool) -> None:
    from replay.reading.differences import difference

    # Without a version, the other ply belongs to the line that is shown.
    before = before if before.version is not None else before._replace(version=after.version)
    there, here = book.at(before), book.at(after)
    found = difference(there, here, UNNAMED if json else names_of(book, here[0]))
    if json:
        ends = {"match": here[0].id, "from": there[1], "to": here[1]}
        print_json(ends | asdict(found))
        return
    print(f"from {there[0].id}@{there[1]} to {here[0].id}@{here[1]}")
    for line in found.words():
        print(f"  {line}")


def _names(book: Book, record: MatchRecord, json: bool) -> Names:
    """Return the names of the players for sentences; JSON calls seats by their numbers."""
    return UNNAMED if json else names_of(book, record)


def _show(
    book: Book,
    record: MatchRecord,
    ply: int,
    json: bool,
    svg: Path | None = None,
    *,
    scene: bool = False,
) -> None:
    from replay.drawing import text

    names = _names(book, record, json)
    point = timeline.point(record, ply, names=names)
    last = next(timeline.entries(record, None, ply - 1, names)) if ply else None
    remarks = by_ply(book, record, whole=True).get(ply, [])
    point = replace(point, scene=annotated(point.scene, remarks))
    if svg is not None:
        write_output(svg, _picture(record, point.scene, names).encode())
    elif json:
        plies = plies_by_version(record)
        said = [remark_json(record, remark, plies) for remark in remarks]
        drawn = {"scene": point.scene} if scene else {}
        told = described(book, record, ply) | drawn
        print_json(told | {"last": last, "annotations": said})
    else:
        who = " - ".join(players_in(book.facts(record), record.match.seats).values())
        print(f"{record.game.name} {record.id}@{ply}  {who}")
        print(text.draw(point.scene, colour=in_colour()))
        if last is not None:
            print(describe_in_detail(last, names))
        for remark in remarks:
            print(f"  {describe_remark(remark)}")
        kept = is_kept(record)
        print(needs(record) if kept else describe_standing(record.match.at(ply), names))
        if ply == record.ply():
            _print_corrections(deque(news(book, record, HOST)))
        if ply == record.ply() and (clocks := describe_clocks(record, names)):
            print(clocks)


def _picture(record: MatchRecord, scene: Scene, names: Names) -> str:
    from replay.drawing import svg

    return svg.draw(scene, title=f"{record.game.name} {record.id}", names=names)
