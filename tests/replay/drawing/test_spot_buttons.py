"""What lies beside a board, to be moved by hand: rows, and what can be chosen on a place."""

from __future__ import annotations

import re

from domain.editor import Location, Thing
from domain.scene import Piece
from replay.drawing.spot_buttons import chips, rows

SMALL = Thing("S", "small of Jet", Piece("pyramid", "seat1", 1), 3)
CAP = Thing("^1", "cap of Jet")


def test_a_row_names_its_spot_and_has_a_button_for_each_thing_and_one_to_lay_down():
    written = rows(
        [Location("c3", (SMALL,)), Location("stash1", (SMALL, CAP), "in Jet's stash")], {}
    )
    assert re.findall(r'role="group" data-at="(\w+)"', written) == ["stash1"]
    assert re.findall(r'data-what="(.*?)" aria-label="(.*?)"', written) == [
        ("S", "small of Jet, 3 in Jet's stash"),
        ("^1", "cap of Jet, 1 in Jet's stash"),
    ]
    assert written.count("<svg") == 1
    assert '<span class="word" aria-hidden="true">cap</span>' in written
    assert 'data-lay="stash1" aria-label="Put it here, in Jet\'s stash"' in written


def test_a_row_with_nothing_in_it_says_so_and_whose_it_is():
    written = rows([Location("hand2", (), "in the hand of Red")], {"hand2": 2})
    assert ">nothing<" in written
    assert 'class="pb-disc pb-seat2"' in written
    assert rows([Location("c3", (SMALL,))], {}) == ""


def test_only_where_several_things_lie_one_is_chosen():
    spots = [
        Location("c3", (SMALL,)),
        Location("d4", (SMALL, CAP)),
        Location("out", (SMALL, CAP), "out"),
    ]
    written = chips(spots)
    assert re.findall(r'<template data-at="(\w+)"', written) == ["d4"]
    assert re.findall(r"<span>(.*?)</span>", written) == ["small of Jet ×3", "cap of Jet"]


def test_names_of_players_are_escaped():
    evil = Thing("S", 'small of "><script>')
    spots = [Location("d4", (evil, CAP)), Location("out", (evil,), 'with "><script>')]
    assert "<script>" not in chips(spots) + rows(spots, {})
