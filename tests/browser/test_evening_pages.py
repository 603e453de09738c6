"""An evening by pages alone: tables, codes, the next round, a phone's table, a lost browser."""

from __future__ import annotations

import pytest


@pytest.fixture
def laptop(phone, server):
    """A device whose page of a new evening is open."""
    page = phone(base_url=server.url)
    page.goto("/new")
    page.get_by_role("link", name="Open an evening").tap()
    page.get_by_label("Title").fill("Tuesday club")
    page.get_by_role("button", name="Open the evening").tap()
    page.get_by_role("heading", name="Tuesday club").wait_for()
    return page


def open_table(page, *names: str) -> None:
    page.get_by_role("link", name="Open a table").tap()
    page.locator(".pick").filter(has_text="Poptrix").get_by_role("link", name="Options").tap()
    for seat, name in enumerate(names, 1):
        page.locator(f"#seat{seat}").fill(name)
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/evenings/*")


def test_tables_get_numbers_codes_and_a_next_round(laptop, server):
    open_table(laptop, "Anna", "Bernd")
    open_table(laptop, "Cem", "Dora")
    rows = laptop.locator("tbody tr")
    assert [text.split()[0] for text in rows.all_inner_texts()] == ["1", "2"]
    evening = laptop.url
    token = laptop.locator("#link").input_value().rpartition("/")[2]
    told = server.get(f"/evenings/{evening.rpartition('/')[2]}")
    match = told["matches"][0]["match"]
    server.post(f"/matches/{match}/rulings", {"result": "won", "winner": 1}, token)
    laptop.reload()
    laptop.get_by_role("link", name="Next round").tap()
    assert laptop.get_by_label("Round").input_value() == "2"
    laptop.get_by_role("button", name="Start").tap()
    laptop.get_by_role("heading", name="Round 2").wait_for()
    laptop.get_by_role("button", name="Codes for all tables").tap()
    laptop.get_by_role("heading", name="Table 2 · Poptrix").wait_for()
    laptop.wait_for_load_state()
    codes = laptop.locator("figure img")
    assert codes.count() == 4
    codes.evaluate_all("codes => Promise.all(codes.map((code) => code.decode()))")


def test_another_device_is_the_organisers_by_the_link(laptop, phone, server):
    open_table(laptop, "Anna", "Bernd")
    evening = laptop.url
    link = laptop.locator("#link").input_value()
    other = phone(base_url=server.url)
    other.goto(evening)
    assert other.get_by_role("link", name="Open a table").count() == 0
    other.goto(link)
    open_table(other, "Cem", "Dora")
    other.get_by_role("link", name="Poptrix").first.tap()
    other.locator("main[data-role=host]").wait_for()


def test_round_and_table_are_corrected_on_share(laptop):
    evening = laptop.url
    open_table(laptop, "Anna", "Bernd")
    laptop.get_by_role("link", name="Poptrix").first.tap()
    laptop.get_by_role("link", name="Share").first.tap()
    laptop.get_by_text("Event, round and table").tap()
    laptop.get_by_label("Round").fill("3")
    with laptop.expect_navigation():
        laptop.get_by_role("button", name="Save", exact=True).tap()
    laptop.goto(evening)
    laptop.get_by_role("heading", name="Round 3").wait_for()


def test_table_of_a_phone_joins_when_its_scorekeeper_says_yes(laptop, phone, server):
    evening = laptop.url
    own = phone(base_url=server.url)
    own.goto("/new/poptrix")
    own.locator("#seat1").fill("Emil")
    own.get_by_role("button", name="Start").tap()
    own.wait_for_url("**/m/*")
    laptop.get_by_text("a match opened elsewhere").first.tap()
    laptop.get_by_label("Address of a match").fill(own.url)
    with laptop.expect_navigation():
        laptop.get_by_role("button", name="Ask it to join").tap()
    own.goto(own.url + "/invite")
    own.get_by_text("Is this part of Tuesday club?").wait_for()
    own.get_by_role("button", name="Yes").tap()
    own.get_by_text("Is this part of").wait_for(state="detached")
    laptop.goto(evening)
    assert "Emil" in laptop.locator("tbody").first.inner_text()


def test_only_the_result_of_any_game_is_written(laptop, server):
    evening = laptop.url
    laptop.get_by_role("link", name="Open a table").tap()
    laptop.get_by_role("link", name="Only the result").tap()
    laptop.get_by_label("Game").fill("Castles")
    for seat, (name, number) in enumerate((("Kai", "108"), ("Lena", "106"), ("Mia", "90")), 1):
        laptop.get_by_label(f"Name {seat}").fill(name)
        laptop.get_by_label(f"Number {seat}").fill(number)
    laptop.get_by_label("Name 4").fill("Nora")
    laptop.get_by_role("button", name="Save the result").tap()
    laptop.get_by_text("Nora lacks a name or a number").wait_for()
    laptop.get_by_label("Name 4").fill("")
    laptop.get_by_label("Table").fill("7")
    laptop.get_by_role("button", name="Save the result").tap()
    laptop.wait_for_url("**/evenings/*")
    (match,) = server.get(f"/evenings/{evening.rpartition('/')[2]}")["matches"]
    del match["match"]
    assert match == {
        "table": 7,
        "round": 1,
        "game": "Castles",
        "players": {"1": "Kai", "2": "Lena", "3": "Mia"},
        "status": "ended",
        "result": "+1",
        "points": {"1": 108, "2": 106, "3": 90},
    }
    assert "Kai won" in laptop.locator("tbody").first.inner_text()
