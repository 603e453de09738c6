"""Streams are found, listed, trashed and purged."""

from __future__ import annotations

import pytest

from replay.errors import AmbiguousMatch, UnknownMatch, Usage
from replay.store.stream_verification import verify_chain
from replay.store.types import IndexedMatch, NewStream
from tests.replay.store.streams import event, events, fork, match, new, summary


def test_match_is_found_by_its_beginning(store):
    stream = match(store, 1, "kqzw7m2hx4")
    match(store, 1, "kqzx000000")
    for public_id in ("kqzw7m2hx4", "kqzw", "kqzw7m2"):
        assert store.find(public_id) == stream


def test_prefix_needs_four_characters(store):
    match(store, 0, "kqzw7m2hx4")
    with pytest.raises(UnknownMatch, match="at least 4"):
        store.find("kqz")
    short = match(store, 0, "abc")
    assert store.find("abc") == short


def test_ambiguous_beginning_names_its_matches(store):
    match(store, 0, "kqzw1")
    match(store, 0, "kqzw2")
    with pytest.raises(AmbiguousMatch, match=r"kqzw1, kqzw2$"):
        store.find("kqzw")
    for number in range(3, 9):
        match(store, 0, f"kqzw{number}")
    with pytest.raises(AmbiguousMatch, match="…"):
        store.find("kqzw")


def test_id_that_begins_a_longer_id_is_found(store):
    stream = match(store, 0, "kqzw")
    match(store, 0, "kqzw2")
    assert store.find("kqzw") == stream


@pytest.mark.parametrize("wrong", ["nope", "kqz_", "kqz%", "KQZW", "kqzw7m2hx4x", "\udcff" * 4, ""])
def test_invalid_prefixes_find_no_match(store, wrong):
    match(store, 0, "kqzw7m2hx4")
    with pytest.raises(UnknownMatch):
        store.find(wrong)


def test_trashed_match_is_found(store):
    stream = match(store, 0, "kqzw7m2hx4")
    store.trash(stream.id).result()
    assert store.find("kqzw").trashed


def test_matches_are_listed_newest_first_without_trash(store):
    streams = [each.result() for each in [store.create(new()) for _ in range(250)]]
    store.trash(streams[100].id).result()
    kept = [one.id for one in reversed(streams) if one is not streams[100]]
    assert [one.id for one in store.matches()] == kept
    assert [one.id for one in store.matches(trashed=True)] == [streams[100].id]
    store.trash(streams[100].id, trashed=False).result()
    assert len(list(store.matches())) == 250
    assert list(store.matches(trashed=True)) == []


def test_pages_before_a_match_are_stable(store):
    older = [match(store) for _ in range(3)]
    store.trash(older[1].id).result()
    match(store)
    before = older[2].id
    assert [each.id for each in store.matches(before=before)] == [older[0].id]
    assert [each.id for each in store.matches(before=before, trashed=True)] == [older[1].id]
    assert not list(store.matches(before=older[0].id))


def test_purge_removes_a_match_and_its_notes(store):
    kept = match(store, 2)
    notes_too = events(1)
    gone = store.create(new("kqzw"), [event(sealed=b"x")], {"Seat1": "Blue"}, notes_too).result()
    notes = store.notes(gone.id)
    assert notes is not None
    store.add_key(gone.id, b"digest", "host", None).result()
    store.purge(gone.id).result()
    for stream in (gone.id, notes.id):
        with pytest.raises(UnknownMatch):
            store.stream(stream)
        with pytest.raises(UnknownMatch):
            store.read(stream)
    assert store.notes(gone.id) is None
    assert store.key(gone.id, b"digest") is None
    assert verify_chain(store, kept.id) is None
    assert match(store, 1, "kqzw").id > notes.id, "a number is never used again"


def test_forks_are_listed_oldest_first_with_trashed_ones(store):
    parent = match(store, 2)
    assert store.forks(parent.id) == []
    first, second = fork(store, parent, 2), fork(store, parent, 0)
    grandchild = fork(store, first, 1)
    store.trash(first.id).result()
    assert [one.id for one in store.forks(parent.id)] == [first.id, second.id]
    assert store.forks(first.id) == [grandchild]
    store.purge(second.id).result()
    assert [one.id for one in store.forks(parent.id)] == [first.id]


def test_match_is_not_purged_while_a_fork_remains(store):
    parent = match(store, 2)
    child = fork(store, parent, 1, 1)
    with pytest.raises(Usage, match=child.public_id):
        store.purge(parent.id).result()
    assert len(store.read(child.id)) == 2
    store.purge(child.id).result()
    store.purge(parent.id).result()
    assert list(store.matches()) == []


def test_purge_removes_the_named_forks(store):
    parent = match(store, 2)
    child = fork(store, parent, 1, 1)
    grandchild = fork(store, child, 2, 1)
    store.purge(parent.id, taking=[grandchild.id, child.id]).result()
    assert [*store.matches(), *store.matches(trashed=True)] == []


def test_remaining_fork_reads_and_verifies_as_before(store):
    parent = store.create(new(), [event(sealed=b"x"), event(), event()], {"a": "1", "b": "2"})
    parent = parent.result()
    noted = store.create(NewStream(parent.public_id, b"{}", "notes", parent.id), events(2)).result()
    middle = fork(store, parent, 2, 2)
    kept = fork(store, middle, 3, 1)
    before = store.read(kept.id)
    store.purge(parent.id, taking=[middle.id], leaving=[kept.id], metadata=["b"]).result()
    assert store.read(kept.id) == before
    assert store.stream(kept.id) == kept
    assert verify_chain(store, kept.id) is None
    for gone in (parent, middle):
        carrier = store.stream(gone.id)
        assert carrier.is_carrier
        assert (carrier.header, carrier.origin) == (gone.header, gone.origin)
        assert store.notes(gone.id) is None
        with pytest.raises(UnknownMatch):
            store.find(gone.public_id)
        with pytest.raises(UnknownMatch):
            store.find(carrier.public_id.ljust(4, "~"))
    assert [len(store.read(each.id)) for each in (parent, middle)] == [2, 3]
    assert store.metadata(parent.id) == {"b": "2"}
    with pytest.raises(UnknownMatch):
        store.stream(noted.id)
    assert list(store.matches()) == [kept]
    assert list(store.matches(trashed=True)) == []
    assert [one.id for one in store.texts_due()] == [kept.id]
    assert [one.id for one in store.positions_due()] == [kept.id]


def test_purged_carrier_refuses_writes(store):
    parent = match(store, 2)
    kept = fork(store, parent, 2, 1)
    store.purge(parent.id, leaving=[kept.id]).result()
    for write in (
        lambda: store.append(parent.id, 2, events(1)),
        lambda: store.set_metadata(parent.id, {"Seat1": "Jet"}),
        lambda: store.add_key(parent.id, b"d", "host", None),
        lambda: store.trash(parent.id, False),
        lambda: store.index(parent.id, [], 0, {}),
        lambda: store.index_match(parent.id, IndexedMatch(2, [])),
        lambda: store.summarise(parent.id, summary(2)),
        lambda: store.create(new(parent=parent.id, fork_version=1, fork_ply=1)),
        lambda: store.create(NewStream("n", b"{}", "notes", parent.id)),
        lambda: store.purge(parent.id),
    ):
        with pytest.raises(UnknownMatch):
            write().result()
    with pytest.raises(Usage, match="cannot begin with ~"):
        store.create(new("~abc")).result()
    assert verify_chain(store, kept.id) is None


def test_carrier_shrinks_and_ends_with_its_forks(store):
    parent = match(store, 5)
    long, short = fork(store, parent, 4, 1), fork(store, parent, 2, 1)
    store.purge(parent.id, leaving=[long.id, short.id]).result()
    assert len(store.read(parent.id)) == 4
    store.purge(long.id).result()
    assert len(store.read(parent.id)) == 2
    assert verify_chain(store, short.id) is None
    again = match(store, 1, parent.public_id)
    store.purge(short.id).result()
    with pytest.raises(UnknownMatch):
        store.stream(parent.id)
    assert list(store.matches()) == [again]


def test_unnamed_fork_stops_the_whole_purge(store):
    parent = match(store, 2)
    child, other = fork(store, parent, 1, 1), fork(store, parent, 1, 1)
    with pytest.raises(Usage, match=other.public_id):
        store.purge(parent.id, taking=[child.id]).result()
    assert len(store.read(child.id)) == 2


def test_family_has_all_descendants_of_a_match(store):
    first = store.create(new(), events(3), {"Seat1": "Jet", "Event": "Cup"}).result()
    other = match(store, 1)
    child = fork(store, first, 2)
    below = fork(store, child, 1)
    store.trash(child.id).result()
    notes = store.create(new(kind="notes", subject=below.id), events(2)).result()
    found = store.family(first.id)
    assert list(found.streams.values()) == [store.stream(each.id) for each in (first, child, below)]
    assert list(found.metadata[first.id].items()) == [("Seat1", "Jet"), ("Event", "Cup")]
    assert (found.metadata[child.id], found.metadata[below.id]) == ({}, {})
    assert found.notes == {below.id: store.stream(notes.id)}
    assert list(store.family(other.id).streams) == [other.id]
    with pytest.raises(UnknownMatch):
        store.family(99)
