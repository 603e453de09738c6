"""Statements of another program that the guards of both databases refuse.

They change stream 1, which has three events, or stream 2, which has none.
"""

from __future__ import annotations

EVENT = "INSERT INTO events (pos, stream, version, event_id, type, actor, at, data, hash) "
STREAM = "INSERT INTO streams (id, public_id, kind, header, origin, head, head_hash) "


def refused(id_: str, hash_: str) -> dict[str, str]:
    """Return the statements; `id_` and `hash_` make 16 and 32 bytes in the database's SQL."""

    def event(pos: int, stream: int, version: int) -> str:
        values = f"{pos}, {stream}, {version}, {id_}, 't', 'a', 0, '{{}}', {hash_}"
        return f"{EVENT} VALUES ({values})"

    return {
        "update of an event": "UPDATE events SET data = '{}' WHERE version = 1",
        "update of a hash": f"UPDATE events SET hash = {hash_}",
        "delete of an event": "DELETE FROM events WHERE version = 3",
        "insert that leaves a gap": event(9, 1, 5),
        "insert before the head": event(9, 1, 2),
        "insert into no stream": event(9, 99, 1),
        "upsert of an event": f"{event(1, 1, 4)} ON CONFLICT (pos) DO UPDATE SET data = 'x'",
        "update of a sealed payload": "UPDATE sealed SET payload = 'x'",
        "delete of a sealed payload": "DELETE FROM sealed",
        "update of a header": "UPDATE streams SET header = '{}'",
        "update of an id": "UPDATE streams SET public_id = 'other' WHERE id = 1",
        "update of a fork": "UPDATE streams SET parent_id = 1, fork_version = 0 WHERE id = 2",
        "update of an origin": f"UPDATE streams SET origin = {hash_}",
        "move of a head forward": "UPDATE streams SET head = head + 1",
        "move of a head back": "UPDATE streams SET head = 2 WHERE id = 1",
        "change of the hash of a head": f"UPDATE streams SET head_hash = {hash_}",
        "delete of a stream": "DELETE FROM streams WHERE id = 2",
        "stream that begins in the middle": f"{STREAM} "
        f"VALUES (9, 'other', 'match', '{{}}', {hash_}, 7, {hash_})",
    }
