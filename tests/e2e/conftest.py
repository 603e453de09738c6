"""A server process for each test of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.living import Living


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Living]:
    running = Living(tmp_path, "--requests-per-minute=0")
    yield running
    if running.process.poll() is None:
        running.end()
