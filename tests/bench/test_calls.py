"""A move over HTTP takes the way it is meant to take, and no long way round."""

from __future__ import annotations

import asyncio

import pytest

from tests.bench.calls import count


@pytest.mark.parametrize(("followed", "most"), [(False, 175), (True, 320)])
def test_a_move_over_http_needs_few_calls(followed, most):
    calls = asyncio.run(count(followed))
    assert calls.total() <= most, "\n".join(f"{n:3} {name}" for name, n in sorted(calls.items()))
