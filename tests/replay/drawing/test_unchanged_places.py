"""A board without its unchanged places, and the board before, give the whole board."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from domain.games import BUILT_IN
from domain.match import Match
from domain.scene import Scene
from replay.drawing.board_buttons import board, more
from tests.replay.formats.html.matches import long_match


@pytest.mark.parametrize("slug", BUILT_IN)
def test_left_out_places_are_unchanged(slug):
    match = long_match(slug)
    scenes = [match.game.scene(match.at(ply).position.view(None), ()) for ply in range(20)]
    marked = [
        match.game.scene(match.at(ply).position.view(None), match.line[ply - 1].effects)
        for ply in range(1, 20)
    ]
    left_out = 0
    for before, scene in (*pairwise(scenes), *pairwise(marked)):
        old, new = (_children(board(each)) for each in (before, scene))
        brief = _children(board(scene, before=before))
        same = [at for at, drawn in brief.items() if "data-same" in drawn]
        left_out += len(same)
        assert {**brief, **{at: old[at] for at in same}} == new
    assert left_out > 200


def test_left_out_places_of_smaller_boards_are_unchanged():
    slug = next(each for each in BUILT_IN if more(_scene(long_match(each), 0)))
    match, left = long_match(slug), 0
    for ply in range(1, 20):
        before, scene = _scene(match, ply - 1), _scene(match, ply)
        old, whole = (PLACE.findall(more(each)) for each in (before, scene))
        brief = PLACE.findall(more(scene, before=before))
        assert len(brief) == len(whole) == len(old)
        for at, drawn in enumerate(brief):
            same = re.search('data-same="(.*?)"', drawn)
            left += same is not None
            assert (old[at] if same else drawn) == whole[at]
    assert left > 100


PLACE = re.compile(r'<g class="pb-cell" data-(?:at|same)="[^"]*">.*?(?=<g class="pb-cell"|$)', re.S)


def _scene(match: Match, ply: int) -> Scene:
    return match.game.scene(match.at(ply).position.view(None), ())


def _children(drawn: str) -> dict[str, str]:
    """Return the elements of a board by place, or by number."""
    root = ElementTree.fromstring(drawn)
    return {
        child.get("data-at") or child.get("data-same") or str(at): ElementTree.tostring(
            child, "unicode"
        )
        for at, child in enumerate(root)
    }
