"""The MCP server and its client: their packages load for a second, only in tests that run."""

from __future__ import annotations

from typing import Any

from replay.book import Book
from service.settings import Settings


def create_server(book: Book, settings: Settings) -> tuple[Any, Any]:
    from service.mcp import server

    return server.create_server(book, settings)


def client(server: Any) -> Any:
    """Return a client of a server, of standard streams, or of an address."""
    from mcp.client import Client

    return Client(server)
