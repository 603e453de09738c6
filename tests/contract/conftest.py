from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.server import Server, run_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server process that tests share; each opens its own matches."""
    with run_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def schema(server: Server) -> dict[str, Any]:
    return server.client.get("/schema/openapi.json").json()
