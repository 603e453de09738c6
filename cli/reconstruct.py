"""The command `reconstruct`: the match that fits one or two scoresheets."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.books import LATEST, latest_match, open_book, read_book
from cli.output import Db, Json, print_json
from cli.record_files import is_match, open_lines, source
from domain.names import count
from replay.errors import Usage

if TYPE_CHECKING:
    from domain.reconstruction.answer import FoundPly
    from replay.formats.reconstructing import FoundMatch, Pin
    from replay.formats.scoresheets import WrittenScoresheet

QUESTIONS_LEFT: Final = 3


def reconstruct(
    scoresheets: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|MATCH [FILE|MATCH]",
            help="One scoresheet or two: text records, PGN, or matches; - is the match that changed"
            " last.",
        ),
    ],
    at: Annotated[
        list[str] | None,
        typer.Option(metavar="PLY=POSITION", help="A position that is known after a ply."),
    ] = None,
    end: Annotated[
        str | None, typer.Option(metavar="POSITION", help="The position at the end.")
    ] = None,
    result: Annotated[str | None, typer.Option(metavar="R", help="The result: +1, = or *.")] = None,
    record: Annotated[
        int | None, typer.Option(metavar="N", help="The record of a file with several, from 1.")
    ] = None,
    save: Annotated[
        bool, typer.Option("--save", help="Store the match, if no question is left.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Find the match that fits one or two scoresheets.

    A dash is --, and {[%unsure]} marks an entry whose writer was not sure. The match is printed as
    a text record that says who decided each reconstructed ply; a terminal asks the questions that
    are left. The exit status is 1 if no line fits, and 3 if questions are left.

    Examples:
        plybook reconstruct game.ply
        plybook reconstruct game.ply --json
    """
    from replay.formats.reconstructing import find_match

    written = [_read(each, record, db) for each in scoresheets]
    pins = [*map(_pin, at or ()), *_end(end)]
    found = find_match(written, pins, result)
    if sys.stdin.isatty() and sys.stdout.isatty() and not json:
        found = _ask(found, pins, result)
    if json:
        print_json(found.answer)
    else:
        _print(found)
    if save:
        _save(found, db)
    if not found.answer.complete:
        raise typer.Exit(1)
    if found.answer.questions:
        raise typer.Exit(QUESTIONS_LEFT)


def _read(name: str, number: int | None, db: str | None) -> WrittenScoresheet:
    """Return the scoresheet of a file or a match. Raises `Usage`."""
    from replay.formats.import_bounds import UNBOUNDED
    from replay.formats.reconstructing import choose
    from replay.formats.scoresheets import read_scoresheets
    from replay.formats.text_formats import Hint

    file = Path(name)
    if name == LATEST or is_match(file):
        return _stored(latest_match(db) if name == LATEST else name.lower(), db)
    with open_lines(file) as lines:
        return choose([*read_scoresheets(lines, UNBOUNDED, Hint(name))], number, source(file))


def _stored(match: str, db: str | None) -> WrittenScoresheet:
    from replay.formats.ply.writer import export_lines
    from replay.formats.scoresheets import scoresheet_of

    with read_book(db) as book:
        record = book.open(match)
        return scoresheet_of(export_lines(book, record), record.id)


def _pin(text: str) -> Pin:
    from replay.formats.reconstructing import Pin

    ply, equals, position = text.partition("=")
    if not equals or not ply.isdecimal():
        raise Usage(f"{text!r} is not a pin; write --at PLY=POSITION, like --at 12=…")
    return Pin(int(ply), position)


def _end(position: str | None) -> list[Pin]:
    from replay.formats.reconstructing import Pin

    return [] if position is None else [Pin(None, position)]


def _ask(found: FoundMatch, pins: list[Pin], result: str | None) -> FoundMatch:
    """Ask the questions in turn, until all are answered or an answer is empty."""
    while question := next((ply for ply in found.answer.plies if not ply.certain), None):
        for line in _question(question):
            print(line)
        legal = [choice.text for choice in question.choices if choice.clause is None]
        answer = typer.prompt("number, or Enter to stop", default="", show_default=False)
        if not answer.isdecimal() or not 1 <= int(answer) <= len(legal):
            break
        found = found.answered(question, legal[int(answer) - 1], pins, result)
    return found


def _question(ply: FoundPly) -> list[str]:
    said = " | ".join(entry or "nothing" for entry in ply.entries)
    lines = [f"ply {ply.ply}, {f'seat {ply.seat}' if ply.seat else 'scorekeeper'}: {said}"]
    for number, choice in enumerate(ply.choices, 1):
        by = f" (scoresheet {' and '.join(map(str, choice.by))})" if choice.by else ""
        broken = f", illegal: {choice.clause}" if choice.clause else ""
        lines.append(f"  {number}. {choice.text}{by}{broken}")
    return lines


def _print(found: FoundMatch) -> None:
    """Print the match to standard output, and the notes about it to standard error."""
    from replay.formats.ply.writer import write_record

    answer = found.answer
    for ply in answer.plies:
        if not ply.certain:
            print("\n".join(_question(ply)), file=sys.stderr)
    for extra in answer.extra:
        where = f"scoresheet {extra.scoresheet}, after ply {extra.after}"
        print(f"{where}: {extra.text} was written twice, or fits nowhere", file=sys.stderr)
    cut = found.found.cut
    if cut is not None and cut < len(answer.plies):
        print(f"from ply {cut + 1} on not all lines were tried", file=sys.stderr)
    if answer.fault is None:
        sys.stdout.write(write_record(found.record()))
        plies, asked = count(len(answer.plies), "ply", "plies"), count(answer.questions, "question")
        certain = len(answer.plies) - answer.questions
        print(f"{certain} of {plies} certain, {asked}", file=sys.stderr)
        return
    fault = answer.fault
    wrote = f", scoresheet {fault.scoresheet}: {fault.text}" if fault.scoresheet else ""
    clause = f" ({fault.clause})" if fault.clause else ""
    print(f"no line fits: ply {fault.ply}{wrote}: {fault.words}{clause}", file=sys.stderr)


def _save(found: FoundMatch, db: str | None) -> None:
    from replay.formats.ply.importer import import_record
    from replay.formats.reconstructing import name_match

    if not found.answer.complete or found.answer.questions:
        print("not stored: answer the questions first", file=sys.stderr)
        return
    with open_book(db) as book:
        stored = import_record(book, found.record()).id
        name_match(book, stored, [book.open(each.source) for each in found.written if each.source])
        print(f"stored as {stored}", file=sys.stderr)
