"""The load benchmark runs: no request is refused, each answered event is stored and streamed."""

from __future__ import annotations

import pytest

from tests.bench.load import run, wrk

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not wrk.there(), reason=wrk.MISSING),
]


def test_every_level_is_measured_and_every_follower_told(capsys):
    run.main(rounds=1, seconds=1)
    told = capsys.readouterr().out
    for measure in ("connections", "move 3000", "1,000 open streams"):
        assert measure in told
