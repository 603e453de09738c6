"""Bring an older database to `schema.sql` and `store/derived.py`.

This module is imported only if a database is older. Views and triggers are replaced, missing tables
and indexes are created, and a table without some of its columns is rebuilt with its rows. Then the
migrations fill in rows that follow from older rows. A change of the schema is written into
`schema.sql`, and reaches older books by a new name in `database_file.MIGRATIONS`; `ROWS` has its
statements.

Never rebuild a guarded table: its triggers would keep its rows.
"""

from __future__ import annotations

import contextlib
from typing import Final

from sqlite_utils import Database, Migrations

from replay.store.search_words import folded
from replay.store.sql import summaries
from replay.store.sqlite import database_file, full_text
from replay.store.sqlite.driver import Connection, sqlite3

migrations = Migrations("plybook")

OBJECTS: Final = (
    "SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL "
    "AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'texts_fts_%' ORDER BY rowid"
)
EXTENDED: Final = ("facts", "changes", "hooks", "erasures", "written", "summaries")
"""The tables that have gained columns since their first version."""
COLUMNS: Final = "SELECT name FROM pragma_table_info(?)"
CHANGED: Final = """
    INSERT INTO changes (entry, number, root, public, at, opened)
    WITH RECURSIVE roots(stream, root) AS (
        SELECT id, id FROM streams WHERE instr(header, '"kind":"variation"') = 0
        UNION ALL
        SELECT s.id, r.root FROM roots AS r JOIN streams AS s ON s.parent_id = r.stream
        WHERE instr(s.header, '"kind":"variation"')
    )
    SELECT stream, place, root, EXISTS (SELECT 1 FROM facts WHERE facts.stream = root
        AND name = 'access.visibility' AND value = 'public'),
        coalesce(last, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)), place
    FROM (
        SELECT s.id AS stream, coalesce(r.root, s.id) AS root, m.last,
            row_number() OVER (ORDER BY m.last, s.id) AS place
        FROM streams AS s LEFT JOIN summaries AS m ON m.stream = s.id
        LEFT JOIN roots AS r ON r.stream = s.id
        WHERE s.kind = 'match' AND substr(s.public_id, 1, 1) <> '~'
    )
"""
"""Every match has changed once."""
POSITIONS_DUE: Final = """
    INSERT OR IGNORE INTO positions_due
    SELECT s.id FROM streams AS s LEFT JOIN indexed AS i ON i.stream = s.id
    WHERE s.kind = 'match' AND substr(s.public_id, 1, 1) <> '~' AND s.head > ifnull(i.head, -1)
"""
TEXTS_DUE: Final = """
    INSERT OR IGNORE INTO texts_due
    SELECT s.id FROM streams AS s LEFT JOIN searchable AS t ON t.stream = s.id
    LEFT JOIN streams AS n ON n.subject = s.id
    WHERE s.kind = 'match' AND substr(s.public_id, 1, 1) <> '~'
    AND ifnull(n.head, 0) > ifnull(t.notes, -1)
"""
ROWS: Final[dict[str, tuple[str, ...]]] = {
    "in_short": ("DROP TABLE IF EXISTS lines", f"{summaries.DUE} ON CONFLICT DO NOTHING"),
    # All matches are to be indexed again, with their written moves.
    "for_people": ("DELETE FROM steps", "DELETE FROM indexed"),
    "changes": (
        CHANGED,
        "INSERT INTO eras SELECT 1, lower(hex(randomblob(4))) FROM changes WHERE number = 1",
    ),
    # Earlier versions did not note erasures, so a clean-up may be due.
    "erasures": ("INSERT INTO erasures DEFAULT VALUES",),
    "counts": ("INSERT INTO counted SELECT * FROM countable",),
    "due": (POSITIONS_DUE, TEXTS_DUE),
    "people_heads": (
        "INSERT INTO people_heads SELECT stream, number, hash FROM people AS last WHERE number = "
        "(SELECT max(number) FROM people WHERE stream = last.stream)",
    ),
    "hooks_of_people": (
        "UPDATE hooks SET named = coalesce("
        "(SELECT max(number) FROM people WHERE people.stream = hooks.stream), 0)",
    ),
    "no_challenges": ("DROP TABLE IF EXISTS challenges",),
}
"""The statements of the migrations that fill in rows."""
VALUES: Final = "SELECT pos, CAST(value AS BLOB) FROM facts"


def _register(name: str) -> None:
    @migrations(name=name)
    def fill(db: Database) -> None:
        for statement in ROWS.get(name, ()):
            db.execute(statement)
        if name == "search":
            full_text.overwrite_deleted_words(db.conn)
        if name == "players":
            values = db.execute(VALUES).fetchall()
            rows = [(folded(str(value, "utf-8", "replace")), pos) for pos, value in values]
            db.conn.executemany("UPDATE facts SET folded = ? WHERE pos = ?", rows)


for _name in database_file.MIGRATIONS:
    _register(_name)


def migrate(connection: Connection) -> None:
    """Bring a database up to date, inside the transaction that the caller began."""
    database = Database(connection, execute_plugins=False)
    migrations.ensure_migrations_table(database)
    _make_objects(connection)
    migrations.apply(database)
    connection.execute(f"PRAGMA user_version = {len(migrations.applied(database))}")


def _make_objects(connection: Connection) -> None:
    """Create tables, indexes, views and triggers as in a new database."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        database_file.make_tables(new)
        made = {name: (kind, sql) for name, kind, sql in new.execute(OBJECTS)}
        for name, (kind, _) in made.items():
            if kind in ("view", "trigger") and not name.startswith("texts_"):
                connection.execute(f"DROP {kind} IF EXISTS {name}")
        for name in EXTENDED:
            _extend(connection, name, made[name][1], new)
    there = {name for name, _, _ in connection.execute(OBJECTS)}
    for name, (_, sql) in made.items():
        if name not in there:
            connection.execute(sql)


def _extend(connection: Connection, name: str, sql: str, new: Connection) -> None:
    """Rebuild a table with its rows if it lacks columns. No foreign key may refer to it."""
    columns = [column for (column,) in connection.execute(COLUMNS, (name,))]
    if columns and columns != [column for (column,) in new.execute(COLUMNS, (name,))]:
        connection.execute(f"ALTER TABLE {name} RENAME TO former_{name}")
        connection.execute(sql)
        some = ", ".join(columns)
        connection.execute(f"INSERT INTO {name} ({some}) SELECT {some} FROM former_{name}")
        connection.execute(f"DROP TABLE former_{name}")
