"""Summaries of matches: derived, and written in the transaction of the events they follow from.

The table `summaries_due` has the matches whose summary is missing or older than their log.
Triggers put them there, so no program that writes to the file can forget it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from typing import Any, Final

from replay.store import validation
from replay.store.protocol import ListedMatch, Stream, Summary, SummaryFilter
from replay.store.search_words import folded
from replay.store.sqlite import queries
from replay.store.sqlite.part import Part
from replay.store.sqlite.sqlite_library import Connection

PAGES: Final = (25, 100, 500)
"""The sizes of the first pages that are read; the last is that of all others."""
COLUMNS: Final = "head, game, kind, plies, turns, result, clause, last, standing"
PUT: Final = (
    f"INSERT INTO summaries (stream, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (stream) DO UPDATE SET head = excluded.head, game = excluded.game, "
    "kind = excluded.kind, plies = excluded.plies, turns = excluded.turns, "
    "result = excluded.result, clause = excluded.clause, last = excluded.last, "
    "standing = excluded.standing WHERE excluded.head >= head"
)
DUE: Final = (
    f"{queries.STREAM} WHERE id IN (SELECT stream FROM summaries_due) AND {queries.MATCH} "
    "ORDER BY id"
)
ALL_DUE: Final = (
    f"INSERT OR IGNORE INTO summaries_due SELECT id FROM streams WHERE {queries.MATCH} "
    "AND head > ifnull((SELECT head FROM summaries WHERE stream = streams.id), -1)"
)
ONE: Final = f"SELECT {COLUMNS} FROM summaries WHERE stream = ?"
STREAM: Final = ", ".join(f"streams.{name}" for name in queries.COLUMNS.split(", "))
SUMMARY: Final = ", ".join(f"m.{name}" for name in COLUMNS.split(", "))
WANTED: Final = (
    "FROM {source} LEFT JOIN summaries AS m ON m.stream = streams.id "
    "LEFT JOIN summaries_due AS d ON d.stream = streams.id "
    f"WHERE {queries.MATCH} AND trashed = ? AND {{number}} < ? AND {{conditions}}"
)
LISTED: Final = f"SELECT {STREAM}, d.stream, {SUMMARY} {WANTED} ORDER BY {{number}} DESC LIMIT ?"
COUNT: Final = f"SELECT count(*) {WANTED} AND d.stream IS NULL AND m.stream IS NOT NULL"
HAVING: Final = (
    "facts AS f CROSS JOIN streams ON f.name = ? AND f.value = ? AND streams.id = f.stream"
)
PLAYER: Final = """EXISTS (
    WITH RECURSIVE played(id) AS (
        SELECT streams.id
        UNION ALL
        SELECT v.parent_id FROM played JOIN streams AS v ON v.id = played.id
        JOIN summaries AS k ON k.stream = v.id WHERE k.kind <> 'match' AND v.parent_id
    )
    SELECT 1 FROM played JOIN facts AS p ON p.stream = played.id
    WHERE p.name GLOB 'Seat[1-9]' AND plybook_folded(CAST(p.value AS BLOB)) = ?
)"""
FACTS: Final = "SELECT stream, name, value FROM facts WHERE stream IN ({}) ORDER BY stream, pos"
FORGET: Final = (
    "DELETE FROM summaries WHERE stream = ?",
    "DELETE FROM summaries_due WHERE stream = ?",
)


class SqliteSummaries(Part):
    """The part `Summaries` of the protocol."""

    def summaries_due(self) -> list[Stream]:
        return self._query(due)

    def summarise(self, stream: int, summary: Summary) -> Future[None]:
        return self._submit_within_epoch(summarise, stream, summary)

    def listed(self, wanted: SummaryFilter, before: int | None = None) -> Iterator[ListedMatch]:
        last, pages = validation.LAST if before is None else before, list(PAGES)
        while found := self._query(page, wanted, last, pages[0]):  # no read stays open in between
            yield from found
            last, pages = found[-1].stream.id, pages[1:] or pages

    def count_listed(self, wanted: SummaryFilter) -> int:
        return self._query(count, wanted)

    def summary(self, stream: int) -> Summary | None:
        return self._query(summary, stream)


def due(connection: Connection) -> list[Stream]:
    """Return the matches whose summary is due."""
    return [queries.as_stream(row) for row in connection.execute(DUE).fetchall()]


def summarise(connection: Connection, number: int, new: Summary) -> None:
    """Replace the summary of a match."""
    queries.writable(connection, number)
    put(connection, number, new)


def put(connection: Connection, number: int, new: Summary) -> None:
    """Replace the summary of a match; put it before its events, whose trigger looks at it."""
    connection.execute(
        PUT,
        (
            number,
            new.head,
            new.game,
            new.kind,
            new.plies,
            new.turns,
            new.result,
            new.clause,
            new.last,
            new.standing,
        ),
    )


def withdraw(connection: Connection, number: int) -> None:
    """Delete a summary whose events could not be stored after it; that of the match is due."""
    connection.execute("DELETE FROM summaries WHERE stream = ?", (number,))
    connection.execute("INSERT OR IGNORE INTO summaries_due VALUES (?)", (number,))


def page(
    connection: Connection, wanted: SummaryFilter, before: int, limit: int
) -> list[ListedMatch]:
    """Return the newest matches that are wanted, with a number below `before`."""
    query, values = _query(LISTED, wanted, before)
    rows = connection.execute(query, (*values, limit)).fetchall()
    facts = _facts(connection, [row[0] for row in rows])
    return [_listed(row, facts) for row in rows]


def count(connection: Connection, wanted: SummaryFilter) -> int:
    """Count the matches that are wanted."""
    found: int = connection.execute(*_query(COUNT, wanted, validation.LAST)).fetchone()[0]
    return found


def summary(connection: Connection, number: int) -> Summary | None:
    """Return the summary of a match, if it has one."""
    row = connection.execute(ONE, (number,)).fetchone()
    return None if row is None else _summary(row)


def replace(connection: Connection, summaries: Mapping[int, Summary]) -> None:
    """Replace all summaries; the matches without one, or with an older one, are due."""
    connection.execute("DELETE FROM summaries")
    connection.execute("DELETE FROM summaries_due")
    for number, new in summaries.items():
        put(connection, number, new)
    connection.execute(ALL_DUE)


def _query(query: str, wanted: SummaryFilter, before: int) -> tuple[str, list[Any]]:
    """Return a query about the matches that are wanted, and its values but for a limit."""
    source, number, values = "streams", "streams.id", list[Any]()
    if wanted.having is not None:
        source, number, values = HAVING, "f.stream", [wanted.having.name, wanted.having.value]
    conditions, more = _conditions(wanted)
    query = query.format(source=source, number=number, conditions=conditions)
    return query, [*values, wanted.trashed, before, *more]


def _conditions(wanted: SummaryFilter) -> tuple[str, list[Any]]:
    """Return the conditions on a match as SQL, and their values."""
    derived = {
        "m.kind = ?": wanted.kind,
        "m.game = ?": wanted.game,
        "(m.clause = '') = ?": wanted.status and wanted.status == "open",
        "m.last >= ?": wanted.since,
    }
    asked = {sql: value for sql, value in derived.items() if value is not None}
    parts = [f"(d.stream IS NOT NULL OR {' AND '.join(asked) or 1})"]
    values: list[Any] = list(asked.values())
    if wanted.player is not None:
        parts.append(PLAYER)
        values.append(folded(wanted.player).encode())
    if wanted.among is not None:
        parts.append(f"streams.id IN ({', '.join('?' * len(wanted.among))})")
        values += wanted.among
    return " AND ".join(parts), values


def _facts(connection: Connection, numbers: list[int]) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {number: {} for number in numbers}
    query = FACTS.format(", ".join("?" * len(numbers)))
    for number, name, value in connection.execute(query, numbers).fetchall():
        found[number][queries.text(name)] = queries.text(value)
    return found


def _listed(row: queries.Row, facts: Mapping[int, Mapping[str, str]]) -> ListedMatch:
    stream, due, known = row[:12], row[12], row[13:]
    made = due is None and known[0] is not None
    return ListedMatch(queries.as_stream(stream), facts[row[0]], _summary(known) if made else None)


def _summary(row: queries.Row) -> Summary:
    head, game, kind, plies, turns, result, clause, last, standing = row
    game, kind, result, clause = map(queries.text, (game, kind, result, clause))
    return Summary(head, game, kind, plies, turns, result, clause, last, standing)
