"""The texts that can be names, wherever they come from."""

from __future__ import annotations

import pytest

from replay.book import Book
from replay.branches import forks
from replay.errors import Usage
from replay.library import match_tags
from replay.name_rules import LONGEST_NAME, check_name
from replay.names import names_of
from replay.referee.opening import open_match
from replay.registry import find
from replay.store import temporary_store


@pytest.mark.parametrize(
    "name",
    ["Jet", "?", "王小明", "👩‍👧", "👁️‍🗨️", "می‌خواهم", "Zoë", "A-1 'b'", "n" * LONGEST_NAME],
)
def test_what_people_are_called_is_a_name(name):
    check_name("the name", name)


@pytest.mark.parametrize(
    "name",
    ["", "   ", "\u3164", "\u2800\u3164", "\u200c", "\u200d\u200c", "\u0301", "\u2060",
     "\u200dJet", "Jet\u200d", "Je\u200d\u200dt", "Jet \u200dx", "Jet\u200b",
     "Jet\u202ederf", "\u2066Jet\u2069", "J\u200fet", "J\net", "J\x1b[1mt", "\ud800",
     "n" * (LONGEST_NAME + 1)],
)  # fmt: skip
def test_an_invisible_or_unprintable_text_is_no_name(name):
    with pytest.raises(Usage, match="the name must be printable, not blank"):
        check_name("the name", name)


def test_players_forks_and_tags_take_the_same_names():
    book = Book(temporary_store(), now=lambda: 0)
    joined, invisible = "👩‍👧", "\u3164"
    recorded = open_match(book, find("poptrix"), players={1: joined})
    match_tags.tag(book, recorded, {"Seat2": joined})
    assert [names_of(book, recorded)[seat] for seat in (1, 2)] == [joined, joined]
    with pytest.raises(Usage, match="seat 1"):
        open_match(book, find("poptrix"), players={1: invisible})
    with pytest.raises(Usage, match="seat 2"):
        match_tags.tag(book, recorded, {"Seat2": invisible})
    with pytest.raises(Usage, match="fork"):
        forks.fork(book, forks.Address(recorded.id), "variation", name=invisible)
    match_tags.tag(book, recorded, {"Seat2": ""})
    assert names_of(book, recorded)[2] == "seat 2"


def test_drawings_keep_the_joiners_of_a_name():
    from replay.drawing.svg_elements import printable

    assert printable("👩‍👧 می‌خواهم\u202e") == "👩‍👧 می‌خواهم "
