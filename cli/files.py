"""Commands on text records: import, export, check, format."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from msgspec import structs

from cli.context import Db, Json, MatchId, open_book, print_json
from replay.errors import Usage
from replay.records.model import Fault, Record

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="Text records (.ply); - is standard input.")
]
STDIN = Path("-")


def import_records(files: Files, db: Db = None, json: Json = False) -> None:
    """Store text records as matches. A bad record is reported, and the others go on."""
    from replay.importing import import_record

    failed = False
    with open_book(db) as book:
        for file in files:
            for result in _read(file):
                if isinstance(result, Fault):
                    failed = True
                    _report(file, result, json)
                    continue
                recorded = import_record(book, result)
                left_out = sum(1 for _ in result.variations())
                if json:
                    print_json(
                        {
                            "file": str(file),
                            "record": result.number,
                            "ok": True,
                            "match": recorded.id,
                            "variations_left_out": left_out,
                        }
                    )
                else:
                    note = f"  ({left_out} variations left out)" if left_out else ""
                    print(f"{recorded.id}  {file}: record {result.number}{note}")
    if failed:
        raise typer.Exit(1)


def export(match: MatchId, db: Db = None) -> None:
    """Print a match as a text record in canonical form."""
    from replay.exporting import export_record

    with open_book(db) as book:
        sys.stdout.write(export_record(book, book.open(match)))


def check(files: Files, json: Json = False) -> None:
    """Referee text records without storing them; exit status 1 if any fails."""
    from replay.records.check import Failed, check_lines

    failed = False
    for file in files:
        with _lines(file) as lines:
            for verdict in check_lines(lines, str(file)):
                failed |= isinstance(verdict, Failed)
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
    """Print text records in their canonical form. A file with a bad record is left alone."""
    from replay.records.writer import write_record

    if write and file == STDIN:
        raise Usage("standard input cannot be rewritten; leave --write away")
    texts = []
    for result in _read(file):
        if isinstance(result, Fault):
            _report(file, result, False)
            raise typer.Exit(1)
        texts.append(write_record(result))
    if write:
        _replace(file, "".join(texts))
    else:
        sys.stdout.write("".join(texts))


def _read(file: Path) -> Iterator[Record | Fault]:
    from replay.records.reader import read_records

    with _lines(file) as lines:
        yield from read_records(lines)


@contextmanager
def _lines(file: Path) -> Iterator[Iterable[bytes]]:
    """Open a file, or standard input, line by line. Raises `Usage` if it cannot be read."""
    if file == STDIN:
        yield sys.stdin.buffer
        return
    try:
        with file.open("rb") as lines:
            yield lines
    except OSError as error:
        raise Usage(f"cannot read {file}: {error.strerror}") from None


def _report(file: Path, fault: Fault, json: bool) -> None:
    if json:
        print_json({"file": str(file), "ok": False, **structs.asdict(fault)})
    else:
        print(f"{file}: record {fault.record}: {fault.words()}", file=sys.stderr)


def _replace(file: Path, text: str) -> None:
    """Write a file anew in one step, so that it is never seen half-written."""
    beside = file.with_name(f".{file.name}.new")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(file)
    except OSError as error:
        raise Usage(f"cannot write {file}: {error.strerror}") from None
