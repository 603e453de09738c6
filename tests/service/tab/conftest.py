"""The tests of a tab have its book, and no database of a server."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module", autouse=True)
def place() -> None:
    """Run no test twice."""
