"""A move over HTTP takes the way it is meant to take, and no long way round."""

from __future__ import annotations

import pytest

from tests.bench.calls import Calling, fewest


@pytest.mark.parametrize("followed", [False, True])
def test_a_move_over_http_needs_few_calls(followed):
    calls, figure = fewest(followed), Calling().figures[followed]
    told = "\n".join(f"{n:3} {name}" for name, n in sorted(calls.items()))
    assert figure.reached(calls.total()), told
