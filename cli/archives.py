"""Archives as arguments of `import` and `verify`, and files of other formats."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from codecs import BOM_UTF8
from io import BufferedReader
from typing import TYPE_CHECKING, Final

from msgspec import structs, to_builtins

from cli.output import print_answer, print_json, suggest
from cli.record_files import print_warnings
from replay.errors import BadLine, Damaged, Diverged, PlybookError, Usage
from replay.formats.import_bounds import Bounds

if TYPE_CHECKING:
    from replay.book import Book
    from replay.formats.archive.importer import ArchiveImport


OTHERS: Final = {
    b"<": "a page or a drawing",
    b'{"': "JSON",
    b"\x89PNG": "a picture",
    b"GIF8": "a picture",
}
"""Formats other than text records, by the first bytes of their files."""


def is_archive(file: BufferedReader) -> bool:
    """Return whether a file begins like an archive, without consuming it."""
    from replay.formats.archive.model import BEGINNING

    return file.peek(len(BEGINNING)).startswith(BEGINNING)


def refuse_other_format(name: str, file: BufferedReader, json: bool) -> str | None:
    """Print and return the reason if a file is not a text record, without consuming it."""
    beginning = file.peek().removeprefix(BOM_UTF8).lstrip()
    found = next((what for start, what in OTHERS.items() if beginning.startswith(start)), None)
    if is_archive(file):
        fault = f"this is an archive; `{suggest('verify', name)}` checks it"
    elif found is not None:
        fault = f"this is {found}, not a text record; `{suggest('export', 'MATCH')}` writes one"
    else:
        return None
    return _report(name, {"line": None, "fault": fault}, f"{name}: {fault}", json)


def import_archive_file(
    book: Book, name: str, file: BufferedReader, json: bool, bounds: Bounds, *, again: bool
) -> list[ArchiveImport] | str:
    """Import an archive, print and return its matches, or the reason of a refusal."""
    from replay.formats.archive.importer import import_archive

    try:
        imported = import_archive(book, file, bounds=bounds, again=again)
    except (Damaged, Diverged, Usage) as error:
        return _report(name, _fault(error), f"{name}: {error}", json)
    for each in imported:
        if json:
            print_json({"file": name, "ok": True, **to_builtins(each)})
        else:
            print(f"{each.match}  {name}: {each.words()}")
            print_warnings(f"{name}: {each.match}", each.warnings)
    return imported


def verify_archive_file(name: str, file: BufferedReader, json: bool) -> bool:
    """Verify an archive, print the result, and return whether it is valid."""
    from replay.formats.archive.reader import verify_archive

    try:
        verdicts = verify_archive(file)
    except BadLine as error:
        found = {"file": name, "ok": False, **_fault(error)}
        print_answer(found, f"{name}: DAMAGED at {error}", json)
        return False
    for verdict in verdicts:
        found = {"file": name, **structs.asdict(verdict)}
        print_answer(found, f"{name}: {verdict.match}: {verdict.words()}", json)
    return True


def _report(name: str, fault: dict[str, object], reason: str, json: bool) -> str:
    if json:
        print_json({"file": name, "ok": False, **fault})
    else:
        print(reason, file=sys.stderr)
    return reason


def _fault(error: PlybookError) -> dict[str, object]:
    if isinstance(error, BadLine):
        return {"line": error.line, "fault": error.what}
    return {"line": None, "fault": str(error)}
