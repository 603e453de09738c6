"""Two scoresheets on a phone: each difference is one tap, and the match found is stored."""

from __future__ import annotations

HEAD = '[Game "poptrix"]\n[Seat1 "Jet"]\n[Seat2 "Red"]\n\n'
MOVES = "1. L@a1 2. S@a6 3. a1>M@b1 4. {} 5. a1>M@a2 6. a6>L@a5 7. {} 8. a6>M@b6 *"


def test_differences_are_chosen_by_taps(phone, server):
    page = phone(viewport={"width": 390, "height": 664})
    page.goto(f"{server.url}/library/import")
    page.get_by_text("Or paste a text").tap()
    page.get_by_label("The record").fill(HEAD + MOVES.format("a6>M@c6", "a1>M@c1"))
    page.get_by_role("button", name="Bring it in").tap()
    page.get_by_role("link", name="Match 1").tap()
    page.wait_for_url("**/m/*")
    match = page.url.rpartition("/")[2]
    page.goto(f"{server.url}/m/{match}/share")
    page.get_by_role("link", name="Compare scoresheets").tap()
    page.get_by_label("A link to the match").fill('[Game "blockade"]\n\n1. roll=3,5 *')
    page.get_by_role("button", name="Compare", exact=True).tap()
    page.get_by_role("alert").get_by_text("these are scoresheets of two games").wait_for()
    page.get_by_label("A link to the match").fill(HEAD + MOVES.format("--", "a1>M@a3"))
    page.get_by_role("button", name="Compare", exact=True).tap()
    page.get_by_text("Scoresheet 1 wrote a1>M@c1, Scoresheet 2 wrote a1>M@a3.").wait_for()
    page.locator(".switch label").nth(1).tap()
    page.get_by_role("button", name="a1>M@a3 was played").tap()
    page.get_by_text("7. a1>M@a3, by a person: Scoresheet 1 wrote a1>M@c1").wait_for()
    page.get_by_text("Jet is to launch. 8 moves, and none of them is open.").wait_for()
    board = page.locator("[data-part=question] .board svg").bounding_box()
    store = page.get_by_role("button", name="Store the match")
    assert board["y"] + board["height"] <= store.bounding_box()["y"]
    assert store.bounding_box()["y"] + store.bounding_box()["height"] <= 664
    store.tap()
    page.wait_for_url(lambda url: "/m/" in url and match not in url)
    page.locator(".pb-piece").first.wait_for()


def test_each_player_keeps_a_scoresheet_until_both_are_done(phone, server):
    keeper = phone()
    keeper.goto(f"{server.url}/new/poptrix")
    keeper.get_by_label("Player 1").fill("Jet")
    keeper.get_by_label("Player 2").fill("Red")
    keeper.get_by_label("Each player keeps a scoresheet").check()
    keeper.get_by_role("button", name="Start").click()
    keeper.wait_for_url("**/m/*")
    first = keeper.url.rpartition("/")[2]
    held = keeper.evaluate("JSON.parse(localStorage.getItem('plybook.invitations'))")
    assert {seat for sheet in held.values() for seat in sheet} == {"1", "2"}
    phones = []
    for match, links in held.items():
        ((seat, token),) = links.items()
        assert (match == first) == (seat == "1")
        page = phone()
        page.goto(f"{server.url}/join/{match}/{token}")
        page.wait_for_url(f"**/m/{match}")
        phones.append(page)
    for page in phones:
        page.get_by_text("Nobody sees this scoresheet").wait_for()
        page.get_by_label("The next move, or several").fill("M@c1 S@c6 c1>L@c3 c6>M@c5")
        page.get_by_role("button", name="Take down").click()
        page.locator(".taken li[value='4']").wait_for()
        page.get_by_role("button", name="Done", exact=True).click()
        page.get_by_text("This scoresheet is done").or_(page.get_by_text("are open")).wait_for()
        assert page.get_by_role("button", name="Take down").count() == 0
    for page in phones:
        page.get_by_role("link", name="The other scoresheet").wait_for()
    phones[0].get_by_role("link", name="Compare scoresheets").click()
    phones[0].get_by_role("button", name="Store the match").click()
    phones[0].wait_for_url(lambda url: "/m/" in url and not any(each in url for each in held))
    phones[1].get_by_role("link", name="The reconstructed match").wait_for()
