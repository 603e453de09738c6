"""Hooks are stored with their progress, and deleted with their match."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from replay.store import open_store
from tests.replay.store.streams import hook, match
from tests.replay.store.tampering import run_unguarded


def test_one_of_two_concurrent_claims_gets_the_hook(path):
    stores = [open_store(path) for _ in range(2)]
    stream = match(stores[0], 1)
    for number in range(20):
        stores[0].add_hook(hook(stream, str(number))).result()
    claims = [[store.claim_hook(str(number), 10, 40) for store in stores] for number in range(20)]
    assert all(sum(claim.result() is not None for claim in pair) == 1 for pair in claims)
    for store in stores:
        store.close()


def test_hooks_and_their_progress_outlive_the_process(opened, path):
    store = open_store(path)
    first = hook(match(store, 1))
    store.add_hook(first).result()
    store.put_hook(replace(first, failures=3, due=77)).result()
    store.close()
    again = opened(path)
    assert again.hooks_due() == [replace(first, failures=3, due=77)]


@pytest.mark.parametrize("column", ["types", "former"])
def test_hook_with_unreadable_lists_is_dead_and_holds_up_no_other(opened, path, column):
    store = open_store(path)
    stream = match(store, 1)
    sound = hook(stream, "sound")
    for each in (sound, hook(stream, "torn")):
        store.add_hook(each).result()
    store.close()
    run_unguarded(path, f"UPDATE hooks SET {column} = '[}}' WHERE id = 'torn'")
    again = opened(path)
    assert again.hooks_due() == [sound]
    assert {each.id: each.dead for each in again.hooks()} == {"sound": False, "torn": True}
    again.drop_hook("torn").result()
    assert again.hooks() == [sound]
