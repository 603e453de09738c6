"""Requests of a tab: cookies, origins, and the requests of other sites."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from replay.book import Book
from replay.runtime import TAB
from replay.store.sqlite import SqliteStore
from service.app import create_app
from service.settings import Settings
from service.tab.bridge import Asked, Bridge, copy_older
from service.tab.cookies import CookieJar
from tests.paths import FIXTURES
from tests.waiting import PATIENCE

ORIGIN = "https://sheet.example"
SETTINGS = Settings(root_path="/p", frame_ancestors="'self'", matches_per_hour=0)


class Answer:
    """The answer to a request."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.body = b""
        self.ended = asyncio.Event()

    def start(self, status: int, headers: str) -> None:
        self.status, self.headers = status, dict(json.loads(headers))

    def chunk(self, content: bytes) -> None:
        self.body += content

    def end(self) -> None:
        self.ended.set()


class Client:
    """A tab over a folder with a book."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = SqliteStore(folder / "book.db", runtime=TAB)
        self.bridge = Bridge(create_app(Book(self.store), SETTINGS), CookieJar(folder), ORIGIN)

    def send(self, method: str, path: str, body: Any = None, **asked: Any) -> Answer:
        """Send a request of a script and wait for the end of the answer."""
        headers = [["Content-Type", "application/json"], *asked.pop("headers", ())]
        request = {"method": method, "path": f"/p{path}", "query": "", "headers": headers}
        request |= {"navigates": False, **asked}

        async def exchange() -> Answer:
            answer = Answer()
            sent = b"" if body is None else json.dumps(body).encode()
            self.bridge.handle(json.dumps(request), sent, answer)
            await answer.ended.wait()
            return answer

        return asyncio.run(exchange())

    def match(self) -> dict[str, Any]:
        return json.loads(self.send("POST", "/matches", {"game": "poptrix"}).body)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    made = Client(tmp_path_factory.mktemp("book"))
    with closing(made.store):
        yield made


def test_page_in_tab_may_be_framed(client):
    answer = client.send("GET", "/", headers=[["Accept", "text/html"]])
    assert answer.status == 200
    assert answer.headers["content-security-policy"].endswith("frame-ancestors 'self'")


def test_invitation_is_kept_where_no_script_reads_it(client):
    made = client.match()
    join = f"/join/{made['match']}/{made['tokens']['host']}"
    answer = client.send("GET", join, navigates=True)
    assert (answer.status, "set-cookie" in answer.headers) == (303, False)
    entered = {"events": [{"text": "M@c1"}]}
    assert client.send("POST", f"/matches/{made['match']}/events", entered).status == 200
    assert made["tokens"]["host"] in CookieJar(client.folder).header()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_navigation_writes_nothing(client, method):
    made = client.match()
    client.send("GET", f"/join/{made['match']}/{made['tokens']['host']}", navigates=True)
    events = {"events": [{"text": "M@c1"}]}
    answer = client.send(method, f"/matches/{made['match']}/events", events, navigates=True)
    assert answer.status == 405
    assert client.store.find(made["match"]).head == 0


@pytest.mark.parametrize("name", ["Host", "Origin", "Cookie", "Sec-Fetch-Site"])
def test_bridge_replaces_headers_that_only_browsers_set(client, name):
    asked = client.bridge.scope(Asked("GET", "/", "", [(name, "elsewhere.example")], False))
    assert "elsewhere.example" not in str(asked["headers"])
    told = dict(asked["headers"])
    assert (told[b"host"], told[b"origin"]) == (b"sheet.example", ORIGIN.encode())


def test_book_of_an_earlier_schema_is_copied_first(tmp_path):
    book, copy = tmp_path / "book.db", tmp_path / "before-update.db"
    copy_older(book, copy)  # there is no book yet
    shutil.copy(FIXTURES / "first-edition/book.db", book)
    before = schema(book)
    copy_older(book, copy)
    SqliteStore(book, runtime=TAB).close()
    assert schema(copy) == before < schema(book)
    changed = copy.stat().st_mtime_ns
    copy_older(book, copy)
    assert copy.stat().st_mtime_ns == changed
    assert sorted(path.name for path in tmp_path.glob("b*.db")) == ["before-update.db", "book.db"]


def schema(database):
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def test_unfinished_cookie_write_leaves_the_previous_one(tmp_path):
    jar = CookieJar(tmp_path)
    jar.take([(b"set-cookie", b"plybook-a=1; Path=/"), (b"etag", b"x")])
    jar.take([(b"set-cookie", b"plybook-b=2; Path=/")])
    newest = max(
        tmp_path.glob("cookies-*.json"), key=lambda path: path.read_text().count("plybook")
    )
    newest.write_bytes(newest.read_bytes()[:9])
    assert CookieJar(tmp_path).header() == "plybook-a=1"


def test_expired_cookie_is_forgotten(tmp_path):
    jar = CookieJar(tmp_path)
    assert jar.take([(b"Set-Cookie", b"plybook-a=1"), (b"etag", b"x")]) == [(b"etag", b"x")]
    jar.take([(b"set-cookie", b'plybook-a=""; Max-Age=0')])
    assert CookieJar(tmp_path).header() == ""


def test_stream_ends_when_its_client_leaves(client):
    made = client.match()

    async def follow() -> Answer:
        answer = Answer()
        path = f"/p/matches/{made['match']}/stream"
        request = {"method": "GET", "path": path, "query": "", "headers": [], "navigates": False}
        gone = client.bridge.handle(json.dumps(request), b"", answer)
        while not answer.body:
            await asyncio.sleep(0.01)
        gone()
        await asyncio.wait_for(answer.ended.wait(), PATIENCE)
        return answer

    assert asyncio.run(follow()).headers["content-type"].startswith("text/event-stream")
