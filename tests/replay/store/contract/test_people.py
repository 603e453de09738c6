"""Who played: names are noted in a chain in the transaction that changes them."""

from __future__ import annotations

import pytest

from replay.errors import UnknownMatch
from replay.store.people_chain import fault_of
from replay.store.types import Author, NewStream
from tests.replay.store.streams import events, new


@pytest.fixture
def stream(store):
    return store.create(new(), events(1), {"Seat1": "Ana", "Seat2": "?", "Site": "Home"}).result()


def noted(store, stream):
    """Return the events of people in short, and the texts that are kept."""
    people = store.people(stream.id)
    assert fault_of(stream.origin, people) is None
    found, texts, _, head = people
    assert head == store.people_head(stream.id) == (len(found), found[-1].hash)
    told = [(each.event, each.seat, each.other, each.author, each.after_version) for each in found]
    return told, {text.text for text in texts}


def test_names_are_noted_with_author_version_and_reason(store, stream):
    by = Author("seat 1", 5, "a slip")
    store.change_metadata(stream.id, lambda _: {"Seat1": "Anna"}, None, by).result()
    store.set_metadata(stream.id, {"Seat2": "Bob", "Site": "Club"}).result()
    store.set_metadata(stream.id, {"Seat1": "Bob", "Seat2": "Anna"}).result()
    assert noted(store, stream) == (
        [
            ("seated", 1, 0, "", 0),
            ("renamed", 1, 0, "seat 1", 1),
            ("seated", 2, 0, "", 1),
            ("swapped", 1, 2, "", 1),
        ],
        {"Ana", "Anna", "a slip", "Bob"},
    )


def test_erased_name_leaves_no_text_of_its_player(store, stream):
    store.set_metadata(stream.id, {"Seat1": "Anna"}).result()
    store.set_metadata(stream.id, {"Seat1": None}).result()
    told, texts = noted(store, stream)
    assert [each[0] for each in told] == ["seated", "renamed", "erased"]
    assert texts == set()


def test_other_metadata_are_no_events_of_people(store, stream):
    store.set_metadata(stream.id, {"Site": None, "Seat1": "Ana"}).result()
    assert len(noted(store, stream)[0]) == 1


def test_purged_match_leaves_no_events_of_people(store, stream):
    store.purge(stream.id).result()
    with pytest.raises(UnknownMatch):
        store.people(stream.id)


def test_erasure_takes_the_person_in_forks(store, stream):
    fork = NewStream("fork", b"{}", parent=stream.id, fork_version=1, fork_ply=1)
    copied = store.create(fork, (), {"Seat1": "Ana", "Seat2": "Eve"}).result()
    store.set_metadata(stream.id, {"Seat1": "Anna"}).result()
    store.set_metadata(stream.id, {"Seat1": None}).result()
    assert noted(store, copied)[1] == {"Eve"}
    assert store.metadata(copied.id) == {"Seat1": "?", "Seat2": "Eve"}
