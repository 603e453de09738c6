"""Only the hooks of changed matches are read again."""

from __future__ import annotations

from contextlib import closing

from msgspec.structs import replace

from replay.store import temporary_store
from service.live.hook_schedule import PendingHooks
from tests.replay.store.streams import append, hook, match


def test_only_hooks_of_changed_matches_are_reread():
    with closing(temporary_store()) as store:
        first, second = match(store, 1), match(store, 1)
        for stream, name in ((first, "a"), (second, "b")):
            store.add_hook(hook(stream, name, delivered=1)).result()
        store.add_hook(hook(first, "c")).result()
        pending = PendingHooks(store)

        def names(changed: list[int] | None) -> list[str]:
            return [each.id for each in pending.read(changed)]

        assert names(None) == ["c"]
        append(store, first)
        append(store, second)
        assert names([]) == ["c"]
        assert names([second.id]) == ["b", "c"]
        assert names([first.id]) == ["a", "b", "c"]
        store.trash(first.id).result()
        assert names([second.id]) == ["a", "b", "c"]
        assert names([first.id]) == ["b"]
        store.drop_hook("b").result()
        assert names(None) == []


def test_hooks_of_the_book_are_always_read():
    with closing(temporary_store()) as store:
        stream = match(store, 1)
        store.add_hook(hook(stream, "all", delivered=99)).result()
        store.add_hook(replace(hook(stream, "book"), stream=None)).result()
        assert [each.id for each in PendingHooks(store).read([])] == ["book"]
