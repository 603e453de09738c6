"""Streams and events to put into stores, each with a new id."""

from __future__ import annotations

import itertools
from typing import Any

from replay.store.feed_types import Hook
from replay.store.sql.store import Store
from replay.store.types import NewEvent, NewStream, Stream, Summary

_numbers = itertools.count(1)

AT = 1_700_000_000_000


def event(data: str = "{}", **fields: Any) -> NewEvent:
    number = next(_numbers)
    made = {"id": number.to_bytes(16), "type": "moved", "actor": "seat 1", "at": AT + number}
    return NewEvent(**(made | {"data": data.encode()} | fields))


def events(count: int) -> list[NewEvent]:
    return [event() for _ in range(count)]


def new(public_id: str | None = None, **fields: Any) -> NewStream:
    public_id = public_id or f"id{next(_numbers):06}"
    return NewStream(**({"public_id": public_id, "header": b'{"game":"x/1"}'} | fields))


def match(store: Store, count: int = 0, public_id: str | None = None) -> Stream:
    return store.create(new(public_id), events(count)).result()


def fork(store: Store, parent: Stream, version: int, count: int = 0, **fields: Any) -> Stream:
    forked = new(parent=parent.id, fork_version=version, fork_ply=version, **fields)
    return store.create(forked, events(count)).result()


def summary(head: int, result: str = "*", **fields: Any) -> Summary:
    """Return a summary as of a version; `result` is that of an ended match, or `*`."""
    made = {"game": "x", "kind": "match", "plies": head, "turns": 1, "result": result}
    made |= {"clause": "" if result == "*" else "X-1", "last": AT + head, "standing": b"{}"}
    return Summary(head, **(made | fields))


def ids(store: Store, stream: Stream) -> list[bytes]:
    return [each.id for each in store.read(stream.id)]


def noted(store: Store, stream: Stream, count: int = 1) -> Stream:
    """Store notes about a match."""
    return store.create(new(kind="notes", subject=stream.id), events(count)).result()


def append(
    store: Store, stream: Stream, count: int = 1, epoch: int | None = None
) -> tuple[int, ...]:
    """Append events to a stream at its head; return their versions."""
    head = store.stream(stream.id).head
    return store.append(stream.id, head, events(count), epoch=epoch).result().versions


def hook(stream: Stream, name: str = "a", **fields: Any) -> Hook:
    made = {"url": "https://example.org/é", "secret": "ß", "created": 5, "delivered": 0}
    return Hook(name, stream.id, **(made | fields))
