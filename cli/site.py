"""The command that builds Plybook as static files, for a tab of a browser without a server."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from socket import socket

PORT: Final = 8080
LOOPBACK: Final = "127.0.0.1"


def site(
    folder: Annotated[Path, typer.Argument(help="A new folder, or one with an earlier site.")],
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve the site on this machine, to try it.")
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port of --serve; 0 takes a free one.")
    ] = PORT,
) -> None:
    """Write Plybook as static files, for a tab without a server.

    Examples:
        plybook site pocket
        plybook site pocket --serve
    """
    from platformdirs import user_cache_path

    from service.tab.building import build

    files = build(folder, user_cache_path("plybook") / "site")
    size = sum(each.bytes for each in files.values()) / 1_000_000
    print(f"{folder}: {len(files) + 1} files, {size:.1f} MB before a host compresses them")
    if serve:
        _serve(folder, port)


def _serve(folder: Path, port: int) -> None:
    from contextlib import suppress
    from functools import partial
    from http import HTTPStatus
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    from cli.serve import bind

    class Handler(SimpleHTTPRequestHandler):
        """A handler that logs no requests, and shows the page for missing files."""

        def send_error(self, code: int, *words: Any) -> None:
            """Answer a missing file with the page of the site, as hosts do."""
            if code != HTTPStatus.NOT_FOUND:
                super().send_error(code, *words)
                return
            self.send_response(code)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write((folder / "404.html").read_bytes())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    with bind(LOOPBACK, port) as listening:
        address = listening.getsockname()
        server = ThreadingHTTPServer(
            address, partial(Handler, directory=folder), bind_and_activate=False
        )
        _listen(server, listening)
        print(f"Plybook is at http://{LOOPBACK}:{address[1]}/ (stop it with Ctrl-C)", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


def _listen(server: Any, listening: socket) -> None:
    """Let a server listen on a socket that is already bound."""
    server.socket.close()
    server.socket = listening
    server.server_activate()
