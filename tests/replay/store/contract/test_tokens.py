"""A capability opens its own match only."""

from __future__ import annotations

import pytest

from replay.errors import Usage
from replay.store.people_chain import fault_of
from replay.store.types import Account, Author, Creation, SummaryFilter
from tests.replay.store.streams import match, new

NOWHERE = 4711


def test_key_opens_only_its_match(store):
    one, other = match(store), match(store)
    store.add_key(one.id, b"digest", "seat", 2).result()
    store.add_key(one.id, b"host", "host", None).result()
    assert store.key(one.id, b"digest") == ("seat", 2)
    assert store.key(one.id, b"host") == ("host", None)
    assert store.key(one.id, b"diges") is None
    assert store.key(other.id, b"digest") is None
    assert store.key(NOWHERE, b"digest") is None
    store.add_key(one.id, b"digest", "host", None).result()
    assert store.key(one.id, b"digest") == ("host", None)


def test_dropped_key_opens_nothing(store):
    one, other = match(store), match(store)
    store.add_key(one.id, b"digest", "seat", 2).result()
    store.add_key(one.id, b"host", "host", None).result()
    store.add_key(other.id, b"digest", "host", None).result()
    store.drop_key(one.id, b"digest").result()
    store.drop_key(one.id, b"never there").result()
    assert store.keys(one.id) == [(b"host", "host", None)]
    assert store.key(one.id, b"digest") is None
    assert store.key(other.id, b"digest") == ("host", None)


ONE, TWO, NONE = b"1" * 32, b"2" * 32, b"3" * 32


def test_keys_list_the_matches_they_open(store):
    first, second, third = match(store), match(store), match(store)
    for stream, digest in ((second, ONE), (first, ONE), (third, TWO), (first, TWO)):
        store.add_key(stream.id, digest, "host", None).result()
    ids = [each.public_id for each in (third, second, first)]
    assert store.matches_for_tokens(ids, [ONE]) == [(ONE, first), (ONE, second)]
    assert store.matches_for_tokens(ids[1:2], [ONE, TWO]) == [(ONE, second)]
    opened = [(ONE, first), (TWO, first), (ONE, second), (TWO, third)]
    assert store.matches_for_tokens([*ids, "nowhere"], [TWO, NONE, ONE]) == opened
    assert store.matches_for_tokens(ids, [NONE]) == store.matches_for_tokens(ids, []) == []
    assert store.matches_for_tokens([], [ONE]) == []
    store.drop_key(first.id, ONE).result()
    store.purge(second.id).result()
    assert store.matches_for_tokens(ids, [ONE]) == []


def test_thousands_of_keys_are_looked_up_together(store):
    there = match(store)
    store.add_key(there.id, ONE, "host", None).result()
    others = [number.to_bytes(32, "big") for number in range(4000)]
    assert store.matches_for_tokens([there.public_id], [*others, ONE]) == [(ONE, there)]


def test_key_and_private_values_are_stored_together(store):
    there = match(store)
    store.add_key(there.id, ONE, "seat", 1, {"one": b"1"}).result()
    with pytest.raises(Usage, match="one"):
        store.add_key(there.id, TWO, "seat", 1, {"two": b"2", "one": b"3"}).result()
    assert store.private_values(there.id) == {"one": b"1"}
    assert store.keys(there.id) == [(ONE, "seat", 1)]


def test_matches_of_a_key_are_listed_newest_first(store):
    first, second, third = match(store), match(store), match(store)
    for stream, digest in ((second, ONE), (first, ONE), (third, TWO), (first, TWO)):
        store.add_key(stream.id, digest, "host", None).result()
    wanted = SummaryFilter(opened_by=ONE)
    assert [each.stream for each in store.listed(wanted)] == [second, first]
    assert [each.stream for each in store.listed(wanted, second.id)] == [first]
    assert [*store.listed(SummaryFilter(opened_by=NONE))] == []
    store.drop_key(second.id, ONE).result()
    assert [each.stream for each in store.listed(wanted)] == [first]


def test_match_created_with_capabilities_is_opened_by_them(store):
    keys = [(b"host" * 8, "host", None), (b"seat" * 8, "seat", 2)]
    first, fork_of_first = store.create_all(
        [Creation(new(), keys=keys), Creation(new(fork_version=0), fork_of=0, keys=keys[1:])]
    ).result()
    assert sorted(store.keys(first.id)) == keys
    assert store.key(fork_of_first.id, b"seat" * 8) == ("seat", 2)
    assert store.key(fork_of_first.id, b"host" * 8) is None
    ids = [first.public_id, fork_of_first.public_id]
    assert store.matches_for_tokens(ids, [b"seat" * 8]) == [
        (b"seat" * 8, first),
        (b"seat" * 8, fork_of_first),
    ]


def test_capabilities_are_undone_with_their_stream(store):
    kept = match(store)
    good = Creation(new("kqzw"), keys=[(b"host" * 8, "host", None)])
    with pytest.raises(Usage):
        store.create_all([good, Creation(new(kept.public_id))]).result()
    assert store.matches_for_tokens(["kqzw", kept.public_id], [b"host" * 8]) == []


def test_operators_are_listed_oldest_first_and_dropped(store):
    old, young, twin = (each * 32 for each in (b"c", b"a", b"b"))
    for digest, created in ((young, 9), (old, 5), (twin, 9)):
        store.add_operator(digest, created).result()
    assert store.operators() == [(old, 5), (young, 9), (twin, 9)]
    for _ in range(2):
        store.drop_operator(young).result()
    assert store.operators() == [(old, 5), (twin, 9)]
    assert [store.is_operator(each) for each in (old, young, twin)] == [True, False, True]
    assert [*store.listed(SummaryFilter(opened_by=old))] == []


def test_replaced_phone_reads_and_one_of_two_is_the_new_one(store):
    there, by = match(store), Author("scorekeeper", 7)
    store.set_metadata(there.id, {"Seat2": "Ben"}).result()
    for digest, role, seat in ((ONE, "seat", 1), (TWO, "seat", 2), (b"h", "host", None)):
        store.add_key(there.id, digest, role, seat).result()
    account = Account("bob", b"b" * 32, 0)
    store.add_account(account, []).result()
    store.add_key(there.id, account.digest, "seat", 2).result()
    store.hold(there.id, lambda held: {"code": b"x", "known": bytes([len(held)])}).result()

    def use(held):
        if "used" in held:
            raise Usage("used")
        return {"used": held["code"]}

    epoch = store.epoch()
    racing = [
        store.replace_phone(there.id, (digest, "seat", 2), use, by)
        for digest in (NONE, b"4" * 32, NONE)
    ]
    racing[0].result()
    with pytest.raises(Usage, match="used"):
        racing[1].result()
    racing[2].result()
    assert store.epoch() > epoch
    assert store.private_values(there.id) == {"code": b"x", "known": b"\0", "used": b"x"}
    assert store.keys(there.id) == [
        (ONE, "seat", 1),
        (TWO, "viewer", 2),
        (NONE, "seat", 2),
        (account.digest, "seat", 2),
        (b"h", "host", None),
    ]
    people = store.people(there.id)
    assert fault_of(there.origin, people) is None
    assert [(each.event, each.seat) for each in people.events] == [("seated", 2), ("replaced", 2)]
    assert people.names == {2: "Ben"}
