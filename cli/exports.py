"""The command `export`, and the files that commands write with `-o`."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import os
import secrets
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperOption

from cli import completion
from cli.books import LATEST, read_kept
from cli.examples import CommandWithExamples
from cli.output import Db, Json, Place, print_answer, write_bytes
from cli.progress import drawn
from replay.errors import Usage
from replay.formats.export_formats import FORMATS, formats_of
from replay.formats.export_formats import export as exported
from replay.record.addresses import Address, parse

if TYPE_CHECKING:
    from domain.game import Game
    from replay.book import Book


STDOUT: Final = Path("-")

Output = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="Write to this file; - is standard output."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace the file if there is one already.")]


def check_replaceable(file: Path | None, force: bool) -> None:
    """Raise `Usage` if a plain file of this name exists and may not be replaced."""
    if file is not None and file != STDOUT and file.is_file() and not force:
        raise Usage(f"{file} exists already; --force replaces it")


def write_output(file: Path | None, content: bytes) -> None:
    """Write to a file, or without a file to standard output. Raises `Usage`."""
    if file is not None and file != STDOUT:
        write_file(file, content)
        return
    write_bytes(content)
    sys.stdout.buffer.flush()


def write_file(file: Path, content: bytes) -> None:
    """Write a plain file atomically, so that readers never see a part of it.

    Links are followed. An existing file keeps its mode and its owner; a device, a pipe or a file
    with several names is written in place. Raises `Usage` if it cannot be written.
    """
    try:
        before = _status(file)
        if before is not None and not (stat.S_ISREG(before.st_mode) and before.st_nlink == 1):
            file.write_bytes(content)
            return
        try:
            _replace(file.resolve(), content, before)
        except PermissionError:  # the folder or the owner denies it
            if before is None:
                raise
            file.write_bytes(content)
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        reason = getattr(error, "strerror", None) or error
        raise Usage(f"cannot write {file}: {reason}") from None


def _status(file: Path) -> os.stat_result | None:
    try:
        return file.stat()
    except FileNotFoundError:
        return None


def _replace(file: Path, content: bytes, before: os.stat_result | None) -> None:
    """Write a new file in the same folder, then give it the name, mode and owner of the old one."""
    beside = file.with_name(f".plybook-{secrets.token_hex(8)}")
    mode = 0o666 if before is None else 0o600
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with open(number, "wb") as new:
            if before is not None:
                _take_over(number, before)
            new.write(content)
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _take_over(number: int, before: os.stat_result) -> None:
    if os.name == "posix":
        os.fchown(number, before.st_uid, before.st_gid)
        os.fchmod(number, stat.S_IMODE(before.st_mode))


class ExportCommand(CommandWithExamples):
    """`export`, whose help names the formats of plug-ins too."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help of `export` with the formats of all games."""
        from replay.formats.text_formats import text_formats

        option = next(param for param in self.params if param.name == "form")
        assert isinstance(option, TyperOption)
        common = option.help or ""
        more = "".join(f", {form.name} ({game.name})" for game, form in text_formats())
        option.help = common.replace(";", f"{more};", 1)
        try:
            super().format_help(ctx, formatter)
        finally:
            option.help = common


def formats(json: Json = False) -> None:
    """List the formats of files that are read and written.

    Each has the endings of its files.

    Examples:
        plybook formats
        plybook formats --json
    """
    from replay.formats.export_formats import all_formats

    for each in all_formats():
        print_answer(each, each.words(), json)


def export(
    match: Place = LATEST,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help=f"The format: {', '.join(FORMATS)}; by default by the ending of FILE, else ply.",
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

    html plays it in a browser, without a network; sheet is for paper; svg and png are pictures of
    a position, card one with names and result, and gif one of a match, up to MATCH's ply (png, card
    and gif need the extra `pictures`).

    Examples:
        plybook export
        plybook export k7m2 -o evening.html
        plybook export - --format archive -o all.plybook
    """
    check_replaceable(output, force)
    address = parse(match)
    with read_kept(db) as book:
        form = form or _format_of(book.at(address)[0].game, output)
        is_picture = form in FORMATS and FORMATS[form].picture
        if is_picture and output in (None, STDOUT) and sys.stdout.isatty():
            raise Usage(f"a terminal cannot show {form}; name a file with -o")
        if form != "gif" and not (first is last is None):
            raise Usage(f"only a gif takes --from and --to, not {form}")
        content = (
            _animation(book, address, first, last)
            if form == "gif"
            else exported(book, address, form)
        )
        if form == "ply":
            _tell_left_out(book, address)
    write_output(output, content)


def _format_of(game: Game[Any], file: Path | None) -> str:
    """Return the format that a file's ending names. Raises `Usage` for an unknown ending."""
    if file is None or not file.suffix or file.suffix == ".txt":
        return "ply"
    endings = {form.ending: name for name, form in formats_of(game).items()}
    if file.suffix.lower() not in endings:
        known = ", ".join(ending for ending in endings if ending.startswith("."))
        raise Usage(
            f"no format's files end in {file.suffix}; use {known}, or --format for any name"
        )
    return endings[file.suffix.lower()]


def _animation(book: Book, address: Address, first: int | None, last: int | None) -> bytes:
    from replay.formats.pictures.animation import MAX_PLIES, check_range, write_gif

    record, end = book.at(address)
    if last is not None and address.ply is not None:
        raise Usage(f"{address} and --to both name the ply where the gif ends; give one")
    end = record.ply(end if last is None else last)
    shown = check_range(record.ply(first or 0), end)
    if len(shown) > MAX_PLIES + 1:
        raise Usage(
            f"a gif shows at most {MAX_PLIES} plies, not {len(shown) - 1}; give a range of"
            f" them, like --from {end - MAX_PLIES} --to {end}"
        )
    return write_gif(book, record, end, shown.start, drawn)


def _tell_left_out(book: Book, address: Address) -> None:
    from replay.formats.ply.writer import left_out

    for each in left_out(book, book.open(address.match)):
        print(each.words(), file=sys.stderr)
