"""A site that is built for tests, with the parts that were fetched before."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from platformdirs import user_cache_path

from service.tab.building import build


def built_site(folders: pytest.TempPathFactory) -> Path:
    """Build a site, or skip the test where no site can be built."""
    if shutil.which("npm") is None:
        pytest.skip("a site is built with Node.js and npm")
    folder = folders.mktemp("host") / "sheet"
    build(folder, user_cache_path("plybook") / "site")
    return folder
