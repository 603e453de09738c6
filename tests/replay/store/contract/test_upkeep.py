"""A store verifies, rebuilds its derived data, and finishes its queue at the end."""

from __future__ import annotations

import pytest

from replay.errors import StoreError, UnknownMatch
from replay.store.stream_verification import verify_chain
from replay.store.types import Derived, IndexedMatch, IndexedStep, IndexedTexts, Text
from tests.replay.store.streams import events, fork, match, summary

NOWHERE = 4711


def test_sound_stream_verifies(store):
    root = match(store, 5)
    empty = match(store)
    child = fork(store, root, 3, 2)
    at_nothing = fork(store, child, 0, 1)
    for stream in (root, empty, child, at_nothing, fork(store, at_nothing, 0)):
        assert verify_chain(store, stream.id) is None
    with pytest.raises(UnknownMatch):
        verify_chain(store, NOWHERE)


def test_append_while_verifying_is_not_a_fault(store):
    stream = match(store, 2)

    class Busy:
        """The store, with an append between any two reads of it."""

        def stream(self, number: int) -> object:
            found = store.stream(number)
            store.append(stream.id, found.head, events(1)).result()
            return found

        read = staticmethod(store.read)

    assert verify_chain(Busy(), stream.id) is None


def test_close_finishes_the_queue_and_refuses_later_calls(store):
    stream = match(store)
    queued = [store.append(stream.id, version, events(1)) for version in range(50)]
    store.close()
    assert [each.result(0).versions for each in queued] == [(version,) for version in range(1, 51)]
    with pytest.raises(StoreError, match="closed"):
        store.append(stream.id, 50, events(1)).result(0)
    for look in (
        lambda: store.stream(stream.id),
        lambda: store.read(stream.id),
        lambda: list(store.matches()),
        lambda: store.find(stream.public_id),
        lambda: store.notes(stream.id),
        lambda: store.forks(stream.id),
        lambda: store.metadata(stream.id),
        lambda: store.key(stream.id, b"digest"),
        lambda: store.texts_due(),
        lambda: store.search("word", 1),
        lambda: store.index(stream.id, (), 0, {}).result(0),
    ):
        with pytest.raises(StoreError, match="closed"):
            look()
    store.close()


def test_new_derived_data_replaces_the_old(store):
    one, other = match(store, 1), match(store, 1)
    for each in (one, other):
        store.summarise(each.id, summary(7)).result()
        store.index_match(each.id, IndexedMatch(1, [IndexedStep(1, b"old", 1, "b")])).result()
        store.index(each.id, [Text("tag", "Event", "old")], 0, {}).result()
    known, moves = summary(1, "+1"), IndexedMatch(1, [IndexedStep(1, b"key", 1, "a")])
    texts = IndexedTexts(0, [Text("tag", "Event", "new")])
    store.rebuild_indexes().result()
    derived = Derived(known, moves, texts)
    store.replace_derived({one.id: derived, other.id: Derived(), 99: derived}).result()
    assert (store.summary(one.id), store.summary(other.id)) == (known, None)
    assert store.indexed_match(one.id) == moves
    assert store.indexed_texts(one.id) == texts
    assert (store.indexed_match(other.id), store.indexed_texts(other.id)) == (None, None)
    assert [each.id for each in store.summaries_due()] == [other.id]
    assert [each.id for each in store.positions_due()] == [other.id]
    assert [each.id for each in store.texts_due()] == [other.id]
    assert [hit.text.text for hit in store.search("new", 9)] == ["new"]
    assert store.search("old", 9) == []


def test_replaced_summary_of_old_version_is_due(store):
    stream = match(store, 2)
    store.replace_derived({stream.id: Derived(summary(1))}).result()
    assert store.summaries_due() == [stream]


def test_texts_of_changed_facts_are_left_out(store):
    stream = match(store)
    store.set_metadata(stream.id, {"Seat1": "Red"}).result()
    texts = IndexedTexts(0, [Text("player", "Seat1", "Jet")], {"Seat1": "Jet"})
    store.replace_derived({stream.id: Derived(texts=texts)}).result()
    assert store.indexed_texts(stream.id) is None


def test_probe_proves_that_a_store_can_be_written(store):
    seen = store.data_version()
    store.probe().result()
    assert (store.condition().log or 0) >= 0
    assert list(store.matches()) == []
    assert seen <= store.data_version()
