"""A follower of a store misses no event, whoever writes it."""

from __future__ import annotations

import contextlib
import itertools
import threading

import pytest

from replay.errors import Stale, StoreError
from replay.store.protocol import Creation, Store, Stream
from tests.replay.store.streams import event, events, fork, match, new


def noted(store: Store, stream: Stream, count: int = 1) -> Stream:
    about = new(kind="notes", subject=stream.id)
    return store.create(about, events(count)).result()


def append(store: Store, stream: Stream, count: int = 1) -> None:
    store.append(stream.id, store.stream(stream.id).head, events(count)).result()


def test_a_new_follower_gets_no_earlier_changes(store: Store) -> None:
    match(store, 3)
    begun = store.changes(None)
    assert begun.streams == frozenset()
    assert store.changes(begun.cursor) == begun


def test_streams_with_new_events_are_told_once(store: Store) -> None:
    one, two, _ = match(store, 1), match(store, 2), match(store, 3)
    cursor = store.changes(None).cursor
    append(store, one)
    append(store, two, 2)
    append(store, one)
    first = store.changes(cursor)
    assert first.streams == {one.id, two.id}
    assert store.changes(first.cursor).streams == frozenset()
    append(store, two)
    assert store.changes(first.cursor).streams == {two.id}
    assert store.changes(cursor).streams == {one.id, two.id}


def test_new_streams_are_told_with_and_without_events(store: Store) -> None:
    cursor = store.changes(None).cursor
    bare, full = match(store), match(store, 2)
    forked = fork(store, full, 1)
    assert store.changes(cursor).streams == {bare.id, full.id, forked.id}


def test_notes_tell_of_the_match_they_are_about(store: Store) -> None:
    stream = match(store, 1)
    cursor = store.changes(None).cursor
    notes = noted(store, stream)
    changed = store.changes(cursor)
    assert changed.streams == {notes.id, stream.id}
    append(store, notes)
    assert store.changes(changed.cursor).streams == {notes.id, stream.id}


def test_refused_and_repeated_events_change_nothing(store: Store) -> None:
    stream = match(store, 1)
    repeated = event()
    store.append(stream.id, 1, [repeated]).result()
    cursor = store.changes(None).cursor
    with pytest.raises(Stale):
        store.append(stream.id, 1, events(1)).result()
    assert store.append(stream.id, 1, [repeated]).result().repeated
    taken = [Creation(new("fresh1"), events(2)), Creation(new(stream.public_id))]
    assert store.create_all(taken).exception() is not None
    assert store.changes(cursor) == store.changes(None)


def test_a_purge_of_older_events_hides_nothing(store: Store) -> None:
    old, kept = match(store, 3), match(store, 1)
    cursor = store.changes(None).cursor
    store.purge(old.id).result()
    assert store.changes(cursor).streams == frozenset()
    append(store, kept)
    assert store.changes(cursor).streams == {kept.id}


@pytest.mark.parametrize("again", [0, 1, 3, 5])
def test_a_purge_of_the_last_event_reports_every_match_as_changed(store: Store, again: int) -> None:
    kept, purged = match(store, 1), match(store, 3)
    noted(store, purged)
    cursor = store.changes(None).cursor
    store.purge(purged.id).result()
    append(store, kept, again)
    changed = store.changes(cursor)
    assert changed.streams is None
    append(store, kept)
    assert store.changes(changed.cursor).streams == {kept.id}


def test_a_store_that_became_empty_is_followed_on(store: Store) -> None:
    cursor = store.changes(None).cursor
    purged = match(store, 2)
    store.purge(purged.id).result()
    assert store.changes(cursor).streams == frozenset()
    later = match(store, 1)
    assert store.changes(cursor).streams == {later.id}


def test_a_follower_misses_no_event_of_many_writers(store: Store) -> None:
    streams = [match(store) for _ in range(4)]
    seen = dict.fromkeys((stream.id for stream in streams), 0)
    cursor = store.changes(None).cursor
    writers = [
        threading.Thread(target=lambda one=stream: [append(store, one) for _ in range(25)])
        for stream in streams
    ]
    for writer in writers:
        writer.start()
    while sum(seen.values()) < 100:
        alive = any(writer.is_alive() for writer in writers)
        changed = store.changes(cursor)
        cursor = changed.cursor
        for number in changed.streams or ():
            seen[number] = store.stream(number).head
        assert alive or changed.streams or sum(seen.values()) == 100
    for writer in writers:
        writer.join()


def test_anything_that_is_stored_is_a_touch(store: Store) -> None:
    stream = match(store, 1)
    seen = [store.data_version()]
    assert store.data_version() == seen[0]
    for write in (
        lambda: store.append(stream.id, 1, events(1)),
        lambda: store.set_facts(stream.id, {"Seat1": "Jet"}),
        lambda: store.add_key(stream.id, b"digest", "host", None),
        lambda: store.create(new(), ()),
        lambda: store.trash(stream.id),
        lambda: store.purge(stream.id),
    ):
        write().result()
        seen.append(store.data_version())
    assert all(before != after for before, after in itertools.pairwise(seen))


def test_reading_is_no_touch(store: Store) -> None:
    stream = match(store, 3)
    before = store.data_version()
    store.read(stream.id)
    list(store.matches())
    store.changes(store.changes(None).cursor)
    assert store.data_version() == before


def test_what_a_store_writes_is_told_to_all_who_registered(store: Store) -> None:
    stream = match(store, 1)
    told = [threading.Event(), threading.Event()]
    for each in told:
        store.on_change(each.set)
    for version in (2, 3):
        before = store.data_version()
        for each in told:
            each.clear()
        append(store, stream)
        for each in told:
            assert each.wait(30)
        assert store.stream(stream.id).head == version
        assert store.data_version() != before


def test_a_store_may_be_closed_where_it_tells_of_changes(store: Store) -> None:
    closed = threading.Event()

    def close() -> None:
        store.close()
        closed.set()

    stream = match(store)
    store.on_change(close)
    with contextlib.suppress(StoreError):
        append(store, stream)
    assert closed.wait(30)


def test_a_closed_store_is_not_followed(store: Store) -> None:
    store.data_version()
    cursor = store.changes(None).cursor
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.on_change(lambda: None)
    with pytest.raises(StoreError, match="closed"):
        store.data_version()
    with pytest.raises(StoreError, match="closed"):
        store.changes(cursor)
