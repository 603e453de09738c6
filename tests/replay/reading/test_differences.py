"""The difference of two points lists exactly the differences of their pictures."""

from __future__ import annotations

import pytest

from replay.drawing.descriptions import cell_phrase
from replay.reading.differences import PlaceChange, difference
from replay.reading.timeline import point
from tests.replay.formats.html.matches import long_match, record


def test_position_does_not_differ_from_itself(book):
    recorded = record(book, long_match("poptrix"), 10)
    found = difference((recorded, 6), (recorded, 6))
    assert not found.cells
    assert not found.trays
    assert list(found.words()) == []


@pytest.mark.parametrize("slug", ["poptrix", "blockade", "power-play", "pyramid-ball"])
def test_exactly_the_differing_cells_are_listed(slug, book):
    recorded = record(book, long_match(slug), 30)
    found = difference((recorded, 12), (recorded, 28))
    before, after = (
        {
            cell.at: cell_phrase(cell).removeprefix(cell.at).strip()
            for cell in point(recorded, ply).scene.panels[0].cells  # type: ignore[union-attr]
        }
        for ply in (12, 28)
    )
    expected = {PlaceChange(at, before[at], after[at]) for at in before if before[at] != after[at]}
    assert expected
    assert set(found.cells) == expected


def test_difference_is_symmetric(book):
    recorded = record(book, long_match("cube-pyramid"), 30)
    there, back = (
        difference((recorded, one), (recorded, other)) for one, other in ((4, 20), (20, 4))
    )
    assert {(each.at, each.before, each.after) for each in there.cells} == {
        (each.at, each.after, each.before) for each in back.cells
    }
    assert len({each.at for each in there.cells}) == len(there.cells)
    assert there.turn == back.turn[::-1]
    assert there.standing == back.standing[::-1]


def test_tray_lists_only_differing_items(book):
    recorded = record(book, long_match("poptrix"), 10)
    found = difference((recorded, 0), (recorded, 1))
    (change,) = found.trays
    assert change.at == "Seat 1"
    assert "," not in change.before
    assert "×" in change.after


def test_differences_mention_sealed_moves_without_their_content(book):
    match = long_match("pyramid-ball")
    sealed = next(ply for ply in range(40, 100) if match.at(ply).position.sealed)
    recorded = record(book, match, sealed)
    found = difference((recorded, sealed - 1), (recorded, sealed))
    assert any("locked in" in line for line in found.words())
    assert not any("S " in change.after for change in found.trays)
