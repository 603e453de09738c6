"""A follower of a store misses no event of any writer."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time

import pytest

from replay.errors import Stale, StoreError
from replay.store.feed_types import ChangeCursor
from replay.store.sql.store import Store
from replay.store.types import Creation, Stream
from tests.replay.store.streams import append, event, events, fork, match, new, noted
from tests.waiting import PATIENCE, eventually


def found(store: Store, cursor: ChangeCursor, limit: int | None = None) -> list[tuple[str, ...]]:
    """Return the ids of the changed matches, each with its kinds of change."""
    changes = store.changes(cursor, limit).found
    assert changes is not None
    return [(each.match, *each.what) for each in changes]


def visible(store: Store, stream: Stream, value: str | None) -> None:
    store.set_metadata(stream.id, {"access.visibility": value}).result()


def variation(store: Store, parent: Stream) -> Stream:
    header = b'{"game":"x/1","kind":"variation"}'
    made = new(header=header, parent=parent.id, fork_version=0, fork_ply=0)
    return store.create(made).result()


def test_new_follower_gets_no_earlier_changes(store):
    match(store, 3)
    begun = store.changes(None)
    assert begun.found == ()
    assert store.changes(begun.cursor) == begun


def test_each_match_is_listed_once_by_last_change(store):
    one, two, three = match(store, 1), match(store, 2), match(store)
    append(store, one)
    assert found(store, ChangeCursor()) == [
        (two.public_id, "opened", "events"),
        (three.public_id, "opened"),
        (one.public_id, "opened", "events"),
    ]


def test_follower_gets_later_changes(store):
    one, two, _ = match(store, 1), match(store, 2), match(store, 3)
    cursor = store.changes(None).cursor
    append(store, one)
    append(store, two, 2)
    append(store, one)
    first = store.changes(cursor)
    assert [(each.match, each.what, each.version) for each in first.found or ()] == [
        (two.public_id, ("events",), 4),
        (one.public_id, ("events",), 3),
    ]
    assert store.changes(first.cursor).found == ()
    store.trash(two.id).result()
    assert found(store, first.cursor) == [(two.public_id, "trash")]
    assert found(store, cursor)[1] == (two.public_id, "events", "trash")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda store, one: noted(store, one), "notes"),
        (lambda store, one: store.set_metadata(one.id, {"Seat2": "Red"}).result(), "names"),
        (lambda store, one: store.set_metadata(one.id, {"Event": "Cup"}).result(), "tags"),
        (lambda store, one: store.set_metadata(one.id, {"Seat1": None}).result(), "names"),
        (lambda store, one: store.set_metadata(one.id, {"Seat1": "Ann"}).result(), "names"),
        (lambda store, one: store.set_metadata(one.id, {"fork.name": "a"}).result(), "details"),
        (lambda store, one: visible(store, one, "private"), "visibility"),
        (lambda store, one: store.trash(one.id).result(), "trash"),
    ],
)
def test_changed_facts_and_notes_count_as_changes(store, change, what):
    one = match(store, 1)
    match(store, 1)
    store.set_metadata(one.id, {"Seat1": "Jet"}).result()
    cursor = store.changes(None).cursor
    change(store, one)
    assert found(store, cursor) == [(one.public_id, what)]
    assert abs((store.changes(cursor).found or ())[0].at - time.time() * 1000) < 60_000


def test_match_can_be_withdrawn_repeatedly(store):
    one = match(store, 1)
    line = variation(store, one)
    for value in ("public", "private", "public", "unlisted", "public", None):
        cursor = store.changes(None).cursor
        visible(store, one, value)
        seen = store.changes(cursor, public=True).found or ()
        assert {each.match for each in seen} == {one.public_id, line.public_id}
        assert {each.state for each in seen} == {"there" if value == "public" else "withdrawn"}
    numbers = [each.number for each in store.changes(ChangeCursor()).found or ()]
    assert numbers == sorted(set(numbers))


def test_erased_notes_are_a_change(store):
    one = match(store, 1)
    notes = noted(store, one, 2)
    cursor = store.changes(None).cursor
    store.erase_notes(one.id, [store.read(notes.id)[0].id]).result()
    assert found(store, cursor) == [(one.public_id, "notes")]


def test_write_without_effect_is_not_a_change(store):
    stream = match(store, 1)
    store.set_metadata(stream.id, {"Seat1": "Jet"}).result()
    repeated = event()
    store.append(stream.id, 1, [repeated]).result()
    cursor = store.changes(None).cursor
    with pytest.raises(Stale):
        store.append(stream.id, 1, events(1)).result()
    assert store.append(stream.id, 1, [repeated]).result().repeated
    taken = [Creation(new("fresh1"), events(2)), Creation(new(stream.public_id))]
    assert store.create_all(taken).exception() is not None
    store.set_metadata(stream.id, {"Seat1": "Jet", "Seat2": None}).result()
    store.trash(stream.id, False).result()
    store.add_key(stream.id, b"digest", "host", None).result()
    assert store.changes(cursor) == store.changes(None)


def test_pages_go_through_all_changes(store):
    made = [match(store, number) for number in range(5)]
    seen, cursor = list[str](), ChangeCursor()
    while (changes := store.changes(cursor, 2)).found:
        assert len(changes.found) <= 2
        seen += [each.match for each in changes.found]
        cursor = changes.cursor
    assert seen == [each.public_id for each in made]
    assert cursor == store.changes(None).cursor


def test_deleted_match_leaves_its_id(store):
    kept, purged = match(store, 1), match(store, 3)
    noted(store, purged)
    cursor = store.changes(None).cursor
    store.purge(purged.id).result()
    [change] = store.changes(cursor).found or ()
    assert (change.match, change.state, change.public, change.what) == (
        purged.public_id,
        "deleted",
        False,
        (),
    )
    append(store, kept)
    assert [each.match for each in store.changes(cursor).found or ()] == [
        purged.public_id,
        kept.public_id,
    ]


def test_numbers_are_not_reused(store):
    match(store, 1)
    for _ in range(3):
        before = store.changes(None).cursor.number
        store.purge(match(store, 1).id).result()
        assert store.changes(None).cursor.number > before


def states(store: Store, cursor: ChangeCursor) -> list[tuple[str, str, bool]]:
    return [(each.match, each.state, each.public) for each in store.changes(cursor).found or ()]


@pytest.mark.parametrize("value", [None, "private"])
def test_match_made_unlisted_or_private_is_withdrawn(store, value):
    one, other = match(store, 1), match(store, 1)
    line = variation(store, one)
    visible(store, one, "public")
    visible(store, other, "private")
    cursor = store.changes(None).cursor
    visible(store, one, value)
    visible(store, other, None)
    assert states(store, cursor) == [
        (one.public_id, "withdrawn", True),
        (line.public_id, "withdrawn", True),
        (one.public_id, "there", False),
        (line.public_id, "there", False),
        (other.public_id, "there", False),
    ]
    append(store, one)
    assert states(store, cursor)[:2] == [
        (one.public_id, "withdrawn", True),
        (line.public_id, "withdrawn", True),
    ]


def test_variations_become_visible_with_their_match(store):
    one = match(store, 1)
    line = variation(store, one)
    deeper = variation(store, line)
    played_on = fork(store, one, 1)
    cursor = store.changes(None).cursor
    visible(store, one, "public")
    changed = store.changes(cursor).found or ()
    assert [(each.match, each.what, each.root, each.visibility) for each in changed] == [
        (each.public_id, ("visibility",), one.id, "public") for each in (one, line, deeper)
    ]
    assert played_on.public_id not in {each[0] for each in found(store, cursor)}


def test_deleted_public_match_is_a_public_change(store):
    one = match(store, 1)
    line, played_on = variation(store, one), fork(store, one, 1)
    visible(store, one, "public")
    cursor = store.changes(None).cursor
    store.purge(one.id, taking=[line.id], leaving=[played_on.id]).result()
    assert states(store, cursor) == [
        (line.public_id, "deleted", True),
        (one.public_id, "deleted", True),
    ]


def test_cursor_of_a_different_history_finds_nothing(store):
    match(store, 1)
    now = store.changes(None).cursor
    assert store.changes(ChangeCursor(now.number + 1, now.feed)).found is None
    assert store.changes(ChangeCursor(now.number, "another")).found is None
    assert store.changes(ChangeCursor(now.number)).found == ()


def test_follower_misses_no_event_of_many_writers(store):
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


def test_every_write_changes_the_data_version(store):
    stream = match(store, 1)
    seen = [store.data_version()]
    assert store.data_version() == seen[0]
    for write in (
        lambda: store.append(stream.id, 1, events(1)),
        lambda: store.set_metadata(stream.id, {"Seat1": "Jet"}),
        lambda: store.add_key(stream.id, b"digest", "host", None),
        lambda: store.create(new(), ()),
        lambda: store.trash(stream.id),
        lambda: store.purge(stream.id),
    ):
        write().result()
        seen.append(store.data_version())
    assert all(before != after for before, after in itertools.pairwise(seen))


def test_reading_keeps_the_data_version(store):
    stream = match(store, 3)
    before = store.data_version()
    store.read(stream.id)
    list(store.matches())
    store.changes(store.changes(None).cursor)
    assert store.data_version() == before


def test_every_registered_follower_is_notified(store):
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
            assert each.wait(PATIENCE)
        assert store.stream(stream.id).head == version
        assert store.data_version() != before


def test_told_text_is_heard_and_not_stored(store):
    heard: list[str] = []
    store.on_change(lambda: None)
    store.on_told(heard.append)
    before = store.data_version()

    def tell() -> list[str]:
        store.tell("here")  # until the connection listens
        return heard

    assert set(eventually(tell)) == {"here"}
    assert store.data_version() == before
    store.close()
    with pytest.raises(StoreError):
        store.on_told(heard.append)


def test_store_may_be_closed_by_a_follower(store):
    closed = threading.Event()

    def close() -> None:
        store.close()
        closed.set()

    stream = match(store)
    store.on_change(close)
    with contextlib.suppress(StoreError):
        append(store, stream)
    assert closed.wait(PATIENCE)


def test_closed_store_is_not_followed(store):
    store.data_version()
    cursor = store.changes(None).cursor
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.on_change(lambda: None)
    with pytest.raises(StoreError, match="closed"):
        store.data_version()
    with pytest.raises(StoreError, match="closed"):
        store.changes(cursor)
