"""A match in a link is the same text again, and a bad link is refused in words."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode

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
