"""The games of `plugins`, installed for their tests."""

from __future__ import annotations

import pytest

from replay import registry
from tests.cli.conftest import plybook, plybook_terminal  # noqa: F401  # fixtures
from tests.conformance import door
from tests.paths import ROOT


@pytest.fixture(scope="package")
def site(tmp_path_factory):
    """A folder with all plug-ins installed, which the registry finds."""
    folder = tmp_path_factory.mktemp("site")
    for project in sorted((ROOT / "plugins").glob("*/pyproject.toml")):
        door.install(project.parent, folder)
    with door.opened(folder):
        yield folder


@pytest.fixture
def homeworlds(site):
    return registry.find("homeworlds")


@pytest.fixture
def hive(site):
    return registry.find("hive")
