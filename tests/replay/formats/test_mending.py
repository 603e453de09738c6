"""A refusal of a record says which one change would make its moves fit."""

from __future__ import annotations

from itertools import count

import pytest

from replay.formats.mending import MAX_MENDED, Mender
from replay.formats.ply.reader import read_with_faults
from tests.replay.formats.ply.texts import GAME, OFFER, SLIP, poptrix


def refusals(text: str) -> list[str]:
    found = read_with_faults(text, mend=Mender())
    return [faults[0].message for faults in found if isinstance(faults, list)]


@pytest.mark.parametrize(
    ("moves", "offer"),
    [
        ([*GAME[:9], "d4>M@e1", *GAME[10:]], OFFER),
        ([*GAME[:8], GAME[7], *GAME[8:]], "without d6>S@d4 after ply 8 all other moves fit"),
        ([*GAME[:9], *GAME[10:]], "ply 10: with d4>M@e4 or e6>M@e4 added all later moves fit"),
    ],
    ids=["slip", "twice", "left out"],
)
def test_one_change_is_offered(moves, offer):
    assert offer in refusals(poptrix(" ".join([*moves, "*"])))[0]


@pytest.mark.parametrize(
    "moves",
    [[*GAME[:9], "d4>M@e1"], [*GAME[:4], "e3>L@a1", *GAME[5:10], "a1xa1", "b1xb1", *GAME[13:]]],
    ids=["nothing follows it", "more than one"],
)
def test_nothing_is_offered(moves):
    (message,) = refusals(poptrix(" ".join([*moves, "*"])))
    assert "moves fit" not in message


def test_few_records_of_a_file_are_looked_at():
    told = ["moves fit" in each for each in refusals(SLIP * (MAX_MENDED + 2))]
    assert told == [True] * MAX_MENDED + [False] * 2


def test_search_for_changes_ends_after_its_time():
    clock = count(0.0, 1.5)  # each look at it takes a second and a half
    (faults,) = read_with_faults(SLIP, mend=Mender(lambda: next(clock)))
    assert isinstance(faults, list)
    assert "moves fit" not in faults[0].message
