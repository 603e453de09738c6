"""WebHooks: the addresses that news of a match or of the book is sent to, and their progress."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from msgspec import DecodeError, json
from msgspec.structs import asdict

from replay.store import validation
from replay.store.feed_types import FormerSecret, Hook
from replay.store.sql import queries
from replay.store.sql.dialect import Connection, Row
from replay.store.sql.part import SqlPart, reads, writes, writes_within_epoch

FIELDS: Final = ", ".join(Hook.__struct_fields__)
VALUES: Final = ", ".join("?" * len(Hook.__struct_fields__))
ALL: Final = f"SELECT {FIELDS} FROM hooks ORDER BY created, id"
OF: Final = f"SELECT {FIELDS} FROM hooks WHERE stream = ? ORDER BY created, id"
LACKS: Final = """
    NOT dead AND CASE
        WHEN stream IS NULL THEN delivered < (SELECT max(number) FROM changes)
        ELSE (
            SELECT hooks.delivered < s.head OR hooks.named < coalesce(
                (SELECT max(number) FROM people WHERE people.stream = s.id), 0)
            FROM streams AS s WHERE s.id = hooks.stream AND NOT s.trashed
        ) END
"""
BEHIND: Final = f"SELECT {FIELDS} FROM hooks WHERE {LACKS} ORDER BY due, id"
BEHIND_OF: Final = (
    f"SELECT {FIELDS} FROM hooks WHERE (stream IS NULL OR stream IN ({{}})) AND {LACKS} "
    "ORDER BY due, id"
)
LIVE: Final = "SELECT EXISTS (SELECT 1 FROM hooks WHERE NOT dead)"
INSERT: Final = f"INSERT INTO hooks ({FIELDS}) VALUES ({VALUES})"
CLAIM: Final = f"""
    UPDATE hooks SET claimed = ?
    WHERE id = ? AND due <= ? AND claimed <= ? AND {LACKS} RETURNING {FIELDS}
"""
UPDATE: Final = """
    UPDATE hooks
    SET delivered = ?, named = ?, failures = ?, since = ?, due = ?, dead = ?, answer = ?,
        tried = ?, claimed = 0
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
DEAD: Final = Hook.__struct_fields__.index("dead")


class Hooks(SqlPart):
    """Hooks by id, and claims on them: several servers deliver from one store.

    A hook is deleted with its match. `id`, `stream`, `url`, `created`, `types` and `site` never
    change.
    """

    @writes
    def add_hook(self, connection: Connection, hook: Hook) -> None:
        """Add a hook to a stream, or to the book. Raises `Usage` if its id is taken."""
        if hook.stream is not None:
            queries.writable(connection, hook.stream)
        if connection.execute("SELECT 1 FROM hooks WHERE id = ?", (hook.id,)).fetchone():
            raise validation.hook_id_taken_error(hook)
        lists = {"types": _json(hook.types), "former": _json(hook.former)}
        connection.execute(INSERT, tuple((asdict(hook) | lists).values()))

    @reads
    def hooks(self, connection: Connection, stream: int | None = None) -> list[Hook]:
        """Return the hooks of a stream, or of all, oldest first."""
        query = (ALL,) if stream is None else (OF, (stream,))
        return [_hook(row) for row in connection.execute(*query).fetchall()]

    @reads
    def has_live_hook(self, connection: Connection) -> bool:
        """Return whether any hook is to be called for news."""
        return bool(connection.execute(LIVE).fetchone()[0])

    @reads
    def hooks_due(
        self, connection: Connection, streams: Collection[int] | None = None
    ) -> list[Hook]:
        """Return the hooks that lack events of their match or changes, the first due first.

        With `streams`, return only hooks of these matches and of the book, so the cost does not
        depend on the other hooks. Dead hooks, and hooks of matches in the trash, are left out. The
        caller compares the times: some hooks of the list are claimed, or due later.
        """
        query = BEHIND if streams is None else BEHIND_OF.format(queries.placeholders(streams))
        rows = connection.execute(query, tuple(streams or ())).fetchall()
        return [hook for hook in map(_hook, rows) if not hook.dead]

    @writes_within_epoch
    def claim_hook(self, connection: Connection, hook: str, now: int, until: int) -> Hook | None:
        """Reserve a hook until a time, for the server that will call it; return the stored hook.

        `None` if it must not be called now: it lacks nothing or is dead, it is due later, or
        another server has a claim that lasts beyond `now`. If several servers claim it at once,
        exactly one succeeds.
        """
        rows = connection.execute(CLAIM, (until, hook, now, now)).fetchall()
        return _hook(rows[0]) if rows else None

    @writes_within_epoch
    def put_hook(self, connection: Connection, hook: Hook) -> None:
        """Store the progress of a hook and release the claim.

        Does nothing unless `claimed` is still the time that `claim_hook` returned: a server whose
        claim has lapsed, or was taken away, must not undo the progress of another.
        """
        reached = hook.delivered, hook.named
        progress = (*reached, hook.failures, hook.since, hook.due, hook.dead, hook.answer)
        connection.execute(UPDATE, (*progress, hook.tried, hook.id, hook.claimed))

    @writes
    def revive_hook(self, connection: Connection, hook: str, due: int) -> None:
        """Make a hook due at a time, as if it had never failed, and take away any claim.

        Does nothing if the hook does not exist.
        """
        connection.execute(REVIVE, (due, hook))

    @writes_within_epoch
    def rotate_hook(self, connection: Connection, hook: Hook, secret: str) -> bool:
        """Store `secret`, `rotation` and `former` of a hook that still has this secret.

        Return whether the hook still had the secret. All other values stay, even a claim.
        """
        secrets = (hook.secret, hook.rotation, _json(hook.former))
        return bool(connection.execute(ROTATE, (*secrets, hook.id, secret)).fetchall())

    @writes
    def drop_hook(self, connection: Connection, hook: str) -> None:
        """Delete a hook, if it exists."""
        connection.execute("DELETE FROM hooks WHERE id = ?", (hook,))


def _hook(row: Row) -> Hook:
    """Return a stored hook.

    A hook with unreadable lists is dead, so that it can only be removed.
    """
    fields = dict(zip(Hook.__struct_fields__, row, strict=True)) | {"dead": bool(row[DEAD])}
    try:
        former, types = FORMER.decode(fields["former"]), TYPES.decode(fields["types"])
    except (DecodeError, UnicodeDecodeError):
        return Hook(**(fields | {"dead": True, "former": (), "types": ()}))
    return Hook(**(fields | {"former": former, "types": types}))


def _json(values: Sequence[Any]) -> str:
    return json.encode(values).decode()
