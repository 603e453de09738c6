"""The matches of a person's account, on every device that opened the link of the account."""

from __future__ import annotations

import pytest

from replay.access import accounts
from replay.access.capability_tokens import token_name
from replay.referee.account_seats import invite_account, remove_account


@pytest.fixture
def link(emptied):
    yield f"/mine/{accounts.add(emptied.book, 'ann')}"
    remove_account(emptied.book, "ann")


def seated(api, seat, **body):
    match = api.open(visibility="private", **body)
    invite_account(api.book, api.book.open(match.id), "ann", "seat", seat)
    return match


def follow(api, link):
    answer = api.get(link, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/mine")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_account_link_groups_matches_by_state(api, link):
    turn, other, over = seated(api, 1), seated(api, 2), seated(api, 1)
    api.play(over.id, over.host, "2:resign")
    assert "no account" in api.get("/mine").text
    follow(api, link)
    parts = api.get("/mine").text.split("<h2>")[1:]
    assert [part.partition("<")[0] for part in parts] == ["Your turn", "Going on", "Over"]
    for match, part in zip((turn, other, over), parts, strict=True):
        assert f"/m/{match.id}" in part
    home = api.get("/").text
    assert (f"/m/{turn.id}" in home, 'href="/mine"' in home) == (True, True)


def test_statistics_count_the_matches_of_the_account(api, link):
    for seat in (1, 2):
        match = seated(api, seat, players={str(seat): "Ann", str(3 - seat): "Ben"})
        api.play(match.id, match.host, "1:resign")
    assert "Our evenings" not in api.get("/library/stats").text
    follow(api, link)
    page = api.get("/library/stats").text
    assert 'Ann</a></th><td class="number">2</td>' in page


def test_account_in_a_browser_plays_its_seat(api, link):
    match, other = seated(api, 1), api.open(visibility="private")
    ours = {"Origin": str(api.client.base_url).rstrip("/")}
    follow(api, link)
    assert api.get(f"/matches/{match.id}").json()["you"] == {"role": "seat", "seat": 1}
    assert api.get(f"/matches/{other.id}").status_code == 401
    foreign = {"Origin": "http://elsewhere.test"}
    assert api.play(match.id, foreign, "M@c1").status_code == 403
    assert api.play(match.id, ours, "M@c1").status_code == 200
    assert api.play(match.id, ours, "2:S@c6").status_code == 403
    host = match.host["Authorization"].removeprefix("Bearer ")
    api.get(f"/join/{match.id}/{host}", follow_redirects=False)
    assert api.get(f"/matches/{match.id}").json()["you"]["role"] == "host"
    listed = api.get("/matches?mine=true").json()["matches"]
    assert [each["match"] for each in listed] == [match.id]


def test_left_or_revoked_account_shows_nothing(api, link):
    match = seated(api, 1)
    follow(api, link)
    assert api.post("/mine/leave", headers={"Origin": "http://elsewhere.test"}).status_code == 403
    assert match.id in api.get("/mine").text
    left = api.post("/mine/leave", follow_redirects=False)
    assert left.status_code == 303
    assert match.id not in api.get("/mine").text
    follow(api, link)
    accounts.revoke(api.book, "ann", token_name(link.removeprefix("/mine/")))
    assert match.id not in api.get("/mine").text
    assert api.get(f"/matches/{match.id}").status_code == 401
    assert api.get(link, follow_redirects=False).status_code == 404


def test_many_matches_are_listed_in_pages(api, link):
    matches = [seated(api, 1) for _ in range(25)]
    follow(api, link)
    first = api.get("/mine").text
    assert f"/m/{matches[0].id}" not in first
    older = first.partition('href="/mine?')[2].partition('"')[0]
    assert f"/m/{matches[0].id}" in api.get(f"/mine?{older}").text


def test_person_chooses_to_be_asked(api, link):
    ours = {"Origin": str(api.client.base_url).rstrip("/")}
    assert api.post("/mine/accept/ask", headers=ours).status_code == 403
    follow(api, link)
    for accept, other in (("ask", "all"), ("all", "ask")):
        assert f"/mine/accept/{accept}" in api.get("/mine").text
        told = api.post(f"/mine/accept/{accept}", headers=ours, follow_redirects=False)
        assert (told.status_code, told.headers["location"]) == (303, "/mine")
        assert f"/mine/accept/{other}" in api.get("/mine").text
        assert accounts.bearer_of(api.book, link.rpartition("/")[2]).account.asks == (
            accept == "ask"
        )
    assert api.post("/mine/accept/never", headers=ours).status_code in (400, 404)
    foreign = {"Origin": "http://elsewhere.test"}
    assert api.post("/mine/accept/ask", headers=foreign).status_code == 403


def test_token_that_only_reads_chooses_nothing(api, link):
    follow(api, f"/mine/{accounts.issue(api.book, 'ann', scopes=('read',))}")
    assert "/mine/accept/" not in api.get("/mine").text
    assert api.post("/mine/accept/ask").status_code == 403


def test_page_says_that_its_account_has_no_seat(api, link):
    api.get(link)
    assert "nn has no seat in this match; ask" in api.get(f"/m/{api.open().id}").text
