"""All of Plybook in a tab, with its host stopped and the network cut after the first load."""

from __future__ import annotations

import base64
import io
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from domain.games import BUILT_IN
from replay.book import Book
from replay.formats.archive.importer import import_archive
from replay.formats.archive.reader import verify_archive
from replay.store.sqlite import SqliteStore
from service.tab.building import files_of, service_worker
from tests.browser.launch import new_context, run_server
from tests.browser.tab import Tab, host
from tests.browser.twin import Twin
from tests.contract import test_recorded_cases as recorded
from tests.contract.server import OpenedMatch, Server
from tests.contract.server import run_server as serving
from tests.paths import FIXTURES
from tests.service.tab.site import built_site
from tests.waiting import eventually

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_site(tmp_path_factory)


@pytest.fixture(scope="module")
def tab(site: Path, chromium: Any) -> Iterator[Tab]:
    with host(site.parent) as address:
        opened = Tab(chromium, f"{address}/{site.name}/")
    opened.context.set_offline(True)
    yield opened
    opened.context.close()


@pytest.fixture
def server(tab: Tab) -> Server:
    return tab.server()


def some_match(server: Server) -> tuple[OpenedMatch, list[str]]:
    """Open a match of Poptrix, and return it with the moves of a recorded one."""
    record = recorded.text("poptrix", "games.ply").split("\n[Game ")[0]
    return recorded.opened(server, "poptrix", record), recorded.tokens(record)


def head(server: Server, match: OpenedMatch) -> int:
    return server.client.get(f"matches/{match.id}", headers=match.host).json()["version"]


def test_match_outlives_a_reload(tab, server):
    match, tokens = some_match(server)
    server.enter(match, tokens[:3])
    tab.page.reload()
    tab.wait(tab.page)
    assert head(server, match) == 3


def test_archive_exported_by_the_tab_verifies(tab, server):
    match, tokens = some_match(server)
    server.enter(match, tokens)
    answer = server.client.get(f"matches/{match.id}/record?format=archive", headers=match.host)
    assert answer.status_code == 200, answer.text
    verified = verify_archive(io.BytesIO(answer.content))
    assert [(each.ok, each.match) for each in verified] == [(True, match.id)]


def test_second_tab_follows_and_takes_over(tab, server):
    match, tokens = some_match(server)
    first, second = tab.page, tab.open(f"m/{match.id}")
    server.enter(match, tokens[:1])
    second.frames[1].wait_for_selector('article[data-version="1"]')
    tab.page = second
    first.close()
    assert server.enter(match, tokens[1:2]).json()["version"] == 2


def test_tapped_move_is_saved_on_this_phone(tab, server):
    match, _ = some_match(server)
    token = match.host["Authorization"].split()[1]
    tab.frame.goto(f"{tab.address}join/{match.id}/{token}")
    tab.page.wait_for_url(f"{tab.address}m/{match.id}")
    tab.frame.click('.board .pb-cell[data-at="c1"]')
    tab.frame.click('.desk [data-choose="M"]')
    tab.frame.wait_for_selector("text=Saved on this phone only")
    assert head(server, match) == 1


def test_shared_link_imports_the_match(tab, server):
    match, tokens = some_match(server)
    server.enter(match, tokens[:2])
    tab.frame.goto(f"{tab.address}m/{match.id}/share")
    assert tab.frame.locator("[data-do=forget]").count() == 0  # no invitation could bring it back
    page = tab.open(tab.frame.input_value("#address").removeprefix(tab.address))
    page.frames[1].click("text=Bring it in >> nth=-1")
    page.frames[1].wait_for_selector("text=Match 1")
    page.close()


def test_tab_opens_a_match_of_each_game(server):
    games = [each["slug"] for each in server.client.get("games").json()["games"]]
    assert games == [*BUILT_IN, "free-board", "score-sheet"]
    opened = [server.client.post("matches", json={"game": game}) for game in games]
    assert [answer.status_code for answer in opened] == [201] * len(games)


AXE = """async () => (await axe.run(document, { iframes: false })).violations
  .map(({ id, nodes }) => `${id} ${nodes[0].html}`)"""
PAGES = ("", "library", "library/import", "library/take-away", "m/{}", "m/{}/share", "m/{}/replay")


def test_shell_and_pages_are_accessible(tab, server):
    script = pytest.importorskip("axe_playwright_python.sync_playwright").Axe().axe_script
    match, tokens = some_match(server)
    server.enter(match, tokens[:2])
    found = {}
    for page in PAGES:
        tab.frame.goto(tab.address + page.format(match.id))
        tab.frame.evaluate(script)
        found[page] = tab.frame.evaluate(AXE)
    tab.page.evaluate(script)
    for shown in ("true", "false"):  # as while it starts, and then
        tab.page.evaluate(f"document.querySelector('main').hidden = !{shown}")
        found[f"cover: {shown}"] = tab.page.evaluate(AXE)
    assert {page: faults for page, faults in found.items() if faults} == {}


PUT_BOOK = """async ([name, text]) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(name, { create: true });
  const file = await (await folder.getFileHandle("book.db", { create: true })).createWritable();
  await file.write(bytes);
  await file.close();
}"""
COPIED = """async (name) => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(name);
  const copy = await (await folder.getFileHandle("before-update.db")).getFile();
  return String.fromCharCode(...new Uint8Array(await copy.slice(0, 15).arrayBuffer()));
}"""


def test_archive_takes_all_matches_to_another_browser(tab, server, site, tmp_path):
    """A book of an earlier version is there; it is copied before it is changed."""
    played = [some_match(server)[0] for _ in range(2)]
    for match in played:
        server.enter(match, ["M@c1"])
    archive = tmp_path / "all.plybook"
    archive.write_bytes(server.client.get("archive").content)
    with closing(SqliteStore(tmp_path / "book.db")) as store:
        files = (io.BytesIO(archive.read_bytes()) for _ in range(2))
        first, again = (import_archive(Book(store), each) for each in files)
    assert {each.id for each in played} <= {each.match for each in first if each.new}
    assert not any(each.new or each.events or each.notes for each in again)
    name = f"plybook{quote(f'/{site.name}/', safe='')}"
    old = base64.b64encode((FIXTURES / "first-edition/book.db").read_bytes()).decode()
    with host(site.parent) as address:
        context = new_context(tab.browser)
        page = context.new_page()
        page.goto(f"{address}/{site.name}/licences.txt")
        page.evaluate(PUT_BOOK, [name, old])
        page.goto(f"{address}/{site.name}/")
        tab.wait(page)
        assert page.evaluate(COPIED, name) == "SQLite format 3"
        frame = page.frames[1]
        frame.goto(f"{address}/{site.name}/library/import")
        for already in (0, len(first)):
            frame.set_input_files("#file", archive)
            told = frame.wait_for_selector(".brought").inner_text()
            assert (told.count("Match "), told.count("here already")) == (len(first), already)
            frame.goto(f"{address}/{site.name}/library/import")
        context.close()


def test_match_of_a_deleted_storage_is_said_to_be_gone(site, chromium):
    with host(site.parent) as address:
        context = new_context(chromium)
        page = context.new_page()
        page.goto(f"{address}/{site.name}/m/abcdefgh1234/share")
        shown = page.frame_locator("iframe").get_by_text("This phone no longer has that match")
        shown.wait_for()
        context.close()


def test_damaged_file_is_refused(tab, site, tmp_path):
    damaged = shutil.copytree(site, tmp_path / site.name)
    with (damaged / "site.json").open("a") as file:
        file.write(" ")
    with host(tmp_path) as address:
        context = new_context(tab.browser)
        page = context.new_page()
        page.goto(f"{address}/{site.name}/")
        page.wait_for_selector("text=Plybook could not be fetched whole")
        context.close()


HAS_NEXT = "async () => (await (await fetch('shell.css')).text()).includes('next')"
IS_WAITING = """async () => {
  const registered = await navigator.serviceWorker.getRegistration();
  await registered.update();
  return Boolean(registered.waiting);
}"""


def test_next_version_waits_until_no_tab_is_open(tab, site):
    with host(site.parent) as address:
        other = Tab(tab.browser, f"{address}/{site.name}/")
        with (site / "shell.css").open("a") as style:
            style.write("/* next */\n")
        (site / "service-worker.js").unlink()
        (site / "service-worker.js").write_bytes(service_worker(files_of(site)))
        while not other.page.evaluate(IS_WAITING):
            other.page.wait_for_timeout(200)
        assert not other.page.evaluate(HAS_NEXT)
        eventually(lambda: _has_next_after_a_rest(other))
        assert len(other.page.evaluate("caches.keys()")) == 1
        other.context.close()


def _has_next_after_a_rest(tab: Tab) -> bool:
    tab.page.goto("about:blank")
    tab.page.wait_for_timeout(1000)
    tab.page.goto(tab.address)
    tab.wait(tab.page)
    return bool(tab.page.evaluate(HAS_NEXT))


def test_match_is_sent_to_a_server(tab, server):
    match, tokens = some_match(server)
    server.enter(match, tokens[:2])
    tab.context.set_offline(False)
    asked = len(tab.asked)
    with run_server() as there:
        tab.frame.goto(f"{tab.address}m/{match.id}/share")
        tab.frame.click("text=To another Plybook")
        tab.frame.fill("#server", there.url)
        with tab.page.expect_popup() as opened:
            tab.frame.click("text=Send to a server")
        opened.value.click("button:text-is('Bring in')")
        tab.frame.wait_for_selector(f"text={there.url} has the match.")
        opened.value.close()
        assert there.get(f"/matches/{match.id}")["version"] == 2
    del tab.asked[asked:]
    tab.context.set_offline(True)


def test_form_that_navigates_writes_nothing(tab):
    tab.frame.evaluate(
        """() => {
          const form = document.createElement("form");
          form.method = "post";
          form.action = document.baseURI;
          document.body.append(form);
          form.submit();
        }"""
    )
    tab.page.wait_for_timeout(500)
    assert tab.frame.evaluate("document.body.innerText") == ""


@pytest.fixture(scope="module")
def twin(tab: Tab, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The tab, whose answers must be those of a server beside it."""
    with serving(tmp_path_factory.mktemp("beside")) as beside:
        client = httpx.Client(base_url=tab.address, transport=Twin(tab, beside))
        yield tab.server()._replace(client=client)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_recorded_games_get_the_servers_answers(twin, slug):
    recorded.test_complete_games_are_accepted_to_their_outcome(twin, slug, recorded.ALL)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_broken_games_get_the_servers_refusals(twin, slug):
    recorded.test_broken_games_are_refused_with_move_and_clause(twin, slug, recorded.ALL)


def test_tab_requests_no_other_origin(tab):
    assert tab.asked
    origin = tab.address.removesuffix("/sheet/")
    others = [url for url in tab.asked if not url.startswith((origin, "blob:", "data:", "about:"))]
    assert others == []
