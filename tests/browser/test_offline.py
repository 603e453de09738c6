"""Without a network a secure page opens again, and takes moves until the network is back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.launch import OpenedMatch, Server, run_server
from tests.paths import ROOT
from tests.waiting import PATIENCE

KEPT = """async (address) => {
  await navigator.serviceWorker.ready;
  const kept = await caches.match(address, { ignoreVary: true });
  return !!navigator.serviceWorker.controller && !!kept;
}"""
VERSIONS = "async () => (await caches.keys()).map((name) => name.split(':')[2])"
UPDATED = f"""async (old) => {{
  await (await navigator.serviceWorker.getRegistration()).update();
  return !(await ({VERSIONS})()).includes(old);
}}"""
WAIT = """async (sought) => {
  for (const over = Date.now() + %d; Date.now() < over; ) {
    if (await (%s)(sought)) return;
    await new Promise((go) => setTimeout(go, 20));
  }
  throw new Error("in vain: " + JSON.stringify([sought, await caches.keys()]));
}"""
MATCHES = (
    """async (match) => (await caches.keys()).filter((name) => name.endsWith(":" + match)).length"""
)


@pytest.fixture
def opened(server, opened):
    server.play(opened, "M@c1", "S@c6")
    return opened


@pytest.fixture
def table(phone, server, opened) -> BoardPage:
    """The page of a phone that has stored the page for use offline."""
    table = BoardPage(server, phone(service_workers="allow"), opened)
    wait_for(table.page, KEPT, f"/m/{opened.id}")
    wait_for(table.page, KEPT, "/")
    return table


@pytest.fixture(scope="module")
def under() -> Iterator[Server]:
    """A server at a path of its host."""
    with run_server("--root-path", "/plybook") as running:
        yield running


def wait_for(page: Any, condition: str, argument: Any) -> None:
    # `wait_for_function` takes a promise for a fulfilled condition.
    page.evaluate(WAIT % (1000 * PATIENCE, condition), argument)


def reload(table: BoardPage) -> None:
    table.page.reload()
    table.page.locator(".desk .foot").wait_for(state="attached")


def test_match_opens_offline_and_moves_are_stored_once(table, server, opened):
    table.enter("c1>L@a1")
    wait_for(table.page, KEPT, f"/m/{opened.id}/frame")
    table.page.context.set_offline(True)
    assert table.page.evaluate("fetch('/healthz').then(() => true, () => false)") is False
    reload(table)
    # The page was fetched before the last move, its board after it.
    assert table.version == 3
    table.tap("c6", "M", "a6")
    table.says("No connection: 1 move waits")
    reload(table)
    table.says("No connection: 1 move waits")
    table.tap("c1", "S", "b1")
    table.press(write="")
    table.says("No connection: 2 moves wait")
    reload(table)
    table.says("No connection: 2 moves wait")
    table.page.context.set_offline(False)
    table.settled(5)
    assert server.line(opened) == ["M@c1", "S@c6", "c1>L@a1", "c6>M@a6", "c1>S@b1"]


def test_refusal_is_repeated_offline(table):
    table.tap("c1", "M")
    table.page.locator(".refusal").wait_for()
    said = table.page.locator(".refusal").inner_text()
    assert "POP-" in said
    table.page.context.set_offline(True)
    reload(table)
    table.tap("c1", "M")
    table.page.locator(".refusal").wait_for()
    assert table.page.locator(".refusal").inner_text() == said
    table.tap("a6")
    table.says("needs the network")


@pytest.mark.slow
def test_match_under_a_path_opens_offline(phone, under):
    opened = under.open("poptrix")
    table = BoardPage(under, phone(service_workers="allow"), opened)
    wait_for(table.page, KEPT, f"/plybook/m/{opened.id}")
    table.page.context.set_offline(True)
    reload(table)
    table.tap("M", "c1")
    table.says("No connection: 1 move waits")
    table.page.goto(f"{under.url}/library")
    table.page.get_by_role("link", name="To the first page").wait_for()
    table.page.context.set_offline(False)
    table.page.goto(f"{under.url}/m/{opened.id}")
    table.settled(1)
    assert under.line(opened) == ["M@c1"]


def test_unvisited_pages_report_no_network(table, server):
    page = table.page
    page.context.set_offline(True)
    page.goto(f"{server.url}/library")
    page.get_by_role("heading", name="No network").wait_for()
    page.get_by_role("link", name="To the first page").tap()
    page.get_by_role("link", name="Go on: Poptrix").wait_for()


@pytest.mark.slow
def test_replay_opens_again_without_a_network(table, server, opened):
    page = table.page
    page.goto(f"{server.url}/m/{opened.id}/replay#0")
    page.locator('.frame[data-ply="0"]').wait_for()
    page.locator(".controls [data-go=next]").tap()
    page.locator('.frame[data-ply="1"]').wait_for()
    for part in ("replay", "frame?version=2&ply=2"):
        wait_for(page, KEPT, f"/m/{opened.id}/{part}")
    page.context.set_offline(True)
    page.reload()
    page.locator(".controls [data-go=next]").tap()
    page.locator('.frame[data-ply="2"]').wait_for()


def test_refused_match_is_no_longer_kept(phone, server):
    opened = server.open("poptrix", visibility="private")
    token = server.post(f"/matches/{opened.id}/invitations", {"role": "viewer"}, opened.host)
    page = phone(service_workers="allow")
    page.goto(f"{server.url}/join/{opened.id}/{token['token']}")
    wait_for(page, KEPT, f"/m/{opened.id}")
    revoke(server, opened, token["id"])
    page.get_by_role("heading", name="This match is private").wait_for()
    wait_for(page, f"async (match) => !(await ({MATCHES})(match))", opened.id)
    page.context.set_offline(True)
    page.goto(f"{server.url}/m/{opened.id}")
    page.get_by_role("heading", name="No network").wait_for()


@pytest.mark.parametrize("first", ["", pytest.param("/replay", marks=pytest.mark.slow)])
def test_pages_of_revoked_seat_are_no_longer_kept(phone, server, opened, first):
    seat = server.post(
        f"/matches/{opened.id}/invitations", {"role": "seat", "seat": 1}, opened.host
    )
    page = phone(service_workers="allow")
    page.goto(f"{server.url}/join/{opened.id}/{seat['token']}")
    seen = f"/m/{opened.id}/frame?ply=1&version=1"
    wait_for(page, KEPT, f"/m/{opened.id}")
    page.evaluate("(address) => fetch(address)", seen)
    wait_for(page, KEPT, seen)
    page.goto(server.url)  # the match's own page would load itself again at once
    revoke(server, opened, seat["id"])
    page.goto(f"{server.url}/m/{opened.id}{first}")
    wait_for(page, f"async (address) => !(await ({KEPT})(address))", seen)
    wait_for(page, KEPT, f"/m/{opened.id}{first}")
    page.context.set_offline(True)
    page.goto(f"{server.url}/m/{opened.id}")
    if first:
        page.get_by_role("heading", name="No network").wait_for()
    else:
        page.locator('main.match[data-role=""]').wait_for()


def revoke(server: Server, opened: OpenedMatch, key: str) -> None:
    server.delete(f"/matches/{opened.id}/invitations/{key}", opened.host)


def test_match_is_forgotten_on_this_device(table, server, opened):
    page = table.page
    page.goto(f"{server.url}/m/{opened.id}/share")
    page.get_by_text("Forget", exact=True).tap()
    page.get_by_role("button", name="Forget the match").tap()
    page.get_by_role("button", name="sure?").tap()
    page.wait_for_url(f"{server.url}/")
    assert page.evaluate(MATCHES, opened.id) == 0
    page.goto(f"{server.url}/m/{opened.id}")
    page.locator('main.match[data-role=""]').wait_for()


@pytest.mark.slow
def test_new_version_replaces_kept_files(phone, tmp_path):
    for package in ("cli", "domain", "plybook", "replay", "seeds", "service"):
        shutil.copytree(ROOT / package, tmp_path / package)
    with run_server(source=tmp_path) as server:
        opened = server.open("poptrix")
        table = BoardPage(server, phone(service_workers="allow"), opened)
        wait_for(table.page, KEPT, f"/m/{opened.id}")
        (old,) = set(table.page.evaluate(VERSIONS))
        with (tmp_path / "service/static/css/plybook.css").open("a") as styles:
            styles.write("/* a new version */")
        wait_for(table.page, UPDATED, old)
        wait_for(table.page, KEPT, f"/m/{opened.id}")
        table.page.context.set_offline(True)
        reload(table)
        (new,) = set(table.page.evaluate(VERSIONS))
        assert old != new
        assert f"/static/{new}/css/plybook.css" in table.page.content()
