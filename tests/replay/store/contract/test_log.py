"""A stream is created and appended to as a whole, and read back unchanged."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from replay.errors import Stale, UnknownMatch, Usage
from replay.store.hash_chain import event_hash, header_hash
from replay.store.stream_verification import verify_chain
from replay.store.types import Creation, NewEvent, NewStream
from tests.replay.store.streams import event, events, fork, ids, match, new

NOWHERE = 4711


def test_created_stream_is_read_back_unchanged(store):
    first = event('{"to":"é ♟"}', type="moved", actor="seat 2", at=-5, sealed=b"\0salt")
    stream = store.create(new("abcdef", header=b'{"game": "x/1"}'), [first]).result()
    assert (stream.public_id, stream.kind, stream.header) == ("abcdef", "match", b'{"game": "x/1"}')
    assert (stream.parent, stream.subject, stream.trashed) == (None, None, False)
    (stored,) = store.read(stream.id)
    assert stored.version == 1
    for field in ("id", "type", "actor", "at", "data", "sealed"):
        assert getattr(stored, field) == getattr(first, field)


def test_open_event_has_nothing_sealed(store):
    assert store.read(match(store, 1).id)[0].sealed is None


def test_hash_chain_covers_the_header_and_every_event(store):
    stream = match(store, 3)
    before = header_hash(stream.header)
    assert stream.origin == before
    for stored in store.read(stream.id):
        assert stored.hash == event_hash(before, stored)
        before = stored.hash
    assert (stream.head, stream.head_hash) == (3, before)


def test_empty_stream_has_the_hash_of_its_header(store):
    stream = match(store)
    assert (stream.head, stream.head_hash) == (0, header_hash(stream.header))
    assert store.read(stream.id) == []


def test_second_match_with_the_same_id_is_refused(store):
    first = match(store, 1, "abcdef")
    with pytest.raises(Usage, match="abcdef"):
        store.create(new("abcdef"), events(2)).result()
    assert [one.id for one in store.matches()] == [first.id]


@pytest.mark.parametrize(
    "senseless",
    [
        NewStream("", b"{}"),
        NewStream("abcdef", b"\xff"),
        NewStream("\ud800bcd", b"{}"),
        NewStream("abcdef", b"{}", kind="diary"),
        NewStream("abcdef", b"{}", kind="notes"),
        NewStream("abcdef", b"{}", subject=1),
        NewStream("abcdef", b"{}", parent=1),
        NewStream("abcdef", b"{}", fork_version=1),
        NewStream("abcdef", b"{}", kind="notes", subject=1, parent=1, fork_version=1),
    ],
)
def test_senseless_stream_is_refused(store, senseless):
    only = match(store, 1)
    with pytest.raises(Usage):
        store.create(senseless).result()
    assert [one.id for one in store.matches()] == [only.id]


SENSELESS = {
    "short id": {"id": b"short"},
    "no UTF-8": {"data": b"\xff"},
    "half a surrogate pair": {"actor": "\udc80"},
    "no text as type": {"type": "\ud800"},
    "too late": {"at": 2**63},
    "too early": {"at": -(2**63)},
}


@pytest.mark.parametrize("fields", SENSELESS.values(), ids=SENSELESS)
def test_senseless_event_refuses_the_whole_write(store, fields):
    stream = match(store, 1)
    bad = replace(event(), **fields)
    with pytest.raises(Usage):
        store.append(stream.id, 1, [event(), bad]).result()
    with pytest.raises(Usage):
        store.create(new(), [event(), bad]).result()
    assert store.stream(stream.id) == stream
    assert len(list(store.matches())) == 1


@pytest.mark.parametrize(
    ("after", "until", "versions"),
    [
        (0, None, [1, 2, 3, 4]),
        (2, None, [3, 4]),
        (1, 3, [2, 3]),
        (3, 2, []),
        (4, None, []),
        (-9, 1, [1]),
        (0, -1, []),
        (0, 10**30, [1, 2, 3, 4]),
        (10**30, None, []),
    ],
)
def test_slice_has_events_between_two_versions(store, after, until, versions):
    stream = match(store, 4)
    assert [each.version for each in store.read(stream.id, after, until)] == versions


def test_missing_stream_is_an_unknown_match(store):
    for asked in (store.stream, store.read, store.metadata, store.forks, store.keys):
        with pytest.raises(UnknownMatch):
            asked(NOWHERE)
    for write in (
        store.append(NOWHERE, 0, events(1)),
        store.set_metadata(NOWHERE, {"a": "b"}),
        store.add_key(NOWHERE, b"digest", "host", None),
        store.drop_key(NOWHERE, b"digest"),
        store.trash(NOWHERE),
        store.purge(NOWHERE),
        store.create(new(parent=NOWHERE, fork_version=0)),
        store.create(new(kind="notes", subject=NOWHERE)),
    ):
        with pytest.raises(UnknownMatch):
            write.result()


def test_append_returns_versions_and_the_head_hash(store):
    stream = match(store, 2)
    appended = store.append(stream.id, 2, events(2)).result()
    assert appended.versions == (3, 4)
    assert appended.events == tuple(store.read(stream.id, after=2))
    assert not appended.repeated
    now = store.stream(stream.id)
    assert (now.head, now.head_hash) == (4, appended.head_hash)


def test_append_at_any_other_version_is_stale(store):
    stream = match(store, 2)
    for expected in (0, 1, 3, -1, 10**30):
        with pytest.raises(Stale) as stale:
            store.append(stream.id, expected, events(1)).result()
        assert (stale.value.expected, stale.value.current) == (expected, 2)
    assert store.stream(stream.id) == stream


def test_empty_append_stores_no_event(store):
    stream = match(store, 2)
    appended = store.append(stream.id, 2, []).result()
    assert (appended.versions, appended.head_hash) == ((), stream.head_hash)
    with pytest.raises(Stale):
        store.append(stream.id, 1, []).result()


def test_repeated_append_returns_the_first_answer(store):
    stream = match(store, 1)
    said = events(2)
    first = store.append(stream.id, 1, said).result()
    store.append(stream.id, 3, events(1)).result()
    again = store.append(stream.id, 1, said).result()
    assert again == replace(first, repeated=True)
    assert store.stream(stream.id).head == 4


def test_retry_may_have_a_different_time_or_salt(store):
    stream = match(store)
    said = event('{"commitment":"00"}', sealed=b"salt one")
    store.append(stream.id, 0, [said]).result()
    retry = replace(said, at=said.at + 1, data=b'{"commitment":"11"}', sealed=b"salt two")
    assert store.append(stream.id, 0, [retry]).result().repeated
    assert store.read(stream.id)[0].sealed == b"salt one"


def test_reused_ids_of_different_events_are_refused(store):
    stream = match(store)
    one, two, three = events(3)
    store.append(stream.id, 0, [one, two, three]).result()
    for mixed in (
        [one, event()],
        [event(), one],
        [two, one],
        [one, three],
        [replace(one, data=b'{"other":1}')],
        [replace(one, type="resigned")],
        [replace(one, actor="seat 2")],
        [replace(one, sealed=b"now sealed")],
    ):
        with pytest.raises(Usage, match=mixed[-1].id.hex() if len(mixed) == 1 else "already"):
            store.append(stream.id, 3, mixed).result()
    assert store.stream(stream.id).head == 3


def test_duplicate_id_in_an_append_is_refused(store):
    stream = match(store)
    twice = event()
    with pytest.raises(Usage):
        store.append(stream.id, 0, [twice, twice]).result()
    with pytest.raises(Usage):
        store.create(new(), [twice, twice]).result()
    assert store.stream(stream.id).head == 0


def test_two_streams_may_share_an_event_id(store):
    shared = event()
    for stream in (match(store), match(store)):
        assert not store.append(stream.id, 0, [shared]).result().repeated


def test_one_of_many_threads_wins_a_version(store):
    stream = match(store)
    starting = threading.Barrier(8)

    def race(mine: NewEvent) -> bool:
        starting.wait()
        try:
            store.append(stream.id, 0, [mine]).result()
        except Stale:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        won = list(pool.map(race, events(8)))
    assert won.count(True) == 1
    assert store.stream(stream.id).head == 1


def test_fork_shares_events_and_continues_independently(store):
    parent = match(store, 4)
    child = fork(store, parent, 2, 2)
    assert (child.parent, child.fork_version, child.fork_ply) == (parent.id, 2, 2)
    assert child.head == 4
    store.append(parent.id, 4, events(1)).result()
    assert ids(store, child)[:2] == ids(store, parent)[:2]
    assert not set(ids(store, child)[2:]) & set(ids(store, parent))
    assert [each.version for each in store.read(child.id)] == [1, 2, 3, 4]
    assert len(store.read(parent.id)) == 5


def test_fork_chains_on_from_its_last_shared_event(store):
    parent = match(store, 3)
    at_two = store.read(parent.id)[1].hash
    child = fork(store, parent, 2)
    assert child.origin == child.head_hash == header_hash(child.header, at_two)
    first = event()
    appended = store.append(child.id, 2, [first]).result()
    assert appended.versions == (3,)
    assert appended.head_hash == event_hash(child.origin, first)


def test_fork_at_start_chains_on_from_the_header(store):
    parent = match(store, 3)
    child = fork(store, parent, 0, 1)
    assert child.origin == header_hash(child.header, parent.origin)
    assert [each.version for each in store.read(child.id)] == [1]


def test_fork_of_a_fork_may_begin_before_it(store):
    root = match(store, 5)
    child = fork(store, root, 4, 2)
    before, at, beyond = (fork(store, child, version, 1) for version in (2, 4, 5))
    assert ids(store, before)[:-1] == ids(store, root)[:2]
    assert ids(store, at)[:-1] == ids(store, root)[:4]
    assert ids(store, beyond)[:-1] == ids(store, child)[:5]
    assert before.origin == header_hash(before.header, store.read(root.id)[1].hash)
    assert all(verify_chain(store, each.id) is None for each in (before, at, beyond))


def test_deep_fork_reads_like_a_flat_stream(store):
    stream = match(store, 2)
    line = ids(store, stream)
    for _ in range(40):
        child = fork(store, stream, stream.head - 1, 2)
        line = [*line[:-1], *ids(store, child)[-2:]]
        stream = child
    assert ids(store, stream) == line
    assert [each.version for each in store.read(stream.id, 5, 9)] == [6, 7, 8, 9]
    assert ids(store, stream)[5:9] == [each.id for each in store.read(stream.id, 5, 9)]


@pytest.mark.parametrize("version", [-1, 4, 10**30])
def test_fork_beyond_its_parent_is_refused(store, version):
    parent = match(store, 3)
    with pytest.raises(Usage, match=str(version)):
        fork(store, parent, version)


def test_fork_may_append_events_of_its_parent(store):
    shared, later = events(2)
    parent = store.create(new(), [shared, later]).result()
    child = fork(store, parent, 1)
    assert store.append(child.id, 1, [shared]).result().versions == (1,)
    assert not store.append(child.id, 1, [later]).result().repeated
    with pytest.raises(Usage):
        store.create(new(parent=parent.id, fork_version=1), [shared]).result()


def test_notes_are_a_separate_stream(store):
    stream = match(store, 1, "kqzw7m2hx4")
    assert store.notes(stream.id) is None
    notes = store.create(new("kqzw7m2hx4", kind="notes", subject=stream.id), events(1)).result()
    assert store.notes(stream.id) == notes
    assert store.find("kqzw7m2hx4") == stream
    assert list(store.matches()) == [stream]
    assert store.append(notes.id, 1, events(1)).result().versions == (2,)
    assert store.stream(stream.id) == stream


def test_match_is_created_with_its_notes(store):
    said = events(2)
    stream = store.create(new(), events(3), None, said).result()
    notes = store.notes(stream.id)
    assert notes is not None
    assert (notes.kind, notes.subject) == ("notes", stream.id)
    assert ids(store, notes) == [each.id for each in said]
    assert verify_chain(store, notes.id) is None


def test_bad_notes_undo_the_creation_of_their_match(store):
    with pytest.raises(Usage):
        store.create(new("kqzw"), events(1), {"a": "b"}, [event(id=b"short")]).result()
    assert list(store.matches()) == []
    assert match(store, 1, "kqzw").id == 1


def test_match_has_one_stream_of_notes(store):
    stream = match(store)
    notes = store.create(new(kind="notes", subject=stream.id)).result()
    with pytest.raises(Usage):
        store.create(new(kind="notes", subject=stream.id)).result()
    with pytest.raises(Usage):
        store.create(new(kind="notes", subject=notes.id)).result()
    with pytest.raises(Usage):
        store.create(new(kind="notes", subject=stream.id), (), None, events(1)).result()


def test_match_is_created_with_nested_forks(store):
    match(store, 1)
    said = events(1)
    root, child, grandchild, other = store.create_all(
        [
            Creation(new("kqzw"), events(3), {"Seat1": "Blue"}, said),
            Creation(new(fork_version=2, fork_ply=2), events(2), {}, events(1), fork_of=0),
            Creation(new(fork_version=3), events(1), fork_of=1),
            Creation(new()),
        ]
    ).result()
    assert (child.parent, grandchild.parent, other.parent) == (root.id, child.id, None)
    assert [one.id for one in store.forks(root.id)] == [child.id]
    assert ids(store, grandchild)[:3] == ids(store, child)[:3]
    assert store.metadata(root.id) == {"Seat1": "Blue"}
    noted = [store.notes(one.id) is not None for one in (root, child, grandchild)]
    assert noted == [True, True, False]
    for each in (root, child, grandchild, other):
        assert store.stream(each.id) == each
        assert verify_chain(store, each.id) is None


@pytest.mark.parametrize(
    "bad",
    [
        Creation(new(), [event(id=b"short")]),
        Creation(new(fork_version=3), fork_of=0),
        Creation(new(fork_version=1), fork_of=2),
        Creation(new(fork_version=1), fork_of=-1),
        Creation(new(parent=1, fork_version=1), fork_of=0),
        Creation(new(fork_version=1), [], {}, [event(actor="\ud800")], 0),
        Creation(new("kqzw")),
    ],
)
def test_impossible_stream_undoes_the_whole_creation(store, bad):
    only = match(store, 2)
    good = Creation(new("kqzw"), events(2), {"a": "b"}, events(1))
    with pytest.raises(Usage):
        store.create_all([good, Creation(new(fork_version=1), fork_of=0), bad]).result()
    assert list(store.matches()) == [only]
    assert store.notes(only.id) is None
    assert store.create_all([]).result() == []
    assert match(store, 1, "kqzw").id == only.id + 1


def test_private_values_belong_to_their_stream(store):
    first, second, fork_of_first = store.create_all(
        [
            Creation(new(), held={"seed": b"\0one", "salt": b""}),
            Creation(new(), held={"seed": b"two"}),
            Creation(new(fork_version=0), fork_of=0),
        ]
    ).result()
    assert store.private_value(first.id, "seed") == b"\0one"
    assert store.private_value(first.id, "salt") == b""
    assert store.private_value(first.id, "pepper") is None
    assert store.private_value(second.id, "seed") == b"two"
    assert store.private_value(fork_of_first.id, "seed") is None
    assert store.metadata(first.id) == {}
    store.purge(second.id).result()
    with pytest.raises(UnknownMatch):
        store.private_value(second.id, "seed")


def test_private_values_are_undone_with_their_stream(store):
    kept = match(store)
    good = Creation(new("kqzw"), held={"seed": b"one"})
    with pytest.raises(Usage):
        store.create_all([good, Creation(new(kept.public_id))]).result()
    with pytest.raises(Usage, match="Unicode"):
        store.create_all([Creation(new("kqzw"), held={"\ud800": b"one"})]).result()
    assert list(store.matches()) == [kept]
