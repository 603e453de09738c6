"""A write over HTTP takes few steps."""

from __future__ import annotations

import pytest

from bench.calls import COUNTED, Calling, fewest


@pytest.mark.parametrize(("number", "counted"), list(enumerate(COUNTED)))
def test_write_over_http_needs_few_calls(number, counted):
    calls, figure = fewest(*counted), Calling().figures[number]
    listed = "\n".join(f"{count:3} {name}" for name, count in sorted(calls.items()))
    assert figure.reached(calls.total()), listed
