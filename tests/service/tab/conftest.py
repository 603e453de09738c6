"""The tests of a tab have its book, and no database of a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.tab.site import built_site


@pytest.fixture(scope="module", autouse=True)
def place() -> None:
    """Run no test twice."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory)
