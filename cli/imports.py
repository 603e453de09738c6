"""The command `import`: text records and archives into the book."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import gc
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.archives import import_archive_file, is_archive, refuse_other_format
from cli.books import open_book
from cli.following import check_file, states
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
    Pieces,
    Spellings,
    Variations,
    hint_of,
)
from domain.names import count
from replay.errors import Usage
from replay.formats.import_bounds import Bounds
from replay.formats.text_formats import Hint

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
    pieces: Pieces = "",
    follow: Annotated[
        bool, typer.Option("--follow", help="Watch one file, and import it whenever it changes.")
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Store text records, archives, and matches of links.

    A bad record is reported; the others are imported. Records that were imported before are
    skipped, so an import that was interrupted can be repeated. A record that an unfinished match of
    the same players, event, round and date begins like goes on in that match.

    Examples:
        plybook import game.ply
        plybook import game.ply match.plybook --again
    """
    from replay.formats.ply.bulk_import import BulkImport
    from replay.library import indexes

    hint = hint_of(encoding, spellings, pieces)
    gc.freeze()  # the garbage collector need not visit the loaded modules
    files, told = sources(files), _Summary(json)
    bounds = Bounds(variations, events=events)
    if follow:
        if again:
            raise Usage("--follow and --again exclude each other")
        _follow(check_file(files), hint, bounds, told, db)
        return
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
                    told.records(texts.add(source(file), given, hint))
        told.records(texts.finish())
        if book.store.count_positions_due() <= indexes.MOST:  # a server or `explore` does more
            indexes.refresh(book)
    told.end()


def _follow(file: Path, hint: Hint, bounds: Bounds, told: _Summary, db: str | None) -> None:
    """Import a file whenever it changes, and print what is new in it."""
    from replay.formats.ply.bulk_import import BulkImport, ImportResult

    before, placed = dict[int, ImportResult](), dict[int, str]()
    with open_lines(file) as lines, open_book(db) as book:
        if is_archive(lines):
            raise Usage(f"{file} is an archive, which does not grow; leave out --follow")
        for _ in states(file):
            with suppress(Usage), open_lines(file) as lines:  # unless it has just gone
                with BulkImport(book, bounds, followed=placed) as texts:
                    read = texts.add(source(file), lines, hint)
                    results = [*read, *texts.finish()]
                told.records(one for one in results if not _is_told(one, before.get(one.record)))
                before = {one.record: one for one in results}
                placed |= {one.record: one.match for one in results if one.match}
    told.end(failed=any(one.faults for one in before.values()))


def _is_told(result: ImportResult, before: ImportResult | None) -> bool:
    """Return whether this result was printed before and has not changed."""
    if before is None or result.faults != before.faults:
        return False
    same = (result.match, result.warnings) == (before.match, before.warnings)
    return same and not result.continued


class _Summary:
    """Prints results as they come, and counts them."""

    def __init__(self, json: bool) -> None:
        self._json = json
        self._imported = 0
        self._continued = 0
        self._skipped = 0
        self._warned = 0
        self._refused: list[str] = []

    def records(self, results: Iterable[ImportResult]) -> None:
        """Print the results of text records."""
        for result in results:
            if result.faults:
                self._refused.append(report_faults(result.file, result.faults, self._json))
                continue
            self._imported += not (result.known or result.continued)
            self._continued += result.continued
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

    def end(self, failed: bool | None = None) -> None:
        """Print the summary of several.

        Raises `Exit` with status 1 if it `failed`, by default if anything was refused.
        """
        counts = {
            "imported": self._imported,
            "continued": self._continued,
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
        if self._refused if failed is None else failed:
            raise typer.Exit(1)


def _as_json(result: ImportResult) -> dict[str, object]:
    return {
        "file": result.file,
        "record": result.record,
        "ok": True,
        "match": result.match,
        "new": not (result.known or result.continued),
        "continued": result.continued,
        "variations": result.variations,
        "left_out": result.left_out,
    } | ({"warnings": result.warnings} if result.warnings else {})


def _print(result: ImportResult) -> None:
    note = f"  ({count(result.variations, 'variation')})" if result.variations else ""
    note = "  (is here already)" if result.known else "  (goes on)" if result.continued else note
    print(f"{result.match}  {result.file}: record {result.record}{note}")
    print_warnings(f"{result.file}: record {result.record}", result.warnings)
    if result.left_out:
        where = f"{result.file}: record {result.record}"
        print(f"{where}: {count(result.left_out, 'variation')} left out, {SECRET}", file=sys.stderr)
