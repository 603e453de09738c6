"""Commands for text records: import, export, check, format."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer
from msgspec import structs

from cli import completion
from cli.archives import import_archive_file, is_archive
from cli.books import open_book, read_book
from cli.output import Db, Json, Place, print_json, write_file
from cli.progress import watched
from domain.plurals import count
from replay.addresses import parse
from replay.errors import Usage
from replay.formats.export_formats import NAMES
from replay.formats.export_formats import export as exported
from replay.formats.import_bounds import Bounds
from replay.formats.ply.model import Record, RecordFault

if TYPE_CHECKING:
    from replay.book import Book

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="Text records (.ply); - is standard input.")
]
Variations = Annotated[
    int, typer.Option("--variations", min=0, help="In a file at most; 0 is no limit.")
]
Events = Annotated[int, typer.Option("--events", min=0, help="In a file at most; 0 is no limit.")]
MOST_VARIATIONS = 100_000
MOST_EVENTS = 1_000_000
STDIN = Path("-")
BINARY = ("png", "gif")


def import_records(
    files: Files,
    variations: Variations = MOST_VARIATIONS,
    events: Events = MOST_EVENTS,
    db: Db = None,
    json: Json = False,
) -> None:
    """Store text records and archives.

    A bad one is reported, and the others go on.
    """
    bounds = Bounds(variations, events=events)
    failed = False
    with open_book(db) as book:
        for file in files:
            with _lines(file) as lines:
                if is_archive(lines):
                    failed |= not import_archive_file(book, str(file), lines, json, bounds)
                else:
                    failed |= not _import_text(book, file, lines, json, bounds)
    if failed:
        raise typer.Exit(1)


def _import_text(
    book: Book, file: Path, lines: Iterable[bytes], json: bool, bounds: Bounds
) -> bool:
    """Store the records of a text, and return whether all were valid."""
    from replay.formats.ply.importer import imported
    from replay.formats.ply.reader import read_records

    good = True
    for result in read_records(watched(file, lines), bounds):
        if isinstance(result, RecordFault):
            good = False
            _report(file, result, json)
            continue
        recorded, variations, left_out = imported(book, result)
        if json:
            print_json(
                {
                    "file": str(file),
                    "record": result.number,
                    "ok": True,
                    "match": recorded.id,
                    "variations": variations,
                    "left_out": left_out,
                }
            )
        else:
            note = f"  ({count(variations, 'variation')})" if variations else ""
            print(f"{recorded.id}  {file}: record {result.number}{note}")
        if left_out:
            secret = "they would reveal what the line they leave keeps sealed"
            print(f"{file}: record {result.number}: {left_out} left out, {secret}", file=sys.stderr)
    return good


def export(
    match: Place,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help=f"What to write: {', '.join(NAMES)}.",
            autocompletion=completion.formats,
        ),
    ] = "ply",
    first: Annotated[
        int | None,
        typer.Option("--from", metavar="PLY", min=0, help="The ply where a gif begins."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to this file.")
    ] = None,
    db: Db = None,
) -> None:
    """Write a match as a text record, or in another format.

    html plays it in a browser and needs nothing beside it; sheet is for paper; png is a picture
    of a position and gif of a match, up to MATCH's ply (these two need the extra `pictures`).
    """
    with read_book(db) as book:
        content = exported(book, parse(match), form, first)
        if form == "ply":
            _tell_left_out(book, match)
    if output is None:
        if form in BINARY and sys.stdout.isatty():
            raise Usage(f"a terminal cannot show {form}; name a file with -o")
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        write_file(output, content)


def _tell_left_out(book: Book, match: str) -> None:
    from replay.formats.ply.exporter import left_out

    for recorded, why in left_out(book, book.open(match)):
        print(f"variation {recorded.id} left out: {why}", file=sys.stderr)


def check(
    files: Files,
    variations: Variations = MOST_VARIATIONS,
    events: Events = MOST_EVENTS,
    json: Json = False,
) -> None:
    """Referee text records without storing them.

    The exit status is 1 if any fails.
    """
    from replay.formats.ply.check import FailedRecord, check_lines

    bounds = Bounds(variations, events=events)
    failed = False
    for file in files:
        with _lines(file) as lines:
            for verdict in check_lines(watched(file, lines), str(file), bounds):
                failed |= isinstance(verdict, FailedRecord)
                if json:
                    print_json(verdict)
                else:
                    print(verdict.words())
    if failed:
        raise typer.Exit(1)


def format_records(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Text records; - is standard input.")
    ],
    write: Annotated[bool, typer.Option("--write", help="Rewrite the file in place.")] = False,
) -> None:
    """Print text records in their canonical form.

    A file with a bad record is left alone.
    """
    from replay.formats.ply.writer import write_record

    if write and file == STDIN:
        raise Usage("standard input cannot be rewritten; leave --write away")
    texts = []
    for result in _read(file):
        if isinstance(result, RecordFault):
            _report(file, result, False)
            raise typer.Exit(1)
        texts.append(write_record(result))
    if write:
        write_file(file, "".join(texts).encode())
    else:
        sys.stdout.write("".join(texts))


def _read(file: Path) -> Iterator[Record | RecordFault]:
    from replay.formats.ply.reader import read_records

    with _lines(file) as lines:
        yield from read_records(watched(file, lines))


@contextmanager
def _lines(file: Path) -> Iterator[BufferedReader]:
    """Open a file, or standard input, by lines. Raises `Usage` if it cannot be read."""
    if file == STDIN:
        yield cast("BufferedReader", sys.stdin.buffer)
        return
    try:
        lines = file.open("rb")
    except OSError as error:
        raise Usage(f"cannot read {file}: {error.strerror}") from None
    with lines:
        yield lines


def _report(file: Path, fault: RecordFault, json: bool) -> None:
    if json:
        print_json({"file": str(file), "ok": False, **structs.asdict(fault)})
    else:
        print(f"{file}: record {fault.record}: {fault.words()}", file=sys.stderr)
