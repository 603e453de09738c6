"""A hook is stored with its progress, and deleted with its match."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from replay.errors import UnknownMatch, Usage
from replay.store.feed_types import FormerSecret
from tests.replay.store.streams import events, hook, match


def test_hook_is_read_back_unchanged(store):
    full = hook(
        match(store),
        **{"failures": 2, "since": 7, "due": 9, "dead": True, "answer": "500", "tried": 8},
        delivered=3,
        rotation="é",
        former=(FormerSecret("ß'", 9, None), FormerSecret("ẞ", 8, "a")),
    )
    store.add_hook(full).result()
    assert store.hooks() == store.hooks(full.stream) == [full]


def test_hooks_are_listed_by_match_and_oldest_first(store):
    one, two = match(store), match(store)
    young, old, other = hook(one, "a", created=9), hook(one, "b", created=1), hook(two, "c")
    for each in (young, old, other):
        store.add_hook(each).result()
    assert store.hooks(one.id) == [old, young]
    assert store.hooks() == [old, other, young]


def test_duplicate_hook_and_unknown_match_are_refused(store):
    first = hook(match(store))
    store.add_hook(first).result()
    with pytest.raises(Usage, match="'a'"):
        store.add_hook(replace(first, url="http://elsewhere")).result()
    with pytest.raises(UnknownMatch):
        store.add_hook(replace(first, id="b", stream=4711)).result()
    assert store.hooks() == [first]


def test_storing_progress_keeps_the_settings(store):
    first = hook(match(store))
    store.add_hook(first).result()
    further = replace(first, delivered=4, failures=1, since=6, due=8, answer="503", tried=7)
    store.put_hook(replace(further, url="http://elsewhere", secret="x", created=1)).result()
    assert store.hooks() == [further]
    store.put_hook(replace(further, id="gone")).result()
    assert store.hooks() == [further]


def test_hooks_that_lack_events_are_due_in_order(store):
    stream, trashed = match(store, 2), match(store, 2)
    late, later = hook(stream, "a", delivered=1, due=9), hook(stream, "b", due=5)
    told, dead = hook(stream, "c", delivered=2), hook(stream, "d", dead=True)
    for each in (late, later, told, dead, hook(trashed, "e")):
        store.add_hook(each).result()
    store.trash(trashed.id).result()
    assert store.hooks_due() == [later, late]
    store.append(stream.id, 2, events(1)).result()
    assert {each.id for each in store.hooks_due()} == {"a", "b", "c"}
    assert store.hooks_due([stream.id]) == store.hooks_due()
    assert store.hooks_due([trashed.id]) == store.hooks_due([]) == []


def test_only_a_living_hook_counts_as_live(store):
    stream = match(store)
    assert not store.has_live_hook()
    store.add_hook(hook(stream, "a", dead=True)).result()
    assert not store.has_live_hook()
    store.add_hook(hook(stream, "b")).result()
    assert store.has_live_hook()


def test_claimed_hook_is_free_after_the_claim_lapses(store):
    first = hook(match(store, 2), due=5)
    store.add_hook(first).result()
    claimed = store.claim_hook("a", 10, 40).result()
    assert claimed == replace(first, claimed=40)
    assert store.claim_hook("a", 39, 69).result() is None
    assert store.hooks_due() == [claimed]
    assert store.claim_hook("a", 40, 70).result() == replace(first, claimed=70)


def test_only_a_due_hook_is_claimed(store):
    stream, trashed = match(store, 2), match(store, 2)
    for name, fields in {
        "late": {"delivered": 1},
        "due": {"due": 10},
        "told": {"delivered": 2},
        "dead": {"dead": True},
        "later": {"due": 11},
    }.items():
        store.add_hook(hook(stream, name, **fields)).result()
    store.add_hook(hook(trashed, "trashed")).result()
    store.trash(trashed.id).result()
    asked = [*(each.id for each in store.hooks()), "gone"]
    assert len(asked) == 7
    claims = {name: store.claim_hook(name, 10, 40).result() for name in asked}
    assert {name for name, claim in claims.items() if claim} == {"late", "due"}


def test_claim_result_is_stored_and_frees_the_hook(store):
    store.add_hook(hook(match(store, 3))).result()
    claimed = store.claim_hook("a", 10, 40).result()
    assert claimed is not None
    further = replace(claimed, delivered=2, answer="204", tried=11)
    store.put_hook(further).result()
    assert store.hooks() == [replace(further, claimed=0)]
    assert store.claim_hook("a", 12, 42).result() == replace(further, claimed=42)


def test_result_of_a_lapsed_claim_changes_nothing(store):
    store.add_hook(hook(match(store, 3))).result()
    lapsed = store.claim_hook("a", 10, 40).result()
    taken = store.claim_hook("a", 50, 80).result()
    assert lapsed is not None
    assert taken is not None
    store.put_hook(replace(lapsed, failures=1, due=99)).result()
    assert store.hooks() == [taken]
    store.put_hook(replace(taken, delivered=3)).result()
    store.put_hook(replace(lapsed, delivered=1)).result()
    assert store.hooks() == [replace(taken, delivered=3, claimed=0)]


def test_revived_hook_has_no_failures_and_no_claim(store):
    failing = hook(match(store, 3), failures=9, since=1, dead=True, due=77, delivered=1, tried=6)
    store.add_hook(failing).result()
    store.revive_hook("a", 8).result()
    alive = replace(failing, failures=0, since=None, dead=False, due=8)
    assert store.hooks() == [alive]
    claimed = store.claim_hook("a", 8, 38).result()
    assert claimed == replace(alive, claimed=38)
    store.revive_hook("a", 9).result()
    store.put_hook(replace(claimed, failures=1, dead=True)).result()
    assert store.hooks() == [replace(alive, due=9)]
    store.revive_hook("gone", 9).result()


def test_secret_is_rotated_only_from_the_known_one(store):
    for name in "ab":
        store.add_hook(hook(match(store, 2), name)).result()
    one, other = store.hooks()
    claimed = store.claim_hook("a", 10, 40).result()
    former = (FormerSecret(one.secret, 99, None),)
    rotated = replace(one, secret="new", rotation="first", former=former, url="x", delivered=2)
    assert store.rotate_hook(rotated, "another").result() is False
    assert store.rotate_hook(rotated, one.secret).result() is True
    assert claimed is not None
    there = replace(claimed, secret="new", rotation="first", former=former)
    assert store.hooks() == [there, other]
    assert store.rotate_hook(rotated, one.secret).result() is False
    assert store.rotate_hook(replace(rotated, id="gone"), one.secret).result() is False
    store.put_hook(replace(claimed, delivered=1)).result()
    assert store.hooks() == [replace(there, delivered=1, claimed=0), other]


def test_dropped_hook_is_gone_and_dropping_is_idempotent(store):
    stream = match(store)
    for name in "ab":
        store.add_hook(hook(stream, name)).result()
    for _ in range(2):
        store.drop_hook("a").result()
    assert [each.id for each in store.hooks()] == ["b"]


def test_purge_removes_only_hooks_of_its_match(store):
    purged, kept = match(store, 1), match(store, 1)
    store.add_hook(hook(purged, "a")).result()
    store.add_hook(hook(kept, "b")).result()
    store.purge(purged.id).result()
    assert [each.id for each in store.hooks()] == ["b"]
    assert [each.id for each in store.hooks_due()] == ["b"]
