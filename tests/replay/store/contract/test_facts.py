"""Facts can be changed and erased, and are outside the hash chain."""

from __future__ import annotations

import pytest

from replay.errors import Usage
from replay.store.types import MetadataItem
from tests.replay.store.streams import events, match, new


def test_facts_in_invalid_unicode_undo_the_creation(store):
    with pytest.raises(Usage):
        store.create(new(), events(1), {"Seat1": "\udc80"}).result()
    assert list(store.matches()) == []


def test_matches_are_filtered_by_the_value_of_facts(store):
    shown = [match(store) for _ in range(3)]
    hidden, plain = match(store), match(store)
    for each in shown:
        store.set_metadata(each.id, {"seen": "yes", "other": "no"}).result()
    store.set_metadata(hidden.id, {"seen": "no"}).result()
    store.trash(shown[2].id).result()
    fact = MetadataItem("seen", "yes")
    assert [each.id for each in store.matches(having=fact)] == [shown[1].id, shown[0].id]
    assert [each.id for each in store.matches(having=fact, before=shown[1].id)] == [shown[0].id]
    assert [each.id for each in store.matches(having=fact, trashed=True)] == [shown[2].id]
    store.set_metadata(shown[0].id, {"seen": None}).result()
    store.set_metadata(plain.id, {"seen": "yes"}).result()
    assert [each.id for each in store.matches(having=fact)] == [plain.id, shown[1].id]


def test_many_matches_with_a_fact_are_paged(store):
    fact = MetadataItem("seen", "yes")
    made = [store.create(new(), (), {"seen": "yes"}).result().id for _ in range(230)]
    assert [each.id for each in store.matches(having=fact)] == made[::-1]


def test_facts_keep_their_order_and_can_be_erased(store):
    stream = store.create(new(), (), {"Seat2": "Grün", "Seat1": "Blue", "Site": "Kitchen"}).result()
    store.set_metadata(stream.id, {"Seat1": "Gold", "Seat2": None, "Round": "1"}).result()
    store.set_metadata(stream.id, {"Seat2": "Grün", "Nothing": None}).result()
    expected = [("Seat1", "Gold"), ("Site", "Kitchen"), ("Round", "1"), ("Seat2", "Grün")]
    assert list(store.metadata(stream.id).items()) == expected


def test_facts_are_outside_the_hash_chain(store):
    stream = match(store, 1)
    store.set_metadata(stream.id, {"Seat1": "Blue"}).result()
    assert store.stream(stream.id) == stream
    assert store.metadata(match(store).id) == {}


def test_facts_in_invalid_unicode_change_nothing(store):
    stream = match(store)
    with pytest.raises(Usage):
        store.set_metadata(stream.id, {"Seat1": "Blue", "Seat2": "\udc80"}).result()
    assert store.metadata(stream.id) == {}
