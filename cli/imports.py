"""The command `import`: text records and archives into the book."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import gc
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.archives import import_archive_file, is_archive, refuse_other_format
from cli.books import open_book
from cli.output import Db, Json, print_json
from cli.progress import reading
from cli.record_files import (
    advancing,
    open_lines,
    print_warnings,
    report_faults,
    source,
    sources,
)
from cli.records import (
    MOST_EVENTS,
    MOST_VARIATIONS,
    Encoding,
    Events,
    Files,
    Spellings,
    Variations,
)
from domain.names import count
from replay.formats.encodings import check_encoding
from replay.formats.import_bounds import Bounds

if TYPE_CHECKING:
    from replay.formats.archive.importer import ArchiveImport
    from replay.formats.ply.bulk_import import ImportResult

LISTED: Final = 10
"""The number of refusals that the summary repeats, if there are more results than that."""
SECRET: Final = "which would reveal sealed moves"


def import_records(
    files: Files = None,
    variations: Variations = MOST_VARIATIONS,
    events: Events = MOST_EVENTS,
    again: Annotated[
        bool, typer.Option("--again", help="Store a copy of records that the book already has.")
    ] = False,
    encoding: Encoding = "",
    spellings: Spellings = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Store text records, archives, and matches of links.

    A bad record is reported; the others are imported. Records that were imported before are
    skipped, so an import that was interrupted can be repeated.

    Examples:
        plybook import game.ply
        plybook import game.ply match.plybook --again
    """
    from replay.formats.ply.bulk_import import BulkImport

    check_encoding(encoding)
    gc.freeze()  # the modules stay: the garbage collector skips them
    files, told = sources(files), _Summary(json)
    bounds = Bounds(variations, events=events)
    with (
        open_book(db) as book,
        BulkImport(book, bounds, again=again) as texts,
        reading(files) as advance,
    ):
        for file in files:
            with open_lines(file) as lines:
                if is_archive(lines):
                    told.records(texts.finish())
                    told.archive(
                        import_archive_file(book, source(file), lines, json, bounds, again=again)
                    )
                elif reason := refuse_other_format(source(file), lines, json):
                    told.records(texts.finish())
                    told.refused(reason)
                else:
                    given = advancing(lines, advance)
                    told.records(texts.add(source(file), given, encoding, spellings))
        told.records(texts.finish())
    told.end()


class _Summary:
    """Prints results as they come, and counts them."""

    def __init__(self, json: bool) -> None:
        self._json = json
        self._imported = 0
        self._skipped = 0
        self._warned = 0
        self._refused: list[str] = []

    def records(self, results: Iterable[ImportResult]) -> None:
        """Print the results of text records."""
        for result in results:
            if result.faults:
                self._refused.append(report_faults(result.file, result.faults, self._json))
                continue
            self._imported += not result.known
            self._skipped += result.known
            self._warned += bool(result.warnings)
            if self._json:
                print_json(_as_json(result))
            else:
                _print(result)

    def refused(self, reason: str) -> None:
        """Count a file that was refused."""
        self._refused.append(reason)

    def archive(self, results: list[ArchiveImport] | str) -> None:
        """Count the matches of an archive, or the reason why it was refused."""
        if isinstance(results, str):
            self.refused(results)
            return
        for result in results:
            something = result.new or result.events or result.notes
            self._imported += bool(something)
            self._skipped += not something
            self._warned += bool(result.warnings)

    def end(self) -> None:
        """Print the summary of several. Raises `Exit` with status 1 if anything was refused."""
        counts = {
            "imported": self._imported,
            "skipped as here already": self._skipped,
            "refused": len(self._refused),
        }
        if not self._json and sum(counts.values()) > 1:
            counted = counts | {"with warnings": self._warned}
            told = [f"{number} {what}" for what, number in counted.items() if number]
            print(", ".join(told), file=sys.stderr)
            if sum(counts.values()) > LISTED:
                for reason in self._refused[:LISTED]:
                    print(f"  {reason}", file=sys.stderr)
        if self._refused:
            raise typer.Exit(1)


def _as_json(result: ImportResult) -> dict[str, object]:
    return {
        "file": result.file,
        "record": result.record,
        "ok": True,
        "match": result.match,
        "new": not result.known,
        "variations": result.variations,
        "left_out": result.left_out,
    } | ({"warnings": result.warnings} if result.warnings else {})


def _print(result: ImportResult) -> None:
    note = f"  ({count(result.variations, 'variation')})" if result.variations else ""
    note = "  (is here already)" if result.known else note
    print(f"{result.match}  {result.file}: record {result.record}{note}")
    print_warnings(f"{result.file}: record {result.record}", result.warnings)
    if result.left_out:
        where = f"{result.file}: record {result.record}"
        print(f"{where}: {count(result.left_out, 'variation')} left out, {SECRET}", file=sys.stderr)
