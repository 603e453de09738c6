"""The texts that can be names, wherever they come from."""

from __future__ import annotations

import io
import json
import re

import msgspec
import pytest

from domain.events import Ruled
from domain.games.poptrix import GAME as POPTRIX
from replay.annotations.current import standing
from replay.annotations.editing import annotate
from replay.annotations.events import Commented, encode_notes
from replay.annotations.notation import Wording
from replay.book import OTHER_TAGS, Book
from replay.branches import forks
from replay.corrections.adjustments import adjust
from replay.errors import BadLine, Usage
from replay.formats.archive.importer import import_archive
from replay.kept_book import KeptBook
from replay.reading import timeline
from replay.record.addresses import Address
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.referee.verification import verify_match
from replay.registry import find
from replay.score_sheets import definition_of
from replay.store import temporary_store
from replay.store.validation import notes_of
from replay.tags import match_tags, people
from replay.tags.names import MAX_NAME, check_name, names_of
from replay.texts import check_text, make_visible
from tests.replay.formats.archive.families import archived, forged


@pytest.mark.parametrize(
    "name", ["Jet", "?", "王小明", "👩‍👧", "👁️‍🗨️", "می‌خواهم", "Zoë", "A-1 'b'", "n" * MAX_NAME]
)
def test_valid_names_are_accepted(name):
    check_name("the name", name)


@pytest.mark.parametrize(
    "name",
    ["", "   ", "\u3164", "\u2800\u3164", "\u200c", "\u200d\u200c", "\u0301", "\u2060",
     "\u200dJet", "Jet\u200d", "Je\u200d\u200dt", "Jet \u200dx", "Jet\u200b",
     "Jet\u202ederf", "\u2066Jet\u2069", "J\u200fet", "J\net", "J\x1b[1mt", "\ud800",
     "n" * (MAX_NAME + 1)],
)  # fmt: skip
def test_invisible_or_unprintable_text_is_refused(name):
    with pytest.raises(Usage, match="the name must be printable, not blank"):
        check_name("the name", name)


def test_players_forks_and_tags_accept_the_same_names():
    book = Book(temporary_store(), now=lambda: 0)
    joined, invisible = "👩‍👧", "\u3164"
    record = open_match(book, find("poptrix"), players={1: joined})
    people.tag(book, record, {"Seat2": joined})
    assert [names_of(book, record)[seat] for seat in (1, 2)] == [joined, joined]
    with pytest.raises(Usage, match="seat 1"):
        open_match(book, find("poptrix"), players={1: invisible})
    with pytest.raises(Usage, match="seat 2"):
        people.tag(book, record, {"Seat2": invisible})
    with pytest.raises(Usage, match="fork"):
        forks.fork(book, *book.at(Address(record.id)), "variation", name=invisible)
    people.tag(book, record, {"Seat2": ""})
    assert names_of(book, record)[2] == "seat 2"


def test_drawing_keeps_the_joiners_of_a_name():
    from replay.drawing.svg_elements import printable

    assert printable("👩‍👧 می‌خواهم\u202e") == "👩‍👧 می‌خواهم "


SEEN = ["می‌خواهم", "👩‍👧 and 👁️‍🗨️", "ന്‍ here", "שלום\u200f!", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "Zoë: c1\u00ad>L"]
HIDDEN = {
    "c1\u202ec3": "U+202E, column 3",
    "\u2066c1": "U+2066, column 1",
    "c\u200b1": "U+200B, column 2",
    "\ufeffc1": "U+FEFF, column 1",
    "c1\u2060": "U+2060, column 3",
    "c1 \u200dx": "U+200D, column 4",
    "c1\u200d\u200d": "U+200D, column 4",
    "c1\U000e0041": "U+E0041, column 3",
}


@pytest.fixture
def match(book):
    return play(book, open_match(book, find("poptrix")), ["M@c1"])


@pytest.mark.parametrize("text", SEEN)
def test_text_may_have_joiners_flags_and_marks(text, book, match):
    check_text("a text", text, 100)
    assert make_visible(text) == text
    match_tags.tag(book, match, {"Event": text})
    assert annotate(book, match, 1, Wording(text))[0].said.words() == text


@pytest.mark.parametrize("text", HIDDEN)
def test_comments_and_tags_refuse_hidden_characters(text, book, match):
    for enter in (
        lambda: match_tags.tag(book, match, {"Event": text}),
        lambda: match_tags.tag(book, match, {"Site": text}),
        lambda: annotate(book, match, 1, Wording(text)),
    ):
        with pytest.raises(Usage, match="cannot hold the invisible character"):
            enter()
    with pytest.raises(Usage, match=re.escape(HIDDEN[text])):
        check_text("a text", text, 100)


def test_older_texts_with_hidden_characters_stay_readable(book, match):
    others = msgspec.json.encode([("Event", "a\u202eb")]).decode()
    book.store.set_metadata(match.stream.id, {OTHER_TAGS: others}).result()
    old = encode_notes(book, [Commented(1, "c\u2066d")], "A")
    book.store.create(notes_of(match.stream), old).result()
    assert match_tags.tags(book, match)[-1].value == "a\u202eb"
    assert standing(book, match)[0].said.words() == "c\u2066d"
    assert make_visible("a\u202eb \u2066") == "a\\u202eb \\u2066"


HOSTILE = "\x1b]0;evil\x07\u202e\n2J"


@pytest.mark.parametrize("rules", ["poptrix/1", "no-such-game/1"])
def test_texts_of_events_are_shown_clean_and_kept_as_they_stand(rules):
    book = Book(temporary_store())
    record = play(book, open_match(book, find("poptrix"), players={1: "Ann"}), ["M@c1"])
    record = adjust(book, record, POPTRIX.write_position(record.state.position), "the cat")
    record = play(book, record, [Ruled("drawn", reason="xyz")])
    there = archived(book, record).replace(b"poptrix/1", rules.encode())
    hostile = json.dumps(HOSTILE).encode()[1:-1]
    lines = there.replace(b"xyz", hostile).replace(b"the cat", hostile).splitlines(keepends=True)
    if rules.startswith("no"):
        lines = [line.replace(b"5/5/5", hostile) for line in lines]
    archive = forged(lines)
    other = Book(temporary_store())
    import_archive(other, io.BytesIO(archive))
    stream = other.store.find(record.id)
    kept = KeptBook(other).read(stream)
    shown = " ".join(each.what for each in timeline.log(kept))
    assert "\\x1b]0;evil\\x07\\u202e 2J" in shown
    assert shown.isprintable()
    assert verify_match(other, stream, unrefereed=True).ok
    events = other.store.read(stream.id)
    assert any(json.loads(each.data).get("reason") == HOSTILE for each in events)


def test_text_of_an_event_has_a_bound():
    book = Book(temporary_store())
    record = play(book, open_match(book, find("poptrix")), [Ruled("drawn", reason="xyz")])
    lines = archived(book, record).replace(b"xyz", b"x" * 10_001).splitlines(keepends=True)
    with pytest.raises(BadLine, match="line 4: a text of this event has 10001 bytes"):
        import_archive(Book(temporary_store()), io.BytesIO(forged(lines)))


def test_score_sheet_refuses_hidden_signs(tmp_path):
    sheet = tmp_path / "sheet.toml"
    for place in ('title = "a\\u202e"', 'title = "a"\nsentence = "\\u001b[2J"'):
        sheet.write_text(f'slug = "mine"\n{place}\nrounds = 3\n')
        with pytest.raises(ValueError, match="not a valid score sheet: the text"):
            definition_of(sheet)


def test_names_of_older_books_are_shown_clean(book, match):
    book.store.set_metadata(match.stream.id, {"Seat1": "a\u202eb"}).result()
    assert names_of(book, match)[1] == "a\\u202eb"
