"""A store without threads: its writes are durable before they are announced."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from replay.book import Book
from replay.errors import StoreError
from replay.runtime import PROCESS, TAB, Runtime
from replay.store.sqlite import SqliteStore
from replay.upkeep.purge import purge
from tests.replay.store.streams import event, match


class Disk:
    """A disk that keeps only durable data when the power fails."""

    def __init__(self, folder: Path) -> None:
        self.kept = folder / "kept"
        self.kept.mkdir()

    def make_durable(self, log: Path) -> None:
        for path in (log, Path(str(log).removesuffix("-wal"))):
            shutil.copy(path, self.kept / path.name)

    def heads(self) -> dict[str, int]:
        """Return the heads of all matches after a loss of power."""
        after = self.kept.with_name("after")
        shutil.copytree(self.kept, after, dirs_exist_ok=True)
        with closing(SqliteStore(after / "book.db")) as store:
            return {each.public_id: each.head for each in store.matches()}


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[..., SqliteStore]]:
    stores = []
    yield lambda runtime: stores.append(SqliteStore(path, runtime=runtime)) or stores[-1]
    for store in stores:
        store.close()


def told_early(store: SqliteStore, disk: Disk) -> list[int]:
    """Append, and return the versions that were announced while the disk could still lose them."""
    made, early = match(store), []

    def look() -> None:
        head = store.stream(made.id).head
        if disk.heads().get(made.public_id) != head:
            early.append(head)

    store.on_change(look)
    for version in range(3):
        store.append(made.id, version, [event()]).result()
        look()
    return early


def test_no_write_is_announced_before_it_is_durable(opened, disk):
    assert told_early(opened(TAB._replace(make_durable=disk.make_durable)), disk) == []


def test_early_acknowledgement_would_be_found(opened, disk, monkeypatch):
    store = opened(TAB._replace(make_durable=disk.make_durable))
    match(store)
    writer = store._writer
    answer = writer._answer
    monkeypatch.setattr(writer, "_flush", lambda _: None)
    late = lambda *args: (answer(*args), disk.make_durable(writer._log))  # noqa: E731
    monkeypatch.setattr(writer, "_answer", late)
    assert told_early(store, disk)


def test_write_that_may_be_lost_is_not_acknowledged(opened):
    failing = [False]

    def sync(_: Path) -> None:
        if failing[0]:
            raise OSError(5, os.strerror(5))

    store = opened(TAB._replace(make_durable=sync))
    made = match(store)
    failing[0] = True
    with pytest.raises(StoreError, match="failed"):
        store.append(made.id, 0, [event()]).result()
    failing[0] = False
    assert store.append(made.id, store.stream(made.id).head, [event()]).result().versions


def test_callback_of_a_write_may_write(opened):
    store = opened(TAB)
    made, more = match(store), []
    first = store.append(made.id, 0, [event()])
    first.add_done_callback(lambda _: more.append(store.append(made.id, 1, [event()])))
    assert (first.done(), more[0].result().versions) == (True, (2,))


def test_purge_erases_bytes_without_a_thread(opened, path):
    store = opened(TAB)
    made = match(store)
    store.append(made.id, 0, [event('"Zyxwvutsrq"')]).result()
    purge(Book(store), store.stream(made.id))
    left = path.read_bytes() + Path(f"{path}-wal").read_bytes()
    assert b"Zyxwvutsrq" not in left


@pytest.mark.parametrize(("runtime", "shares"), [(PROCESS, True), (TAB, False)])
def test_runtime_with_processes_shares_the_book(runtime: Runtime, shares: bool, opened):
    assert (opened(runtime).shared_location is not None) == shares
