"""The application loads only what most requests need, as a browser's tab waits for each module."""

from __future__ import annotations

from tests.cli.test_startup import python

MAKE_APP = """
import sys
from replay.book import Book
from replay.store import temporary_store
from service.app import create_app

create_app(Book(temporary_store()))
print(*sys.modules, file=sys.stderr)
"""
ON_DEMAND = {
    "click",
    "httpx",
    "markdown_it",
    "prometheus_client",
    "rich",
    "segno",
    "typer",
    "uvicorn",
}
"""Libraries that only some requests, only commands, or only an extra around the core need."""
MOST = 960


def test_application_loads_few_modules():
    loaded = python(MAKE_APP).modules
    assert "litestar" in loaded
    assert not loaded & ON_DEMAND
    # Litestar loads pydantic where it finds it, as tests do for the extra `mcp`.
    own = {name for name in loaded if not name.startswith(("pydantic", "typing_inspection"))}
    assert len(own) < MOST
