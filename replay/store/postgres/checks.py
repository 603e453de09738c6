"""A check-up of a database of PostgreSQL: read only, and others may write to it meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from replay.errors import PlybookError
from replay.store.checks import (
    Finding,
    check_heads,
    check_schema,
    check_segments,
    check_tallies,
    fault,
    ok,
    warning,
)
from replay.store.postgres import derived, schema
from replay.store.postgres.connecting import NO_TIMEOUT, reading
from replay.store.postgres.driver import ERRORS, Connection, shown, translate_error

TRIGGER: Final = re.compile(r"^CREATE (?:OR REPLACE )?TRIGGER (\w+)", re.MULTILINE)
TRIGGERS: Final = (
    "SELECT t.tgname FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid "
    "WHERE c.relnamespace = to_regnamespace(current_schema()::text) "
    "AND NOT t.tgisinternal AND t.tgenabled = 'O'"
)
SETTINGS: Final = (
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes')"
)
STANDBY: Final = """
    SELECT current_setting('synchronous_standby_names'), current_setting('synchronous_commit'),
        count(*), count(*) FILTER (WHERE coalesce(sync_state, 'sync') IN ('sync', 'quorum'))
    FROM pg_stat_replication
"""
"""A role that may not monitor the server sees standbys without their states."""
SET_NAMES: Final = (
    "make the other server a standby, and set synchronous_standby_names again; "
    "without a standby, reset synchronous_commit of the role"
)
RESTORE: Final = (
    "list the undamaged matches with `plybook verify`, "
    "and save them into a new database with `plybook copy`"
)


def examine(url: str) -> Iterator[Finding]:
    """Check a PostgreSQL database: yield findings, the server first.

    A check that needs something missing is left out.
    """
    try:
        name = shown(url)
        connection = reading(url, NO_TIMEOUT)
    except ERRORS as error:
        message = str(translate_error(error, name))
        yield fault("server", message, "name the database with --db; see that the server runs")
        return
    except PlybookError as error:
        yield fault("server", str(error), "name another database with --db")
        return
    with connection:
        try:
            yield from _examine(connection, name)
        except ERRORS as error:
            yield fault("database", str(translate_error(error, name)), RESTORE)


def _examine(connection: Connection, name: str) -> Iterator[Finding]:
    yield ok("server", f"{name} is PostgreSQL {_version(connection)}")
    try:
        version = schema.version(connection, name)
    except PlybookError as error:
        yield fault("schema", str(error), "name another database with --db")
        return
    if version == 0:
        message = "the database has no book yet"
        yield warning("schema", message, "the first command that stores a match makes it")
        return
    yield check_schema(version, schema.SCHEMA)
    if version == schema.SCHEMA:
        checks: tuple[Callable[[Connection], Finding], ...] = (
            _check_durability,
            _check_standby,
            _check_guards,
            partial(check_heads, advice=RESTORE),
            check_segments,
            check_tallies,
        )
        for check in checks:
            yield check(connection)


def _version(connection: Connection) -> str:
    return str(connection.info.parameter_status("server_version")).partition(" ")[0]


def _check_durability(connection: Connection) -> Finding:
    """Check that the server waits for its disk; each connection sets the rest itself."""
    off = [name for name, value in connection.execute(SETTINGS).fetchall() if value != "on"]
    if off:
        message = f"the server has {' and '.join(sorted(off))} off: a crash can lose stored events"
        return fault("durability", message, "set it on in postgresql.conf")
    return ok("durability", "the server waits for its disk")


def _check_standby(connection: Connection) -> Finding:
    """Check that commits wait for a standby, if they should, and that there is one."""
    names, level, rows, standbys = connection.execute(STANDBY).fetchall()[0]
    if names and not standbys:
        message = f"commits wait for a standby ({names}), but none is connected: nothing is stored"
        return warning("standby", message, "start it, or set other synchronous_standby_names")
    if not names and level == "remote_apply":
        there = "one is connected" if rows else "none is connected"
        message = f"commits should wait for a standby, but do not; {there}"
        return warning("standby", message, SET_NAMES)
    return ok("standby", f"commits wait for {names or 'only the disk of this server'}")


def _check_guards(connection: Connection) -> Finding:
    """Compare the triggers that protect the log with the triggers of a new database."""
    texts = (*(file.read_text("utf-8") for file in schema.FILES), derived.statements())
    made = {name for text in texts for name in TRIGGER.findall(text)}
    there = {row[0] for row in connection.execute(TRIGGERS).fetchall()}
    row = connection.execute("SELECT count(*) FROM purging").fetchone()
    wrong = sorted(made - there) + ["the deletion guards, by purging,"] * bool(row and row[0])
    if wrong:
        message = f"missing or disabled: {', '.join(wrong)}; the record could be changed unnoticed"
        return fault("guards", message, RESTORE)
    return ok("guards", f"{len(made)} triggers guard the record")
