"""Packed drawings unpack to the same text, and are small."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from replay.formats.html.frame_packing import pack
from tests.replay.formats.html.unpacking import unpack

PART = st.sampled_from(["<g class='a'>", "<g>", "</g>", "<desc>", "</desc>", "x", "é\u2028", '"'])
DRAWING = st.lists(PART).map("".join)


@given(st.lists(DRAWING, max_size=8))
def test_packed_drawings_unpack_unchanged(drawings):
    assert unpack(pack(drawings)) == drawings


def test_repeated_drawing_costs_next_to_nothing():
    drawing = "".join(f'<g data-at="{number}">{number * 7919}</g>' for number in range(500))
    other = drawing.replace("<g", "<g class='other'", 1)
    once, often = pack([drawing, other]), pack([drawing, other] * 50)
    assert len(often) < 1.2 * len(once)
