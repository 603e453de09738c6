"""Archives as arguments of `import` and `verify`."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from io import BufferedReader
from typing import TYPE_CHECKING

from msgspec import structs

from cli.output import print_json
from replay.errors import BadLine, Damaged, Diverged, PlybookError, Usage
from replay.formats.import_bounds import Bounds

if TYPE_CHECKING:
    from replay.book import Book
    from replay.formats.archive.importer import ArchiveImport


def is_archive(file: BufferedReader) -> bool:
    """Tell whether a file begins like an archive, without consuming it."""
    from replay.formats.archive.model import BEGINNING

    return file.peek(len(BEGINNING)).startswith(BEGINNING)


def import_archive_file(
    book: Book, name: str, file: BufferedReader, json: bool, bounds: Bounds
) -> list[ArchiveImport] | str:
    """Import an archive, print what was new, and return it, or the reason of a refusal."""
    from replay.formats.archive.importer import import_archive

    try:
        imported = import_archive(book, file, bounds=bounds)
    except (Damaged, Diverged, Usage) as error:
        reason = f"{name}: {error}"
        if json:
            print_json({"file": name, "ok": False, **_fault(error)})
        else:
            print(reason, file=sys.stderr)
        return reason
    for each in imported:
        if json:
            print_json({"file": name, "ok": True, **structs.asdict(each)})
        else:
            print(f"{each.match}  {name}: {each.words()}")
    return imported


def verify_archive_file(name: str, file: BufferedReader, json: bool) -> bool:
    """Verify an archive, print the result, and return whether it is valid."""
    from replay.formats.archive.verification import verify_archive

    try:
        verdicts = verify_archive(file)
    except BadLine as error:
        if json:
            print_json({"file": name, "ok": False, **_fault(error)})
        else:
            print(f"{name}: DAMAGED at {error}")
        return False
    for verdict in verdicts:
        if json:
            print_json({"file": name, **structs.asdict(verdict)})
        else:
            print(f"{name}: {verdict.match}: {verdict.words()}")
    return True


def _fault(error: PlybookError) -> dict[str, object]:
    if isinstance(error, BadLine):
        return {"line": error.line, "fault": error.what}
    return {"line": None, "fault": str(error)}
