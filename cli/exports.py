"""The command `export`: a match as a file."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli import completion
from cli.books import read_book
from cli.files import STDOUT, Force, Output, check_replaceable, write_output
from cli.output import Db, Place
from cli.progress import drawn
from replay.errors import Usage
from replay.formats.export_formats import ENDINGS, NAMES
from replay.formats.export_formats import export as exported
from replay.record.addresses import Address, parse

if TYPE_CHECKING:
    from replay.book import Book

BINARY: Final = ("png", "card", "gif")


def export(
    match: Place,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help=f"What to write: {', '.join(NAMES)}; by default as FILE ends, else ply.",
            show_default=False,
            autocompletion=completion.formats,
        ),
    ] = None,
    first: Annotated[
        int | None,
        typer.Option("--from", metavar="PLY", min=0, help="The ply where a gif begins."),
    ] = None,
    last: Annotated[
        int | None,
        typer.Option("--to", metavar="PLY", min=0, help="The ply where a gif ends."),
    ] = None,
    output: Output = None,
    force: Force = False,
    db: Db = None,
) -> None:
    """Write a match as a text record, or in another format.

    html plays it in a browser and needs nothing beside it; sheet is for paper; png is a picture
    of a position, card one with names and result, and gif one of a match, up to MATCH's ply (these
    three need the extra `pictures`).
    """
    check_replaceable(output, force)
    address, form = parse(match), form or _format_of(output)
    if form in BINARY and output in (None, STDOUT) and sys.stdout.isatty():
        raise Usage(f"a terminal cannot show {form}; name a file with -o")
    if form != "gif" and not (first is last is None):
        raise Usage(f"only a gif has a ply where it begins or ends, not {form}")
    with read_book(db) as book:
        content = (
            _animation(book, address, first, last)
            if form == "gif"
            else exported(book, address, form)
        )
        if form == "ply":
            _tell_left_out(book, address)
    write_output(output, content)


def _format_of(file: Path | None) -> str:
    """Return the format that a file's ending names. Raises `Usage` for an unknown ending."""
    if file is None or not file.suffix or file.suffix == ".txt":
        return "ply"
    form = ENDINGS.get(file.suffix.lower())
    if form is None:
        raise Usage(
            f"no format has files that end in {file.suffix}; they end in {', '.join(ENDINGS)}."
            " --format writes to a file of any name"
        )
    return form


def _animation(book: Book, address: Address, first: int | None, last: int | None) -> bytes:
    from replay.formats.pictures.animation import LONGEST_RANGE, check_range, write_gif

    record, end = book.at(address)
    if last is not None and address.ply is not None:
        raise Usage(f"{address} and --to both name the ply where the gif ends; give one")
    end = record.ply(end if last is None else last)
    shown = check_range(record.ply(first or 0), end)
    if len(shown) > LONGEST_RANGE + 1:
        raise Usage(
            f"a gif shows at most {LONGEST_RANGE} plies, not {len(shown) - 1}; give a range of"
            f" them, like --from {end - LONGEST_RANGE} --to {end}"
        )
    return write_gif(book, record, end, shown.start, drawn)


def _tell_left_out(book: Book, address: Address) -> None:
    from replay.formats.ply.exporter import left_out

    for each in left_out(book, book.open(address.match)):
        print(each.words(), file=sys.stderr)
