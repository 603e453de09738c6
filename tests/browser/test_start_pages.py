"""The way from the first page to the board, and invitations of others."""

from __future__ import annotations

import pytest

from replay.book import Book
from replay.store import open_store
from tests.browser.board_page import followed


@pytest.fixture
def page(phone, server):
    return phone(base_url=server.url)


def start(page, game: str, **names: str) -> None:
    """Start a match by its form."""
    page.goto(f"/new/{game}")
    for field, name in names.items():
        page.locator(f"#{field}").fill(name)
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/m/*")


def test_match_starts_with_three_taps(page, server):
    page.goto("/")
    page.get_by_role("link", name="New match").last.tap()
    page.get_by_role("listitem").filter(has_text="Poptrix").get_by_role(
        "button", name="Start"
    ).tap()
    page.wait_for_url("**/m/*")
    assert page.locator("main[data-role=host] .pb-cell").count() == 30


def test_search_leaves_the_games_with_its_word(page):
    page.goto("/new")
    page.get_by_label("Find a game").fill("POPT")
    assert page.locator(".pick:visible strong").all_inner_texts() == ["Poptrix"]


def test_row_of_a_game_has_one_button_and_the_rest_behind_its_name(page):
    page.goto("/new")
    rows = page.locator(".pick")
    assert rows.first.bounding_box()["y"] < 260
    # In a wide font the words below the name take another line.
    assert all(96 <= row.bounding_box()["height"] < 125 for row in rows.all())
    assert rows.first.get_by_role("button").count() == 1
    assert rows.first.locator(".thumb").bounding_box()["width"] == 72
    rows.first.get_by_text("Options").tap()
    page.get_by_label("Take down only").wait_for()


def test_form_sets_names_options_and_seats(page, server):
    page.goto("/new/power-play")
    # A name from right to left stands at the right.
    way = page.locator("#seat1").evaluate("field => getComputedStyle(field).unicodeBidi")
    assert way == "plaintext"
    page.get_by_label("3", exact=True).check()
    assert page.locator(".player:visible").count() == 3
    page.locator("#seat1").fill("Jet")
    page.locator("#seat3").fill("Teal")
    page.get_by_label("Player 2 begins").check()
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/m/*")
    told = server.get("/matches/" + page.url.rpartition("/")[2])
    assert told["seats"] == 3
    assert told["players"] == {"1": "Jet", "3": "Teal"}
    assert told["options"] == {"first": 2}


def test_form_of_a_score_sheet_offers_what_applies(page):
    page.goto("/new/score-sheet")
    starters = page.get_by_label("Who starts the first round?")
    page.get_by_label("3", exact=True).check()
    enabled = starters.locator("option:enabled").evaluate_all("all => all.map((one) => one.value)")
    assert enabled == ["0", "1", "2", "3"]
    assert page.get_by_text("Take down only").count() == 0


def test_device_remembers_names(page):
    start(page, "poptrix", seat1="Jet")
    page.goto("/new/blockade")
    assert page.locator("#known option").first.get_attribute("value") == "Jet"


def test_refused_form_keeps_its_input(page):
    page.goto("/new/poptrix")
    page.locator("#seat1").fill("Jet")
    page.get_by_text("Who may look on, and a clock").tap()
    page.get_by_label("Extra seconds after each move").fill("5")
    page.get_by_role("button", name="Start").tap()
    assert "increment is added to a total" in page.get_by_role("alert").inner_text()
    assert page.locator("#seat1").input_value() == "Jet"


def test_open_match_is_on_first_page(page):
    start(page, "poptrix", seat1="Jet")
    match = page.url.rpartition("/")[2]
    page.goto("/")
    card = page.get_by_role("link", name="Go on: Poptrix")
    assert card.get_attribute("href") == f"/m/{match}"
    assert "Jet is to place a pyramid" in card.inner_text()


def test_invited_phone_keeps_seat_until_link_is_stopped(page, phone, server):
    start(page, "poptrix", seat2="Red")
    page.goto(page.url + "/invite")
    red = page.locator(".guest[data-whom='2']")
    red.locator("img.qr").wait_for()
    link = red.locator("input.address").input_value()

    other = phone(base_url=server.url)
    with followed(other):
        other.goto(link)
    other.wait_for_url("**/m/*")
    assert other.locator("main").get_attribute("data-role") == "seat"

    red.get_by_role("button", name="Stop this link").tap()
    red.get_by_text("no longer works").wait_for()
    other.locator("main[data-role='']").wait_for()
    other.goto(link)
    assert "no longer valid" in other.get_by_role("heading", level=1).inner_text()

    red.get_by_role("button", name="Make a link").tap()
    red.get_by_role("button", name="New link").wait_for()
    assert red.locator("input.address").input_value() != link


def test_new_scorekeeper_link_replaces_the_old_one(page, phone, server):
    start(page, "poptrix")
    board = page.url
    page.goto(f"{board}/invite")
    keeper = page.locator(".guest[data-whom='host']")
    keeper.get_by_role("button", name="Make a link").tap()
    keeper.locator("img.qr").wait_for()
    link = keeper.locator("input.address").input_value()
    keeper.get_by_role("button", name="New link").tap()
    page.wait_for_function("old => document.querySelector('#link-host').value !== old", arg=link)

    other = phone(base_url=server.url)
    other.goto(link)
    assert "no longer valid" in other.get_by_role("heading", level=1).inner_text()
    with followed(other):
        other.goto(keeper.locator("input.address").input_value())
    other.wait_for_url("**/m/*")
    assert other.locator("main").get_attribute("data-role") == "host"

    keeper.get_by_role("button", name="Stop this link").tap()
    keeper.get_by_text("no longer works").wait_for()
    other.locator("main[data-role='']").wait_for()
    page.goto(board)
    assert page.locator("main").get_attribute("data-role") == "host"


@pytest.mark.slow
def test_other_scorekeepers_are_shown_and_stopped(page, phone, server):
    opened = server.open()
    page.goto(f"/join/{opened.id}/{opened.host}")
    page.goto(f"/m/{opened.id}/invite")
    assert page.locator(".guest[data-whom='host'] .others").count() == 0
    path = f"/matches/{opened.id}/invitations"
    token = server.post(path, {"role": "host"}, opened.host)["token"]

    other = phone(base_url=server.url)
    other.goto(f"/join/{opened.id}/{token}")
    other.goto(f"/m/{opened.id}/invite")
    keeper = other.locator(".guest[data-whom='host']")
    keeper.get_by_text("Another device keeps the score").wait_for()
    # A link to the player's own seat keeps the others in.
    keeper.get_by_role("button", name="Make a link").tap()
    keeper.get_by_role("button", name="Stop this link").tap()
    keeper.get_by_text("no longer works").wait_for()
    page.reload()
    assert page.locator(".guest[data-whom='host']").count() == 1
    keeper.get_by_role("button", name="Stop all others").tap()
    keeper.get_by_role("button", name="sure?").tap()
    keeper.get_by_text("No other device keeps the score").wait_for()
    page.goto(f"/m/{opened.id}")
    assert page.locator("main").get_attribute("data-role") == ""


def test_invitation_code_is_large_enough_to_scan(page):
    start(page, "pyramid-ball")
    page.goto(page.url + "/invite")
    code = page.locator(".guest[data-whom='1'] img.qr")
    code.wait_for()
    assert code.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    assert code.bounding_box()["width"] >= 240


def test_deleted_match_is_brought_back(page, server):
    start(page, "poptrix")
    match = page.url
    page.goto(match + "/share")
    page.get_by_text("Delete", exact=True).tap()
    page.get_by_role("button", name="Delete the match").tap()
    assert page.get_by_role("button", name="Bring it back").count() == 0
    page.get_by_role("button", name="Delete the match: sure?").tap()
    page.get_by_role("button", name="Bring it back").tap()
    page.get_by_role("button", name="Delete the match").wait_for()
    assert page.goto(match).status == 200


def test_share_begins_with_the_link_and_folds_all_else(page, server):
    start(page, "poptrix")
    page.goto(page.url + "/share")
    button = page.get_by_role("button", name="Copy the link")
    button.wait_for()
    code, large = page.get_by_alt_text("Code of the link").bounding_box(), button.bounding_box()
    assert large["height"] >= 52
    assert code["width"] == 128
    assert large["y"] < code["y"] < 420
    address = page.get_by_role("textbox", name="Link").evaluate(
        "({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>"
        " [scrollHeight <= clientHeight, scrollWidth <= clientWidth]"
    )
    assert address == [True, True], "the whole link can be read"
    rows = page.locator("details")
    assert rows.count() > 6
    assert page.locator("details[open]").count() == 0
    assert all(48 <= row.bounding_box()["height"] < 60 for row in rows.all())
    groups = page.get_by_role("heading", level=2)
    assert groups.all_inner_texts() == ["Show it", "Keep it", "This match"]
    assert [row.inner_text() for row in rows.all()[-2:]] == ["Delete", "Forget"]


def test_start_works_on_the_local_network(phone, server):
    page = phone(base_url=server.url.replace("127.0.0.1", "phone.test"))
    page.goto("/new/poptrix")
    assert not page.evaluate("isSecureContext")
    page.locator("#seat2").fill("Red")
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/m/*")
    assert page.locator("main").get_attribute("data-role") == "host"
    page.goto(page.url + "/invite")
    assert page.get_by_text("plybook serve --lan").count() == 0
    red = page.locator(".guest[data-whom='2']")
    assert "://phone.test:" in red.locator("input.address").input_value()
    red.get_by_role("button", name="Copy the link").tap()
    red.get_by_text("Copied.").wait_for()


def test_match_gets_the_clock_of_the_form(page, server):
    page.goto("/new/pyramid-ball")
    page.get_by_text("Who may look on, and a clock").tap()
    page.get_by_label("Minutes for each player").fill("10")
    page.get_by_label("Seconds to make a plan").fill("90")
    page.get_by_label("Everybody").check()
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/m/*")
    told = server.get("/matches/" + page.url.rpartition("/")[2])
    assert (told["clock"]["total"], told["clock"]["programming"]) == (600, 90)
    assert told["visibility"] == "public"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "fields", "control"),
    [
        ("Each move waits", {"Minutes": "10"}, "600+5d"),
        ("Each move gives its time back", {"Minutes": "10", "Seconds of each move": "9"}, "600+9b"),
        ("Periods at the end", {"Minutes": "1", "Periods": "3"}, "60:3x30"),
        ("Periods at the end", {}, "5x30"),
        ("Stages", {"Seconds, like": "40/7200:3600"}, "40/7200:3600"),
    ],
)
def test_form_writes_control_of_each_clock_kind(page, server, kind, fields, control):
    page.goto("/new/poptrix")
    page.get_by_text("Who may look on, and a clock").tap()
    options = page.get_by_label("Kind of clock").locator("option")
    page.get_by_label("Kind of clock").select_option(options.filter(has_text=kind).text_content())
    for label, text in fields.items():
        page.get_by_label(label).fill(text)
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/m/*")
    told = server.get("/matches/" + page.url.rpartition("/")[2])
    assert told["clock"]["control"] == control


def test_wrong_control_in_form_is_explained(page):
    page.goto("/new/poptrix")
    page.get_by_text("Who may look on, and a clock").tap()
    page.get_by_label("Kind of clock").select_option("pgn")
    page.get_by_label("Seconds, like").fill("300:300")
    page.get_by_role("button", name="Start").tap()
    page.get_by_text("'300:300' is not a valid clock: nothing may follow 300").wait_for()


def test_start_repeated_after_lost_answer_opens_one_match(page, server):
    asked = []

    def lose_the_first(route):
        asked.append(route.request.headers["idempotency-key"])
        if len(asked) == 1:
            route.fetch()  # the request arrives, but its answer does not
            route.abort()
        else:
            route.continue_()

    page.goto("/new/poptrix")
    page.locator("#seat1").fill("Lonely")
    page.route("**/matches", lose_the_first)
    page.get_by_role("button", name="Start").tap()
    page.get_by_role("alert").wait_for()
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/m/*")
    assert asked[0] == asked[1]
    assert page.locator("main[data-role=host]").count() == 1
    book = Book(open_store(server.database))
    there = [each for each in book.matches() if book.facts(each).get("Seat1") == "Lonely"]
    assert [each.id for each in there] == [page.url.rpartition("/")[2]]
    book.store.close()


def test_printed_invitations_name_the_table_and_have_no_buttons(page, server):
    opened = server.open(tags={"Table": "3"}, players={"1": "Ann", "2": "Ben"})
    page.goto(f"/join/{opened.id}/{opened.host}")
    page.goto(f"/m/{opened.id}/invite")
    page.get_by_role("button", name="Make a new link").first.tap()
    page.get_by_role("button", name="Stop this link").wait_for()
    page.emulate_media(media="print")
    assert page.get_by_role("heading", level=1).inner_text() == "Invite to Poptrix: table 3"
    assert page.get_by_role("button").count() == 0
    # The codes that are there, and no block breaks between two pages.
    assert page.locator(".guest:visible h2").all_inner_texts() == ["1\nAnn", "To look on"]
    rule = "guest => getComputedStyle(guest).breakInside"
    assert page.locator(".guest").first.evaluate(rule) == "avoid"
