"""The command that runs the server: the HTTP API and the pages."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import gc
import sys
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.books import open_book
from cli.output import Db
from replay.errors import Usage

if TYPE_CHECKING:
    from socket import socket

    from replay.book import Book
    from service.settings import Settings

ANYWHERE: Final = "0.0.0.0"
LOOPBACK: Final = "127.0.0.1"

GRACE: Final = 1
"""Seconds for unfinished answers when the server stops."""

NOT_ROUTED: Final = ("192.0.2.1", 9)
"""An address that nobody uses. The socket only chooses a local address for it and sends nothing."""

OTHER_FILES: Final = 256
"""Open files besides connections: the book, and calls of web hooks."""

Limit = typer.Option(min=0, help="At most so many, of a token or an address; 0 is no limit.")


def serve(
    host: Annotated[
        str | None, typer.Option(help=f"The address to listen on; {LOOPBACK} by default.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free one.")] = 8000,
    lan: Annotated[
        bool,
        typer.Option("--lan", help="Let others in the local network in: address and QR code."),
    ] = False,
    demo: Annotated[
        bool, typer.Option("--demo", help="Put a commented match of each game into the book first.")
    ] = False,
    requests_per_minute: Annotated[int, Limit] = 1200,
    matches_per_hour: Annotated[
        int, typer.Option(min=0, help="Opened from one address at most; 0 is no limit.")
    ] = 100,
    events_per_match: Annotated[
        int, typer.Option(min=0, help="In the log of a match at most; 0 is no limit.")
    ] = 10_000,
    streams_per_address: Annotated[
        int, typer.Option(min=0, help="Open at one time at most; 0 is no limit.")
    ] = 100,
    events_per_import: Annotated[
        int, typer.Option(min=0, help="In records sent at once at most; 0 is no limit.")
    ] = 20_000,
    variations_per_import: Annotated[
        int, typer.Option(min=0, help="In records sent at once at most; 0 is no limit.")
    ] = 500,
    variation_depth: Annotated[
        int, typer.Option(min=0, help="How deep they nest at most; 0 is no limit of this kind.")
    ] = 16,
    longest_name: Annotated[
        int, typer.Option(min=0, help="Characters of a player's, a fork's or an author's name.")
    ] = 100,
    longest_text: Annotated[
        int, typer.Option(min=0, help="Characters of a comment, a reason or a tag at most.")
    ] = 10_000,
    workers: Annotated[
        int,
        typer.Option(
            min=0, help="Processes for pictures, exports and records; 0: processors but one."
        ),
    ] = 0,
    queue_length: Annotated[
        int, typer.Option(min=0, help="Pieces of work that wait for them; 0 is no limit.")
    ] = 32,
    plies_per_picture: Annotated[
        int, typer.Option(min=0, help="Shown by an animation at most; 0 is no limit.")
    ] = 200,
    cache_mb: Annotated[
        int, typer.Option(min=0, help="Megabytes of matches kept in memory; 0 is no limit.")
    ] = 256,
    hooks_anywhere: Annotated[
        bool,
        typer.Option(
            "--hooks-anywhere", help="Let WebHooks call this machine and private addresses too."
        ),
    ] = False,
    lists_all: Annotated[
        bool,
        typer.Option("--lists-all", help="List unlisted matches too, in a house of your own."),
    ] = False,
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Answer requests for this name only, and build links from it; repeatable.",
        ),
    ] = None,
    header_timeout: Annotated[
        float, typer.Option(min=0, help="Seconds for the header of a request; 0 is no limit.")
    ] = 10,
    body_timeout: Annotated[
        float, typer.Option(min=0, help="Seconds for the body of a request; 0 is no limit.")
    ] = 30,
    keep_alive: Annotated[
        int, typer.Option(min=0, help="Seconds for which a connection waits for a request.")
    ] = 5,
    connections: Annotated[
        int, typer.Option(min=0, help="Open at one time at most; 0 is no limit.")
    ] = 10_000,
    metrics_port: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Answer /metrics on this port, and not on the other."),
    ] = None,
    db: Db = None,
) -> None:
    """Serve the referee's API and the pages."""
    from service.http.host_names import HostNames
    from service.settings import Settings

    if lan and host is not None:
        raise Usage("--lan listens on every address of this machine; leave out --host")
    settings = Settings(
        requests_per_minute=requests_per_minute,
        matches_per_hour=matches_per_hour,
        events_per_match=events_per_match,
        streams_per_address=streams_per_address,
        events_per_import=events_per_import,
        variations_per_import=variations_per_import,
        variation_depth=variation_depth,
        longest_name=longest_name,
        longest_text=longest_text,
        workers=workers,
        queue_length=queue_length,
        plies_per_picture=plies_per_picture,
        cache_mb=cache_mb,
        hooks_anywhere=hooks_anywhere,
        lists_all=lists_all,
        host_names=HostNames(host_name or ()).names,
        header_timeout=header_timeout,
        body_timeout=body_timeout,
        keep_alive=keep_alive,
        connections=_allow_connections(connections),
        metrics_port=metrics_port,
    )
    listens = ANYWHERE if lan else host or LOOPBACK
    with ExitStack() as there:
        ports = (port,) if metrics_port is None else (port, metrics_port)
        sockets = [there.enter_context(listen(listens, each)) for each in ports]
        book = there.enter_context(open_book(db))
        shown = _url_host(_lan_address() if lan else listens)
        name = next(iter(settings.host_names), shown)
        address = f"http://{name}:{sockets[0].getsockname()[1]}"
        _announce(book, address, demo)
        if lan:
            _print_code(address)
        sys.stdout.flush()
        _run(book, settings, sockets)


def listen(host: str, port: int) -> socket:
    """Return a listening socket. Raises `Usage` if that fails."""
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = None
    try:
        # asyncio disables Nagle's algorithm only for sockets whose protocol is TCP. Otherwise the
        # second part of each answer waits 40 ms for an acknowledgement.
        listening = socket.socket(family, proto=socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        # From here on, early clients wait instead of being refused.
        listening.listen(1024)
    except OSError as error:
        if listening is not None:
            listening.close()
        raise Usage(f"cannot listen on {_url_host(host)}:{port}: {error.strerror}") from None
    return listening


def _url_host(host: str) -> str:
    """Write a host as in a URL, with an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def _announce(book: Book, address: str, demo: bool) -> None:
    from replay.upkeep.demo_matches import demo_matches

    for recorded in demo_matches(book) if demo else ():
        print(f"{recorded.game.name:13} {address}/m/{recorded.id}")
    print(f"Plybook is at {address}/ (stop it with Ctrl-C)")


def _lan_address() -> str:
    """Return the address of this machine in its network, or the loopback address."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(NOT_ROUTED)
        except OSError:  # there is no network
            return LOOPBACK
        return str(asking.getsockname()[0])


def _print_code(address: str) -> None:
    """Print a QR code for phones, if the output can show one."""
    import segno

    code = segno.make(f"{address}/", error="m")
    with suppress(UnicodeEncodeError):
        code.terminal(out=sys.stdout, compact=True)


def _allow_connections(requested: int) -> int:
    """Raise the limit of open files for this many connections, and return the number possible."""
    try:
        import resource
    except ImportError:  # no such limit on Windows
        return requested
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    needed = requested + OTHER_FILES
    if soft != unlimited and soft < needed:
        soft = needed if hard == unlimited else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return requested if soft == unlimited else min(requested, max(soft - OTHER_FILES, 1))


def _run(book: Book, settings: Settings, sockets: list[socket]) -> None:
    import uvicorn

    from service.app import create_app
    from service.http.connections import bounded
    from service.http.log_format import CONFIG

    app = create_app(book, settings)

    class Server(uvicorn.Server):
        """A server that ends live streams when it stops; they would never end by themselves."""

        async def shutdown(self, sockets: list[socket] | None = None) -> None:
            app.state.live.end_streams()
            await super().shutdown(sockets)

    config: Any = uvicorn.Config(
        app,
        http=bounded(settings),
        timeout_keep_alive=settings.keep_alive,
        log_config=CONFIG,
        log_level="warning",
        access_log=False,  # paths of invitations contain tokens
        lifespan="on",
        timeout_graceful_shutdown=GRACE,
    )
    # Most objects now live until the end, so the garbage collector skips them.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    with suppress(KeyboardInterrupt):  # Ctrl-C is the usual way to stop a server
        Server(config).run(sockets)
