"""Hooks are stored with their progress, and deleted with their match."""

from __future__ import annotations

from msgspec.structs import replace

from replay.store import open_store
from tests.replay.store.streams import hook, match


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
