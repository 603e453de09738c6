"""A match is found by the words of its texts."""

from __future__ import annotations

import pytest

from replay.errors import UnknownMatch, Usage
from replay.store.sql.store import Store
from replay.store.types import Creation, Hit, Stream, Text
from tests.replay.store.streams import events, match, new

NOWHERE = 4711


def found(store: Store, query: str, limit: int = 100) -> list[tuple[str, str]]:
    return [(hit.stream.public_id, hit.text.text) for hit in store.search(query, limit)]


def index(store: Store, stream: Stream, *texts: str) -> None:
    entries = [Text("comment", str(number), text) for number, text in enumerate(texts)]
    notes = store.notes(stream.id)
    facts = store.metadata(stream.id)
    store.index(stream.id, entries, notes.head if notes else 0, facts).result()


def test_scripts_without_spaces_match_anywhere(store):
    stream = match(store, 1, "kqzw")
    index(store, stream, "王小明 beats Ann", "ニコラウス", "สวัสดีครับ", "明小")
    for query, text in {
        "小明": "王小明 beats Ann", "王小明": "王小明 beats Ann", "ann 小明": "王小明 beats Ann",
        "コラ": "ニコラウス", "ニコ": "ニコラウス", "สดี": "สวัสดีครับ",
    }.items():  # fmt: skip
        assert found(store, query) == [("kqzw", text)], query
    for query in ("小明 bob", "小王", "eats", "nn 小明"):
        assert found(store, query) == [], query


def test_words_are_found_ignoring_case_and_accents(store):
    stream = match(store, 1, "kqzw")
    said = "The Kick-back of Grün's large: ça va, straße $5"
    index(store, stream, said, "another")
    for query in (
        "kick", "KICK back", "grun", "Grün", "ca", "strasse", "back kick", "'5'", "large",
    ):  # fmt: skip
        assert found(store, query) == [("kqzw", said)], query
    for query in (
        "ick", "kickback", "kick another", "", "!?", "\0", '"', "kick* NOT large", "\ud800",
    ):  # fmt: skip
        assert found(store, query) == [], query


def test_hit_names_the_match_and_its_text(store):
    stream = match(store)
    store.index(stream.id, [Text("player", "Seat1", "Blue")], 0, {}).result()
    (hit,) = store.search("blue", 1)
    assert hit == Hit(store.stream(stream.id), Text("player", "Seat1", "Blue"))


def test_hits_are_newest_first_up_to_the_limit(store):
    for name in ("first", "second"):
        index(store, match(store, 0, name), "one word", "two words")
    everything = [
        (name, text) for name in ("second", "first") for text in ("one word", "two words")
    ]
    assert found(store, "wor") == everything
    assert found(store, "wor", 3) == everything[:3]
    assert found(store, "wor", 0) == found(store, "wor", -1) == []


def test_hits_are_paged_by_match(store):
    made = [match(store) for _ in range(3)]
    for each in made:
        texts = [Text("comment", str(n), "good") for n in range(2)]
        store.index(each.id, texts, 0, {}).result()
    hits = store.search("good", 9, before=made[2].id)
    assert [hit.stream.id for hit in hits] == [made[1].id] * 2 + [made[0].id] * 2
    assert store.search("good", 9, before=made[0].id) == []


def test_texts_of_a_match_are_replaced(store):
    stream, other = match(store, 0, "kqzw"), match(store, 0, "abcd")
    index(store, stream, "old words")
    index(store, other, "other words")
    index(store, stream, "new words")
    assert found(store, "words") == [("abcd", "other words"), ("kqzw", "new words")]
    assert found(store, "old") == []


def test_new_notes_or_facts_make_texts_due(store):
    stream = match(store, 1, "kqzw")
    other = match(store, 1, "abcd")
    assert store.texts_due() == [stream, other]
    index(store, stream)
    index(store, other)
    assert store.texts_due() == []
    notes = store.create(new("kqzw", kind="notes", subject=stream.id), events(1)).result()
    assert store.texts_due() == [stream]
    index(store, stream, "a note")
    store.append(notes.id, 1, events(1)).result()
    assert store.texts_due() == [stream]
    index(store, stream, "a note")
    store.append(stream.id, 1, events(1)).result()
    assert store.texts_due() == [], "moves are not searched"
    store.set_metadata(stream.id, {"Seat1": "Blue"}).result()
    assert [one.id for one in store.texts_due()] == [stream.id]
    store.forget_texts().result()
    assert [one.id for one in store.texts_due()] == [stream.id, other.id]


def test_texts_of_a_new_match_are_indexed(store):
    texts = [Text("tag", "Site", "Home"), Text("comment", "1", "far from home")]
    whole = Creation(new("kqzw"), events(1), {"Site": "Home"}, events(2), texts=texts)
    [stream] = store.create_all([whole]).result()
    assert store.texts_due() == []
    assert [text for _, text in found(store, "home")] == ["Home", "far from home"]
    store.append(store.notes(stream.id).id, 2, events(1)).result()
    assert store.texts_due() == [stream]


def test_erased_name_cannot_be_found(store):
    stream = store.create(new(), (), {"Seat1": "Blue"}).result()
    store.index(stream.id, [Text("player", "Seat1", "Blue")], 0, {"Seat1": "Blue"}).result()
    assert len(store.search("blue", 9)) == 1
    store.set_metadata(stream.id, {"Seat1": None}).result()
    assert store.search("blue", 9) == []
    late = store.index(stream.id, [Text("player", "Seat1", "Blue")], 0, {"Seat1": "Blue"})
    late.result()
    assert store.search("blue", 9) == [], "an index made from what was there before is not taken"
    assert [one.id for one in store.texts_due()] == [stream.id]


def test_trashed_and_purged_matches_are_not_searched(store):
    stream = match(store, 0, "kqzw")
    index(store, stream, "words")
    store.trash(stream.id).result()
    assert found(store, "words") == []
    store.trash(stream.id, False).result()
    assert found(store, "words") == [("kqzw", "words")]
    store.purge(stream.id).result()
    assert found(store, "words") == []


def test_invalid_texts_and_unknown_matches_are_refused(store):
    stream = match(store, 0, "kqzw")
    index(store, stream, "words")
    with pytest.raises(Usage):
        index(store, stream, "other words", "\udc80")
    assert found(store, "words") == [("kqzw", "words")]
    with pytest.raises(UnknownMatch):
        store.index(NOWHERE, (), 0, {}).result()
