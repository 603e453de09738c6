"""From the first page to the board, and who else comes there."""

from __future__ import annotations

from tests.browser.serving import PHONE


def test_a_match_starts_with_three_taps_from_the_first_page(phone, server):
    phone.goto("/")
    phone.get_by_role("link", name="New match").last.tap()
    phone.get_by_role("listitem").filter(has_text="Poptrix").get_by_role(
        "button", name="Start"
    ).tap()
    phone.wait_for_url("**/m/*")
    assert phone.locator("main[data-role=host] .pb-cell").count() == 30


def test_names_options_and_seats_of_the_form_are_those_of_the_match(phone, server):
    phone.goto("/new/power-play")
    phone.get_by_label("3", exact=True).check()
    assert phone.locator(".player:visible").count() == 3
    phone.locator("#seat1").fill("Jet")
    phone.locator("#seat3").fill("Teal")
    phone.get_by_label("Player 2 begins").check()
    phone.get_by_role("button", name="Start").tap()
    phone.wait_for_url("**/m/*")
    told = server.get("/matches/" + phone.url.rpartition("/")[2])
    assert told["seats"] == 3
    assert told["players"] == {"1": "Jet", "3": "Teal"}
    assert told["options"] == {"first": 2}


def test_names_are_known_on_this_device_the_next_time(phone):
    phone.goto("/new/poptrix")
    phone.locator("#seat1").fill("Jet")
    phone.get_by_role("button", name="Start").tap()
    phone.wait_for_url("**/m/*")
    phone.goto("/new/blockade")
    assert phone.locator("#known option").first.get_attribute("value") == "Jet"


def test_what_the_server_refuses_is_said_and_nothing_is_lost(phone, opener):
    opener.expected.append("400")
    phone.goto("/new/poptrix")
    phone.locator("#seat1").fill("Jet")
    phone.get_by_text("Who may look on, and a clock").tap()
    phone.get_by_label("Seconds more after each move").fill("5")
    phone.get_by_role("button", name="Start").tap()
    assert "increment is added to a total" in phone.get_by_role("alert").inner_text()
    assert phone.locator("#seat1").input_value() == "Jet"


def test_a_match_that_goes_on_here_is_on_the_first_page(phone):
    phone.goto("/new/poptrix")
    phone.locator("#seat1").fill("Jet")
    phone.get_by_role("button", name="Start").tap()
    phone.wait_for_url("**/m/*")
    match = phone.url.rpartition("/")[2]
    phone.goto("/")
    card = (
        phone.get_by_role("region")
        .or_(phone.locator("section"))
        .filter(has=phone.get_by_role("heading", name="Going on at this device"))
    )
    assert card.locator(f"a[href='/m/{match}']").count() == 1


def test_an_invitation_lets_another_phone_bear_the_seat_until_it_is_stopped(phone, opener):
    phone.goto("/new/poptrix")
    phone.locator("#seat2").fill("Red")
    phone.get_by_role("button", name="Start").tap()
    phone.wait_for_url("**/m/*")
    phone.goto(phone.url + "/invite")
    red = phone.locator(".guest[data-whom='2']")
    red.locator("img.qr").wait_for()
    link = red.locator("input.address").input_value()

    other = opener(PHONE)
    other.goto(link)
    other.wait_for_url("**/m/*")
    assert other.locator("main").get_attribute("data-role") == "seat"

    red.get_by_role("button", name="Stop this link").tap()
    red.get_by_text("opens nothing any more").wait_for()
    opener.expected.append("404")
    other.goto(link)
    assert "no longer good" in other.get_by_role("heading", level=1).inner_text()
    other.goto(phone.url.removesuffix("/invite"))
    assert other.locator("main").get_attribute("data-role") == ""

    red.get_by_role("button", name="Make a link").tap()
    red.get_by_role("button", name="New link").wait_for()
    assert red.locator("input.address").input_value() != link


def test_the_code_of_an_invitation_is_drawn_large_enough_to_be_scanned(phone):
    phone.goto("/new/pyramid-ball")
    phone.get_by_role("button", name="Start").tap()
    phone.wait_for_url("**/m/*")
    phone.goto(phone.url + "/invite")
    code = phone.locator(".guest[data-whom='1'] img.qr")
    code.wait_for()
    assert code.evaluate("image => image.naturalWidth") > 0
    assert code.bounding_box()["width"] >= 240


def test_a_deleted_match_is_brought_back(phone, server):
    phone.goto("/new/poptrix")
    phone.get_by_role("button", name="Start").tap()
    phone.wait_for_url("**/m/*")
    match = phone.url
    phone.goto(match + "/share")
    phone.get_by_role("button", name="Delete the match").tap()
    phone.get_by_role("button", name="Bring it back").tap()
    phone.get_by_role("button", name="Delete the match").wait_for()
    assert phone.goto(match).status == 200
