"""Faults in the definition of a game are reported in one sentence."""

from __future__ import annotations

import sys

import pytest

from domain.game import Game
from domain.games import built_in
from domain.position import Awaited, Position

NAMED = {"slug": "nim", "name": "Nim", "moves": built_in("poptrix").moves}


class Timeless(Position, frozen=True):
    """A position that does not say whose turn it is."""

    def awaiting(self):
        return (Awaited(1, "take", ("taek",)),)

    def outcome(self):
        return None


class Mistyped(Timeless, frozen=True):
    """A position that awaits a kind of move that is misspelled."""

    turn: int = 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"slug": "Nim Game"}, "'Nim Game' is not a valid slug; use small letters, digits and -"),
        ({"moves": ()}, "Nim has no moves"),
    ],
)
def test_invalid_game_is_refused(given, said):
    with pytest.raises(ValueError, match=said):
        Game(**NAMED | given, start=lambda options, seats: Mistyped())


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (Timeless(), "Timeless has no `turn`"),
        (Mistyped(), "'taek' is not the tag of a kind of move; use place, launch or attack"),
    ],
)
def test_checking_the_start_finds_incomplete_positions(position, said):
    with pytest.raises((TypeError, ValueError), match=said):
        Game(**NAMED, start=lambda options, seats: position).check_start()


def test_refusal_of_a_long_text_costs_no_call_for_each_character():
    # The search for what would mend a record refuses such a text at hundreds of positions.
    calls: list[str] = []
    sys.setprofile(lambda _frame, event, _: calls.append(event))
    refused = built_in("poptrix").malformed("x" * 10_000)
    sys.setprofile(None)
    assert (len(refused.message) < 500, len(calls) < 500) == (True, True)
