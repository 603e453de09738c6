"""The command for programs that play by tools: mcp."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from typing import Annotated

import typer

from cli.books import open_book
from cli.output import Db
from cli.serve import allow_connections, bind
from replay.errors import Usage, missing_extra


def mcp(
    http: Annotated[
        str | None,
        typer.Option("--http", metavar="HOST:PORT", help="Serve over HTTP instead, at /mcp."),
    ] = None,
    db: Db = None,
) -> None:
    """Let programs play and read matches by tools (MCP).

    Without --http the program that starts it talks with it over standard input and output.

    Examples:
        plybook mcp
        plybook mcp --http localhost:8100
    """
    address = None if http is None else _address(http)
    try:
        # The extra may be missing, and is slow to import.
        from service.mcp.server import serve_http, serve_streams
        from service.settings import Settings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "mcp":
            raise
        raise Usage(missing_extra("`plybook mcp`", "mcp")) from None
    with open_book(db) as book:
        if address is None:
            serve_streams(book)
            return
        named, port = address
        host = named.strip("[]")
        with bind(host, port) as bound:
            bound.listen()  # a client that reads the address waits, and is not refused
            place = f"{named}:{bound.getsockname()[1]}"
            print(f"The tools are at http://{place}/mcp (stop them with Ctrl-C)", flush=True)
            settings = Settings(connections=allow_connections(Settings().connections))
            serve_http(book, settings, host, bound)


def _address(text: str) -> tuple[str, int]:
    """Return the host, as in a URL, and the port; 0 takes a free one. Raises `Usage`."""
    host, _, port = text.rpartition(":")
    if not host or not (port.isascii() and port.isdecimal()) or int(port) > 65535:
        raise Usage(f"{text!r} is not an address; use HOST:PORT, like localhost:8100")
    return host, int(port)
