"""The page of an evening: tables, results, points; its holder opens tables and prints codes."""

from __future__ import annotations

import re

import pytest

from tests.service.conftest import OpenedMatch, bearer

PAGE = {"Accept": "text/html"}
OWN = {"Origin": "http://testserver.local"}
TUESDAY = {"title": "Tuesday club", "date": "2026-11-24"}


@pytest.fixture
def evening(api):
    return api.post("/evenings", json=TUESDAY).json()


@pytest.fixture
def path(evening):
    return f"/evenings/{evening['evening']}"


def table(api, evening, **body):
    sent = {"game": "poptrix", **body}
    return OpenedMatch.of(api.post("/matches", json=sent, headers=bearer(evening["token"])))


def come_back(api, evening):
    """Open the link in a browser that has forgotten everything."""
    api.client.cookies.clear()
    api.get(evening["link"].removeprefix("http://testserver.local"), follow_redirects=False)


def test_page_shows_tables_and_points_to_everybody(api, evening, path):
    match = table(api, evening, players={"1": "Anna", "2": "Bernd <b>"})
    api.play(match.id, match.host, "2:resign")
    page = api.get(path, headers=PAGE)
    assert page.headers["content-type"].startswith("text/html")
    assert "Accept" in page.headers["vary"]
    assert "Anna won" in page.text
    assert re.findall(r'data-who="(.+?)">.+?</th><td class="number">(.+?)</td>', page.text) == [
        ("Anna", "1"),
        ("Bernd &lt;b&gt;", "0"),
    ]
    assert "Open a table" not in page.text
    assert evening["token"] not in page.text


def test_holder_opens_the_next_table_of_the_same_people(api, evening, path):
    match = table(api, evening, players={"1": "Anna", "2": "Bernd"}, tags={"Table": "4"})
    api.play(match.id, match.host, "2:resign")
    come_back(api, evening)
    page = api.get(path, headers=PAGE).text
    (following,) = re.findall(r'href="(/new/poptrix\?[^"]+)">Next round', page)
    form = api.get(following.replace("&amp;", "&")).text
    fields = re.findall(r'name="(round|table|seat[12])"[^>]* value="([^"]*)"', form)
    assert dict(fields) == {"round": "2", "table": "4", "seat1": "Anna", "seat2": "Bernd"}
    assert re.findall(r'<option value="(\w+)">', form.partition('id="known"')[2]) == [
        "Anna",
        "Bernd",
    ]
    api.client.cookies.clear()
    assert "Anna" not in api.get(f"/new/poptrix?evening={evening['evening']}").text


def test_erased_player_is_offered_no_more(api, evening):
    match = table(api, evening, players={"1": "Anna", "2": "Bernd"})
    erasing = {"players": {"1": ""}}
    api.client.patch(f"/matches/{match.id}/people", json=erasing, headers=match.host)
    come_back(api, evening)
    form = api.get(f"/new/poptrix?evening={evening['evening']}").text
    assert ("Anna" in form, "Bernd" in form) == (False, True)


def test_codes_seat_players_and_can_be_printed_again(api, evening, path):
    match = table(api, evening, players={"1": "Anna", "2": "Bernd"}, visibility="private")
    come_back(api, evening)
    first, again = (api.post(f"{path}/codes", headers=OWN).text for _ in range(2))
    tokens = re.findall(rf"/m/{match.id}/code/([^\"]+)", first)
    assert tokens == re.findall(rf"/m/{match.id}/code/([^\"]+)", again)
    assert "Table 1 · Poptrix" in first
    assert api.get(f"/m/{match.id}/code/{tokens[0]}").status_code == 200
    assert api.play(match.id, bearer(tokens[0]), "M@c1").status_code == 200
    api.client.cookies.clear()
    assert api.post(f"{path}/codes", headers=OWN).status_code == 401


def test_points_of_several_evenings_are_added(api, evening, path):
    match = table(api, evening, players={"1": "Anna", "2": "Bernd"})
    api.play(match.id, match.host, "2:resign")
    come_back(api, evening)
    later = {**TUESDAY, "date": "2026-12-01", "evening": evening["evening"]}
    made = api.post("/evenings", json=later, headers=OWN).json()
    second = table(api, made, players={"1": "Anna", "2": "Cem"})
    api.play(second.id, second.host, "2:resign")
    page = api.get(f"/evenings/{made['evening']}", headers=PAGE).text
    several = page.partition("Points of 2 evenings")[2]
    assert re.findall(r'data-who="(\w+)">\w+</th><td class="number">(\d)<', several) == [
        ("Anna", "2"),
        ("Bernd", "0"),
        ("Cem", "0"),
    ]
    assert [each in api.get("/new/evening").text for each in ("2026-11-24", "2026-12-01")] == [
        True
    ] * 2
    api.client.cookies.clear()
    assert "2026-11-24" not in api.get("/new/evening").text
    assert api.post("/evenings", json=later, headers=OWN).status_code == 403


def test_host_of_a_phone_is_asked_where_others_are_invited(api, evening, path):
    match = api.open(players={"1": "Emil"})
    invite = f"/m/{match.id}/invite"
    assert "part of" not in api.get(invite, headers=match.host).text
    api.client.put(f"{path}/matches/{match.id}", headers=bearer(evening["token"]))
    assert "Is this part of Tuesday club?" in api.get(invite, headers=match.host).text


def test_table_is_named_where_the_match_is_shown(api, evening):
    match = table(api, evening, visibility="public", players={"1": "Anna"}, tags={"Table": "3"})
    for path in (f"/m/{match.id}", f"/m/{match.id}/tv", "/library"):
        assert "Round 1, table 3" in api.get(path).text, path
    assert "round 1, table 3" in api.get(f"/m/{match.id}/invite", headers=match.host).text


def test_screen_takes_turns_among_the_open_tables(api, evening, path):
    opened = [table(api, evening).id for _ in range(3)]
    over = table(api, evening)
    api.play(over.id, over.host, "2:resign")

    def following(address):
        led = api.get(address, follow_redirects=False)
        assert led.status_code == 303, led.text
        page = api.get(led.headers["location"]).text
        return re.findall(r'data-match="(\w+)"', page)[0], re.findall(
            r'data-following="([^"]+)"', page
        )[0].replace("&amp;", "&")

    shown, address = [], f"{path}/tv?seconds=10"
    for _ in range(4):
        match, address = following(address)
        shown.append(match)
    assert shown == [*opened, opened[0]]
    latest = table(api, evening).id
    address = f"{path}/tv?after={opened[-1]}&seconds=10"
    assert following(address)[0] == latest
    none = api.post("/evenings", json=TUESDAY).json()["evening"]
    led = api.get(f"/evenings/{none}/tv", follow_redirects=False)
    assert led.headers["location"] == f"/evenings/{none}#tv=20"


def test_next_round_is_offered_until_its_table_is_open(api, evening, path):
    match = table(api, evening)
    api.play(match.id, match.host, "2:resign")
    come_back(api, evening)
    assert "Next round" in api.get(path, headers=PAGE).text
    following = table(api, evening, tags={"Round": "2", "Table": "1"})
    assert "Next round" not in api.get(path, headers=PAGE).text
    api.play(following.id, following.host, "2:resign")
    assert api.get(path, headers=PAGE).text.count("Next round") == 1
