"""The command that runs the server: the HTTP API and the pages."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import gc
import os
import shlex
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from errno import EADDRINUSE
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from msgspec.structs import replace

from cli.books import BOOK, database
from cli.examples import CommandWithExamples
from cli.service_manager import notify_ready
from replay.errors import Usage
from replay.store import shown

if TYPE_CHECKING:
    from socket import socket

    from domain.game import Game
    from replay.book import Book
    from service.settings import Settings

DEMO_BOOK: Final = "demo.db"
"""The file of the demonstration's own book, in the folder of the usual book."""

ANYWHERE: Final = "0.0.0.0"

UNNAMED: Final = (
    "other names than those of this machine get 421; give the name that callers of a container or"
    " a proxy use: --host-name NAME"
)
LOOPBACK: Final = "127.0.0.1"
"""The address of a machine without a network."""

GRACE: Final = 1
"""Seconds for unfinished answers when the server stops."""

NOT_ROUTED: Final = ("192.0.2.1", 9)
"""A reserved address. The socket only chooses a local address for it and sends nothing."""

OTHER_FILES: Final = 256
"""Open files besides connections: the book, and calls of web hooks."""


class ServeCommand(CommandWithExamples):
    """The command `serve`, with an option for each setting of the server.

    Only this command imports the settings, so that the other commands start faster.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options of the settings, then the options of the function."""
        from cli.setting_sources import options

        return [*options(), *super().get_params(ctx)]

    def invoke(self, ctx: Any) -> Any:
        """Run the function; its context has the given flags by field."""
        from cli.setting_sources import options

        flags = {str(each.name): ctx.params.pop(str(each.name)) for each in options()}
        ctx.obj = {name: flag for name, flag in flags.items() if flag not in (None, (), [])}
        if _came_from(ctx, "db", "DEFAULT_MAP") and _came_from(ctx.parent, "db", "ENVIRONMENT"):
            del ctx.obj["db"]
        return super().invoke(ctx)


def _came_from(context: Any, option: str, source: str) -> bool:
    """Return whether an option of a command has its value from a source of click."""
    return bool(context.get_parameter_source(option).name == source)


def serve(
    context: typer.Context,
    config: Annotated[
        Path | None, typer.Option(help="A TOML file with settings; also as PLYBOOK_CONFIG.")
    ] = None,
    show_settings: Annotated[
        bool, typer.Option("--show-settings", help="Print each setting and its origin, and exit.")
    ] = False,
) -> None:
    """Serve the referee's API and the pages. Settings: flags, PLYBOOK_… variables, or a file.

    Examples:
        plybook serve
        plybook serve --demo
        plybook serve --lan --port 8080
    """
    from cli.setting_sources import read_settings
    from service.http.addresses import checked_prefix
    from service.http.host_names import checked_names
    from service.telemetry import check_extra

    found = read_settings(context.obj, os.environ, config)
    _check_address(found.origins, found.settings)
    names = checked_names(found.settings.host_names)
    checked_prefix(found.settings.root_path or "")
    if found.settings.site is not None:
        from service.pages.pocket import checked_site

        checked_site(found.settings.site)
    if show_settings:
        print("\n".join(found.as_toml()))
        return
    if found.settings.otel:
        check_extra()
    connections = allow_connections(found.settings.connections)
    _serve(replace(found.settings, host_names=names, connections=connections))


def _check_address(origins: Mapping[str, str], settings: Settings) -> None:
    if settings.lan and "host" in origins:
        lan, host = origins["lan"], origins["host"]
        raise Usage(f"{lan} listens on every address of this machine; leave out {host}")
    if settings.port == settings.metrics_port:
        metrics, port = origins["metrics_port"], origins.get("port", "--port")
        raise Usage(f"{settings.port} is not a valid {metrics}: {port} has it; use another port")


def _serve(settings: Settings) -> None:
    """Open the book, listen when it can answer, announce the address, and serve until the end."""
    from replay.book_file import open_book
    from service.pages.layout import prepare_pages

    listens = ANYWHERE if settings.lan else settings.host
    with ExitStack() as there:
        ports = [port for port in (settings.port, settings.metrics_port) if port is not None]
        sockets = [there.enter_context(bind(listens, each)) for each in ports]
        file = DEMO_BOOK if settings.demo else BOOK
        location = database(settings.db, file)
        book = there.enter_context(open_book(location))  # the server indexes its moves itself
        address = address_of(settings, sockets[0].getsockname()[1])
        demo = tuple(_demo_pages(book, address)) if settings.demo else ()
        place = shown(location)

        def ready() -> None:
            notify_ready()
            if settings.is_everywhere and not (settings.lan or settings.host_names):
                print(f"plybook: {UNNAMED}", file=sys.stderr)
            if settings.access_log == "json":
                _announce_as_json(address, place, demo)
            else:
                _announce(address, place, demo)
                if settings.lan:
                    _print_code(address)
            sys.stdout.flush()

        prepare_pages()  # or the first page would take longer than a start
        _run(book, settings, sockets, ready)


def address_of(settings: Settings, port: int) -> str:
    """Return the address of a server with these settings, for people."""
    host = _url_host(_lan_address() if settings.lan else settings.host)
    prefix = (settings.root_path or "").removesuffix("/")
    return f"http://{next(iter(settings.host_names), host)}:{port}{prefix}"


def bind(host: str, port: int) -> socket:
    """Return a socket for the server that has the address, and listens later.

    Raises `Usage` if that fails.

    Until the socket listens, clients are refused at once, and a proxy asks another server.
    """
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = None
    try:
        # asyncio disables Nagle's algorithm only for sockets whose protocol is TCP. Otherwise the
        # second part of each answer waits 40 ms for an acknowledgement.
        bound = socket.socket(family, proto=socket.IPPROTO_TCP)
        if port:  # a free port that may be reused could be given to two servers that start
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        if bound is not None:
            bound.close()
        raise _cannot_listen(host, port, error) from None
    return bound


def _cannot_listen(host: str, port: int, error: OSError) -> Usage:
    return Usage(f"cannot listen on {_url_host(host)}:{port}: {error.strerror}")


def _url_host(host: str) -> str:
    """Write a host as in a URL, with an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def _demo_pages(book: Book, address: str) -> Iterator[tuple[Game[Any], str]]:
    """Yield each game with the address of its demonstration match."""
    from replay.upkeep.demo_matches import demo_matches

    for record in demo_matches(book):
        yield record.game, f"{address}/m/{record.id}"


def _announce(address: str, place: str, demo: Collection[tuple[Game[Any], str]]) -> None:
    for game, page in demo:
        print(f"{game.name:13} {page}")
    print(f"Plybook is at {address}/ (stop it with Ctrl-C)")
    print(f"Programs read {address}/schema")
    print(f"The book is {place}")
    if demo:
        print(f"Read it in another terminal: plybook --db {shlex.quote(place)} list")


def _announce_as_json(address: str, place: str, demo: Iterable[tuple[Game[Any], str]]) -> None:
    """Print lines of JSON, like the lines of the access log."""
    import msgspec

    told = [{"game": game.slug, "address": page} for game, page in demo]
    for facts in (*told, {"address": f"{address}/", "schema": f"{address}/schema", "book": place}):
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        print(msgspec.json.encode({"time": now, **facts}).decode())


def _lan_address() -> str:
    """Return the address of this machine in its network, or the loopback address."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(NOT_ROUTED)
        except OSError:  # the machine has no network
            return LOOPBACK
        return str(asking.getsockname()[0])


def _print_code(address: str) -> None:
    """Print a QR code for phones, if the output can show one."""
    import segno

    code = segno.make(f"{address}/", error="m")
    with suppress(UnicodeEncodeError):
        code.terminal(out=sys.stdout, compact=True)


def allow_connections(requested: int) -> int:
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


def _check_listening(bound: Iterable[socket]) -> None:
    """Raise `OSError` if a socket does not listen: uvloop hides why, and closes it."""
    from socket import SO_ACCEPTCONN, SOL_SOCKET

    listening = False
    with suppress(OSError):
        listening = all(each.getsockopt(SOL_SOCKET, SO_ACCEPTCONN) for each in bound)
    if not listening:
        raise OSError(EADDRINUSE, os.strerror(EADDRINUSE))


def _run(book: Book, settings: Settings, bound: list[socket], ready: Callable[[], None]) -> None:
    """Serve until the end; call `ready` once clients are answered. Raises `Usage`."""
    import uvicorn
    from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

    from service.app import create_app
    from service.http.connections import ForwardedPrefix, Stopping, connection_options
    from service.http.logs import CONFIG
    from service.http.orderly_server import OrderlyServer
    from service.telemetry import open_telemetry

    app = create_app(book, settings, open_telemetry(settings))
    believing: Any = ForwardedPrefix if settings.forwarded_prefix else ProxyHeadersMiddleware
    trusted = os.environ.get("FORWARDED_ALLOW_IPS", LOOPBACK)

    class Server(OrderlyServer):
        """A server that reports when it is ready, and ends live streams when it stops.

        Live streams would never end otherwise.
        """

        async def startup(self, sockets: list[socket] | None = None) -> None:
            host, port, *_ = bound[0].getsockname()
            try:
                await super().startup(sockets)
                _check_listening(bound)
            except OSError as error:  # another server, which was starting too, has the port
                await self.lifespan.shutdown()
                raise _cannot_listen(host, port, error) from None
            ready()

        async def shutdown(self, sockets: list[socket] | None = None) -> None:
            app.state.live.end_streams()
            await super().shutdown(sockets)

    config: Any = uvicorn.Config(
        Stopping(believing(app, trusted)),
        proxy_headers=False,
        **connection_options(settings),
        log_config=CONFIG,
        log_level="warning",
        server_header=False,
        access_log=False,  # paths of invitations contain tokens
        lifespan="on",
        timeout_graceful_shutdown=GRACE,
    )
    # Most objects now live until the end, so the garbage collector skips them.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    Server(config).run(bound)
