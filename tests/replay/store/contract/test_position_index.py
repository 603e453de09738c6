"""Every store indexes the moves of matches by position, and counts them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from replay.errors import UnknownMatch
from replay.store.sql.position_index import are_counts_right, uncount_all
from replay.store.sql.store import Store
from replay.store.types import IndexedMatch, IndexedStep, MetadataItem, MoveCount, NotEqual, Stream
from tests.replay.store.streams import events, fork, match, summary

HERE = b"a position"
ELSEWHERE = b"another"


def survey(
    store: Store,
    stream: Stream,
    moves: Sequence[tuple[int, str]],
    result: str = "+1",
    kind: str = "match",
    key: bytes = HERE,
) -> None:
    """Index a line in which these moves, by version, were made in one position."""
    steps = [IndexedStep(version, key, 1, token) for version, token in moves]
    store.summarise(stream.id, summary(stream.head, result, kind=kind)).result()
    store.index_match(stream.id, IndexedMatch(stream.head, steps)).result()


CLOSED = NotEqual("access.visibility", ("unlisted", "public"))


def counted(
    store: Store, key: bytes = HERE, without: NotEqual | None = None
) -> dict[tuple[str, str], int]:
    """Return the count of each token with each result, kept or not."""
    found = store.move_counts(key, without)
    store.count_position(key).result()
    assert store.move_counts(key, without) == found
    assert store._query(are_counts_right)
    store._writer.submit(uncount_all).result()
    return {(seen.text, seen.result): seen.lines for seen in found}


def test_grown_match_is_due_for_indexing(store):
    first, second = match(store, 2), match(store)
    assert store.positions_due() == [first, second]
    for each in (first, second):
        survey(store, each, [])
    assert store.positions_due() == []
    store.append(first.id, 2, events(1)).result()
    assert [each.id for each in store.positions_due()] == [first.id]
    survey(store, store.stream(first.id), [])
    assert store.positions_due() == []
    store.forget_index().result()
    assert [each.id for each in store.positions_due()] == [first.id, second.id]


def test_index_of_an_older_version_stays_due(store):
    read = match(store, 1)
    store.append(read.id, 1, events(1)).result()
    survey(store, read, [(1, "a")])
    assert [each.id for each in store.positions_due()] == [read.id]


def test_moves_beyond_a_version_are_replaced(store):
    stream = match(store, 3)
    steps = [IndexedStep(version, HERE, 1, "é") for version in (1, 2, 3)]
    store.index_match(stream.id, IndexedMatch(2, steps[:2])).result()
    other = IndexedStep(2, ELSEWHERE, 2, "z")
    store.index_match(stream.id, IndexedMatch(3, [other, steps[2]]), after=1).result()
    assert store.indexed_match(stream.id) == IndexedMatch(3, [steps[0], other, steps[2]])
    assert store.positions_due() == []


def test_match_without_a_summary_does_not_count(store):
    stream = match(store, 1)
    store.index_match(stream.id, IndexedMatch(1, [IndexedStep(1, HERE, 1, "a")])).result()
    assert store.move_counts(HERE) == []
    store.summarise(stream.id, summary(1, "+1")).result()
    assert counted(store) == {("a", "+1"): 1}


def test_moves_are_counted_by_position_and_result(store):
    for result in ("+1", "+1", "+2"):
        survey(store, match(store, 1), [(1, "a")], result)
    survey(store, match(store, 1), [(1, "a")], "*", "variation")
    survey(store, match(store, 1), [(1, "b")], key=ELSEWHERE)
    assert store.move_counts(HERE) == [
        MoveCount(1, "a", "match", "+1", 2),
        MoveCount(1, "a", "match", "+2", 1),
        MoveCount(1, "a", "variation", "*", 1),
    ]
    assert store.move_counts(ELSEWHERE) == [MoveCount(1, "b", "match", "+1", 1)]
    assert store.move_counts(b"nowhere") == []


def test_moves_of_a_player_are_those_of_their_seat_in_some_matches(store):
    played = [match(store, 2) for _ in range(4)]
    child = fork(store, played[0], 2)
    for stream, seat in zip((*played, child), (1, 1, 2, 1, 1), strict=True):
        store.set_metadata(stream.id, {f"Seat{seat}": "Ben"}).result()
        survey(store, stream, [(1, "a"), (2, "b")] if stream is played[1] else [(1, "a")])
    those = [stream.id for stream in (*played[:3], child)]
    assert store.move_counts_of(HERE, "BEN", those) == [
        MoveCount(1, "a", "match", "+1", 2),
        MoveCount(1, "b", "match", "+1", 1),
    ]
    assert store.move_counts_of(HERE, "Ben", []) == store.move_counts_of(HERE, "Be", those) == []
    store.set_metadata(played[1].id, {"Seat1": None}).result()
    assert store.move_counts_of(HERE, "Ben", those) == [MoveCount(1, "a", "match", "+1", 1)]


def test_line_counts_a_repeated_move_once(store):
    survey(store, match(store, 5), [(1, "a"), (3, "a"), (5, "b")])
    assert counted(store) == {("a", "+1"): 1, ("b", "+1"): 1}


def test_shared_moves_count_for_the_parent(store):
    parent = match(store, 3)
    child = fork(store, parent, 2, 1)
    grandchild = fork(store, child, 3, 1)
    survey(store, grandchild, [(1, "a"), (2, "b"), (3, "d"), (4, "e")], "*")
    survey(store, child, [(1, "a"), (2, "b"), (3, "d")], "+2")
    survey(store, parent, [(1, "a"), (2, "b"), (3, "c")], "+1")
    assert counted(store) == {
        ("a", "+1"): 1,
        ("b", "+1"): 1,
        ("c", "+1"): 1,
        ("d", "+2"): 1,
        ("e", "*"): 1,
    }


def test_moves_taken_back_count_for_their_forks(store):
    parent = match(store, 3)
    older, younger = fork(store, parent, 2), fork(store, parent, 2)
    survey(store, parent, [(1, "a")], "+1")
    survey(store, older, [(1, "a"), (2, "b")], "+2")
    survey(store, younger, [(1, "a"), (2, "b")], "*")
    assert counted(store) == {("a", "+1"): 1, ("b", "+2"): 1}


def test_shared_move_counts_in_both_positions(store):
    parent = match(store, 3)
    forked = fork(store, parent, 2)
    survey(store, parent, [(2, "b")], key=ELSEWHERE)
    survey(store, forked, [(2, "b")], "+2")
    assert counted(store) == {("b", "+2"): 1}
    assert counted(store, ELSEWHERE) == {("b", "+1"): 1}


def test_indexing_replaces_the_whole_line(store):
    stream = match(store, 2)
    survey(store, stream, [(1, "a"), (2, "b")])
    survey(store, stream, [(1, "c")], "=")
    assert counted(store) == {("c", "="): 1}


GONE: dict[str, Callable[[Store, Stream], object]] = {
    "trash": lambda store, stream: store.trash(stream.id).result(),
    "purge": lambda store, stream: store.purge(stream.id).result(),
}


@pytest.mark.parametrize("how", GONE)
def test_deleted_matches_do_not_count(store, how):
    kept, gone = match(store, 1), match(store, 1)
    for stream in (kept, gone):
        survey(store, stream, [(1, "a")])
    GONE[how](store, gone)
    assert counted(store) == {("a", "+1"): 1}
    assert store.positions_due() == []


def test_fork_of_a_trashed_match_counts_shared_moves(store):
    parent = match(store, 2)
    forked = fork(store, parent, 1, 1)
    survey(store, parent, [(1, "a"), (2, "b")])
    survey(store, forked, [(1, "a"), (2, "c")], "=")
    store.trash(parent.id).result()
    assert counted(store) == {("a", "="): 1, ("c", "="): 1}


def test_unknown_match_cannot_be_indexed(store):
    with pytest.raises(UnknownMatch):
        store.index_match(4711, IndexedMatch(0, [])).result()


PRIVATE = MetadataItem("access", "private")


def test_excluded_matches_and_their_variations_do_not_count(store):
    open_one, private = match(store, 1), match(store, 1)
    store.set_metadata(private.id, {"access": "private"}).result()
    variation = fork(store, private, 0, 1)
    inside = fork(store, variation, 0, 1)
    played_on = fork(store, variation, 0, 1)
    for each, kind in (
        (open_one, "match"), (private, "match"), (variation, "variation"), (inside, "variation"),
        (played_on, "match"),
    ):  # fmt: skip
        survey(store, each, [(1, "a")], kind=kind)
    assert sum(seen.lines for seen in store.move_counts(HERE)) == 5
    seen = store.move_counts(HERE, PRIVATE)
    assert [(each.kind, each.lines) for each in seen] == [("match", 2)]
    assert store.move_counts(HERE, MetadataItem("access", "public")) == store.move_counts(HERE)


def test_moves_shared_with_an_excluded_parent_count(store):
    private = match(store, 1)
    store.set_metadata(private.id, {"access": "private"}).result()
    published = fork(store, private, 1)
    survey(store, private, [(1, "a")], result="+1")
    survey(store, published, [(1, "a")], result="+2")
    assert counted(store) == {("a", "+1"): 1}
    seen = {(each.text, each.result): each.lines for each in store.move_counts(HERE, PRIVATE)}
    assert seen == {("a", "+2"): 1}


CHANGES: dict[str, Callable[[Store, Stream], object]] = {
    "another result": lambda store, stream: survey(store, stream, [(1, "a"), (2, "b")], "="),
    "a shorter line": lambda store, stream: survey(store, stream, [(1, "a")]),
    "another position": lambda store, stream: survey(store, stream, [(1, "a")], key=ELSEWHERE),
    "the trash": lambda store, stream: store.trash(stream.id).result(),
    "private": lambda store, stream: show(store, stream, "private"),
    "public": lambda store, stream: show(store, stream, "public"),
    "a purge": lambda store, stream: store.purge(
        stream.id, leaving=[each.id for each in store.forks(stream.id)]
    ).result(),
    "no index": lambda store, stream: store.forget_index().result(),
}


def show(store: Store, stream: Stream, visibility: str | None) -> None:
    store.set_metadata(stream.id, {"access.visibility": visibility}).result()


@pytest.mark.parametrize("without", [None, CLOSED], ids=["all", "not private"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_kept_counts_follow_every_change(store, change, without):
    parent, other = match(store, 3), match(store, 2)
    header = b'{"kind":"variation"}'
    variation = fork(store, parent, 1, 1, header=header)
    at_start = fork(store, parent, 0, 1, header=header)
    for each in (parent, other):
        survey(store, each, [(1, "a"), (2, "b")])
    for each in (variation, at_start):
        survey(store, each, [(1, "a")], "*", "variation")
    for key in (HERE, ELSEWHERE):
        store.count_position(key).result()
    for stream in (parent, variation):
        change(store, stream)
        kept = [store.move_counts(key, without) for key in (HERE, ELSEWHERE)]
        store._writer.submit(uncount_all).result()
        assert [store.move_counts(key, without) for key in (HERE, ELSEWHERE)] == kept
        for key in (HERE, ELSEWHERE):
            store.count_position(key).result()
    assert store._query(are_counts_right)
