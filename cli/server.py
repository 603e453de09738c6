"""The command that serves: the HTTP API and the pages."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from cli.context import Db, open_book
from replay.errors import Usage

if TYPE_CHECKING:
    from socket import socket


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free one.")] = 8000,
    demo: Annotated[
        bool, typer.Option("--demo", help="Put a commented match of each game into the book first.")
    ] = False,
    db: Db = None,
) -> None:
    """Serve the referee's API and the pages."""
    import uvicorn

    from replay.demo import demo_matches
    from service.app import create_app

    with listen(host, port) as listening:
        address = f"http://{host}:{listening.getsockname()[1]}"
        with open_book(db) as book:
            for recorded in demo_matches(book) if demo else ():
                print(f"{recorded.game.name:13} {address}/m/{recorded.id}")
            print(f"Plybook is at {address}/ (stop it with Ctrl-C)")
            sys.stdout.flush()
            config = uvicorn.Config(create_app(book), log_level="warning", lifespan="off")
            with suppress(KeyboardInterrupt):  # Ctrl-C is how a server is stopped
                uvicorn.Server(config).run([listening])


def listen(host: str, port: int) -> socket:
    """Return a socket that listens. Raises `Usage` if it cannot."""
    import socket

    # asyncio sends small answers at once only where it is told that the protocol is TCP: else
    # the second part of each waits for the other side to acknowledge the first, 40 milliseconds.
    listening = socket.socket(proto=socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # From here on who comes early waits instead of being turned away.
        listening.listen(1024)
    except OSError as error:
        listening.close()
        raise Usage(f"cannot listen on {host}:{port}: {error.strerror}") from None
    return listening
