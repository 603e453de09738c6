"""Every store counts matches by what they have in common, as they change."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from replay.store.sql import tallies
from replay.store.sql.store import Store
from replay.store.types import Creation, NewEvent, Stream
from tests.replay.store.streams import event, events, fork, match, new, summary

ENDS = ("won", "drawn", "lost", "unfinished")
PLAYED = {"Seat1": "Jet", "Seat2": "Red", "access.visibility": "public"}


def counted(store: Store, *asked: str | None) -> dict[str, int]:
    """Return the tallies by their values, their kind and the visibility."""
    found = store.tallies(*asked)
    return {f"{one.visibility} {one.what} {one.value}": one.times for one in found}


def played(store: Store, result: str = "*", **fields: object) -> Stream:
    whole = Creation(new(), events(3), PLAYED, summary=summary(3, result, **fields))
    return store.create_all([whole]).result()[0]


@pytest.fixture(autouse=True)
def right_sums(store: Store) -> Iterator[None]:
    """Compare the tallies with the matches after each test."""
    yield
    assert store._query(tallies.are_right)


def test_ended_match_counts_with_its_length(store):
    played(store, "+2", clause="X-7", turns=2)
    played(store, "+2", clause="X-7", turns=3)
    assert counted(store) == {
        "public result +2": 2,
        "public clause X-7": 2,
        "public plies 3": 2,
        "public turns 2": 1,
        "public turns 3": 1,
        "public won Red": 2,
        "public lost Jet": 2,
    }
    assert {one.game for one in store.tallies()} == {"x"}
    assert (counted(store, "y"), counted(store, "x")) == ({}, counted(store))


def test_every_winner_of_a_team_counts(store):
    players = {f"Seat{seat}": name for seat, name in enumerate(("Jet", "Red", "Plum", "Moss"), 1)}
    whole = Creation(new(), events(1), players, summary=summary(1, "+1,3"))
    store.create_all([whole]).result()
    ends = {name: count for name, count in counted(store).items() if name.split()[1] in ENDS}
    assert ends == {
        "unlisted won Jet": 1,
        "unlisted won Plum": 1,
        "unlisted lost Red": 1,
        "unlisted lost Moss": 1,
    }


def test_open_match_counts_without_a_length(store):
    stream = played(store)
    unfinished = {"public result *": 1, "public unfinished Jet": 1, "public unfinished Red": 1}
    assert counted(store) == unfinished
    store.append(stream.id, 3, events(1), summary(4)).result()
    assert counted(store) == unfinished
    store.append(stream.id, 4, events(1), summary(5, "=", clause="")).result()
    assert counted(store) == {
        "public result =": 1,
        "public plies 5": 1,
        "public turns 1": 1,
        "public drawn Jet": 1,
        "public drawn Red": 1,
    }


def test_clauses_of_stood_moves_count_each_time(store):
    stream = played(store, standing=b'{"stood":["X-1","X-1"]}')
    assert counted(store)["public stood X-1"] == 2
    standing = b'{"stood":["X-1","X-2"]}'
    store.append(stream.id, 3, events(1), summary(4, standing=standing)).result()
    assert (counted(store)["public stood X-1"], counted(store)["public stood X-2"]) == (1, 1)


def ranked(ranks: str) -> bytes:
    return f'{{"turn":4,"outcome":{{"winner":2,"clause":"X-1","ranks":{ranks}}}}}'.encode()


def test_ranks_give_the_counted_places(store):
    players = {f"Seat{seat}": name for seat, name in enumerate(("Jet", "Red", "Plum", "Moss"), 1)}
    first = summary(3, "+2", standing=ranked("[[2],[1,3],[4]]"))
    whole = Creation(new(), events(3), players, summary=first)
    (stream,) = store.create_all([whole]).result()
    places = {name: count for name, count in counted(store).items() if " place " in name}
    assert places == {
        "unlisted place 1 Red": 1,
        "unlisted place 2 Jet": 1,
        "unlisted place 2 Plum": 1,
        "unlisted place 4 Moss": 1,
    }
    changed = summary(3, "+2", standing=ranked("[[2],[4],[3],[1]]"))
    store.summarise(stream.id, changed).result()
    assert counted(store)["unlisted place 2 Moss"] == 1
    assert counted(store)["unlisted place 4 Jet"] == 1


def test_outcome_without_ranks_counts_no_places(store):
    played(store, "+2", standing=b'{"turn":1,"awaiting":[{"what":"ranks"}]}')
    assert not any(" place " in name for name in counted(store))


def test_names_and_visibility_count_as_they_change(store):
    stream = played(store)
    changes = {"Seat1": "Plum", "Seat2": None, "access.visibility": None, "Event": "Cup"}
    store.set_metadata(stream.id, changes).result()
    assert counted(store) == {"unlisted result *": 1, "unlisted unfinished Plum": 1}
    store.set_metadata(stream.id, {"Seat1": "?", "access.visibility": "private"}).result()
    assert counted(store) == {"private result *": 1}


def test_only_matches_outside_the_trash_count(store):
    stream = played(store)
    child = fork(store, stream, 2)
    store.summarise(child.id, summary(2, kind="variation")).result()
    before = counted(store)
    store.trash(stream.id).result()
    assert counted(store) == {}
    store.trash(stream.id, False).result()
    assert counted(store) == before
    store.purge(stream.id, leaving=[child.id], metadata=["Seat1"]).result()
    assert counted(store) == {}


def test_player_of_both_seats_counts_twice(store):
    played(store)
    both = played(store, "+1")
    store.set_metadata(both.id, {"Seat1": "Moss", "Seat2": "moss"}).result()
    found = {"public result +1": 1, "public clause X-1": 1, "public won Moss": 1}
    found |= {"public lost moss": 1, "public plies 3": 1, "public turns 1": 1}
    assert counted(store, None, "MOSS") == found
    assert counted(store, "x", "Moss") == found
    assert counted(store, "y", "Moss") == counted(store, None, "Plum") == {}


def test_rebuilding_counts_all_matches_again(store):
    played(store, "+1")
    match(store)
    before = counted(store)
    store.rebuild_indexes().result()
    assert counted(store) == before


def refused(seat: int, clause: str) -> NewEvent:
    data = f'{{"type":"try refused","seat":{seat},"token":"","clause":"{clause}"}}'
    return event(data, type="try refused")


def test_refusals_are_summed_by_player_and_clause(store, monkeypatch):
    tried = [refused(1, "X-1"), refused(1, "X-1"), refused(2, "form"), event()]
    for facts, kind in ((PLAYED, "match"), ({}, "match"), (PLAYED, "variation")):
        whole = Creation(new(), tried, facts, summary=summary(4, kind=kind))
        store.create_all([whole]).result()
        tried = [msgspec.structs.replace(each, id=event().id) for each in tried]
    assert sorted(msgspec.structs.astuple(each) for each in store.refused_tries("x")) == [
        ("x", "public", "Jet", "X-1", 2),
        ("x", "public", "Red", "form", 1),
        ("x", "unlisted", "", "X-1", 2),
        ("x", "unlisted", "", "form", 1),
    ]
    assert store.refused_tries("y") == []
    monkeypatch.setattr(tallies, "MAX_REFUSED", 4)
    assert sum(each.times for each in store.refused_tries()) == 1


def test_tallies_of_a_caller_count_their_matches(store, monkeypatch):
    def opened(key: bytes, **players: str) -> Stream:
        known = {"keys": [(key, "host", None)], "summary": summary(1, "+1")}
        return store.create_all([Creation(new(), events(1), players, **known)]).result()[0]

    def won(*asked: object) -> dict[str, int]:
        return {one.value: one.times for one in store.tallies_of(*asked) if one.what == "won"}

    mine, theirs = b"m" * 32, b"t" * 32
    first = opened(mine, Seat1="Jet", Seat2="Red")
    opened(mine, Seat1="Jet", Seat2="Plum")
    other = opened(theirs, Seat1="Moss", Seat2="Red")
    assert won([], mine) == {"Jet": 2}
    assert won([first.id, other.id], None) == {"Jet": 1, "Moss": 1}
    assert won([first.id, other.id], mine) == {"Jet": 2, "Moss": 1}
    assert won([], None) == {}
    monkeypatch.setattr(tallies, "MAX_OPENED", 1)
    assert won([], mine) == {"Jet": 1}
    store.trash(first.id).result()
    assert won([first.id], None) == {}
