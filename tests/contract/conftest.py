from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.contract.serving import Server, served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server process that tests share; each opens matches of its own."""
    with served(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture(scope="session")
def schema(server: Server) -> dict[str, Any]:
    return server.client.get("/schema/openapi.json").json()
