"""Changes of a database file by another program."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final

from replay.store.sqlite.driver import sqlite3


def tampered(path: Path, *statements: str) -> None:
    """Run statements on a database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def run_unguarded(path: Path, *statements: str) -> None:
    """Run statements on a database without its triggers and constraints."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        guards = connection.execute(triggers).fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in (*statements, *(sql for _, sql in guards)):
            connection.execute(statement)


LATER: Final = """
    DROP INDEX refused_tries; DROP TABLE asking; DROP TABLE account_tokens; DROP TABLE accounts;
    DELETE FROM _sqlite_migrations WHERE name IN ('accounts', 'refused_tries', 'asking');
"""
"""Undoes what came after the feed of changes."""


def downgrade(path: Path, version: int, script: str) -> None:
    """Run a script that gives a database a schema from before the feed of changes."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        feed = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'changes_%'"
        for (name,) in connection.execute(feed).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.executescript(f"{LATER}{script}; PRAGMA user_version = {version};")
