"""Summaries of matches: derived, and written in the transaction of the events they follow from.

The table `summaries_due` has the matches whose summary is missing or older than their log. Triggers
put them there, so no writing program can forget to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import astuple

from replay.store import validation
from replay.store.search_words import folded
from replay.store.sql import queries
from replay.store.sql.dialect import Connection, Row
from replay.store.sql.part import SqlPart, reads, reads_snapshot, writes_within_epoch
from replay.store.types import ListedMatch, Stream, Summary, SummaryFilter

PAGE_SIZES: Final = (25, 100, 500)
"""The sizes of the first pages that are read; the last size applies to all later pages."""
COLUMNS: Final = ", ".join(Summary.__struct_fields__)
SUMMARY: Final = ", ".join(f"m.{name}" for name in Summary.__struct_fields__)
REPLACE: Final = f"""
    ON CONFLICT (stream) DO UPDATE SET
        {", ".join(f"{name} = excluded.{name}" for name in Summary.__struct_fields__)}
    WHERE excluded.head >= summaries.head
"""
VALUES: Final = queries.placeholders(("stream", *Summary.__struct_fields__))
PUT: Final = f"INSERT INTO summaries (stream, {COLUMNS}) VALUES ({VALUES}) {REPLACE}"
DUE: Final = (
    f"INSERT INTO summaries_due SELECT id FROM streams WHERE {queries.MATCH} "
    "AND head > coalesce((SELECT head FROM summaries WHERE stream = streams.id), -1)"
)
ONE: Final = f"SELECT {COLUMNS} FROM summaries WHERE stream = ?"
WANTED: Final = (
    "FROM {source} LEFT JOIN summaries AS m ON m.stream = streams.id "
    "LEFT JOIN summaries_due AS d ON d.stream = streams.id "
    f"WHERE c.entry = streams.id AND {queries.MATCH} AND trashed = ? "
    "AND {number} < ? AND {conditions}"
)
LISTED: Final = (
    f"SELECT {queries.COLUMNS}, d.stream, c.number, c.at, {SUMMARY} {WANTED} "
    "ORDER BY {number} DESC LIMIT ?"
)
COUNT: Final = f"SELECT count(*) {WANTED} AND d.stream IS NULL AND m.stream IS NOT NULL"
HAVING: Final = "streams.id = f.stream AND f.name = ? AND f.value = ?"
FOUND: Final = (
    "streams.id = t.stream AND t.kind = ? AND t.text = ? AND t.name = ? "
    "AND substr(t.name, 1, 100) = substr(?, 1, 100) "
    "AND substr(t.text, 1, 100) = substr(?, 1, 100)"
)
OPENED: Final = "streams.id = k.stream AND k.digest = ?"
SEATED: Final = """
    streams.id = p.stream AND {p} AND p.folded = ? AND NOT EXISTS (SELECT 1 FROM facts AS o
        WHERE o.stream = p.stream AND o.pos < p.pos AND {o} AND o.folded = p.folded)
"""
"""The condition that a player of a match has this folded name, in the first of their seats."""
PLAYED_BY: Final = """
    streams.id IN (
        WITH RECURSIVE played(id) AS (
            SELECT p.stream FROM facts AS p WHERE {p} AND p.folded = ?
            UNION
            SELECT v.id FROM played JOIN streams AS v ON v.parent_id = played.id
            JOIN summaries AS k ON k.stream = v.id WHERE k.kind <> 'match'
        )
        SELECT id FROM played
    )
"""
"""The condition that a player of a match, or of a match it descends from, has this folded name."""
FACTS: Final = "SELECT stream, name, value FROM facts WHERE stream IN ({}) ORDER BY stream, pos"


class Summaries(SqlPart):
    """Summaries of matches, which an append or a creation carries along.

    The summary of a match is due if it is missing or older than the log, because events were
    appended without it. `summaries_due` lists these matches, so that a reader can derive their
    summaries.
    """

    @reads
    def summaries_due(self, connection: Connection) -> list[Stream]:
        """Return the matches whose summary is due, oldest first.

        The cost does not depend on the other matches.
        """
        return queries.due(connection, "summaries_due")

    @writes_within_epoch
    def summarise(self, connection: Connection, stream: int, summary: Summary) -> None:
        """Replace the summary of a match, unless the stored summary is newer.

        If the log has grown meanwhile, the summary stays due.
        """
        queries.writable(connection, stream)
        put(connection, stream, summary)

    def listed(self, wanted: SummaryFilter, before: int | None = None) -> Iterator[ListedMatch]:
        """Return matches with their summaries in their order, newest first, read page by page.

        A match whose summary is due comes without it, and ignores `kind`, `game`, `status`,
        `since` and `sure`: only the caller can compare these. `before` leaves out the stream of
        that number and all newer ones, or in the order `changed` the changes from that number on.
        The promises of `Streams.matches` hold here; but in the order `changed` a match that changes
        between two pages moves to the top, and may be missed.
        """
        last, sizes = validation.MAX_VERSION if before is None else before, list(PAGE_SIZES)
        while found := self._listed_page(wanted, last, sizes[0]):
            yield from found  # no read stays open in between
            if len(found) < sizes[0]:
                return
            by_change = wanted.order == "changed"
            last = found[-1].number if by_change else found[-1].stream.id
            sizes = sizes[1:] or sizes

    @reads_snapshot
    def _listed_page(
        self, connection: Connection, wanted: SummaryFilter, before: int, limit: int
    ) -> list[ListedMatch]:
        query, values = _build_query(LISTED, connection, wanted, before)
        rows = connection.execute(query, (*values, limit)).fetchall()
        metadata = _metadata(connection, [row[0] for row in rows])
        return [_listed(row, metadata) for row in rows]

    @reads
    def count_listed(self, connection: Connection, wanted: SummaryFilter) -> int:
        """Count the matches that `listed` returns with a summary."""
        query, values = _build_query(COUNT, connection, wanted, validation.MAX_VERSION)
        found: int = connection.execute(query, values).fetchone()[0]
        return found

    @reads
    def summary(self, connection: Connection, stream: int) -> Summary | None:
        """Return the stored summary of a match, which may be outdated, or `None`."""
        row = connection.execute(ONE, (stream,)).fetchone()
        return None if row is None else _summary(row)


def put(connection: Connection, number: int, new: Summary) -> None:
    """Replace a match's summary, before its events are stored: their trigger reads it."""
    connection.execute(PUT, (number, *astuple(new)))


def replace(connection: Connection, number: int, new: Summary | None) -> None:
    """Replace the summary of a match. Without a summary, or with an older one, the match is due."""
    for table in ("summaries", "summaries_due"):
        connection.execute(f"DELETE FROM {table} WHERE stream = ?", (number,))
    if new is not None:
        put(connection, number, new)
    connection.execute(f"{DUE} AND id = ? ON CONFLICT DO NOTHING", (number,))


def _build_query(
    query: str, connection: Connection, wanted: SummaryFilter, before: int
) -> tuple[str, list[Any]]:
    """Return a query for the matches that are wanted, and its values except the limit."""
    # SQLite keeps the order of a CROSS JOIN: first the few with the item, player, text or token.
    by_change = wanted.order == "changed"
    tables, first = ["streams", "changes AS c"], "streams.id"
    conditions, values = _conditions(wanted)
    if by_change and not (wanted.having or wanted.player or wanted.text or wanted.opened_by):
        tables.reverse()
    if wanted.having is not None:
        tables.insert(0, "facts AS f")
        first, conditions = "f.stream", f"{conditions} AND {HAVING}"
        values += [wanted.having.name, wanted.having.value]
    if wanted.player is not None:
        seats = {each: connection.OF_SEAT.format(fact=each) for each in ("p", "o")}
        if wanted.kind == "match":  # a match has its own players
            tables.insert(0, "facts AS p")
            first, conditions = "p.stream", f"{conditions} AND {SEATED.format_map(seats)}"
        else:
            conditions = f"{conditions} AND {PLAYED_BY.format_map(seats)}"
        values.append(folded(wanted.player))
    if wanted.text is not None:
        kind, name, text = astuple(wanted.text)
        tables.insert(0, "texts AS t")
        first, conditions = "t.stream", f"{conditions} AND {FOUND}"
        values += [kind, text, name, name, text]
    if wanted.opened_by is not None:
        tables.insert(0, "keys AS k")
        first, conditions = "k.stream", f"{conditions} AND {OPENED}"
        values.append(wanted.opened_by)
    query = query.format(
        source=" CROSS JOIN ".join(tables),
        number="c.number" if by_change else first,
        conditions=conditions,
    )
    return query, [wanted.trashed, before, *values]


def _conditions(wanted: SummaryFilter) -> tuple[str, list[Any]]:
    """Return the conditions on a match as SQL, and their values."""
    derived = {
        "m.kind = ?": wanted.kind,
        "m.game = ?": wanted.game,
        "(m.clause = '') = ?": wanted.status and wanted.status == "open",
        "m.last >= ?": wanted.since,
        "m.doubtful = ?": False if wanted.sure else None,
    }
    asked = {sql: value for sql, value in derived.items() if value is not None}
    parts = [f"(d.stream IS NOT NULL OR {' AND '.join(asked) or 'true'})"]
    values: list[Any] = list(asked.values())
    if wanted.public:
        parts.append("c.public")
    if wanted.changed is not None:
        parts.append("c.at >= ?")
        values.append(wanted.changed)
    if wanted.after is not None:
        parts.append("c.number > ?")
        values.append(wanted.after)
    if wanted.among is not None:
        parts.append(f"streams.id IN ({queries.placeholders(wanted.among)})")
        values += wanted.among
    return " AND ".join(parts), values


def _metadata(connection: Connection, numbers: list[int]) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {number: {} for number in numbers}
    query = FACTS.format(queries.placeholders(numbers))
    for number, name, value in connection.execute(query, numbers).fetchall():
        found[number][name] = value
    return found


def _summary(row: Row) -> Summary:
    values = [*row[:-1], bool(row[-1])]  # SQLite has numbers for booleans
    return Summary(*values)


def _listed(row: Row, metadata: Mapping[int, Mapping[str, str]]) -> ListedMatch:
    stream, (due, number, at), known = row[:12], row[12:15], row[15:]
    made = due is None and known[0] is not None
    summary = _summary(known) if made else None
    return ListedMatch(queries.as_stream(stream), metadata[row[0]], summary, number, at)
