"""The library pages: finding matches, and importing records."""

from __future__ import annotations

import pytest

from tests.paths import FIXTURES

WRONG = """[Game "poptrix"]
[Rules "poptrix/1"]
[Seat1 "Teal"]
[Seat2 "Gold"]
[Result "*"]

1. M@c1 2. S@c6
3. c1>M@c3 *
"""


@pytest.fixture(scope="module")
def server(demonstration):
    return demonstration


@pytest.fixture
def page(phone, server):
    return phone(base_url=server.url)


def test_chosen_file_is_imported_on_this_device(page, server):
    page.goto("/library")
    page.get_by_role("link", name="Import").tap()
    page.wait_for_url("**/library/import")  # its script reads what is chosen
    page.set_input_files("#file", FIXTURES / "poptrix" / "commented.ply")
    page.get_by_role("link", name="Match 1").wait_for()
    assert page.locator(".brought li").count() == 2
    assert "Poptrix, " in page.locator(".brought li").first.inner_text()
    page.get_by_role("link", name="Match 2").tap()
    page.wait_for_url("**/m/*")
    assert page.locator("main").get_attribute("data-role") == "host"


def test_bytes_of_a_file_are_sent_with_its_media_type(page, tmp_path):
    for name, kind in (("old.ply", "application/x-plybook-record"), ("old.txt", "text/plain")):
        content = '[Game "poptrix"]\n[Seat1 "Zoë"]\n\n1. M@c1 *\n'.encode("cp1252")
        (tmp_path / name).write_bytes(content)
        page.goto("/library/import")
        with page.expect_request("**/records") as sent:
            page.set_input_files("#file", tmp_path / name)
        assert sent.value.post_data_buffer == content
        assert sent.value.headers["content-type"] == kind
        page.locator(".notice.bad, .brought").wait_for()


@pytest.mark.slow
def test_wide_text_is_no_picture(page, tmp_path):
    (tmp_path / "wide.ply").write_text('[Game "poptrix"]\n\n1. M@c1 *\n', encoding="utf-16")
    page.goto("/library/import")
    page.set_input_files("#file", tmp_path / "wide.ply")
    page.get_by_role("link", name="Match 1").wait_for()


def test_wrong_record_is_reported_with_line_and_clause(page):
    page.goto("/library/import")
    page.get_by_text("Or paste a text").tap()
    page.get_by_label("The record").fill(WRONG)
    page.get_by_role("button", name="Bring it in").tap()
    fault = page.locator(".notice.bad")
    fault.wait_for()
    assert "line 8" in fault.inner_text()
    assert "3. c1>M@c3 *" in fault.locator("pre").inner_text()
    fault.get_by_role("link", name="POP-3.2").tap()
    page.wait_for_url("**/rules/poptrix#POP-3.2")
    assert page.locator("[id='POP-3.2']").is_visible()


@pytest.mark.slow
def test_file_without_text_is_refused(page, tmp_path):
    (tmp_path / "picture.png").write_bytes(bytes(range(256)))
    page.goto("/library/import")
    page.set_input_files("#file", tmp_path / "picture.png")
    fault = page.locator(".notice.bad")
    fault.wait_for()
    assert fault.inner_text().startswith("This is not a text file.")


def test_page_of_unknown_move_links_to_match(page, server):
    match = server.get("/matches")["matches"][0]["match"]
    page.goto(f"/m/{match}?ply=999")
    assert "no move 999" in page.locator("main").inner_text()
    page.get_by_role("link", name="To the match").tap()
    page.wait_for_url(f"**/m/{match}")


def test_search_finds_players_and_comments(page):
    page.goto("/library")
    page.get_by_label("Look for").fill("warm")
    page.get_by_label("Look for").press("Enter")
    page.wait_for_url("**q=warm**")
    assert page.locator(".match-card").count() == 1
    assert "Blockade" in page.locator(".match-card").inner_text()
    page.get_by_label("Look for").fill("largest black")
    page.get_by_label("Look for").press("Enter")
    page.wait_for_url("**q=largest**")
    assert page.get_by_role("heading", name="What was said").is_visible()


def test_matches_are_rows_below_one_field_and_its_filters(page):
    page.goto("/library")
    card = page.locator(".match-card").nth(1)
    assert page.locator(".match-card").first.bounding_box()["y"] < 300
    assert 72 <= card.bounding_box()["height"] < 100
    assert int(card.locator(".result").evaluate("one => getComputedStyle(one).fontWeight")) >= 600
    chip = page.get_by_role("navigation", name="Which matches").get_by_text("Blockade")
    chip.tap()
    page.wait_for_url("**game=blockade")
    assert chip.bounding_box()["x"] < 30
    page.get_by_label("Look for").fill("warm")
    page.get_by_label("Look for").press("Enter")
    page.wait_for_url("**q=warm&game=blockade")
    chip.tap()
    page.wait_for_url("**/library?q=warm")


def test_library_and_rules_work_without_javascript(desktop, server):
    reader = desktop(base_url=server.url, java_script_enabled=False)
    reader.goto("/library?game=poptrix")
    assert reader.locator(".match-card").count() >= 1
    reader.goto("/rules/poptrix")
    assert reader.get_by_role("heading", name="Launching").is_visible()
    reader.goto("/library/explore/poptrix")
    reader.get_by_role("link", name="M@c1").click()
    reader.wait_for_url(lambda address: "after=M%40c1" in address)


def test_explorer_shows_positions_of_seen_moves(page):
    page.goto("/library/explore/blockade")
    page.locator(".moves-seen a").first.tap()
    page.wait_for_url("**after=**")
    assert page.locator("nav.way li").count() == 2
    assert page.locator("nav.way [aria-current]").inner_text().startswith("roll=")


def test_explorer_and_look_back_lead_to_each_other(phone, server):
    """On small phones too, the first move that was played is seen below the board."""
    match = server.open(players={"1": "Ben", "2": "Anna"}, visibility="public")
    server.play(match, "M@c1", "S@c6", "2:resign")
    for width, height in ((390, 664), (360, 640)):
        page = phone(base_url=server.url, viewport={"width": width, "height": height})
        page.goto(f"/m/{match.id}/replay#2")
        way = page.get_by_role("link", name="What was played here")
        page.locator("main").press("ArrowLeft")
        page.wait_for_function(
            "() => document.querySelector('[data-part=explored]').search === '?ply=1'"
        )
        way.tap()
        page.wait_for_url("**/library/explore/poptrix?after=M%40c1")
        page.locator("nav.way a", has_text="Start").tap()
        page.get_by_label("Moves of one player").fill("Ben")
        page.get_by_label("Moves of one player").press("Enter")
        page.wait_for_url("**/library/explore/poptrix?player=Ben")
        first = page.locator(".moves-seen li").first.bounding_box()
        assert first["y"] + first["height"] <= height


def test_second_visit_loads_no_file_again(page):
    page.goto("/")
    page.wait_for_load_state("networkidle")
    page.goto("/library")
    page.goto("/")
    page.wait_for_load_state("networkidle")
    fetched = page.evaluate(
        "performance.getEntriesByType('resource').filter(each => each.transferSize > 0)"
        ".map(each => each.name)"
    )
    assert fetched == []
    assert page.evaluate("performance.getEntriesByType('resource').length") > 5


@pytest.mark.parametrize("width", [390, 360])
def test_rows_of_many_players_are_as_high_as_of_two(phone, server, width):
    people = {str(seat): f"Ingeborg {seat}" for seat in range(1, 10)}
    server.open("score-sheet", seats=9, players=people, visibility="public")
    page = phone(base_url=server.url, viewport={"width": width, "height": 640})
    page.goto("/library?game=score-sheet")
    row = page.locator(".match-card", has_text="Ingeborg").first
    assert 72 <= row.bounding_box()["height"] <= 76
