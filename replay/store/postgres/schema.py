"""The tables, as numbered SQL files. A new file is a new migration.

Later files replace parts of earlier files; those parts may be deleted, because the resulting
database is the same. After the files come the triggers of `derived.py`; a change of these needs a
new file too. Tables that are the same in SQLite are described in its schema: `CREATE TABLES` names
them here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from psycopg import errors

from replay.errors import StoreError
from replay.store.postgres import derived
from replay.store.postgres.connecting import writing
from replay.store.postgres.driver import Connection, shown

FILES: Final = sorted(Path(__file__).with_name("migrations").glob("*.sql"))
SCHEMA: Final = len(FILES)
"""The number of migrations that this Plybook knows."""
SHARED: Final = re.compile(r"^CREATE TABLES (.+);$", re.MULTILINE)
"""Names of tables in a file that are the same in SQLite."""
TYPES: Final = {"INTEGER": "bigint", "BLOB": "bytea"}
"""The types of SQLite's columns that have other names in PostgreSQL."""
LOCK: Final = int.from_bytes(b"Plyb")
"""The advisory lock of a program that migrates."""
FOREIGN: Final = """
    SELECT c.relname FROM pg_class AS c
    WHERE c.relnamespace = to_regnamespace(current_schema()::text) AND c.relkind IN ('r', 'p')
    AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')
    ORDER BY c.relname LIMIT 1
"""
"""A table that no extension brought."""


def version(connection: Connection, name: str) -> int:
    """Return the number of migrations that a database has had.

    Raises `StoreError` if it is of another program, or of a newer Plybook.
    """
    try:
        row = connection.execute("SELECT schema FROM plybook").fetchone()
    except (errors.UndefinedTable, errors.UndefinedColumn):
        if row := connection.execute(FOREIGN).fetchone():
            raise StoreError(
                f"{name} has tables of another program, like {row[0]}; "
                "make a database only for Plybook with `createdb`"
            ) from None
        return 0
    found: int = row[0] if row else 0
    if found > SCHEMA:
        raise StoreError(
            f"{name} was written by a newer Plybook (schema {found}; this one knows {SCHEMA}); "
            "use that one"
        )
    return found


def statements(file: Path) -> bytes:
    """Return the statements of a file, with those for its tables from SQLite's schema."""
    schema = Path(__file__).parents[1].joinpath("sqlite", "schema.sql").read_text("utf-8")

    def made(name: str) -> str:
        table = re.search(rf"^CREATE TABLE {name} \(.*?\)(?= STRICT)", schema, re.M | re.S)
        assert table is not None, name
        return re.sub(r"[A-Z]+", lambda word: TYPES.get(word[0], word[0]), f"{table[0]};\n")

    text = file.read_text("utf-8")
    return SHARED.sub(lambda found: "".join(map(made, found[1].split(", "))), text).encode()


def migrate(url: str) -> None:
    """Apply the missing migrations, all or nothing; other programs that try wait."""
    with writing(url) as connection, connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        with connection.transaction():  # a missing table aborts only this query
            done = _known_version(connection, shown(url))
        for file in FILES[done:]:
            connection.execute(statements(file))
        connection.execute(derived.statements())
        connection.execute("UPDATE plybook SET schema = %s", (SCHEMA,))


def _known_version(connection: Connection, name: str) -> int:
    there = connection.execute("SELECT to_regclass('plybook')").fetchone()
    if there is not None and there[0] is None:
        return 0
    return version(connection, name)
