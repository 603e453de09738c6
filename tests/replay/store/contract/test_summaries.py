"""Every store keeps summaries of matches with their events, and lists matches by them."""

from __future__ import annotations

from typing import Any

import pytest

from replay.errors import Stale, UnknownMatch, Usage
from replay.store.feed_types import ChangeCursor
from replay.store.sql import summaries as listing
from replay.store.sql.store import Store
from replay.store.types import Creation, IndexedStep, MetadataItem, Stream, SummaryFilter, Text
from tests.replay.store.streams import AT, events, fork, match, new, summary


def due(store: Store) -> list[int]:
    return [stream.id for stream in store.summaries_due()]


def numbers(store: Store, before: int | None = None, **wanted: object) -> list[int]:
    return [each.stream.id for each in store.listed(SummaryFilter(**wanted), before)]


def summarised(store: Store, result: str = "*", **fields: object) -> Stream:
    stream = match(store)
    store.summarise(stream.id, summary(0, result, **fields)).result()
    return stream


def test_summary_becomes_visible_with_its_events(store):
    stream = match(store)
    store.append(stream.id, 0, events(2), summary(2)).result()
    store.append(stream.id, 2, events(1), summary(3, "+1")).result()
    assert store.summary(stream.id) == summary(3, "+1")
    [listed] = store.listed(SummaryFilter())
    assert (listed.stream.head, listed.summary) == (3, summary(3, "+1"))


def test_new_match_is_created_with_summary_and_moves(store):
    steps = [IndexedStep(1, b"key", 1, "a")]
    whole = Creation(new(), events(2), summary=summary(2, "+1"), steps=steps)
    forked = Creation(new(fork_version=1), events(1), fork_of=0, summary=summary(2), steps=[])
    made = store.create_all([whole, forked]).result()
    assert (due(store), store.positions_due()) == ([], [])
    assert [each.stream for each in store.listed(SummaryFilter())] == made[::-1]
    assert [(seen.text, seen.lines) for seen in store.move_counts(b"key")] == [("a", 1)]


def test_summary_is_due_if_missing_or_old(store):
    plain, forked = match(store, 1), match(store)
    assert due(store) == [plain.id, forked.id]
    for each in (plain, forked):
        store.summarise(each.id, summary(each.head)).result()
    assert due(store) == []
    child = fork(store, plain, 1)
    store.append(plain.id, 1, events(1)).result()
    assert due(store) == [plain.id, child.id]
    assert store.summary(plain.id) == summary(1)
    assert {each.stream.id: each.summary for each in store.listed(SummaryFilter())} == {
        plain.id: None,
        forked.id: summary(0),
        child.id: None,
    }


def test_older_summary_does_not_replace_a_newer_one(store):
    stream = match(store, 3)
    store.summarise(stream.id, summary(2)).result()
    assert due(store) == [stream.id]
    store.summarise(stream.id, summary(3)).result()
    store.summarise(stream.id, summary(1)).result()
    assert (due(store), store.summary(stream.id)) == ([], summary(3))


def test_names_and_trash_leave_the_summary_current(store):
    stream = summarised(store)
    store.create(new(kind="notes", subject=stream.id), events(2)).result()
    store.set_metadata(stream.id, {"Seat1": "Jet"}).result()
    store.trash(stream.id).result()
    assert due(store) == []


def test_summary_of_wrong_version_is_refused_with_events(store):
    stream = match(store, 1)
    with pytest.raises(Usage, match="version 7"):
        store.append(stream.id, 1, events(1), summary(7)).result()
    with pytest.raises(Usage, match="version 7"):
        store.create_all([Creation(new(), events(1), summary=summary(7))]).result()
    with pytest.raises(Stale):
        store.append(stream.id, 0, events(1), summary(1)).result()
    assert (store.stream(stream.id), store.summary(stream.id)) == (stream, None)


def test_repeated_append_keeps_the_summary(store):
    stream, first = match(store), events(1)
    store.append(stream.id, 0, first, summary(1)).result()
    store.append(stream.id, 1, events(1), summary(2)).result()
    assert store.append(stream.id, 0, first, summary(1)).result().repeated
    assert store.summary(stream.id) == summary(2)


def test_repetition_is_found_before_the_summary_is_checked(store):
    stream, said = match(store), events(1)
    store.append(stream.id, 0, said, summary(1)).result()
    assert store.append(stream.id, 1, said, summary(1)).result().repeated


def test_purge_deletes_even_a_carriers_summary(store):
    gone, carrier = summarised(store), match(store, 2)
    kept = fork(store, carrier, 1)
    store.summarise(kept.id, summary(1)).result()
    store.purge(gone.id).result()
    store.purge(carrier.id, leaving=[kept.id]).result()
    assert [store.summary(each.id) for each in (gone, carrier, kept)] == [None, None, summary(1)]
    assert (due(store), numbers(store)) == ([], [kept.id])


def test_unknown_match_has_no_summary(store):
    with pytest.raises(UnknownMatch):
        store.summarise(4711, summary(0)).result()
    assert store.summary(4711) is None


def test_matches_are_listed_newest_first_with_their_facts(store):
    streams = [match(store) for _ in range(140)]
    store.set_metadata(streams[3].id, {"Seat1": "Jet", "Site": "é"}).result()
    assert numbers(store) == [each.id for each in reversed(streams)]
    assert numbers(store, streams[2].id) == [streams[1].id, streams[0].id]
    oldest = list(store.listed(SummaryFilter()))[-4:]
    assert [dict(each.metadata) for each in oldest] == [{"Seat1": "Jet", "Site": "é"}, {}, {}, {}]


def test_list_page_is_a_single_snapshot(store, monkeypatch):
    stream = match(store)
    store.set_metadata(stream.id, {"Seat1": "Ann"}).result()
    facts = listing._metadata

    def renamed_before_they_are_read(*args: Any) -> dict[int, dict[str, str]]:
        store.set_metadata(stream.id, {"Seat1": "Bea"}).result()
        return facts(*args)

    monkeypatch.setattr(listing, "_metadata", renamed_before_they_are_read)
    assert [each.metadata for each in store.listed(SummaryFilter())] == [{"Seat1": "Ann"}]
    assert store.metadata(stream.id) == {"Seat1": "Bea"}


def test_matches_are_listed_by_their_summaries(store):
    going = summarised(store, game="y")
    won = summarised(store, "+1")
    abandoned = summarised(store, "*", clause="ruled")
    analysis = summarised(store, kind="variation", last=AT + 9)
    assert numbers(store, game="y") == [going.id]
    assert numbers(store, kind="variation") == [analysis.id]
    assert numbers(store, status="ended") == [abandoned.id, won.id]
    assert numbers(store, status="open", kind="match") == [going.id]
    assert numbers(store, since=AT + 1) == [analysis.id]
    assert numbers(store, among=[going.id, won.id, 4711]) == [won.id, going.id]


def test_match_with_a_due_summary_is_always_listed(store):
    stream = match(store, 1)
    assert numbers(store, game="y", kind="match", status="ended", since=AT + 99) == [stream.id]
    assert numbers(store, player="Jet") == []


def test_matches_are_listed_by_fact_and_from_trash(store):
    shown, other, trashed = summarised(store), summarised(store), summarised(store)
    for each in (shown, trashed):
        store.set_metadata(each.id, {"access": "public"}).result()
    store.set_metadata(other.id, {"access": "private"}).result()
    store.trash(trashed.id).result()
    assert numbers(store, having=MetadataItem("access", "public")) == [shown.id]
    assert numbers(store, trashed=True) == [trashed.id]


@pytest.mark.parametrize("asked", ["ÉMILE STRASSE", "émile straße", "Émile Strasse"])
def test_players_are_found_by_whole_names_ignoring_case(store, asked):
    players = {"Seat1": "Jet", "Seat2": "Émile Straße"}, {"Seat1": "Emile Strasse"}
    tagged = {"Event": "Émile Straße"}, {"Seat10": "Émile Straße"}
    streams = [summarised(store) for _ in range(4)]
    for stream, facts in zip(streams, (*players, *tagged), strict=True):
        store.set_metadata(stream.id, facts).result()
    assert numbers(store, player=asked) == [streams[0].id]


def test_player_of_both_seats_is_listed_once(store):
    players = {"Seat1": "Jet", "Seat2": "jet"}
    streams = [store.create(new(), metadata=players).result() for _ in range(2)]
    newest_first = [stream.id for stream in reversed(streams)]
    assert numbers(store, kind="match", player="Jet") == newest_first
    assert numbers(store, kind="match", player="Jet", order="changed") == newest_first


def test_variation_is_found_by_players_of_its_match(store):
    analysed = summarised(store)
    store.set_metadata(analysed.id, {"Seat1": "Jet"}).result()
    variation = fork(store, analysed, 0)
    inside, played_on = fork(store, variation, 0), fork(store, variation, 0)
    for each, kind in ((variation, "variation"), (inside, "variation"), (played_on, "match")):
        store.summarise(each.id, summary(0, kind=kind)).result()
    assert numbers(store, player="jet") == [inside.id, variation.id, analysed.id]


def test_listed_matches_are_counted(store):
    for result in ("*", "+1", "+1"):
        summarised(store, result)
    trashed = summarised(store, "+1")
    store.trash(trashed.id).result()
    match(store)  # its summary is due
    assert store.count_listed(SummaryFilter()) == 3
    assert store.count_listed(SummaryFilter(status="ended")) == 2
    assert store.count_listed(SummaryFilter(trashed=True)) == 1


def test_matches_are_listed_by_their_last_change(store):
    one, two, three = match(store, 1), match(store, 1), match(store, 1)
    store.set_metadata(one.id, {"Event": "Cup"}).result()
    assert numbers(store, order="changed") == [one.id, three.id, two.id]
    [first, second, _] = store.listed(SummaryFilter(order="changed"))
    assert (first.number, second.number) == tuple(
        change.number for change in reversed((store.changes(ChangeCursor()).found or ())[-2:])
    )
    assert numbers(store, first.number, order="changed") == [three.id, two.id]
    assert numbers(store, order="changed", after=second.number) == [one.id]
    assert numbers(store, order="changed", changed=first.changed + 60_000) == []
    assert numbers(store, changed=first.changed - 60_000) == [three.id, two.id, one.id]


def test_pages_sorted_by_change_list_no_match_twice(store):
    made = [match(store, 1) for _ in range(60)]
    found = store.listed(SummaryFilter(order="changed"))
    first = [next(found).stream.id for _ in range(25)]
    store.set_metadata(made[0].id, {"Event": "Cup"}).result()
    rest = [each.stream.id for each in found]
    assert [*first, *rest] == [each.id for each in reversed(made[1:])]


def test_public_matches_are_listed_by_change(store):
    public, hidden, again = match(store), match(store), match(store)
    for stream, value in ((again, "public"), (hidden, "private"), (public, "public")):
        store.set_metadata(stream.id, {"access.visibility": value}).result()
    assert numbers(store, order="changed", public=True) == [public.id, again.id]
    store.set_metadata(public.id, {"access.visibility": None}).result()
    assert numbers(store, order="changed", public=True) == [again.id]
    having = MetadataItem("access.visibility", "public")
    assert numbers(store, order="changed", having=having) == [again.id]


@pytest.mark.parametrize("order", ["opened", "changed"])
def test_matches_are_listed_by_a_text(store, order):
    made = [match(store) for _ in range(4)]
    cup, long = Text("tag", "Event", "Cup"), Text("tag", "Event", "x" * 900)
    for stream, text in zip(made, (cup, Text("tag", "Event", "Cups"), cup, long), strict=True):
        store.index(stream.id, [text, Text("comment", "Event", "Cup")], 0, {}).result()
    assert numbers(store, order=order, text=cup) == [made[2].id, made[0].id]
    assert numbers(store, order=order, text=long) == [made[3].id]
    assert numbers(store, order=order, text=Text("tag", "event", "Cup")) == []
    number = {each.stream.id: each.number for each in store.listed(SummaryFilter())}
    before = number[made[2].id] if order == "changed" else made[2].id
    assert numbers(store, before, order=order, text=cup) == [made[0].id]
