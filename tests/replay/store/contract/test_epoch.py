"""An append relies on data read in its epoch: a write that may outdate them ends it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from replay.errors import Outdated, Usage
from replay.store.sql.store import Store
from replay.store.types import IndexedMatch, Stream
from tests.replay.store.streams import append, event, events, fork, ids, match, summary

DIGEST = b"\1" * 32


def test_epoch_outlasts_appends_new_matches_and_derived_data(store):
    stream = match(store, 1)
    append(store, stream)
    epoch = store.epoch()
    append(store, match(store))
    store.summarise(stream.id, summary(2)).result()
    store.index_match(stream.id, IndexedMatch(2, [])).result()
    assert append(store, stream, epoch=epoch) == (3,)
    assert store.epoch() == epoch


WRITES: dict[str, Callable[[Store, Stream], Future[Any]]] = {
    "a new token": lambda store, stream: store.add_key(stream.id, DIGEST, "seat", 1),
    "a revoked token": lambda store, stream: store.drop_key(stream.id, DIGEST),
    "the trash": lambda store, stream: store.trash(stream.id),
    "a fact": lambda store, stream: store.set_metadata(stream.id, {"access.visibility": "private"}),
    "a purge": lambda store, stream: store.purge(match(store).id),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_outdating_writes_end_the_epoch(store, write):
    stream = match(store, 1)
    append(store, stream)
    epoch = store.epoch()
    write(store, stream).result()
    assert store.epoch() != epoch
    with pytest.raises(Outdated):
        append(store, stream, epoch=epoch)
    assert store.stream(stream.id).head == 2
    assert append(store, stream, epoch=store.epoch()) == (3,)


def test_repeated_id_is_recognised_at_a_remembered_head(store):
    stream = match(store, 1)
    append(store, stream)
    again = event()
    first = store.append(stream.id, 2, [again]).result()
    repeated = store.append(stream.id, 3, [again]).result()
    assert (repeated.events, repeated.repeated) == (first.events, True)
    with pytest.raises(Usage):
        store.append(stream.id, 3, [event(id=again.id, actor="seat 2")]).result()
    assert store.append(stream.id, 3, events(1)).result().versions == (4,)


def test_shared_id_is_recognised_at_a_fork_head(store):
    parent = match(store, 3)
    shared = store.read(parent.id)[1]
    forked = fork(store, parent, 2)
    append(store, forked)
    again = event(id=shared.id, actor=shared.actor, type=shared.type, data=shared.data.decode())
    assert store.append(forked.id, 3, [again]).result().repeated
    assert len(ids(store, forked)) == 3


def test_sealed_event_is_stored_at_a_remembered_head(store):
    stream = match(store, 1)
    append(store, stream)
    sealed = event(sealed=b"salt and payload")
    assert store.append(stream.id, 2, [sealed], epoch=store.epoch()).result().versions == (3,)
    assert store.read(stream.id, after=2)[0].sealed == sealed.sealed


def test_repeated_event_stores_no_later_summary(store):
    stream, again = match(store), events(1)
    store.append(stream.id, 0, again, summary(1)).result()
    assert store.append(stream.id, 1, again, summary(2)).result().repeated
    kept = (store.summary(stream.id), store.summaries_due())
    assert kept in [(summary(1), []), (None, [store.stream(stream.id)])]
    store.append(stream.id, 1, events(1), summary(2)).result()
    assert (store.summary(stream.id), store.summaries_due()) == (summary(2), [])
