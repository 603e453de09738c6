"""Buttons for editing a position: rows of places, and choices on a place."""

from __future__ import annotations

import re

from domain.editor import Location, Thing
from domain.names import UNNAMED, Names
from domain.scene import Piece
from replay.formats.html.jinja import environment

TEMPLATE = environment().get_template("spots.html").module

SMALL = Thing("S", "small", Piece("pyramid", "seat1", 1), 3, seat=1)
CAP = Thing("^1", "cap", seat=1)


def rows(spots: list[Location], names: Names = UNNAMED) -> str:
    return str(TEMPLATE.rows(spots, names)).strip()


def chips(spots: list[Location], names: Names = UNNAMED) -> str:
    return str(TEMPLATE.chips(spots, names))


def test_row_names_its_spot_and_things():
    stash = Location("stash1", (SMALL, CAP), "in the stash of {seat}", 1)
    written = rows([Location("c3", (SMALL,)), stash], Names({1: "Jet"}))
    assert re.findall(r'role="group" data-at="(\w+)"', written) == ["stash1"]
    assert re.findall(r'data-what="(.*?)" aria-label="(.*?)"', written) == [
        ("S", "small of Jet, 3 in the stash of Jet"),
        ("^1", "cap of Jet, 1 in the stash of Jet"),
    ]
    assert written.count("<svg") == 1
    assert '<span class="word" aria-hidden="true">cap</span>' in written
    assert 'data-lay="stash1" aria-label="Put it here, in the stash of Jet"' in written


def test_empty_row_names_its_owner():
    written = rows([Location("hand2", (), "in the hand of {seat}", 2)], Names({2: "Red"}))
    assert ">nothing<" in written
    assert 'class="pb-disc pb-seat2"' in written
    assert rows([Location("c3", (SMALL,))]) == ""


def test_choice_appears_only_among_several_things():
    spots = [
        Location("c3", (SMALL,)),
        Location("d4", (SMALL, CAP)),
        Location("out", (SMALL, CAP), "out"),
    ]
    written = chips(spots)
    assert re.findall(r'<template data-at="(\w+)"', written) == ["d4"]
    assert re.findall(r"<span>(.*?)</span>", written) == ["small ×3", "cap"]


def test_labels_name_the_owner_of_mixed_pieces():
    mixed = Location("a1", (SMALL, Thing("s", "small", seat=2)))
    written = chips([mixed], Names({1: "Jet", 2: "Red"}))
    assert re.findall(r"<span>(.*?)</span>", written) == ["small of Jet ×3", "small of Red"]


def test_names_of_players_are_escaped():
    evil = Names({2: '"><script>'})
    other = Thing("S", "small", seat=2)
    spots = [Location("d4", (other, CAP)), Location("out", (other,), "with {seat}", 2)]
    assert "<script>" not in chips(spots, evil) + rows(spots, evil)
