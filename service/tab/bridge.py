"""Run the application in a tab of a browser: requests come as messages, answers go as messages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from replay.book import Book
from replay.store import open_store
from replay.store.sqlite import database_file, file_copy
from service.app import create_app
from service.http.problems import bare_answer
from service.settings import Settings
from service.tab.cookies import CookieJar, Headers

OWN: Final = frozenset({b"host", b"origin", b"cookie", b"accept-encoding"})
"""Headers that no page may set: the bridge writes them, or leaves them out."""
SITE: Final = b"sec-fetch-"
CACHE_MB: Final = 32
DATABASE: Final = "book.db"
COPY: Final = "before-update.db"
"""The book before a new version changed its schema; `files.js` keeps both."""


class Asked(Struct):
    """A request of a service worker; it `navigates` if its answer becomes a document."""

    method: str
    path: str
    query: str
    headers: list[tuple[str, str]]
    navigates: bool


class Sender(Protocol):
    """The way back of an answer. Headers are JSON."""

    def start(self, status: int, headers: str, /) -> None:
        """Send the status and the headers of an answer to the page."""

    def chunk(self, content: bytes, /) -> None:
        """Send a part of an answer's body to the page."""

    def end(self) -> None:
        """End the body of an answer to the page."""


class Bridge:
    """An application, its cookies, and the requests that are being answered."""

    def __init__(self, app: Any, jar: CookieJar, origin: str) -> None:
        self._app = app
        self._jar = jar
        self._scheme, _, self._host = origin.partition("://")
        self._origin = origin.encode()
        self._answering: set[asyncio.Task[None]] = set()

    def handle(self, request: str, body: Any, sender: Sender) -> Callable[[], None]:
        """Begin to answer a request; the returned function cancels it."""
        asked, gone = msgspec.json.decode(request, type=Asked), asyncio.Event()
        task = asyncio.ensure_future(self._answer(asked, bytes(body), sender, gone))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)
        return gone.set

    async def _answer(self, asked: Asked, body: bytes, sender: Sender, gone: asyncio.Event) -> None:
        given = False

        async def receive() -> dict[str, Any]:
            nonlocal given
            if given:
                await gone.wait()
                return {"type": "http.disconnect"}
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = self._jar.take(message["headers"])
                texts = [[each.decode("latin-1") for each in header] for header in headers]
                sender.start(message["status"], msgspec.json.encode(texts).decode())
            elif message.get("body"):
                sender.chunk(message["body"])

        try:
            scope = self.scope(asked)
            refusal: Any = bare_answer(405, "a link may only read")
            await (self._app if _is_allowed(asked) else refusal)(scope, receive, send)
        except Exception:
            logging.getLogger("plybook.service").exception("a request could not be answered")
        sender.end()

    def scope(self, asked: Asked) -> dict[str, Any]:
        """Return a request in ASGI's form, as if it came to a server at the address of the tab."""
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": asked.method,
            "scheme": self._scheme,
            "path": unquote(asked.path),
            "raw_path": asked.path.encode(),
            "query_string": asked.query.encode(),
            "root_path": "",
            "headers": self._headers(asked),
            "client": ("127.0.0.1", 0),
            "server": (self._host.partition(":")[0], None),
            "extensions": {},
        }

    def _headers(self, asked: Asked) -> Headers:
        """Return the headers with a browser's additions.

        Only scripts of our own pages reach the service worker without navigating.
        """
        sent = [(name.lower().encode(), value.encode("latin-1")) for name, value in asked.headers]
        headers = [each for each in sent if each[0] not in OWN and not each[0].startswith(SITE)]
        headers.append((b"host", self._host.encode()))
        if cookies := self._jar.header():
            headers.append((b"cookie", cookies.encode("latin-1")))
        if not asked.navigates:
            headers += [(b"origin", self._origin), (b"sec-fetch-site", b"same-origin")]
        return headers


def _is_allowed(asked: Asked) -> bool:
    """Return whether a request may be answered: pages of any site can lead a browser here."""
    return not asked.navigates or asked.method == "GET"


def copy_older(database: Path, copy: Path) -> None:
    """Copy a book of an earlier schema, because opening it changes the schema.

    Raises `StoreError`.
    """
    head = database_file.recognise(database)
    if head is not None and int.from_bytes(head[60:64]) < database_file.SCHEMA:
        made = copy.with_suffix(".part")
        made.unlink(missing_ok=True)
        file_copy.copy(database, made)
        database_file.replace(made, copy)


async def open_bridge(folder: str, origin: str, base: str) -> Bridge:
    """Open the book in a folder, and start the application at a path of an origin.

    Raises `StoreError` if the book cannot be opened.
    """
    place = Path(folder)
    settings = Settings(
        root_path=base.rstrip("/") or None,
        frame_ancestors="'self'",
        requests_per_minute=0,
        matches_per_hour=0,
        streams_per_address=0,
        longest_import=0,
        matches_per_import=0,
        events_per_import=0,
        variations_per_import=0,
        workers=1,
        cache_mb=CACHE_MB,
    )
    copy_older(place / DATABASE, place / COPY)
    app = create_app(Book(open_store(place / DATABASE)), settings)
    await app.state.live.start()
    return Bridge(app, CookieJar(place), origin)
