"""The command `verify`: matches of the book, archives and text records."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import os
import re
import sys
from io import BufferedReader
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.archives import is_archive, verify_archive_file
from cli.books import read_book
from cli.output import Db, Json, print_json, whole_match
from cli.progress import MANY, bar
from cli.records import check_lines_of, open_lines
from replay.formats.import_bounds import UNBOUNDED
from replay.record.addresses import parse

SUFFIX: Final = ".plybook"
TEXT: Final = re.compile(rb"(\xef\xbb\xbf)?\s*(\[|$)")
"""The beginning of a text record: its first tag, perhaps after a byte order mark."""


def verify(
    subjects: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MATCH|FILE...]", help="Matches or files; by default all matches."),
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Verify the hashes and rules of matches and files.

    It names the first place that is off. A text record has no hashes: its moves are refereed, as
    `check` does.
    """
    files = [each for each in subjects or () if _names_file(each)]
    ids = [parse(whole_match(each)).match for each in subjects or () if each not in files]
    good = [_verify_file(file, json) for file in files]
    if ids or not files:
        good += _verify_stored(ids, db, json)
    if not all(good):
        raise typer.Exit(1)


def _names_file(text: str) -> bool:
    """Return whether an argument names a file rather than a match."""
    # Unlike `Path.is_file`, this accepts texts that cannot be file names.
    return text.endswith(SUFFIX) or os.path.isfile(text)


def _verify_file(name: str, json: bool) -> bool:
    """Verify an archive or a text record, and return whether it is valid. Raises `Usage`."""
    with open_lines(Path(name)) as file:
        if _is_text(name, file):
            return _referee_text(name, file, json)
        return verify_archive_file(name, file, json)


def _is_text(name: str, file: BufferedReader) -> bool:
    """Return whether a file begins like a text record, without consuming it."""
    if name.endswith(SUFFIX) or is_archive(file):
        return False
    return TEXT.match(file.peek()) is not None


def _referee_text(name: str, file: BufferedReader, json: bool) -> bool:
    good = check_lines_of(file, name, json, UNBOUNDED)
    if not json:
        print(f"{name}: a text record has no hashes; its moves were refereed", file=sys.stderr)
    return good


def _verify_stored(ids: list[str], db: str | None, json: bool) -> list[bool]:
    """Verify matches of the book; without ids, all of them."""
    from replay.referee.verification import all_streams, verify_streams

    good = []
    with read_book(db) as book:
        chosen = [book.store.find(each) for each in ids] or all_streams(book)
        with bar("matches", len(chosen), len(chosen) >= MANY) as advance:
            for verdict in verify_streams(book, chosen):
                good.append(verdict.ok)
                if json:
                    print_json(verdict)
                else:
                    print(f"{verdict.match}: {verdict.words()}")
                advance(1)
    return good
