"""The MCP server: its tools, over standard input and output or over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from socket import socket
from typing import Any, Final

import anyio
import uvicorn
from mcp.server.mcpserver import MCPServer
from starlette.applications import Starlette

from replay.book import Book
from service.app import create_app
from service.http.connections import connection_options
from service.http.head_requests import Service
from service.http.orderly_server import OrderlyServer
from service.mcp.strict_tool import StrictTool
from service.mcp.tools import Tools
from service.settings import Settings

GRACE: Final = 1
"""Seconds for unfinished answers when the server stops."""

PATH: Final = "/mcp"
"""The path of the server over HTTP."""

INSTRUCTIONS: Final = """\
Plybook referees and records matches of table games. Call `games`, then `open` for a match and its
tokens. Give the token of a seat to play for it and to see its secrets; without a token you look on.
`look` shows the board and the legal moves, `play` enters moves. A move that breaks a rule is not
entered: the answer has "ok": false, the clause and its text, and `why` explains it.
"""


def create_server(book: Book, settings: Settings) -> tuple[MCPServer[Any], Service]:
    """Return the server over a book, and the application whose lifespan its tools need."""
    app = create_app(book, settings)
    tools = Tools(app).by_name()
    server = MCPServer[Any](
        "plybook",
        version=version("plybook"),
        instructions=INSTRUCTIONS,
        log_level="WARNING",
        subscriptions=False,
        tools=[StrictTool.of(tool, name) for name, tool in tools.items()],
    )
    return server, app


def serve_streams(book: Book) -> None:
    """Serve over standard input and output, without limits of requests, until the input ends."""
    server, app = create_server(book, Settings(requests_per_minute=0, matches_per_hour=0))

    async def serve() -> None:
        async with app.lifespan():
            await server.run_stdio_async()

    anyio.run(serve)


def serve_http(book: Book, settings: Settings, host: str, bound: socket) -> None:
    """Serve over HTTP at a socket that is bound to a host, until a signal ends it."""
    server, app = create_server(book, settings)
    answering = server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, host=host
    )
    own_lifespan = answering.router.lifespan_context

    @asynccontextmanager
    async def lifespan(starlette: Starlette) -> AsyncIterator[None]:
        async with app.lifespan(), own_lifespan(starlette):
            yield

    answering.router.lifespan_context = lifespan
    config = uvicorn.Config(
        answering,
        **connection_options(settings),
        log_level="warning",
        lifespan="on",
        timeout_graceful_shutdown=GRACE,
    )
    OrderlyServer(config).run([bound])
