"""Hooks are kept with how far they have come, and go with their match."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from replay.errors import UnknownMatch, Usage
from replay.store import open_store
from replay.store.protocol import Hook, Store, Stream
from tests.replay.store.streams import events, match


def hook(stream: Stream, name: str = "a", **fields: object) -> Hook:
    made = {"url": "https://example.org/é", "secret": "ß", "created": 5, "delivered": 0}
    return Hook(name, stream.id, **(made | fields))  # type: ignore[arg-type]


def test_a_hook_is_read_back_as_it_was_added(store: Store) -> None:
    full = hook(
        match(store), failures=2, since=7, due=9, dead=True, answer="500", tried=8, delivered=3
    )
    store.add_hook(full).result()
    assert store.hooks() == store.hooks(full.stream) == [full]


def test_hooks_are_listed_by_match_and_oldest_first(store: Store) -> None:
    one, two = match(store), match(store)
    young, old, other = hook(one, "a", created=9), hook(one, "b", created=1), hook(two, "c")
    for each in (young, old, other):
        store.add_hook(each).result()
    assert store.hooks(one.id) == [old, young]
    assert store.hooks() == [old, other, young]


def test_a_second_hook_of_one_id_and_one_of_no_match_are_refused(store: Store) -> None:
    first = hook(match(store))
    store.add_hook(first).result()
    with pytest.raises(Usage, match="'a'"):
        store.add_hook(replace(first, url="http://elsewhere")).result()
    with pytest.raises(UnknownMatch):
        store.add_hook(replace(first, id="b", stream=4711)).result()
    assert store.hooks() == [first]


def test_progress_is_noted_and_what_the_hook_is_stays(store: Store) -> None:
    first = hook(match(store))
    store.add_hook(first).result()
    further = replace(first, delivered=4, failures=1, since=6, due=8, answer="503", tried=7)
    store.put_hook(replace(further, url="http://elsewhere", secret="x", created=1)).result()
    assert store.hooks() == [further]
    store.put_hook(replace(further, id="gone")).result()
    assert store.hooks() == [further]


def test_hooks_that_lack_events_are_behind_the_first_due_first(store: Store) -> None:
    stream, trashed = match(store, 2), match(store, 2)
    late, later = hook(stream, "a", delivered=1, due=9), hook(stream, "b", due=5)
    told, dead = hook(stream, "c", delivered=2), hook(stream, "d", dead=True)
    for each in (late, later, told, dead, hook(trashed, "e")):
        store.add_hook(each).result()
    store.trash(trashed.id).result()
    assert store.behind() == [later, late]
    store.append(stream.id, 2, events(1)).result()
    assert {each.id for each in store.behind()} == {"a", "b", "c"}


def test_a_dropped_hook_is_gone_and_dropping_it_again_does_nothing(store: Store) -> None:
    stream = match(store)
    for name in "ab":
        store.add_hook(hook(stream, name)).result()
    for _ in range(2):
        store.drop_hook("a").result()
    assert [each.id for each in store.hooks()] == ["b"]


def test_hooks_are_purged_with_their_match_and_no_others(store: Store) -> None:
    purged, kept = match(store, 1), match(store, 1)
    store.add_hook(hook(purged, "a")).result()
    store.add_hook(hook(kept, "b")).result()
    store.purge(purged.id).result()
    assert [each.id for each in store.hooks()] == ["b"]
    assert [each.id for each in store.behind()] == ["b"]


def test_hooks_and_their_progress_outlive_the_process(path: Path) -> None:
    store = open_store(path)
    first = hook(match(store, 1))
    store.add_hook(first).result()
    store.put_hook(replace(first, failures=3, due=77)).result()
    store.close()
    again = open_store(path)
    assert again.behind() == [replace(first, failures=3, due=77)]
    again.close()
