"""Commands for records: check, format, verify."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import errno
import os

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.archives import is_archive, refuse_other_format, verify_archive_file
from cli.books import LATEST, latest_match, read_book
from cli.exports import write_file
from cli.output import Db, Json, check_whole, print_answer, print_json, suggest
from cli.progress import matches_bar, reading
from cli.record_files import (
    STDIN,
    advancing,
    is_match,
    open_lines,
    print_broken,
    print_warnings,
    report_faults,
    source,
    sources,
)
from domain.names import count
from replay.errors import NotABook, UnknownMatch, Usage
from replay.formats.encodings import check_encoding
from replay.formats.import_bounds import UNBOUNDED, Bounds
from replay.formats.ply.model import Record, RecordFault
from replay.formats.text_formats import Hint, check_pieces
from replay.record.addresses import parse

Files = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[FILE...]",
        help="Text records (.ply), or links with one; by default standard input.",
    ),
]
Checked = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[FILE...|MATCH]",
        help="Text records (.ply), by default standard input; or a match, - is the one that"
        " changed last.",
    ),
]
Variations = Annotated[
    int,
    typer.Option(
        "--variations", min=0, help="The most variations to read from a file; 0 means all."
    ),
]
Events = Annotated[
    int, typer.Option("--events", min=0, help="The most events to read from a file; 0 means all.")
]
Encoding = Annotated[
    str,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="The encoding of files of other programs, like cp1251; by default UTF-8 or UTF-16"
        " by its mark, else Windows-1252.",
        show_default=False,
    ),
]
Spellings = Annotated[
    bool,
    typer.Option("--spellings", help="Read moves that are spelled otherwise, with a warning."),
]
Pieces = Annotated[
    str,
    typer.Option(
        "--pieces",
        metavar="LANGUAGE",
        help="The language of the letters of pieces in files of other programs, like de.",
        show_default=False,
    ),
]
MOST_VARIATIONS = 100_000
MOST_EVENTS = 1_000_000


def check(
    files: Checked = None,
    variations: Variations = MOST_VARIATIONS,
    events: Events = MOST_EVENTS,
    encoding: Encoding = "",
    spellings: Spellings = False,
    pieces: Pieces = "",
    as_: Annotated[
        str | None,
        typer.Option("--as", metavar="GAME", help="Judge a free board by the rules of this game."),
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Referee text records, or a match opened with --unjudged.

    Text records are not stored. The exit status is 1 if any fails. With --as a match of a free
    board is judged by a game, and the first ply that breaks its rules is named; nothing is stored.

    Examples:
        plybook check game.ply
        plybook check game.ply --json
    """
    files = sources([Path(latest_match(db)) if one == STDIN else one for one in files or ()])
    hint = hint_of(encoding, spellings, pieces)
    if as_:
        from cli.judged_as import judge_all

        if not judge_all(files, as_, hint, db, json):
            raise typer.Exit(1)
        return
    if len(files) == 1 and is_match(files[0]):
        try:
            _judge_match(str(files[0]), db, json)
        except (UnknownMatch, NotABook) as error:
            raise Usage(f"cannot read {files[0]}: {os.strerror(errno.ENOENT)}; {error}") from None
        return
    bounds = Bounds(variations, events=events)
    good = True
    with reading(files) as advance:
        for file in files:
            with open_lines(file) as lines:
                if refuse_other_format(str(file), lines, json):
                    good = False
                else:
                    named = hint._replace(file=source(file))
                    good &= check_lines_of(advancing(lines, advance), named, json, bounds)
    if not good:
        raise typer.Exit(1)


def hint_of(encoding: str = "", spellings: bool = False, pieces: str = "") -> Hint:
    """Return the hint about files that the options give. Raises `Usage` for what is not known."""
    check_encoding(encoding)
    check_pieces(pieces)
    return Hint(encoding=encoding, spellings=spellings, pieces=pieces)


def _judge_match(match: str, db: str | None, json: bool) -> None:
    """Judge an unjudged match, and name the first ply that breaks a rule."""
    from cli.books import existing_book
    from cli.match_text import open_to_write, status
    from replay.referee import unjudged
    from replay.tags.names import names_of

    with existing_book(db) as book:
        record = unjudged.judge(book, open_to_write(book, match.lower()))
        names = names_of(book, record)
        broken = unjudged.first_broken(record.match, names)
    if json:
        ok = {"ok": broken is None, "match": record.id, "version": record.match.version}
        print_json(ok | {"events": len(record.match.line), "broken": broken})
    elif broken is None:
        print(f"{record.id}: ok, {count(len(record.match.line), 'event')}")
        print(status(record, names))
    else:
        print_broken(record.id, broken)
        correction = ("amend", f"{record.id}@{broken.ply}", "MOVE")
        print(f"  correct it: {suggest(*correction)}")
        print(f"  it stood:   {suggest(*correction, '--stood')}")
    if broken is not None:
        raise typer.Exit(1)


def check_lines_of(lines: Iterable[bytes], hint: Hint, json: bool, bounds: Bounds) -> bool:
    """Referee the records of a file, print the results, and return whether all are valid."""
    from replay.formats.mending import Mender
    from replay.formats.ply.reader import FailedRecord, check_lines

    good = True
    for verdict in check_lines(lines, hint.file, bounds, hint, Mender()):
        good &= not isinstance(verdict, FailedRecord)
        print_answer(verdict, verdict.words(), json)
    return good


def format_records(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Text records; by default standard input."),
    ] = None,
    write: Annotated[bool, typer.Option("--write", help="Rewrite the file in place.")] = False,
    encoding: Encoding = "",
) -> None:
    """Print text records in their canonical form.

    A file with a bad record is left alone.

    Examples:
        plybook format game.ply
        plybook format game.ply --write
    """
    from replay.formats.ply.writer import write_record

    (file,) = sources([file] if file else None)
    if write and file == STDIN:
        raise Usage("standard input cannot be rewritten; leave out --write")
    texts = []
    for result in _read(file, hint_of(encoding)):
        if not isinstance(result, Record):
            report_faults(source(file), result, json=False)
            raise typer.Exit(1)
        print_warnings(source(file), result.warnings)
        texts.append(write_record(result))
    if write:
        write_file(file, "".join(texts).encode())
    else:
        sys.stdout.write("".join(texts))


def _read(file: Path, hint: Hint) -> Iterator[Record | list[RecordFault]]:
    from replay.formats.ply.reader import read_with_faults

    with open_lines(file) as lines:
        yield from read_with_faults(lines, hint=hint._replace(file=str(file)))


SUFFIX: Final = ".plybook"


def verify(
    subjects: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MATCH|FILE...]",
            help="Matches or files, by default all matches; - is the match that changed last.",
        ),
    ] = None,
    encoding: Encoding = "",
    db: Db = None,
    json: Json = False,
) -> None:
    """Verify the hashes and rules of matches and files.

    It names the first fault. A text record has no hashes: its moves are refereed, as
    `check` does.

    Examples:
        plybook verify
        plybook verify k7m2
        plybook verify match.plybook
    """
    files = [each for each in subjects or () if _names_file(each)]
    ids = [_match_of(each, db) for each in subjects or () if each not in files]
    hint = hint_of(encoding)
    good = [_verify_file(file, json, hint) for file in files]
    if ids or not files:
        good += _verify_stored(ids, db, json)
    if not all(good):
        raise typer.Exit(1)


def _match_of(text: str, db: str | None) -> str:
    return latest_match(db) if text == LATEST else parse(check_whole(text)).match


def _names_file(text: str) -> bool:
    """Return whether an argument names a file rather than a match."""
    # Unlike `Path.is_file`, this accepts texts that cannot be file names.
    return text.endswith(SUFFIX) or os.path.isfile(text)


def _verify_file(name: str, json: bool, hint: Hint) -> bool:
    """Verify an archive or a text record, and return whether it is valid. Raises `Usage`."""
    with open_lines(Path(name)) as file:
        if name.endswith(SUFFIX) or is_archive(file):
            return verify_archive_file(name, file, json)
        if refuse_other_format(name, file, json):
            return False
        return _referee_text(file, json, hint._replace(file=name))


def _referee_text(file: BufferedReader, json: bool, hint: Hint) -> bool:
    good = check_lines_of(file, hint, json, UNBOUNDED)
    if not json:
        print(f"{hint.file}: a text record has no hashes; its moves were judged", file=sys.stderr)
    return good


def _verify_stored(ids: list[str], db: str | None, json: bool) -> list[bool]:
    """Verify matches of the book; without ids, all of them."""
    from replay.match_batches import all_streams
    from replay.referee.verification import verify_streams

    good = []
    with read_book(db) as book:
        chosen = [book.store.find(each) for each in ids]
        total = len(chosen) or book.store.count_matches()
        with matches_bar(total) as advance:
            for verdict in verify_streams(book, chosen or all_streams(book)):
                good.append(verdict.ok)
                print_answer(verdict, f"{verdict.match}: {verdict.words()}", json)
                advance(1)
    return good
