"""Files of text records: their lines, and the faults found in them."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, cast

from cli.output import print_json
from cli.progress import Advance
from replay.errors import Usage
from replay.formats import record_link

if TYPE_CHECKING:
    from replay.formats.ply.model import RecordFault
    from replay.formats.reader_warning import ReaderWarning
    from replay.referee.unjudged import BrokenPly

STDIN = Path("-")
"""The name of standard input for this module; no file can have it."""


def advancing(lines: Iterable[bytes], advance: Advance) -> Iterator[bytes]:
    """Yield lines, and advance the progress."""
    for line in lines:
        advance(len(line))
        yield line


@contextmanager
def open_lines(file: Path) -> Iterator[BufferedReader]:
    """Open a file, a link, or standard input, by lines. Raises `Usage` if it cannot be read."""
    if file == STDIN:
        yield cast("BufferedReader", sys.stdin.buffer)
        return
    if record_link.is_link(str(file)):
        yield BufferedReader(BytesIO(record_link.record(str(file))))
        return
    try:
        lines = file.open("rb")
    except OSError as error:
        raise Usage(f"cannot read {file}: {error.strerror}") from None
    with lines:
        yield lines


def sources(files: Sequence[Path] | None) -> list[Path]:
    """Return files, and links with each chain as one; standard input if nothing is named.

    Raises `Usage` if a link of a chain is missing, and for a terminal as standard input.
    """
    if STDIN in (files or ()):
        raise Usage("- is the match that changed last; for standard input name no file")
    if not files and sys.stdin.isatty():
        raise Usage("no file is named; name one, or send it to standard input: < FILE")
    return [Path(each) for each in record_link.joined(map(str, files or ()))] or [STDIN]


def is_match(file: Path) -> bool:
    """Return whether an argument means a match: a word that names no file."""
    return file.name.isalnum() and not file.exists()


def source(file: Path) -> str:
    """Return the name of a file in messages; a link is too long to be repeated."""
    if file == STDIN:
        return "standard input"
    return "the link" if record_link.is_link(str(file)) else str(file)


def report_faults(file: str, faults: Sequence[RecordFault], json: bool) -> str:
    """Print why a record was refused, and return the first reason as a line."""
    from replay.formats.ply.reader import fail

    refused = fail(file, *faults)
    if json:
        print_json(refused)
    else:
        print(refused.words(), file=sys.stderr)
    return refused.words().partition("\n")[0]


def print_warnings(place: str, warnings: Iterable[ReaderWarning]) -> None:
    """Print what was read otherwise than written."""
    for warning in warnings:
        print(f"{place}: {warning.words()}", file=sys.stderr)


def print_broken(name: str, broken: BrokenPly) -> None:
    """Print the first ply that breaks a rule, and its clause."""
    print(f"{name}: ply {broken.ply}, {broken.text}: {broken.message}")
    if broken.words:
        print(f"  {broken.clause} {broken.words}")
