"""A link gives back the same text of a match, and a bad link is refused with a reason."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from random import Random
from string import ascii_letters

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.errors import Usage
from replay.formats import record_link


def packed(text: bytes, level: int = 9) -> str:
    packing = zlib.compressobj(level, wbits=-15)
    deflated = packing.compress(text) + packing.flush()
    return f"https://sheet.example/#r={urlsafe_b64encode(deflated).decode()}"


@given(st.text())
def test_record_in_a_link_is_the_same(text):
    made = record_link.link("https://sheet.example/", text)
    assert record_link.is_link(made)
    assert made.isascii()
    assert record_link.record(made) == text.encode()


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("https:/sheet.example/", "has no match; a link with a match has #r=…"),
        ("#r=", "copy the whole link"),
        ("#r=a b", "copy the whole link"),
        ("#r=A", "damaged|cut off"),
        ("#r=____", "damaged"),
        (packed(b"[Game]" * 99)[:-4], "cut off"),
        (packed(b"x" * (record_link.MAX_TEXT + 1)), "more than 1048576 bytes"),
    ],
)
def test_bad_link_is_refused(link, words):
    with pytest.raises(Usage, match=words):
        record_link.record(link)


def long_text(length: int = 6000) -> str:
    return "".join(Random(1).choices(ascii_letters, k=length))


def test_short_record_has_one_code():
    assert record_link.chain("https://a.example/", "x") == [
        record_link.link("https://a.example/", "x")
    ]


@given(st.randoms(use_true_random=False))
def test_chain_is_joined_in_any_order(chance):
    text, other = long_text(), long_text(7000)
    links = [*record_link.chain("https://a.example/", text), *record_link.chain("/", other)]
    assert len(links) == 10
    assert max(map(len, links)) <= record_link.MAX_CODE
    chance.shuffle(links)
    found = {record_link.record(each) for each in record_link.joined([*links, links[0]])}
    assert found == {text.encode(), other.encode()}


def test_incomplete_chain_is_refused():
    first, second, *_, last = record_link.chain("/", long_text())
    with pytest.raises(Usage, match="missing: 2, 3, 4 of 5; give all"):
        record_link.joined([last, first])
    with pytest.raises(Usage, match=r"part 2 of 5 of a match; give all its links"):
        record_link.record(second)


def test_damaged_chain_is_refused():
    links = record_link.chain("/", long_text())
    with pytest.raises(Usage, match="damaged"):
        record_link.joined([links[0][:-1], *links[1:]])


def test_too_long_record_has_no_codes():
    assert record_link.chain("/", long_text(60_000)) == []


def test_texts_other_than_codes_stay_unchanged():
    texts = ["a.ply", "a.ply", "https://a.example/#r=AA"]
    assert record_link.joined(texts) == texts
