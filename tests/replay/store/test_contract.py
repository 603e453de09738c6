"""What every store keeps to. A new backend joins `BACKENDS` and passes all of this."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from replay.errors import AmbiguousMatch, Stale, StoreError, UnknownMatch, Usage
from replay.store.hash_chain import event_hash, header_hash
from replay.store.protocol import (
    Creation,
    Fact,
    Hit,
    IndexedLine,
    NewEvent,
    NewStream,
    Store,
    Stream,
    Text,
)
from replay.store.stream_verification import verify_chain
from tests.replay.store.streams import event, events, fork, ids, match, new

NOWHERE = 4711


# Creating and reading


def test_a_created_stream_is_read_back_the_same(store: Store) -> None:
    first = event('{"to":"é ♟"}', type="moved", actor="seat 2", at=-5, sealed=b"\0salt")
    stream = store.create(new("abcdef", header=b'{"game": "x/1"}'), [first]).result()
    assert (stream.public_id, stream.kind, stream.header) == ("abcdef", "match", b'{"game": "x/1"}')
    assert (stream.parent, stream.subject, stream.trashed) == (None, None, False)
    (stored,) = store.read(stream.id)
    assert stored.version == 1
    for field in ("id", "type", "actor", "at", "data", "sealed"):
        assert getattr(stored, field) == getattr(first, field)


def test_an_event_that_is_not_sealed_has_nothing_sealed(store: Store) -> None:
    assert store.read(match(store, 1).id)[0].sealed is None


def test_the_hash_chain_runs_from_the_header_through_every_event(store: Store) -> None:
    stream = match(store, 3)
    before = header_hash(stream.header)
    assert stream.origin == before
    for stored in store.read(stream.id):
        assert stored.hash == event_hash(before, stored)
        before = stored.hash
    assert (stream.head, stream.head_hash) == (3, before)


def test_a_stream_without_events_is_at_version_0_with_the_hash_of_its_header(store: Store) -> None:
    stream = match(store)
    assert (stream.head, stream.head_hash) == (0, header_hash(stream.header))
    assert store.read(stream.id) == []


def test_a_second_match_of_one_id_is_refused_whole(store: Store) -> None:
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
def test_a_senseless_stream_is_refused(store: Store, senseless: NewStream) -> None:
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
def test_a_senseless_event_is_refused_with_the_whole_write(store: Store, fields: dict) -> None:
    stream = match(store, 1)
    bad = replace(event(), **fields)
    with pytest.raises(Usage):
        store.append(stream.id, 1, [event(), bad]).result()
    with pytest.raises(Usage):
        store.create(new(), [event(), bad]).result()
    assert store.stream(stream.id) == stream
    assert len(list(store.matches())) == 1


def test_facts_that_are_no_text_undo_the_creation(store: Store) -> None:
    with pytest.raises(Usage):
        store.create(new(), events(1), {"Seat1": "\udc80"}).result()
    assert list(store.matches()) == []


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
def test_a_slice_of_a_stream_lies_after_one_version_and_up_to_another(
    store: Store, after: int, until: int | None, versions: list[int]
) -> None:
    stream = match(store, 4)
    assert [each.version for each in store.read(stream.id, after, until)] == versions


def test_a_missing_stream_is_an_unknown_match(store: Store) -> None:
    for asked in (store.stream, store.read, store.facts, store.forks, store.keys):
        with pytest.raises(UnknownMatch):
            asked(NOWHERE)
    for write in (
        store.append(NOWHERE, 0, events(1)),
        store.set_facts(NOWHERE, {"a": "b"}),
        store.add_key(NOWHERE, b"digest", "host", None),
        store.drop_key(NOWHERE, b"digest"),
        store.trash(NOWHERE),
        store.purge(NOWHERE),
        store.create(new(parent=NOWHERE, fork_version=0)),
        store.create(new(kind="notes", subject=NOWHERE)),
    ):
        with pytest.raises(UnknownMatch):
            write.result()


# Appending


def test_an_append_answers_versions_and_the_hash_of_the_head(store: Store) -> None:
    stream = match(store, 2)
    appended = store.append(stream.id, 2, events(2)).result()
    assert appended.versions == (3, 4)
    assert appended.events == tuple(store.read(stream.id, after=2))
    assert not appended.repeated
    now = store.stream(stream.id)
    assert (now.head, now.head_hash) == (4, appended.head_hash)


def test_an_append_at_another_version_is_stale_and_stores_nothing(store: Store) -> None:
    stream = match(store, 2)
    for expected in (0, 1, 3, -1, 10**30):
        with pytest.raises(Stale) as stale:
            store.append(stream.id, expected, events(1)).result()
        assert (stale.value.expected, stale.value.current) == (expected, 2)
    assert store.stream(stream.id) == stream


def test_an_append_of_nothing_stores_nothing(store: Store) -> None:
    stream = match(store, 2)
    appended = store.append(stream.id, 2, []).result()
    assert (appended.versions, appended.head_hash) == ((), stream.head_hash)
    with pytest.raises(Stale):
        store.append(stream.id, 1, []).result()


def test_an_append_said_twice_is_answered_as_the_first_time(store: Store) -> None:
    stream = match(store, 1)
    said = events(2)
    first = store.append(stream.id, 1, said).result()
    store.append(stream.id, 3, events(1)).result()
    again = store.append(stream.id, 1, said).result()
    assert again == replace(first, repeated=True)
    assert store.stream(stream.id).head == 4


def test_a_retry_may_be_stamped_with_another_time_or_salt(store: Store) -> None:
    stream = match(store)
    said = event('{"commitment":"00"}', sealed=b"salt one")
    store.append(stream.id, 0, [said]).result()
    retry = replace(said, at=said.at + 1, data=b'{"commitment":"11"}', sealed=b"salt two")
    assert store.append(stream.id, 0, [retry]).result().repeated
    assert store.read(stream.id)[0].sealed == b"salt one"


def test_ids_that_belong_to_other_events_are_refused(store: Store) -> None:
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


def test_one_id_twice_in_an_append_is_refused(store: Store) -> None:
    stream = match(store)
    twice = event()
    with pytest.raises(Usage):
        store.append(stream.id, 0, [twice, twice]).result()
    with pytest.raises(Usage):
        store.create(new(), [twice, twice]).result()
    assert store.stream(stream.id).head == 0


def test_other_streams_may_have_an_event_of_the_same_id(store: Store) -> None:
    shared = event()
    for stream in (match(store), match(store)):
        assert not store.append(stream.id, 0, [shared]).result().repeated


def test_one_of_many_threads_wins_a_version(store: Store) -> None:
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


# Forks


def test_a_fork_reads_what_it_shares_and_goes_on_by_itself(store: Store) -> None:
    parent = match(store, 4)
    child = fork(store, parent, 2, 2)
    assert (child.parent, child.fork_version, child.fork_ply) == (parent.id, 2, 2)
    assert child.head == 4
    store.append(parent.id, 4, events(1)).result()
    assert ids(store, child)[:2] == ids(store, parent)[:2]
    assert not set(ids(store, child)[2:]) & set(ids(store, parent))
    assert [each.version for each in store.read(child.id)] == [1, 2, 3, 4]
    assert len(store.read(parent.id)) == 5


def test_a_fork_chains_on_from_the_last_event_it_shares(store: Store) -> None:
    parent = match(store, 3)
    at_two = store.read(parent.id)[1].hash
    child = fork(store, parent, 2)
    assert child.origin == child.head_hash == header_hash(child.header, at_two)
    first = event()
    appended = store.append(child.id, 2, [first]).result()
    assert appended.versions == (3,)
    assert appended.head_hash == event_hash(child.origin, first)


def test_a_fork_that_shares_nothing_chains_on_from_its_parents_header(store: Store) -> None:
    parent = match(store, 3)
    child = fork(store, parent, 0, 1)
    assert child.origin == header_hash(child.header, parent.origin)
    assert [each.version for each in store.read(child.id)] == [1]


def test_a_fork_of_a_fork_may_leave_before_its_parent_did(store: Store) -> None:
    root = match(store, 5)
    child = fork(store, root, 4, 2)
    before, at, beyond = (fork(store, child, version, 1) for version in (2, 4, 5))
    assert ids(store, before)[:-1] == ids(store, root)[:2]
    assert ids(store, at)[:-1] == ids(store, root)[:4]
    assert ids(store, beyond)[:-1] == ids(store, child)[:5]
    assert before.origin == header_hash(before.header, store.read(root.id)[1].hash)
    assert all(verify_chain(store, each.id) is None for each in (before, at, beyond))


def test_a_deep_fork_reads_like_a_flat_stream(store: Store) -> None:
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
def test_a_fork_beyond_its_parent_is_refused(store: Store, version: int) -> None:
    parent = match(store, 3)
    with pytest.raises(Usage, match=str(version)):
        fork(store, parent, version)


def test_events_shared_with_the_parent_are_there_already(store: Store) -> None:
    shared, later = events(2)
    parent = store.create(new(), [shared, later]).result()
    child = fork(store, parent, 1)
    assert store.append(child.id, 1, [shared]).result().versions == (1,)
    assert not store.append(child.id, 1, [later]).result().repeated
    with pytest.raises(Usage):
        store.create(new(parent=parent.id, fork_version=1), [shared]).result()


# Finding


def test_a_match_is_found_by_its_id_and_by_its_beginning(store: Store) -> None:
    stream = match(store, 1, "kqzw7m2hx4")
    match(store, 1, "kqzx000000")
    for public_id in ("kqzw7m2hx4", "kqzw", "kqzw7m2"):
        assert store.find(public_id) == stream


def test_three_characters_are_too_few_unless_they_are_the_id(store: Store) -> None:
    match(store, 0, "kqzw7m2hx4")
    with pytest.raises(UnknownMatch, match="at least 4"):
        store.find("kqz")
    short = match(store, 0, "abc")
    assert store.find("abc") == short


def test_a_beginning_of_several_ids_is_ambiguous_and_names_them(store: Store) -> None:
    match(store, 0, "kqzw1")
    match(store, 0, "kqzw2")
    with pytest.raises(AmbiguousMatch, match=r"kqzw1, kqzw2$"):
        store.find("kqzw")
    for number in range(3, 9):
        match(store, 0, f"kqzw{number}")
    with pytest.raises(AmbiguousMatch, match="…"):
        store.find("kqzw")


def test_an_id_that_begins_another_is_still_found(store: Store) -> None:
    stream = match(store, 0, "kqzw")
    match(store, 0, "kqzw2")
    assert store.find("kqzw") == stream


@pytest.mark.parametrize("wrong", ["nope", "kqz_", "kqz%", "KQZW", "kqzw7m2hx4x", "\udcff" * 4, ""])
def test_other_texts_find_no_match(store: Store, wrong: str) -> None:
    match(store, 0, "kqzw7m2hx4")
    with pytest.raises(UnknownMatch):
        store.find(wrong)


def test_a_match_in_the_trash_is_found_too(store: Store) -> None:
    stream = match(store, 0, "kqzw7m2hx4")
    store.trash(stream.id).result()
    assert store.find("kqzw").trashed


def test_matches_come_newest_first_without_those_in_the_trash(store: Store) -> None:
    streams = [each.result() for each in [store.create(new()) for _ in range(250)]]
    store.trash(streams[100].id).result()
    kept = [one.id for one in reversed(streams) if one is not streams[100]]
    assert [one.id for one in store.matches()] == kept
    assert [one.id for one in store.matches(trashed=True)] == [streams[100].id]
    store.trash(streams[100].id, trashed=False).result()
    assert len(list(store.matches())) == 250
    assert list(store.matches(trashed=True)) == []


# Notes


def test_matches_before_one_are_a_page_that_stays_while_others_are_added(store: Store) -> None:
    older = [match(store) for _ in range(3)]
    store.trash(older[1].id).result()
    match(store)
    before = older[2].id
    assert [each.id for each in store.matches(before=before)] == [older[0].id]
    assert [each.id for each in store.matches(before=before, trashed=True)] == [older[1].id]
    assert not list(store.matches(before=older[0].id))


def test_matches_having_a_fact_are_told_apart_by_its_value(store: Store) -> None:
    shown = [match(store) for _ in range(3)]
    hidden, plain = match(store), match(store)
    for each in shown:
        store.set_facts(each.id, {"seen": "yes", "other": "no"}).result()
    store.set_facts(hidden.id, {"seen": "no"}).result()
    store.trash(shown[2].id).result()
    fact = Fact("seen", "yes")
    assert [each.id for each in store.matches(having=fact)] == [shown[1].id, shown[0].id]
    assert [each.id for each in store.matches(having=fact, before=shown[1].id)] == [shown[0].id]
    assert [each.id for each in store.matches(having=fact, trashed=True)] == [shown[2].id]
    store.set_facts(shown[0].id, {"seen": None}).result()
    store.set_facts(plain.id, fact_of(fact)).result()
    assert [each.id for each in store.matches(having=fact)] == [plain.id, shown[1].id]


def test_many_matches_having_a_fact_are_read_page_by_page(store: Store) -> None:
    fact = Fact("seen", "yes")
    made = [store.create(new(), (), fact_of(fact)).result().id for _ in range(230)]
    assert [each.id for each in store.matches(having=fact)] == made[::-1]


def fact_of(fact: Fact) -> dict[str, str]:
    return {fact.name: fact.value}


def test_notes_are_a_stream_of_their_own_beside_the_match(store: Store) -> None:
    stream = match(store, 1, "kqzw7m2hx4")
    assert store.notes(stream.id) is None
    notes = store.create(new("kqzw7m2hx4", kind="notes", subject=stream.id), events(1)).result()
    assert store.notes(stream.id) == notes
    assert store.find("kqzw7m2hx4") == stream
    assert list(store.matches()) == [stream]
    assert store.append(notes.id, 1, events(1)).result().versions == (2,)
    assert store.stream(stream.id) == stream


def test_a_match_can_be_created_together_with_its_notes(store: Store) -> None:
    said = events(2)
    stream = store.create(new(), events(3), None, said).result()
    notes = store.notes(stream.id)
    assert notes is not None
    assert (notes.kind, notes.subject) == ("notes", stream.id)
    assert ids(store, notes) == [each.id for each in said]
    assert verify_chain(store, notes.id) is None


def test_bad_notes_undo_the_creation_of_their_match(store: Store) -> None:
    with pytest.raises(Usage):
        store.create(new("kqzw"), events(1), {"a": "b"}, [event(id=b"short")]).result()
    assert list(store.matches()) == []
    assert match(store, 1, "kqzw").id == 1


def test_a_match_has_one_stream_of_notes_and_notes_have_none(store: Store) -> None:
    stream = match(store)
    notes = store.create(new(kind="notes", subject=stream.id)).result()
    with pytest.raises(Usage):
        store.create(new(kind="notes", subject=stream.id)).result()
    with pytest.raises(Usage):
        store.create(new(kind="notes", subject=notes.id)).result()
    with pytest.raises(Usage):
        store.create(new(kind="notes", subject=stream.id), (), None, events(1)).result()


# What can be changed: facts, keys, the trash


def test_facts_keep_their_order_and_can_be_changed_and_erased(store: Store) -> None:
    stream = store.create(new(), (), {"Seat2": "Grün", "Seat1": "Blue", "Site": "Kitchen"}).result()
    store.set_facts(stream.id, {"Seat1": "Gold", "Seat2": None, "Round": "1"}).result()
    store.set_facts(stream.id, {"Seat2": "Grün", "Nothing": None}).result()
    expected = [("Seat1", "Gold"), ("Site", "Kitchen"), ("Round", "1"), ("Seat2", "Grün")]
    assert list(store.facts(stream.id).items()) == expected


def test_facts_are_outside_the_hash_chain(store: Store) -> None:
    stream = match(store, 1)
    store.set_facts(stream.id, {"Seat1": "Blue"}).result()
    assert store.stream(stream.id) == stream
    assert store.facts(match(store).id) == {}


def test_facts_that_are_no_text_change_nothing(store: Store) -> None:
    stream = match(store)
    with pytest.raises(Usage):
        store.set_facts(stream.id, {"Seat1": "Blue", "Seat2": "\udc80"}).result()
    assert store.facts(stream.id) == {}


def test_a_key_opens_its_own_match_only(store: Store) -> None:
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


def test_keys_are_listed_and_a_dropped_one_opens_nothing(store: Store) -> None:
    one, other = match(store), match(store)
    store.add_key(one.id, b"digest", "seat", 2).result()
    store.add_key(one.id, b"host", "host", None).result()
    store.add_key(other.id, b"digest", "host", None).result()
    store.drop_key(one.id, b"digest").result()
    store.drop_key(one.id, b"never there").result()
    assert store.keys(one.id) == [(b"host", "host", None)]
    assert store.key(one.id, b"digest") is None
    assert store.key(other.id, b"digest") == ("host", None)


def test_a_key_tells_the_matches_it_opens_oldest_first(store: Store) -> None:
    first, second, third = match(store), match(store), match(store)
    for stream, digest in ((second, b"1" * 32), (first, b"1" * 32), (third, b"2" * 32)):
        store.add_key(stream.id, digest, "host", None).result()
    assert [each.id for each in store.matches_for_token(b"1" * 32)] == [first.id, second.id]
    assert store.matches_for_token(b"3" * 32) == []
    store.drop_key(first.id, b"1" * 32).result()
    store.purge(second.id).result()
    assert store.matches_for_token(b"1" * 32) == []


def test_purging_removes_a_match_and_its_notes(store: Store) -> None:
    kept = match(store, 2)
    notes_too = events(1)
    gone = store.create(new("kqzw"), [event(sealed=b"x")], {"Seat1": "Blue"}, notes_too).result()
    notes = store.notes(gone.id)
    assert notes is not None
    store.add_key(gone.id, b"digest", "host", None).result()
    store.purge(gone.id).result()
    for stream in (gone.id, notes.id):
        with pytest.raises(UnknownMatch):
            store.stream(stream)
        with pytest.raises(UnknownMatch):
            store.read(stream)
    assert store.notes(gone.id) is None
    assert store.key(gone.id, b"digest") is None
    assert verify_chain(store, kept.id) is None
    assert match(store, 1, "kqzw").id > notes.id, "a number is never used again"


def test_forks_are_listed_with_what_they_left_oldest_first_and_those_in_the_trash(
    store: Store,
) -> None:
    parent = match(store, 2)
    assert store.forks(parent.id) == []
    first, second = fork(store, parent, 2), fork(store, parent, 0)
    grandchild = fork(store, first, 1)
    store.trash(first.id).result()
    assert [one.id for one in store.forks(parent.id)] == [first.id, second.id]
    assert store.forks(first.id) == [grandchild]
    store.purge(second.id).result()
    assert [one.id for one in store.forks(parent.id)] == [first.id]


def test_a_match_is_created_together_with_its_forks_and_theirs(store: Store) -> None:
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
    assert store.facts(root.id) == {"Seat1": "Blue"}
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
def test_one_stream_that_cannot_be_undoes_those_created_with_it(
    store: Store, bad: Creation
) -> None:
    only = match(store, 2)
    good = Creation(new("kqzw"), events(2), {"a": "b"}, events(1))
    with pytest.raises(Usage):
        store.create_all([good, Creation(new(fork_version=1), fork_of=0), bad]).result()
    assert list(store.matches()) == [only]
    assert store.notes(only.id) is None
    assert store.create_all([]).result() == []
    assert match(store, 1, "kqzw").id == only.id + 1


def test_private_values_are_kept_by_stream_and_name_and_gone_with_the_match(store: Store) -> None:
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
    assert store.facts(first.id) == {}
    store.purge(second.id).result()
    with pytest.raises(UnknownMatch):
        store.private_value(second.id, "seed")


def test_a_match_created_with_capabilities_is_opened_by_them(store: Store) -> None:
    keys = [(b"host" * 8, "host", None), (b"seat" * 8, "seat", 2)]
    first, fork_of_first = store.create_all(
        [Creation(new(), keys=keys), Creation(new(fork_version=0), fork_of=0, keys=keys[1:])]
    ).result()
    assert sorted(store.keys(first.id)) == keys
    assert store.key(fork_of_first.id, b"seat" * 8) == ("seat", 2)
    assert store.key(fork_of_first.id, b"host" * 8) is None
    assert store.matches_for_token(b"seat" * 8) == [first, fork_of_first]


def test_capabilities_are_undone_with_the_stream_they_came_with(store: Store) -> None:
    kept = match(store)
    good = Creation(new("kqzw"), keys=[(b"host" * 8, "host", None)])
    with pytest.raises(Usage):
        store.create_all([good, Creation(new(kept.public_id))]).result()
    assert store.matches_for_token(b"host" * 8) == []


def test_private_values_are_undone_with_the_stream_they_came_with(store: Store) -> None:
    kept = match(store)
    good = Creation(new("kqzw"), held={"seed": b"one"})
    with pytest.raises(Usage):
        store.create_all([good, Creation(new(kept.public_id))]).result()
    with pytest.raises(Usage, match="Unicode"):
        store.create_all([Creation(new("kqzw"), held={"\ud800": b"one"})]).result()
    assert list(store.matches()) == [kept]


def test_a_match_is_not_purged_while_a_fork_needs_it(store: Store) -> None:
    parent = match(store, 2)
    child = fork(store, parent, 1, 1)
    with pytest.raises(Usage, match=child.public_id):
        store.purge(parent.id).result()
    assert len(store.read(child.id)) == 2
    store.purge(child.id).result()
    store.purge(parent.id).result()
    assert list(store.matches()) == []


# Searching


def found(store: Store, query: str, limit: int = 100) -> list[tuple[str, str]]:
    return [(hit.stream.public_id, hit.text.text) for hit in store.search(query, limit)]


def index(store: Store, stream: Stream, *texts: str) -> None:
    entries = [Text("comment", str(number), text) for number, text in enumerate(texts)]
    notes = store.notes(stream.id)
    facts = store.facts(stream.id)
    store.index(stream.id, entries, notes.head if notes else 0, facts).result()


def test_a_match_is_found_by_words_that_begin_so_whatever_their_case_and_accents(
    store: Store,
) -> None:
    stream = match(store, 1, "kqzw")
    said = "The Kick-back of Grün's large: ça va, straße $5"
    index(store, stream, said, "another")
    for query in (
        "kick",
        "KICK back",
        "grun",
        "Grün",
        "ca",
        "strasse",
        "back kick",
        "'5'",
        "large",
    ):
        assert found(store, query) == [("kqzw", said)], query
    for query in (
        "ick",
        "kickback",
        "kick another",
        "",
        "!?",
        "\0",
        '"',
        "kick* NOT large",
        "\ud800",
    ):
        assert found(store, query) == [], query


def test_a_hit_names_the_match_and_what_the_text_is(store: Store) -> None:
    stream = match(store)
    store.index(stream.id, [Text("player", "Seat1", "Blue")], 0, {}).result()
    (hit,) = store.search("blue", 1)
    assert hit == Hit(store.stream(stream.id), Text("player", "Seat1", "Blue"))


def test_hits_come_newest_match_first_and_so_many_at_most(store: Store) -> None:
    for name in ("first", "second"):
        index(store, match(store, 0, name), "one word", "two words")
    everything = [
        (name, text) for name in ("second", "first") for text in ("one word", "two words")
    ]
    assert found(store, "wor") == everything
    assert found(store, "wor", 3) == everything[:3]
    assert found(store, "wor", 0) == found(store, "wor", -1) == []


def test_hits_before_a_match_go_on_where_a_page_ended(store: Store) -> None:
    made = [match(store) for _ in range(3)]
    for each in made:
        texts = [Text("comment", str(n), "good") for n in range(2)]
        store.index(each.id, texts, 0, {}).result()
    hits = store.search("good", 9, before=made[2].id)
    assert [hit.stream.id for hit in hits] == [made[1].id] * 2 + [made[0].id] * 2
    assert store.search("good", 9, before=made[0].id) == []


def test_the_texts_of_a_match_are_replaced(store: Store) -> None:
    stream, other = match(store, 0, "kqzw"), match(store, 0, "abcd")
    index(store, stream, "old words")
    index(store, other, "other words")
    index(store, stream, "new words")
    assert found(store, "words") == [("abcd", "other words"), ("kqzw", "new words")]
    assert found(store, "old") == []


def test_a_match_is_outdated_until_it_is_indexed_and_again_with_new_notes_or_facts(
    store: Store,
) -> None:
    stream = match(store, 1, "kqzw")
    other = match(store, 1, "abcd")
    assert store.matches_to_index() == [stream, other]
    index(store, stream)
    index(store, other)
    assert store.matches_to_index() == []
    notes = store.create(new("kqzw", kind="notes", subject=stream.id), events(1)).result()
    assert store.matches_to_index() == [stream]
    index(store, stream, "a note")
    store.append(notes.id, 1, events(1)).result()
    assert store.matches_to_index() == [stream]
    index(store, stream, "a note")
    store.append(stream.id, 1, events(1)).result()
    assert store.matches_to_index() == [], "moves are not searched"
    store.set_facts(stream.id, {"Seat1": "Blue"}).result()
    assert [one.id for one in store.matches_to_index()] == [stream.id]
    store.forget_texts().result()
    assert [one.id for one in store.matches_to_index()] == [stream.id, other.id]


def test_a_name_that_is_erased_cannot_be_found_any_more(store: Store) -> None:
    stream = store.create(new(), (), {"Seat1": "Blue"}).result()
    store.index(stream.id, [Text("player", "Seat1", "Blue")], 0, {"Seat1": "Blue"}).result()
    assert len(store.search("blue", 9)) == 1
    store.set_facts(stream.id, {"Seat1": None}).result()
    assert store.search("blue", 9) == []
    late = store.index(stream.id, [Text("player", "Seat1", "Blue")], 0, {"Seat1": "Blue"})
    late.result()
    assert store.search("blue", 9) == [], "an index made from what was there before is not taken"
    assert [one.id for one in store.matches_to_index()] == [stream.id]


def test_the_trash_is_not_searched_and_what_is_purged_is_gone(store: Store) -> None:
    stream = match(store, 0, "kqzw")
    index(store, stream, "words")
    store.trash(stream.id).result()
    assert found(store, "words") == []
    store.trash(stream.id, False).result()
    assert found(store, "words") == [("kqzw", "words")]
    store.purge(stream.id).result()
    assert found(store, "words") == []


def test_texts_that_are_none_are_refused_and_so_is_a_match_that_is_not_there(store: Store) -> None:
    stream = match(store, 0, "kqzw")
    index(store, stream, "words")
    with pytest.raises(Usage):
        index(store, stream, "other words", "\udc80")
    assert found(store, "words") == [("kqzw", "words")]
    with pytest.raises(UnknownMatch):
        store.index(NOWHERE, (), 0, {}).result()


# Verifying and closing


def test_a_sound_stream_verifies(store: Store) -> None:
    root = match(store, 5)
    empty = match(store)
    child = fork(store, root, 3, 2)
    at_nothing = fork(store, child, 0, 1)
    for stream in (root, empty, child, at_nothing, fork(store, at_nothing, 0)):
        assert verify_chain(store, stream.id) is None
    with pytest.raises(UnknownMatch):
        verify_chain(store, NOWHERE)


def test_an_append_while_verifying_is_no_fault(store: Store) -> None:
    stream = match(store, 2)

    class Busy:
        """The store, with an append between any two looks at it."""

        def stream(self, number: int) -> object:
            found = store.stream(number)
            store.append(stream.id, found.head, events(1)).result()
            return found

        read = staticmethod(store.read)

    assert verify_chain(Busy(), stream.id) is None


def test_closing_answers_what_is_queued_and_refuses_the_rest(store: Store) -> None:
    stream = match(store)
    queued = [store.append(stream.id, version, events(1)) for version in range(50)]
    store.close()
    assert [each.result(0).versions for each in queued] == [(version,) for version in range(1, 51)]
    with pytest.raises(StoreError, match="closed"):
        store.append(stream.id, 50, events(1)).result(0)
    for look in (
        lambda: store.stream(stream.id),
        lambda: store.read(stream.id),
        lambda: list(store.matches()),
        lambda: store.find(stream.public_id),
        lambda: store.notes(stream.id),
        lambda: store.forks(stream.id),
        lambda: store.facts(stream.id),
        lambda: store.key(stream.id, b"digest"),
        lambda: store.matches_to_index(),
        lambda: store.search("word", 1),
        lambda: store.index(stream.id, (), 0, {}).result(0),
    ):
        with pytest.raises(StoreError, match="closed"):
            look()
    store.close()


# Purging with forks


def test_a_purge_takes_the_forks_it_is_told_to(store: Store) -> None:
    parent = match(store, 2)
    child = fork(store, parent, 1, 1)
    grandchild = fork(store, child, 2, 1)
    store.purge(parent.id, taking=[grandchild.id, child.id]).result()
    assert [*store.matches(), *store.matches(trashed=True)] == []


def test_a_fork_that_stays_reads_and_verifies_as_before(store: Store) -> None:
    parent = store.create(new(), [event(sealed=b"x"), event(), event()], {"a": "1", "b": "2"})
    parent = parent.result()
    noted = store.create(NewStream(parent.public_id, b"{}", "notes", parent.id), events(2)).result()
    middle = fork(store, parent, 2, 2)
    kept = fork(store, middle, 3, 1)
    before = store.read(kept.id)
    store.purge(parent.id, taking=[middle.id], leaving=[kept.id], facts=["b"]).result()
    assert store.read(kept.id) == before
    assert store.stream(kept.id) == kept
    assert verify_chain(store, kept.id) is None
    for gone in (parent, middle):
        carrier = store.stream(gone.id)
        assert carrier.is_carrier
        assert (carrier.header, carrier.origin) == (gone.header, gone.origin)
        assert store.notes(gone.id) is None
        with pytest.raises(UnknownMatch):
            store.find(gone.public_id)
        with pytest.raises(UnknownMatch):
            store.find(carrier.public_id.ljust(4, "~"))
    assert [len(store.read(each.id)) for each in (parent, middle)] == [2, 3]
    assert store.facts(parent.id) == {"b": "2"}
    with pytest.raises(UnknownMatch):
        store.stream(noted.id)
    assert list(store.matches()) == [kept]
    assert list(store.matches(trashed=True)) == []
    assert [one.id for one in store.matches_to_index()] == [kept.id]
    assert [one.id for one in store.unindexed_matches()] == [kept.id]


def test_a_purged_match_that_carries_forks_refuses_writes(store: Store) -> None:
    parent = match(store, 2)
    kept = fork(store, parent, 2, 1)
    store.purge(parent.id, leaving=[kept.id]).result()
    for write in (
        lambda: store.append(parent.id, 2, events(1)),
        lambda: store.set_facts(parent.id, {"Seat1": "Jet"}),
        lambda: store.add_key(parent.id, b"d", "host", None),
        lambda: store.trash(parent.id, False),
        lambda: store.index(parent.id, [], 0, {}),
        lambda: store.index_match(parent.id, 2, IndexedLine("x/1", "match", 0, 0, "*", ""), []),
        lambda: store.create(new(parent=parent.id, fork_version=1, fork_ply=1)),
        lambda: store.create(NewStream("n", b"{}", "notes", parent.id)),
        lambda: store.purge(parent.id),
    ):
        with pytest.raises(UnknownMatch):
            write().result()
    with pytest.raises(Usage, match="begins with ~"):
        store.create(new("~abc")).result()
    assert verify_chain(store, kept.id) is None


def test_a_carrier_shrinks_with_its_forks_and_goes_with_the_last(store: Store) -> None:
    parent = match(store, 5)
    long, short = fork(store, parent, 4, 1), fork(store, parent, 2, 1)
    store.purge(parent.id, leaving=[long.id, short.id]).result()
    assert len(store.read(parent.id)) == 4
    store.purge(long.id).result()
    assert len(store.read(parent.id)) == 2
    assert verify_chain(store, short.id) is None
    again = match(store, 1, parent.public_id)
    store.purge(short.id).result()
    with pytest.raises(UnknownMatch):
        store.stream(parent.id)
    assert list(store.matches()) == [again]


def test_a_fork_nobody_spoke_of_stops_a_purge_as_a_whole(store: Store) -> None:
    parent = match(store, 2)
    child, other = fork(store, parent, 1, 1), fork(store, parent, 1, 1)
    with pytest.raises(Usage, match=other.public_id):
        store.purge(parent.id, taking=[child.id]).result()
    assert len(store.read(child.id)) == 2
