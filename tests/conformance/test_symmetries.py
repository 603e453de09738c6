"""Run the symmetry tests on every registered game, and on the recorded matches."""

from __future__ import annotations

import pytest

from domain.events import Moved
from domain.games import BUILT_IN
from plybook.testing.symmetries import *
from replay.formats.ply.reader import read_records
from tests.conformance.subjects import FIXTURES, GAMES


@pytest.mark.parametrize("slug", BUILT_IN)
def test_recorded_matches_have_images_to_their_end(slug):
    for record in read_records((FIXTURES / slug / "games.ply").read_text()):
        states = [record.match.start, *(ply.state for ply in record.match.line)]
        for before, ply in zip(states, record.match.line, strict=False):
            if not isinstance(ply.event, Moved):
                continue
            for way in GAMES[slug].symmetries(before.position):
                image = way.move(ply.event.move)
                after, _ = image.evolve(way.position(before.position), ply.event.seat)
                assert after == way.position(ply.state.position)
