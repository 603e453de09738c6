"""The writer and the readers inside a store: only here do tests reach into one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tests.waiting import PATIENCE


def submit(store: Any, job: Callable[[Any], Any], *, ends_epoch: bool = True) -> Future[Any]:
    """Run a job on the connection that writes, in turn with the writes of the store."""
    return store._writer.submit(job, ends_epoch=ends_epoch)


def commits(store: Any) -> int:
    return store._writer.commits


def reader(store: Any) -> AbstractContextManager[Any]:
    """Borrow a connection that reads."""
    return store._readers.lend()


def close_readers(store: Any) -> None:
    store._readers.close()


def hurry_readers(store: Any) -> None:
    """Let a query wait only briefly for a connection that reads."""
    store._readers._patience = 0.05


def call_at_end(store: Any, call: Callable[[], object]) -> None:
    """Call something when the writer has given up its connection."""
    drop = store._writer._drop_connection
    store._writer._drop_connection = lambda: (drop(), call())


def call_before_commit(store: Any, call: Callable[[Any], object]) -> None:
    """Call something with the connection that is about to commit its next group."""
    commit = store._writer._commit_all

    def called(connection: Any) -> Any:
        store._writer._commit_all = commit
        call(connection)
        return commit(connection)

    store._writer._commit_all = called


def refuse_single_commits(store: Any) -> None:
    """Let no group be committed write by write."""

    def refuse(*_: object) -> None:
        raise AssertionError

    store._writer._commit_singly = refuse


@contextmanager
def held(store: Any, *, ends_epoch: bool = True) -> Iterator[None]:
    """Block the writer, so that later submissions queue and are written as one group."""
    busy, go_on = threading.Event(), threading.Event()

    def wait(_: object) -> None:
        busy.set()
        go_on.wait(PATIENCE)

    submit(store, wait, ends_epoch=ends_epoch)
    busy.wait(PATIENCE)
    try:
        yield
    finally:
        go_on.set()
