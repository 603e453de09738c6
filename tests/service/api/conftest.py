"""The API answers alike without threads, as in a tab of a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service.conftest import SERVER, placed

TAB = pytest.param("tab", marks=pytest.mark.slow)


@pytest.fixture(scope="module", autouse=True, params=["file", TAB, SERVER])
def place(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the tests of the API also without threads."""
    yield from placed(request)
