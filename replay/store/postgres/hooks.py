"""WebHooks: the addresses that news of a match is sent to, and the progress of that."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Final

from msgspec import json
from msgspec.structs import astuple

from replay.store import validation
from replay.store.postgres import queries
from replay.store.postgres.library import Connection
from replay.store.postgres.part import Part
from replay.store.protocol import FormerSecret, Hook

FIELDS: Final = ", ".join(Hook.__struct_fields__)
VALUES: Final = ", ".join(["%s"] * len(Hook.__struct_fields__))
ALL: Final = f"SELECT {FIELDS} FROM hooks ORDER BY created, id"
OF: Final = f"SELECT {FIELDS} FROM hooks WHERE stream = %s ORDER BY created, id"
LACKS: Final = """
    NOT dead AND delivered < (SELECT head FROM streams WHERE id = hooks.stream AND NOT trashed)
"""
BEHIND: Final = f"SELECT {FIELDS} FROM hooks WHERE {LACKS} ORDER BY due, id"
INSERT: Final = f"INSERT INTO hooks ({FIELDS}) VALUES ({VALUES})"
CLAIM: Final = f"""
    UPDATE hooks SET claimed = %(until)s
    WHERE id = %(hook)s AND due <= %(now)s AND claimed <= %(now)s AND {LACKS} RETURNING {FIELDS}
"""
UPDATE: Final = """
    UPDATE hooks
    SET delivered = %s, failures = %s, since = %s, due = %s, dead = %s, answer = %s, tried = %s,
        claimed = 0
    WHERE id = %s AND claimed = %s
"""
ROTATE: Final = """
    UPDATE hooks SET secret = %s, rotation = %s, former = %s WHERE id = %s AND secret = %s
    RETURNING true
"""
FORMER: Final = json.Decoder(tuple[FormerSecret, ...])
REVIVE: Final = """
    UPDATE hooks SET failures = 0, since = NULL, due = %s, dead = false, claimed = 0 WHERE id = %s
"""


class PostgresHooks(Part):
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
    rows = connection.execute(*((ALL,) if stream is None else (OF, (stream,))))
    return [_hook(row) for row in rows.fetchall()]


def hooks_due(connection: Connection) -> list[Hook]:
    """Return the live hooks that lack events of their match, the first due first."""
    return [_hook(row) for row in connection.execute(BEHIND).fetchall()]


def add(connection: Connection, hook: Hook) -> None:
    """Add a hook."""
    queries.writable(connection, hook.stream)
    if connection.execute("SELECT 1 FROM hooks WHERE id = %s", (hook.id,)).fetchone():
        raise validation.hooked(hook)
    connection.execute(INSERT, (*astuple(hook)[:-1], _former(hook)))


def claim(connection: Connection, name: str, now: int, until: int) -> Hook | None:
    """Reserve a hook for one server, and return it, if it is to be called now."""
    asked = {"hook": name, "now": now, "until": until}
    row = connection.execute(CLAIM, asked).fetchone()
    return None if row is None else _hook(row)


def put(connection: Connection, hook: Hook) -> None:
    """Store the progress of a hook and release it, if it is claimed as it was."""
    progress = (hook.delivered, hook.failures, hook.since, hook.due, hook.dead, hook.answer)
    connection.execute(UPDATE, (*progress, hook.tried, hook.id, hook.claimed))


def revive(connection: Connection, name: str, due: int) -> None:
    """Make a hook due, as if it had never failed."""
    connection.execute(REVIVE, (due, name))


def rotate(connection: Connection, hook: Hook, secret: str) -> bool:
    """Replace the secrets of a hook, if its secret is this one; return whether it is."""
    secrets = (hook.secret, hook.rotation, _former(hook))
    return connection.execute(ROTATE, (*secrets, hook.id, secret)).fetchone() is not None


def drop(connection: Connection, name: str) -> None:
    """Delete a hook, if it exists."""
    connection.execute("DELETE FROM hooks WHERE id = %s", (name,))


def _former(hook: Hook) -> str:
    return json.encode(hook.former).decode()


def _hook(row: queries.Row) -> Hook:
    fields = dict(zip(Hook.__struct_fields__, row, strict=True))
    return Hook(**(fields | {"former": FORMER.decode(fields["former"])}))
