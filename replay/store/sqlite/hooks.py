"""WebHooks in the tables: where news of a match is sent, and how far that has come."""

from __future__ import annotations

from typing import Any, Final

from replay.store import admission
from replay.store.protocol import Hook
from replay.store.sqlite import reads
from replay.store.sqlite.library import Connection

FIELDS: Final = (
    "id, stream, url, secret, created, delivered, failures, since, due, dead, answer, tried"
)
ALL: Final = f"SELECT {FIELDS} FROM hooks ORDER BY created, id"
OF: Final = f"SELECT {FIELDS} FROM hooks WHERE stream = ? ORDER BY created, id"
BEHIND: Final = """
    SELECT hooks.* FROM hooks JOIN streams ON streams.id = hooks.stream
    WHERE dead = 0 AND trashed = 0 AND delivered < head ORDER BY due, hooks.id
"""
INSERT: Final = f"INSERT INTO hooks ({FIELDS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
UPDATE: Final = """
    UPDATE hooks
    SET delivered = ?, failures = ?, since = ?, due = ?, dead = ?, answer = ?, tried = ?
    WHERE id = ?
"""
FORGET: Final = ("DELETE FROM hooks WHERE stream = ?",)


def hooks(connection: Connection, stream: int | None) -> list[Hook]:
    """Return the hooks of a stream, or all, oldest first."""
    rows = connection.execute(*((ALL,) if stream is None else (OF, (stream,)))).fetchall()
    return [_hook(row) for row in rows]


def behind(connection: Connection) -> list[Hook]:
    """Return the live hooks that have not been told everything, the first due first."""
    return [_hook(row) for row in connection.execute(BEHIND).fetchall()]


def add(connection: Connection, hook: Hook) -> None:
    """Add a hook."""
    reads.stream(connection, hook.stream)
    if connection.execute("SELECT 1 FROM hooks WHERE id = ?", (hook.id,)).fetchone():
        raise admission.hooked(hook)
    own = (hook.id, hook.stream, hook.url, hook.secret, hook.created)
    connection.execute(INSERT, own + _progress(hook))


def put(connection: Connection, hook: Hook) -> None:
    """Note how far a hook has come, if it is there."""
    connection.execute(UPDATE, (*_progress(hook), hook.id))


def drop(connection: Connection, name: str) -> None:
    """Forget a hook, if it is there."""
    connection.execute("DELETE FROM hooks WHERE id = ?", (name,))


def _progress(hook: Hook) -> tuple[Any, ...]:
    return (
        hook.delivered,
        hook.failures,
        hook.since,
        hook.due,
        hook.dead,
        hook.answer,
        hook.tried,
    )


def _hook(row: tuple[Any, ...]) -> Hook:
    name, stream, url, secret, created, delivered, failures, since, due, dead, answer, tried = row
    return Hook(
        str(name, "utf-8"),
        stream,
        str(url, "utf-8"),
        str(secret, "utf-8"),
        created,
        delivered,
        failures,
        since,
        due,
        bool(dead),
        None if answer is None else str(answer, "utf-8"),
        tried,
    )
