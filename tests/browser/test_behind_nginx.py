"""Two servers on one book behind nginx, with the documented configuration: TLS, a path, gzip."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest

from faults.server import Server as Process
from tests.browser.board_page import BoardPage
from tests.browser.games import shortest, written
from tests.browser.launch import OpenedMatch, Server
from tests.browser.nginx import BEHIND, NAME, Proxy, needs_nginx, run_nginx
from tests.browser.test_offline import KEPT, wait_for
from tests.waiting import PATIENCE

pytestmark = pytest.mark.slow

NO_STREAMS = "plybook_open_streams 0"
GZIP = {"Accept-Encoding": "gzip"}


class Place(NamedTuple):
    """nginx, the two servers behind it, and a client that asks nginx."""

    proxy: Proxy
    upstreams: list[Process]
    client: httpx.Client

    @property
    def server(self) -> Server:
        """The first server, asked without nginx."""
        first = self.upstreams[0]
        return Server(f"http://127.0.0.1:{first.port()}", first.database)

    @property
    def through(self) -> Server:
        """The address for browsers."""
        return self.server._replace(url=self.proxy.url)

    def post(self, path: str, body: Any, token: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.client.post(f"/plybook{path}", json=body, headers=headers | GZIP)

    def open(self, **body: Any) -> OpenedMatch:
        told = self.post("/matches", {"game": "poptrix", **body}).json()
        return OpenedMatch(told["match"], told["tokens"]["host"], told["tokens"]["seats"])

    def streaming(self) -> list[Process]:
        """Return the servers with open streams."""
        return [each for each in self.upstreams if NO_STREAMS not in _figures(each)]


def _figures(server: Process) -> str:
    return httpx.get(f"http://127.0.0.1:{server.port()}/metrics", timeout=PATIENCE).text


@contextmanager
def place(folder: Path, change: Callable[[str], str] = str) -> Iterator[Place]:
    """Run two servers on a new book behind nginx; `change` makes a mistake in its file."""
    needs_nginx()
    with ExitStack() as running:
        upstreams = [Process(folder / "book.db", options=BEHIND) for _ in range(2)]
        for each in upstreams:
            each.start()
            running.callback(each.stop)
        ports = [each.port() or 0 for each in upstreams]
        proxy = running.enter_context(run_nginx(folder / "nginx", (ports[0], ports[1]), change))
        client = httpx.Client(
            base_url=f"https://127.0.0.1:{proxy.https}",
            headers={"Host": f"{NAME}:{proxy.https}"},
            verify=proxy.trust,
            timeout=PATIENCE,
        )
        yield Place(proxy, upstreams, running.enter_context(client))


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[Place]:
    with place(tmp_path) as there:
        yield there


def test_all_requests_stay_under_the_path(behind, phone):
    page, asked = phone(service_workers="allow"), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{behind.proxy.url}/")
    page.get_by_role("link", name="New match").last.tap()
    page.get_by_role("listitem").filter(has_text="Poptrix").get_by_role(
        "button", name="Start"
    ).tap()
    page.wait_for_url(f"{behind.proxy.url}/m/*")
    record = shortest("poptrix")
    match = behind.open(options=record.game.set_options(record.match.options))
    table = BoardPage(behind.through, page, match)
    for token in written(record):
        table.enter(token)
    table.page.locator(".frame[data-over] .why .clause").wait_for()
    told = behind.server.get(f"/matches/{match.id}")
    assert told["outcome"]["clause"] == record.match.state.outcome.clause
    for path in ("replay", "share", "invite", "beside?version=3"):
        assert page.goto(f"{behind.proxy.url}/m/{match.id}/{path}").ok, path
    for path in ("library", "library/stats", "rules/poptrix", "schema"):
        assert page.goto(f"{behind.proxy.url}/{path}").ok, path
    assert len(asked) > 50
    left = [url for url in asked if not url.startswith((f"{behind.proxy.url}/", "data:", "blob:"))]
    assert left == []
    assert [path for path in behind.proxy.requests if not path.startswith("/plybook/")] == []


def test_invitation_opens_the_seat_on_another_phone(behind, phone):
    match = behind.open(players={"1": "Jet", "2": "Red"})
    page = BoardPage(behind.through, phone(), match).page
    page.goto(f"{behind.proxy.url}/m/{match.id}/invite")
    guest = page.locator(".guest[data-whom='2']")
    guest.get_by_role("button", name="Make").tap()
    guest.locator(".qr").wait_for()
    link = guest.locator(".address").input_value()
    assert link.startswith(f"{behind.proxy.url}/join/{match.id}/")
    red = phone()
    red.goto(link)
    red.wait_for_url(f"{behind.proxy.url}/m/{match.id}")
    assert red.locator("main").get_attribute("data-seat") == "2"


def test_locations_links_and_versions_in_answers_work(behind):
    url = f"http://127.0.0.1:{behind.proxy.http}/plybook/new"
    insecure = httpx.get(url, headers={"Host": NAME}, timeout=PATIENCE)
    assert insecure.headers["location"] == f"https://{NAME}/plybook/new"
    opened = behind.post("/matches", {"game": "poptrix"})
    match, host = opened.json()["match"], opened.json()["tokens"]["host"]
    assert opened.headers["location"] == f"/plybook/matches/{match}"
    assert behind.client.get(opened.headers["location"]).json()["match"] == match
    link = behind.post(f"/matches/{match}/invitations", {"role": "seat", "seat": 1}, host).json()[
        "link"
    ]
    assert link.startswith(f"{behind.proxy.url}/join/{match}/")
    joined = behind.client.get(urlsplit(link).path)
    assert joined.headers["location"] == f"/plybook/m/{match}"
    assert {"Path=/plybook", "Secure"} <= set(joined.headers["set-cookie"].split("; "))
    moved = behind.post(f"/matches/{match}/events", {"events": [{"text": "M@c1"}]}, host)
    assert moved.headers["content-encoding"] == "gzip"
    again = behind.client.post(
        f"/plybook/matches/{match}/events",
        json={"events": [{"text": "S@c6"}]},
        headers={"Authorization": f"Bearer {host}", "If-Match": moved.headers["etag"]},
    )
    assert again.json()["version"] == 2
    assert behind.client.get("/plybook/metrics").status_code == 404


@pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
def test_compressed_stream_delivers_events_at_once(behind, form):
    match = behind.open()
    url = f"/plybook/matches/{match.id}/stream?after=0"
    with behind.client.stream("GET", url, headers=GZIP | {"Accept": form}) as stream:
        assert stream.headers["content-type"].startswith(form)
        assert stream.headers["content-encoding"] == "gzip"
        told = (line for line in stream.iter_lines() if line)
        assert "still here" in (first := next(told)) or "heartbeat" in first
        for token in ("M@c1", "S@c6"):
            behind.post(f"/matches/{match.id}/events", {"events": [{"text": token}]}, match.host)
            news = [next(told)]
            while '"version"' not in news[-1]:
                news.append(next(told))
            assert not any("still here" in line or "heartbeat" in line for line in news)
            written = json.loads(news[-1].removeprefix("data: "))
            line = written.get("data", written)["line"]
            assert [each["text"] for each in line] == [token]


def test_refusal_tells_of_a_proxy_that_forgets_host(tmp_path):
    forgotten = "proxy_set_header Host $http_host;"
    with place(tmp_path, lambda written: written.replace(forgotten, "")) as behind:
        answer = behind.client.get("/plybook/")
        assert answer.status_code == 421
        told = "this server does not answer for 'plybook'; ask for club.example"
        assert told in answer.json()["detail"]
        assert "a proxy must pass Host unchanged" in answer.json()["detail"]


def test_page_continues_with_the_other_server(behind, phone):
    match = behind.open()
    table, looker = BoardPage(behind.through, phone(), match), phone()
    looker.goto(f"{behind.proxy.url}/m/{match.id}")
    table.enter("M@c1")
    looker.locator('.board .pb-cell[data-at="c1"] .pb-piece').wait_for()
    (stopped,) = behind.streaming()
    (left,) = (each for each in behind.upstreams if each is not stopped)
    stopped.stop(signal.SIGTERM)
    table.enter("S@c6")
    looker.locator('.board .pb-cell[data-at="c6"] .pb-piece').wait_for()
    there = Server(f"http://127.0.0.1:{left.port()}", left.database)
    assert there.line(match) == ["M@c1", "S@c6"]


def test_board_takes_moves_while_servers_are_away(behind, phone):
    match = behind.open()
    table = BoardPage(behind.through, phone(service_workers="allow"), match)
    wait_for(table.page, KEPT, f"/plybook/m/{match.id}")
    for each in behind.upstreams:
        each.stop()
    assert behind.client.get(f"/plybook/m/{match.id}").status_code == 502
    table.page.reload()
    table.page.locator(".desk .foot").wait_for(state="attached")
    table.tap("c1", "M")
    table.says("No connection: 1 move waits")
