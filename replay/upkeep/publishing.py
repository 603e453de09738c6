"""Publish a book: its public matches in a database of their own, which any SQLite reads.

The rows hold only data that a spectator may see.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct
from sqlite_utils import Database

from domain.events import Stood
from replay.access import visibility
from replay.access.visibility import ReadScope
from replay.annotations.current import Remark, plies_by_version, standing
from replay.book import Book
from replay.errors import Damaged, StoreError, UnknownMatch, Usage
from replay.library.match_list import ListFilter, page
from replay.match_batches import Advance, work_on
from replay.record.match_record import MatchRecord
from replay.record.match_summary import result_for, summary_of, written_moves
from replay.store.people_chain import SEAT_TAG
from replay.store.sqlite import database_file, file_copy
from replay.store.sqlite.driver import ERRORS
from replay.store.types import Stream, SummaryFilter
from replay.tags.match_tags import tags_of
from replay.tags.names import actor_words, names_in, seats

TOGETHER: Final = 20
"""The number of matches that are written in one transaction."""

ANYBODY: Final = ReadScope(frozenset({visibility.PUBLIC}))
"""The scope of a caller without tokens."""


class Published(Struct, frozen=True):
    """The numbers of published matches, moves and annotations, and the size of the file.

    `unread` are the ids of the public matches that cannot be read.
    """

    matches: int
    moves: int
    annotations: int
    bytes: int
    unread: tuple[str, ...]


class PublicMatch(NamedTuple):
    """A match with its facts and its annotations that are not retracted."""

    record: MatchRecord
    facts: Mapping[str, str]
    remarks: Sequence[Remark]


Row = dict[str, Any]


class PublishedTable(NamedTuple):
    """A published table: its columns, its primary key, and the rows of a match."""

    columns: Sequence[str]
    key: str | Sequence[str]
    rows: Callable[[PublicMatch], Iterator[Row]]


def count_public(book: Book) -> int:
    """Count the matches that `publish` looks at."""
    return book.store.count_listed(SummaryFilter(kind="match", having=visibility.SHOWN))


def publish(book: Book, file: Path, advance: Advance) -> Published:
    """Write the public matches to a file, replacing any old file, all or nothing.

    Raises `Usage` if the file cannot be replaced, and `StoreError` if writing fails.
    """
    target = database_file.resolve_target(file)
    _check_replaceable(target)
    try:
        with tempfile.TemporaryDirectory(prefix=".plybook-", dir=target.parent) as folder:
            made = Path(folder, "published.db")
            published = _write(book, made, advance)
            database_file.replace(made, target)
    except (OSError, *ERRORS) as error:
        reason = getattr(error, "strerror", None) or error
        raise StoreError(f"{target} was not published: {reason}") from None
    return published


def _check_replaceable(target: Path) -> None:
    """Raise `Usage` for a book, and for a database that a program writes to."""
    head = database_file.first_bytes(target)
    if head is None:
        return
    if database_file.is_ours(head):
        raise Usage(f"{target} is a book of Plybook; publish to another file")
    file_copy.release(target)


def _write(book: Book, made: Path, advance: Advance) -> Published:
    unread: list[str] = []
    with closing(Database(made)) as database:
        database.execute("PRAGMA synchronous = OFF")  # the file is synchronised when it is whole
        _make_tables(database)
        read = work_on(book, _public(book), _rows_of)
        while some := list(islice(read, TOGETHER)):
            _insert(database, [rows for rows in some if isinstance(rows, dict)])
            unread += [match for match in some if isinstance(match, str)]
            advance(len(some))
        database.table("annotations").enable_fts(["text"])
        matches, moves, remarks = (
            database.table(name).count for name in ("matches", "moves", "annotations")
        )
    with made.open("rb+") as file:
        os.fsync(file)
    return Published(matches, moves, remarks, made.stat().st_size, tuple(unread))


def _make_tables(database: Database) -> None:
    for name, table in TABLES.items():
        columns = {column: int if column in NUMBERS else str for column in table.columns}
        parent = [] if name == "matches" else [("match", "matches", "match")]
        database.table(name).create(columns, pk=table.key, foreign_keys=parent)
    for name in ("tags", "annotations"):
        database.table(name).create_index(["match"])


def _public(book: Book) -> Iterator[Stream]:
    """Yield the public matches, newest first."""
    before: int | None = None
    while True:
        found = page(book, ListFilter(), ANYBODY, TOGETHER, before)
        yield from (each.stream for each in found.matches)
        if found.next is None:
            return
        before = found.next


def _rows_of(book: Book, stream: Stream) -> dict[str, list[tuple[Any, ...]]] | str:
    """Return the rows of a match by table, none if purged meanwhile; the id of an unreadable match.

    This may run in another process: tuples are pickled fast.
    """
    try:
        record = book.read(stream)
        match = PublicMatch(record, book.facts(record), standing(book, record))
    except UnknownMatch:
        return {}
    except (Damaged, Usage):
        return stream.public_id
    return {
        name: [itemgetter(*_given(table))(row) for row in table.rows(match)]
        for name, table in TABLES.items()
    }


def _insert(database: Database, matches: Sequence[Mapping[str, list[tuple[Any, ...]]]]) -> None:
    with database.atomic():
        for name, table in TABLES.items():
            given = _given(table)
            values = f"({', '.join(given)}) VALUES ({', '.join('?' * len(given))})"
            rows = [row for match in matches for row in match.get(name, ())]
            database.conn.executemany(f"INSERT INTO {name} {values}", rows)


def _given(table: PublishedTable) -> list[str]:
    """Return the columns that rows give a value; SQLite assigns each `id`."""
    return [column for column in table.columns if column != "id"]


def _match_rows(match: PublicMatch) -> Iterator[Row]:
    record, facts = match.record, match.facts
    summary, outcome = summary_of(record), record.state.outcome
    players = [facts[seat] for seat in map(_fact, seats(record)) if seat in facts]
    won = map(_fact, outcome.winners if outcome else ())
    winners = [facts[seat] for seat in won if seat in facts]
    yield {
        **_of(record),
        "rules": record.header.rules,
        "date": facts.get("Date"),
        "opened": _time(record.header.created),
        "last": _time(summary.last),
        "players": " - ".join(players) or None,
        "result": summary.result,
        "winner": " - ".join(winners) or None,
        "ended_by": summary.clause,
        "plies": summary.plies,
        "turns": summary.turns,
        "stood": sum(isinstance(ply.event, Stood) for ply in record.match.line),
        "indexed": 1,
        "doubtful": int(summary.doubtful),
    }


def _player_rows(match: PublicMatch) -> Iterator[Row]:
    record = match.record
    result, outcome = summary_of(record).result, record.state.outcome
    for seat in seats(record):
        yield {
            **_of(record),
            "seat": seat,
            "player": match.facts.get(_fact(seat)),
            "result": result_for(seat, result),
            "place": outcome.place(seat) if outcome else None,
        }


def _move_rows(match: PublicMatch) -> Iterator[Row]:
    record = match.record
    for move in written_moves(record.match, record.secrets):
        yield {
            **_of(record),
            "ply": move.ply,
            "turn": move.turn,
            "seat": move.seat or None,
            "player": match.facts.get(_fact(move.seat)),
            "text": move.text,
            "stood_against": move.clause or None,
            "at": _time(record.entry(move.version).at),
            "unsure": int(move.unsure),
            "reconstructed": move.reconstructed or None,
        }


def _tag_rows(match: PublicMatch) -> Iterator[Row]:
    for tag in tags_of(match.facts):
        if not SEAT_TAG.fullmatch(tag.name):
            yield {"match": match.record.id, "name": tag.name, "value": tag.value}


def _annotation_rows(match: PublicMatch) -> Iterator[Row]:
    record = match.record
    names = names_in(match.facts, seats(record))
    plies = plies_by_version(record)
    for remark in match.remarks:
        assert remark.said is not None
        yield {
            **_of(record),
            "ply": plies.get(remark.on),
            "kind": remark.kind,
            "text": remark.said.words(),
            "author": actor_words(remark.author, names),
            "at": _time(remark.at),
        }


def _of(record: MatchRecord) -> Row:
    return {"match": record.id, "game": record.game.slug}


def _fact(seat: int) -> str:
    return f"Seat{seat}"


def _time(at: int) -> str:
    return f"{datetime.fromtimestamp(at // 1000, UTC):%Y-%m-%d %H:%M:%S}"


TABLES: Final = {
    "matches": PublishedTable(
        [
            *("match", "game", "rules", "date", "opened", "last", "players", "result", "winner"),
            *("ended_by", "plies", "turns", "stood", "indexed", "doubtful"),
        ],
        "match",
        _match_rows,
    ),
    "players": PublishedTable(
        ["match", "game", "seat", "player", "result", "place"], ("match", "seat"), _player_rows
    ),
    "moves": PublishedTable(
        [
            *("match", "game", "ply", "turn", "seat", "player", "text", "stood_against", "at"),
            *("unsure", "reconstructed"),
        ],
        ("match", "ply"),
        _move_rows,
    ),
    "tags": PublishedTable(["id", "match", "name", "value"], "id", _tag_rows),
    "annotations": PublishedTable(
        ["id", "match", "game", "ply", "kind", "text", "author", "at"], "id", _annotation_rows
    ),
}
"""The published tables. The first three have the columns of the views of a book."""

NUMBERS: Final = frozenset(
    (
        "id",
        "seat",
        "ply",
        "turn",
        "plies",
        "turns",
        "stood",
        "indexed",
        "doubtful",
        "place",
        "unsure",
    )
)
"""The columns with numbers; the other columns hold texts."""
