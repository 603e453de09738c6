"""Commands that correct a record: amend, adjust, position, takeback, redo, gap."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys

# Imports in functions keep start-up short: a command loads only what it needs.
from collections.abc import Iterator
from typing import Annotated, Final

import typer
from msgspec.structs import asdict

from cli import completion
from cli.books import LATEST, existing_book, read_book
from cli.match_text import answer, open_to_write, status
from cli.output import (
    Db,
    Json,
    MatchId,
    Place,
    place_argument,
    print_answer,
    print_json,
    print_refusals,
    suggest,
)
from cli.stood import After, Stood, read_stood
from domain.entry.move_text import shown
from domain.entry.spellings import spell
from domain.names import count
from domain.reconstruction.targets import UNKNOWN
from replay.book import Book
from replay.corrections import adjustments, amendments, takebacks
from replay.corrections import takebacks as redoing
from replay.corrections.amendments import AmendmentReport
from replay.corrections.missing_moves import Gap, SearchBounds, find_gap
from replay.errors import Usage
from replay.reading import timeline
from replay.record.addresses import Address, parse
from replay.record.match_record import MatchRecord
from replay.tags.names import names_of

Ply = Annotated[
    str,
    place_argument("MATCH@PLY", "The wrong ply; @17 is a ply of the match that changed last."),
]
MAX_LEGAL_MOVES: Final = 12
"""The number of legal moves that are printed; the others are counted."""


def amend(
    match: Ply,
    texts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MOVE]...",
            help="The moves that were really made.",
            autocompletion=completion.moves,
        ),
    ] = None,
    insert: Annotated[
        bool, typer.Option("--insert", help="Put in forgotten moves before the ply.")
    ] = False,
    delete: Annotated[
        bool, typer.Option("--delete", help="Take out an event that was written twice.")
    ] = False,
    is_stood: Stood = False,
    position: After = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the result, and change nothing.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Correct an event of the line.

    The later events stay as long as the rules allow them.

    Examples:
        plybook amend @3 'c1>L@c2' --dry-run
        plybook amend k7m2@3 'c1>L@c2'
        plybook amend @4 --delete
    """
    address, ply = _address_to_change(match, "amended")
    if ply is None:
        named = "" if address.match.isdecimal() else address.match
        raise Usage(f"say which ply is wrong, like {named}@17")
    if bool(texts) == delete or (insert and delete):
        raise Usage("give a move or several, with or without --insert, or --delete alone")
    with existing_book(db) as book:
        record = open_to_write(book, address.match)
        names = names_of(book, record)
        before = record.match.at(max(min(ply - 1, record.ply()), 0))
        texts = [spell(before, text) for text in texts or ()]
        texts = read_stood(texts, is_stood, position)
        with print_refusals(texts, json, names):
            if not texts:
                correction = amendments.plan_deletion(record, ply)
            elif insert:
                correction = amendments.plan_insertion(record, ply, *texts)
            else:
                correction = amendments.plan_replacement(record, ply, *texts)
            after = record if dry_run else amendments.amend(book, correction)
    report = correction.report(names)
    if json:
        print_json(
            {"ok": True, "match": after.id, "version": after.match.version, "dry_run": dry_run}
            | asdict(report)
        )
    else:
        print("\n".join(report_lines(report)))
        print("dry run: nothing was changed" if dry_run else status(after, names))


def adjust(
    match: MatchId,
    position: Annotated[
        str, typer.Argument(help="The position on the table, as `plybook position` writes it.")
    ],
    reason: Annotated[str, typer.Option(help="The reason.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Set the position, even against the rules.

    The record is marked for ever.

    Examples:
        plybook adjust - POSITION --reason 'the cat'
    """
    with existing_book(db) as book:
        record = open_to_write(book, match)
        with print_refusals((), json, names_of(book, record)):
            after = adjustments.adjust(book, record, position, reason)
        _answer(book, record, after, json)


def position(match: Place = LATEST, db: Db = None, json: Json = False) -> None:
    """Print a position as a line of text.

    `adjust`, `gap` and the tag Position take it.

    Examples:
        plybook position
        plybook position k7m2@2
    """
    with read_book(db) as book:
        record, ply = book.at(parse(match))
        text = adjustments.write_position_at(record, ply)
    print_answer({"match": record.id, "ply": ply, "position": text}, text, json)


def takeback(
    match: Annotated[
        str,
        place_argument(
            "[MATCH[@PLY]]",
            "The ply to go back to; by default one ply back, in the match that changed last.",
        ),
    ] = LATEST,
    seat: Annotated[
        int | None,
        typer.Option(help="The seat that asks or answers; without it, the plies go back at once."),
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="Grant what was asked.")] = False,
    decline: Annotated[bool, typer.Option("--decline", help="Decline what was asked.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Take back the last event, or all after a ply.

    The log keeps the former event.

    Examples:
        plybook takeback
        plybook takeback @2
        plybook takeback k7m2@2 --seat 1
    """
    address, ply = _address_to_change(match, "taken back")
    if accept and decline:
        raise Usage("--accept and --decline exclude each other")
    if seat is None and (accept or decline):
        raise Usage("say which seat answers, like --seat 2")
    with existing_book(db) as book:
        record = open_to_write(book, address.match)
        to = len(record.match.line) - 1 if ply is None else ply
        if accept or decline:
            _check_asked(record, ply)
        with print_refusals((), json, names_of(book, record)):
            if seat is None:
                after = takebacks.take_back(book, record, to)
            elif accept:
                after = takebacks.grant_takeback(book, record, seat)
            elif decline:
                after = takebacks.decline_takeback(book, record, seat)
            else:
                after = takebacks.ask_takeback(book, record, seat, to)
        _answer(book, record, after, json)


def redo(match: MatchId = LATEST, db: Db = None, json: Json = False) -> None:
    """Enter again the next event that was taken back.

    It works as long as nothing else was entered since.

    Examples:
        plybook redo
        plybook redo k7m2
    """
    with existing_book(db) as book:
        record = open_to_write(book, match)
        with print_refusals((), json, names_of(book, record)):
            after = redoing.redo(book, record)
        _answer(book, record, after, json)


def _address_to_change(text: str, done: str) -> tuple[Address, int | None]:
    """Parse an address of the current line. Raises `Usage`."""
    address = parse(text)
    if address.version is not None:
        raise Usage(f"only the current line can be {done}; leave out the version")
    return address, address.ply


def _check_asked(record: MatchRecord, ply: int | None) -> None:
    """Raise `Usage` if an answer names a different ply from the request."""
    asked = record.match.asked
    if ply is not None and asked is not None and ply != asked.ply:
        raise Usage(f"seat {asked.seat} asks to take back to ply {asked.ply}, not {ply}")


def _answer(book: Book, before: MatchRecord, after: MatchRecord, json: bool) -> None:
    """Print the events that were just logged, and the state of the match."""
    if json:
        print_json(answer(after, []))
        return
    names = names_of(book, after)
    for logged in timeline.log(after, after=before.match.version, names=names):
        print(logged.what)
    print(status(after, names))


def report_lines(report: AmendmentReport) -> Iterator[str]:
    """Describe the result of an amendment."""
    texts, was = " ".join(map(shown, report.texts)), shown(report.was or "")
    match report.how:
        case "replaced":
            yield f"ply {report.ply}: {texts} instead of {was}"
        case "inserted":
            yield f"ply {report.ply}: {texts} inserted"
        case "deleted":
            yield f"ply {report.ply}: {was} deleted"
    if later := report.stood + report.fell:
        yield f"{report.stood} of {count(later, 'later event')} can stay"
    if report.sets:
        yield f"ply {report.sets} sets the position: the board does not change from there on"
    first = report.first
    if first is None:
        return
    yield f"ply {first.ply}, {shown(first.text)}, cannot stay: {first.message}"
    if first.words:
        yield f"  {first.clause} {first.words}"
    if first.legal:
        rest = len(first.legal) - MAX_LEGAL_MOVES
        more = f" and {rest} more" if rest > 0 else ""
        yield f"  legal there: {' '.join(first.legal[:MAX_LEGAL_MOVES])}{more}"


BOUNDS: Final = SearchBounds()
MAX_WAYS: Final = 12
"""The number of ways that are printed; the others are counted."""


def gap(
    match: Place,
    to: Annotated[
        str,
        typer.Option(
            metavar="POSITION",
            help="The position on the table, as `plybook position` writes it. The seat to move"
            " and the turn may be left out; ? stands for an unknown field.",
        ),
    ],
    length: Annotated[
        int, typer.Option(min=1, help="The most events that may be missing.")
    ] = BOUNDS.length,
    nodes: Annotated[
        int, typer.Option(min=1, help="The most positions to look at.")
    ] = BOUNDS.nodes,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="The most seconds to search.")
    ] = BOUNDS.seconds,
    db: Db = None,
    json: Json = False,
) -> None:
    """Search the moves that were forgotten.

    They lead from the record to the position on the table. Offers the shortest ways; ways that
    differ in nothing but dice are offered as one.

    Examples:
        plybook gap @2 --to '2s2/5/5/2L2/5/2M2 5S4M4L 4s5m5l 2 4'
        plybook gap k7m2@2 --to POSITION --length 2
    """
    with read_book(db) as book:
        record, ply = book.at(parse(match))
    progress = _show_progress if sys.stderr.isatty() else _show_nothing
    found = find_gap(record, ply, to, SearchBounds(length, nodes, seconds), progress=progress)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    told = {"ok": bool(found.ways), "match": record.id, "ply": ply} | asdict(found)
    print_answer(told, "\n".join(describe_ways(record, ply, to, found)), json)
    if not found.ways:
        raise typer.Exit(1)


def describe_ways(record: MatchRecord, ply: int, target: str, result: Gap) -> Iterator[str]:
    """Describe the ways, and how to enter the first way."""
    if result.stopped:
        ways = f"ways of {count(result.searched + 1, 'event')}"
        yield f"the search hit --{result.stopped} in {ways}"
    if not result.ways:
        yield (
            f"up to {count(result.searched, 'event')} cannot lead there"
            f" ({count(result.nodes, 'position')})"
        )
        if ply == record.ply() and UNKNOWN not in target.split():
            yield f"if a move broke a rule and stood: {_how_it_stood(record, target)}"
        return
    for way in result.ways[:MAX_WAYS]:
        alike = f"  (or with other dice: {way.alike})" if way.alike else ""
        yield (" ".join(way.texts) or "the record is there already") + alike
    if len(result.ways) > MAX_WAYS:
        yield f"and {count(len(result.ways) - MAX_WAYS, 'more way')}"
    if result.ways[0].texts and record.match.version == record.stream.head:
        yield _how_to_enter(record, ply, result.ways[0].texts)


def _how_to_enter(record: MatchRecord, ply: int, texts: tuple[str, ...]) -> str:
    if ply == len(record.match.line):
        return f"enter it: {suggest('play', record.id, *texts)}"
    return f"put it in: {suggest('amend', f'{record.id}@{ply + 1}', *texts, '--insert')}"


def _how_it_stood(record: MatchRecord, target: str) -> str:
    return suggest("play", record.id, "MOVE", "--stood", "--position", target)


def _show_progress(length: int, nodes: int) -> None:
    """Show the progress of a search on the last line of the terminal."""
    print(
        f"\rways of {count(length, 'event')}, {count(nodes, 'position')}",
        end="",
        file=sys.stderr,
        flush=True,
    )


def _show_nothing(length: int, nodes: int) -> None:
    """Show no progress."""
