"""Commands for maintenance of the database: backup, restore, copy, publish, doctor, reindex."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from msgspec import structs

from cli.books import database, database_file, existing_book, local_file, open_book, read_book
from cli.exports import Force, check_replaceable
from cli.output import Db, Json, complete_commands, print_answer, print_json, suggest
from domain.names import count
from replay.errors import StoreError, Usage
from replay.store import Location

PG_DUMP: Final = "use `pg_dump`, or `plybook copy --to FILE`, which copies the book into a file"
PG_RESTORE: Final = "use `pg_restore`, or `plybook copy --from FILE`"

if TYPE_CHECKING:
    from replay.store.sqlite.file_copy import Contents


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to copy it to.")],
    force: Force = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Copy the book, also while others write to it.

    The copy is checked before it gets its name.

    Examples:
        plybook backup evening.db
        plybook backup evening.db --force
    """
    from replay.upkeep.backup import back_up, back_up_over

    copied = (back_up_over if force else back_up)(database_file(db, PG_DUMP), local_file(file))
    told = f"{file}: {_describe(copied)}, checked"
    print_answer({"file": str(file), **structs.asdict(copied)}, told, json)


def restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="A copy made by `backup`.")],
    discard: Annotated[
        bool,
        typer.Option(
            "--discard",
            help="Delete the replaced book; by default it is kept as `….before-restore`.",
        ),
    ] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Replace the book by a backup.

    The backup is checked first. No program may have the book open.

    Examples:
        plybook restore backup.db
        plybook restore backup.db --discard
    """
    from replay.store.sqlite import file_copy
    from replay.upkeep.backup import restore as put_back

    path = database_file(db, PG_RESTORE)
    restored = put_back(path, local_file(backup))
    kept = restored.kept
    if discard and kept is not None:
        file_copy.discard(kept)
        kept = None
    contents = restored.contents
    if json:
        more = {"kept": kept and str(kept), "erased": restored.erased}
        print_json({"database": str(path), **structs.asdict(contents), **more})
        return
    print(f"{path}: {_describe(contents)}, checked, from {backup}")
    if restored.erased:
        where = count(restored.erased, "match", "matches")
        print(f"players erased since the backup stay erased, in {where}")
    if kept is not None:
        print(f"the previous book is now {kept}")


def compact(db: Db = None, json: Json = False) -> None:
    """Write the file of the book anew, without erased texts.

    A server does this by itself when it rests or ends. While this runs, others can read but not
    write. The disk needs room for twice the file.

    Examples:
        plybook compact
        plybook compact --json
    """
    database_file(db, "use PostgreSQL's own `VACUUM FULL`")
    with existing_book(db) as book:
        due = book.store.compact()
    if json:
        print_json({"erasure_due": due})
    elif due is None:
        print("written anew; no erased text is left in the file")
    else:
        raise StoreError(
            "the file could not be written anew: a program reads it, or the disk has no room for "
            "twice its size; stop the program or free some space, and run this again"
        )


def copy(
    to: Annotated[
        str, typer.Option("--to", metavar="BOOK", help="The file or the URL of the copy.")
    ],
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="BOOK", help="The file or the URL to copy from."),
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Copy the book into another database.

    Events, annotations, names, tags, tokens and hooks are copied, with their hashes. An existing
    copy gets what it lacks.

    Examples:
        plybook copy --to elsewhere.db
        plybook copy --from backup.db --to elsewhere.db
    """
    from cli.progress import counted
    from replay.upkeep.copying import copy

    _check_different(database(from_ or db), database(to))
    with existing_book(from_ or db) as source, open_book(to) as target:
        copied = copy(source.store, target.store, counted)
    if json:
        print_json(copied)
    else:
        new, events = count(copied.new, "new match", "new matches"), count(copied.events, "event")
        print(f"{_matches(copied.matches)} in both books; copied {new} and {events}")


def publish(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to publish to.")],
    force: Force = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Write the public matches to a database for others.

    It is a SQLite file with matches, players, moves, tags and annotations as everybody may see
    them, and without the book's secrets.

    Examples:
        plybook publish public.db
        plybook publish public.db --force
    """
    from cli.progress import matches_bar
    from replay.upkeep import publishing

    check_replaceable(file, force)
    with read_book(db) as book, matches_bar(publishing.count_public(book)) as advance:
        published = publishing.publish(book, file, advance)
    if json:
        print_json({"file": str(file), **structs.asdict(published)})
        return
    moves, notes = count(published.moves, "move"), count(published.annotations, "annotation")
    print(f"{file}: {_matches(published.matches)}, {moves}, {notes}, {published.bytes} bytes")
    for match in published.unread:
        print(f"{match} cannot be read; for more: plybook verify {match}", file=sys.stderr)
    if not published.matches:
        print(
            "no match is public; `plybook visibility MATCH public` makes one public",
            file=sys.stderr,
        )


def _check_different(source: Location, target: Location) -> None:
    same = source == target
    if isinstance(source, Path) and isinstance(target, Path):
        same = os.path.realpath(source) == os.path.realpath(target)
    if same:
        raise Usage("this is the book itself; name another with --to")


def doctor(db: Db = None, json: Json = False) -> None:
    """Check the book and what it needs.

    The exit status is 1 for a fault.

    Examples:
        plybook doctor
        plybook doctor --json
    """
    from cli.progress import matches_bar
    from replay.upkeep.doctor import checkup

    failed = False
    for found in checkup(database(db), matches_bar):
        failed |= found.verdict == "fault"
        if json:
            print_json(found)
        else:
            advice = f"; {complete_commands(found.advice)}" if found.advice else ""
            print(f"{found.verdict:7}  {found.check:10}  {found.message}{advice}", flush=True)
    if failed:
        raise typer.Exit(1)


def reindex(db: Db = None, json: Json = False) -> None:
    """Derive all data again from the events.

    These are indexes, positions and the texts of search.

    Examples:
        plybook reindex
        plybook reindex --json
    """
    from cli.progress import matches_bar
    from replay.upkeep import reindex

    with existing_book(db) as book, matches_bar(book.store.count_matches()) as advance:
        made = reindex.reindex(book, advance)
    if json:
        print_json(made)
    else:
        moves = count(made.moves, "move")
        print(f"{_matches(made.matches)}: {moves} by position, {count(made.texts, 'text')}")
        for match in made.unread:
            print(f"{match} cannot be read; for more: {suggest('verify', match)}")


def _describe(found: Contents) -> str:
    return f"{_matches(found.matches)}, {count(found.events, 'event')}, {found.bytes} bytes"


def _matches(number: int) -> str:
    return count(number, "match", "matches")
