"""Perft from the start and from midgame, deeper than the shared cases.

The counts are this project's own, written down when it agreed with the independent cases: they show
that nothing changed since, not that it was right.
"""

from __future__ import annotations

import json

import pytest

from domain.games import BUILT_IN, built_in
from domain.perft import perft
from tests.paths import FIXTURES
from tests.token_play import play_texts

LISTING = [slug for slug in BUILT_IN if built_in(slug).lists_all]


@pytest.mark.slow
@pytest.mark.parametrize("slug", LISTING)
def test_deep_counts(slug):
    for case in json.loads((FIXTURES / slug / "perft-deep.json").read_text()):
        game = built_in(slug)
        start = play_texts(game, case["after"], seats=case["seats"], **case["options"])
        counts = {depth: perft(game, start.state.position, int(depth)) for depth in case["counts"]}
        assert counts == case["counts"], case["after"]


@pytest.mark.parametrize("slug", LISTING)
def test_deep_perft_tables_extend_shared_ones(slug):
    shared = json.loads((FIXTURES / slug / "perft.json").read_text())
    [start, *middle] = json.loads((FIXTURES / slug / "perft-deep.json").read_text())
    assert start["after"] == ""
    assert shared.items() < start["counts"].items()
    assert all(case["after"] and len(case["counts"]) >= 3 for case in middle)
