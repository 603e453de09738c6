"""Streams and events to put into stores, each with a new id."""

from __future__ import annotations

import itertools
from typing import Any

from replay.store.protocol import NewEvent, NewStream, Store, Stream, Summary

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


def fork(store: Store, parent: Stream, version: int, count: int = 0) -> Stream:
    forked = new(parent=parent.id, fork_version=version, fork_ply=version)
    return store.create(forked, events(count)).result()


def summary(head: int, result: str = "*", **fields: Any) -> Summary:
    """Return a summary as of a version; `result` is that of an ended match, or `*`."""
    made = {"game": "x", "kind": "match", "plies": head, "turns": 1, "result": result}
    made |= {"clause": "" if result == "*" else "X-1", "last": AT + head, "standing": b"{}"}
    return Summary(head, **(made | fields))


def ids(store: Store, stream: Stream) -> list[bytes]:
    return [each.id for each in store.read(stream.id)]
