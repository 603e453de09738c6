"""A person fills a dash by amending it, and opens it again."""

from __future__ import annotations

import pytest

from domain.events import FoundLater, NamedPerson, Unrecorded
from domain.log_edits import Filled
from replay import registry
from replay.corrections.amendments import amend, plan_replacement
from replay.corrections.takebacks import redo, take_back
from replay.errors import Refused
from replay.reading import timeline
from replay.record.match_summary import describe_match
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.referee.verification import verify_match


@pytest.fixture
def dashed(book):
    record = open_match(book, registry.find("poptrix"))
    return play(book, record, ["M@c1", "M@c6", "--", "c6>S@c5"])


def test_an_open_dash_is_what_a_match_waits_for(dashed):
    assert describe_match(dashed.match, 2) == "seat 1 is to launch"
    assert describe_match(dashed.match, 3) == "move 3 is missing"
    assert describe_match(dashed.match, 4) == "move 3 is missing"


def test_moves_in_the_place_of_a_dash_fill_it(book, dashed):
    correction = plan_replacement(dashed, 3, "c1>S@c2")
    assert correction.report().texts == ("c1>S@c2",)
    filled = amend(book, correction)
    assert not filled.state.unjudged
    by = FoundLater(NamedPerson("scorekeeper"), ("--",))
    entry = [*timeline.entries(filled)][2]
    assert entry.reconstructed == by
    assert entry.words.endswith("written as --, found by scorekeeper")
    assert verify_match(book, filled.stream).ok


def test_a_dash_in_the_place_of_what_filled_it_opens_it_again(book, dashed):
    filled = amend(book, plan_replacement(dashed, 3, "c1>S@c2"))
    again = amend(book, plan_replacement(filled, 3, "--"))
    assert isinstance(again.match.line[2].event, Unrecorded)
    assert again.state.unjudged
    assert verify_match(book, again.stream).ok
    later = play(book, again, ["c2>S@c3", "c5>S@d5"])
    assert not isinstance(later.events[-1], Filled), "a person has said no"


def test_an_illegal_filling_is_refused(dashed):
    for texts in (["c1>S@c1"], ["c1>S@c2", "c6>S@c5"]):
        with pytest.raises(Refused):
            plan_replacement(dashed, 3, *texts)


def test_the_referee_fills_a_dash_in_the_write_of_the_move_that_decides(book):
    record = open_match(book, registry.find("cube-pyramid"))
    line = [next(iter(record.game.legal_moves(record.state.position)))]
    texts = [record.game.write(line[0][1])]
    record = play(book, record, texts)
    for _ in range(9):
        seat, move = [*record.game.legal_moves(record.state.position)][-1]
        record = play(book, record, [f"{seat}:{record.game.write(move)}"])
    seats = [ply.event.seat for ply in record.match.line]
    bodies = [record.game.write(ply.event.move) for ply in record.match.line]
    copy = open_match(book, registry.find("cube-pyramid"))
    copy = play(book, copy, [*(f"{s}:{b}" for s, b in zip(seats[:5], bodies, strict=False)), "--"])
    for seat, body in zip(seats[6:], bodies[6:], strict=True):
        copy = play(book, copy, [f"{seat}:{body}"])
    assert any(isinstance(event, Filled) for event in copy.events)
    assert copy.state.position == record.state.position
    decided = next(n for n, event in enumerate(copy.events) if isinstance(event, Filled))
    then = copy.at_version(decided + 1)
    undone = take_back(book, copy, len(then.match.line) - 1)
    assert undone.state.unjudged
    assert verify_match(book, undone.stream).ok
    assert not redo(book, undone).state.unjudged
