"""Matches are handed over to another server, and by chains of codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from replay.formats import record_link
from tests.browser.launch import OpenedMatch, Server, run_server

FOREIGN = """(address) => {
  const other = open(`${address}/library/import#handover`);
  addEventListener("message", ({ data }) => {
    if (data.handover === "ready") other.postMessage({ handover: "offer", count: 1 }, "*");
    else if (data.handover === "fetch") document.body.dataset.asked = "";
  });
}"""

BRING_IN = "button:text-is('Bring in')"
UNFOLD = "summary:text('To another Plybook')"


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Server]:
    with run_server() as running:
        yield running


def heads(match: str, *servers: Server) -> list[str]:
    return [each.get(f"/matches/{match}")["head"] for each in servers]


def hand_over(page: Any, elsewhere: Server) -> str:
    """Send what a page offers to another server, agree there, and return what the page says."""
    page.fill("#server", elsewhere.url)
    with page.expect_popup() as opened:
        page.click("text=Send to a server")
    opened.value.click(BRING_IN)
    opened.value.wait_for_selector(".brought")
    page.wait_for_selector("[data-part=handed]:text-matches(' has |refused')")
    told = opened.value.inner_text("[data-part=results]")
    opened.value.close()
    return f"{page.inner_text('[data-part=handed]')} {told}"


def join(page: Any, server: Server, match: OpenedMatch) -> None:
    page.goto(f"{server.url}/join/{match.id}/{match.host}")


def test_match_is_sent_to_another_server_once(server, elsewhere, opened, phone):
    page = phone()
    server.play(opened, "M@c1", "S@c6")
    join(page, server, opened)
    page.goto(f"{server.url}/m/{opened.id}/share")
    page.click(UNFOLD)
    assert f"{elsewhere.url} has the match." in hand_over(page, elsewhere)
    first = heads(opened.id, server, elsewhere)
    assert first[0] == first[1]
    page.reload()
    page.click(UNFOLD)
    assert page.input_value("#server") == elsewhere.url
    assert "here already" in hand_over(page, elsewhere)
    assert heads(opened.id, elsewhere) == first[:1]
    server.play(opened, "c1>L@c3")
    hand_over(page, elsewhere)
    assert heads(opened.id, elsewhere) == heads(opened.id, server) != first[:1]


def test_all_matches_are_handed_over(server, elsewhere, phone, tmp_path):
    page = phone()
    matches = [server.open() for _ in range(3)]
    for match in matches:
        join(page, server, match)
    page.goto(f"{server.url}/library/take-away")
    with page.expect_download() as saved:
        page.click("text=Take everything away")
    saved.value.save_as(tmp_path / "matches.plybook")
    assert f"{elsewhere.url} has all 3 matches." in hand_over(page, elsewhere)
    page.goto(f"{elsewhere.url}/library/import")
    page.set_input_files("#file", tmp_path / "matches.plybook")
    page.wait_for_selector(".brought")
    assert page.inner_text(".brought").count("here already") == 3
    for match in matches:
        assert len(set(heads(match.id, server, elsewhere))) == 1


def test_server_without_plybook_is_named(server, opened, phone):
    page = phone()
    page.clock.install()
    page.goto(f"{server.url}/m/{opened.id}/share")
    page.click(UNFOLD)
    page.fill("#server", f"{server.url}/nowhere")
    with page.expect_popup():
        page.click("text=Send to a server")
    page.clock.run_for(21_000)
    page.wait_for_selector("text=has not answered")


def test_nothing_is_stored_before_people_agree(server, elsewhere, phone):
    page = phone()
    page.goto(server.url)
    with page.expect_popup() as popup:
        page.evaluate(FOREIGN, elsewhere.url)
    popup.value.wait_for_selector(f"text={server.url} hands 1 match over")
    assert page.locator("body[data-asked]").count() == 0
    popup.value.click(BRING_IN)
    page.wait_for_selector("body[data-asked]")


@pytest.mark.slow
def test_codes_are_joined_in_any_order(server, phone):
    page = phone()
    said = "".join(map(chr, range(0x4E00, 0x4E00 + 1500)))
    record = f'[Game "poptrix"]\n[Seat1 "Jet"]\n[Seat2 "Red"]\n\n1. M@c1 {{{said}}} *\n'
    links = record_link.chain(f"{server.url}/", record)
    assert len(links) == 3
    for number, missing in ((3, "1, 2"), (1, "2"), (1, "2")):
        page.goto("about:blank")
        page.goto(links[number - 1])
        page.wait_for_selector(f"text=/in any order: {missing}\\./")
    page.goto("about:blank")
    page.goto(links[1])
    page.click("text=Bring it in >> nth=-1")
    page.wait_for_selector("text=Match 1")
    assert re.search(r"Jet.*1 move", page.inner_text(".brought"))
