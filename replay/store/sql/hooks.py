"""WebHooks: the addresses that news of a match or of the book is sent to, and their progress."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, Final

from msgspec import json
from msgspec.structs import asdict

from replay.store import validation
from replay.store.protocol import FormerSecret, Hook
from replay.store.sql import queries
from replay.store.sql.dialect import Connection, Row
from replay.store.sql.part import SqlPart

FIELDS: Final = ", ".join(Hook.__struct_fields__)
VALUES: Final = ", ".join("?" * len(Hook.__struct_fields__))
ALL: Final = f"SELECT {FIELDS} FROM hooks ORDER BY created, id"
OF: Final = f"SELECT {FIELDS} FROM hooks WHERE stream = ? ORDER BY created, id"
LACKS: Final = """
    NOT dead AND delivered < CASE WHEN stream IS NULL THEN (SELECT max(number) FROM changes)
        ELSE (SELECT head FROM streams WHERE id = hooks.stream AND NOT trashed) END
"""
BEHIND: Final = f"SELECT {FIELDS} FROM hooks WHERE {LACKS} ORDER BY due, id"
INSERT: Final = f"INSERT INTO hooks ({FIELDS}) VALUES ({VALUES})"
CLAIM: Final = f"""
    UPDATE hooks SET claimed = ?
    WHERE id = ? AND due <= ? AND claimed <= ? AND {LACKS} RETURNING {FIELDS}
"""
UPDATE: Final = """
    UPDATE hooks
    SET delivered = ?, failures = ?, since = ?, due = ?, dead = ?, answer = ?, tried = ?,
        claimed = 0
    WHERE id = ? AND claimed = ?
"""
REVIVE: Final = """
    UPDATE hooks SET failures = 0, since = NULL, due = ?, dead = false, claimed = 0 WHERE id = ?
"""
ROTATE: Final = """
    UPDATE hooks SET secret = ?, rotation = ?, former = ? WHERE id = ? AND secret = ? RETURNING id
"""
FORMER: Final = json.Decoder(tuple[FormerSecret, ...])
TYPES: Final = json.Decoder(tuple[str, ...])


class SqlHooks(SqlPart):
    """The part `Hooks` of the protocol."""

    def add_hook(self, hook: Hook) -> Future[None]:
        return self._submit(add, hook)

    def hooks(self, stream: int | None = None) -> list[Hook]:
        return self._query(hooks, stream)

    def hooks_due(self) -> list[Hook]:
        return self._query(hooks_due)

    def claim_hook(self, hook: str, now: int, until: int) -> Future[Hook | None]:
        return self._submit_within_epoch(claim, hook, now, until)

    def put_hook(self, hook: Hook) -> Future[None]:
        return self._submit_within_epoch(put, hook)

    def revive_hook(self, hook: str, due: int) -> Future[None]:
        return self._submit(revive, hook, due)

    def rotate_hook(self, hook: Hook, secret: str) -> Future[bool]:
        return self._submit_within_epoch(rotate, hook, secret)

    def drop_hook(self, hook: str) -> Future[None]:
        return self._submit(drop, hook)


def hooks(connection: Connection, stream: int | None) -> list[Hook]:
    """Return the hooks of a stream, or all, oldest first."""
    rows = connection.execute(*((ALL,) if stream is None else (OF, (stream,)))).fetchall()
    return [_hook(row) for row in rows]


def hooks_due(connection: Connection) -> list[Hook]:
    """Return the live hooks that lack events of their match or changes, the first due first."""
    return [_hook(row) for row in connection.execute(BEHIND).fetchall()]


def add(connection: Connection, hook: Hook) -> None:
    """Add a hook."""
    if hook.stream is not None:
        queries.writable(connection, hook.stream)
    if connection.execute("SELECT 1 FROM hooks WHERE id = ?", (hook.id,)).fetchone():
        raise validation.hook_id_taken_error(hook)
    lists = {"types": _json(hook.types), "former": _json(hook.former)}
    connection.execute(INSERT, tuple((asdict(hook) | lists).values()))


def claim(connection: Connection, name: str, now: int, until: int) -> Hook | None:
    """Reserve a hook for one server, and return it, if it is to be called now."""
    rows = connection.execute(CLAIM, (until, name, now, now)).fetchall()
    return _hook(rows[0]) if rows else None


def put(connection: Connection, hook: Hook) -> None:
    """Store the progress of a hook and release it, if it is claimed as it was."""
    progress = (hook.delivered, hook.failures, hook.since, hook.due, hook.dead, hook.answer)
    connection.execute(UPDATE, (*progress, hook.tried, hook.id, hook.claimed))


def revive(connection: Connection, name: str, due: int) -> None:
    """Make a hook due, as if it had never failed."""
    connection.execute(REVIVE, (due, name))


def rotate(connection: Connection, hook: Hook, secret: str) -> bool:
    """Replace the secrets of a hook, if its secret is this one; return whether it is."""
    secrets = (hook.secret, hook.rotation, _json(hook.former))
    return bool(connection.execute(ROTATE, (*secrets, hook.id, secret)).fetchall())


def drop(connection: Connection, name: str) -> None:
    """Delete a hook, if it exists."""
    connection.execute("DELETE FROM hooks WHERE id = ?", (name,))


def _hook(row: Row) -> Hook:
    fields = dict(zip(Hook.__struct_fields__, row, strict=True))
    read = {"dead": bool(fields["dead"]), "former": FORMER.decode(fields["former"])}
    return Hook(**(fields | read | {"types": TYPES.decode(fields["types"])}))


def _json(values: Sequence[Any]) -> str:
    return json.encode(values).decode()
