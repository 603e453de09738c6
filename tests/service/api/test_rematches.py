"""A match has one rematch, and the tokens of the match open it."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.http.cookies import COOKIE


@pytest.fixture
def over(api):
    match = api.open(
        "power-play", options={"first": "2"}, players={"1": "Ann", "2": "Ben"}, clock={"total": 600}
    )
    api.play(match.id, match.host, "2:resign")
    return match


def ask(api, match, who, **body):
    return api.post(f"/matches/{match.id}/rematch", json=body, headers=who)


def test_rematch_keeps_people_rules_and_tokens(api, over):
    answer = ask(api, over, over.seats["1"])
    assert answer.status_code == 200, answer.text
    again = answer.json()["match"]
    assert answer.json() == {"match": again, "by": 1, "swapped": False}
    standing = api.get(f"/matches/{again}").json()
    assert standing["players"] == {"1": "Ann", "2": "Ben"}
    assert (standing["options"], standing["clock"]["total"]) == ({"first": 2}, 600)
    assert (standing["version"], standing["outcome"]) == (0, None)
    assert api.play(again, over.seats["2"], "h6-g6").status_code == 200
    assert api.play(again, over.seats["2"], "1:a3-b3").status_code == 403


def test_swapped_sides_swap_names_and_tokens(api, over):
    again = ask(api, over, over.host, swap=True).json()["match"]
    assert api.get(f"/matches/{again}").json()["players"] == {"1": "Ben", "2": "Ann"}
    assert api.play(again, over.seats["1"], "2:h6-g6").status_code == 200
    assert api.play(again, over.seats["2"], "1:a3-b3").status_code == 200


def test_concurrent_requests_open_one_rematch(api, over):
    callers = [over.host, *over.seats.values()] * 4
    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda who: ask(api, over, who, swap=who is over.host), callers))
    assert {each.status_code for each in answers} == {200}
    assert len({each.text for each in answers}) == 1


def test_deleted_rematch_makes_room_for_another(api, over):
    first = ask(api, over, over.host).json()["match"]
    api.client.delete(f"/matches/{first}", headers=over.host)
    second = ask(api, over, over.host).json()["match"]
    assert second != first
    assert ask(api, over, over.host).json()["match"] == second


def test_stranger_opens_no_rematch(api, over):
    other = api.open()
    assert ask(api, over, {}).status_code == 401
    assert ask(api, over, other.host).status_code == 401
    again = ask(api, over, over.host).json()["match"]
    assert api.play(again, other.host, "h6-g6").status_code == 401
    page = api.get(f"/m/{over.id}/next", follow_redirects=False)
    assert (page.status_code, page.headers["location"]) == (303, f"/m/{again}")
    assert "set-cookie" not in page.headers


def test_revoked_token_is_not_carried(api, over):
    keys = api.get(f"/matches/{over.id}/invitations", headers=over.host).json()["keys"]
    (key,) = (each["id"] for each in keys if each["seat"] == 2)
    api.client.delete(f"/matches/{over.id}/invitations/{key}", headers=over.host)
    again = ask(api, over, over.host).json()["match"]
    assert api.play(again, over.seats["2"], "h6-g6").status_code == 401


def test_page_leads_to_the_players_seat_in_rematch(api, over):
    api.get(f"/join/{over.id}/{over.seats['1']['Authorization'].split()[1]}")
    again = ask(api, over, over.host, swap=True).json()["match"]
    page = api.get(f"/m/{over.id}/next")
    assert COOKIE + again in api.client.cookies
    assert 'data-role="seat" data-seat="2"' in page.text


@pytest.mark.parametrize("kind", ["variation", "match going on"])
def test_only_an_ended_match_has_a_rematch(api, over, kind):
    if kind == "variation":
        body = {"ply": 1, "kind": "variation"}
        answer = api.post(f"/matches/{over.id}/forks", json=body, headers=over.host)
        path, who = answer.json()["match"], over.host
    else:
        match = api.open()
        path, who = match.id, match.host
    refused = api.post(f"/matches/{path}/rematch", json={}, headers=who)
    assert (refused.status_code, refused.json()["clause"]) == (409, "turn")
    assert api.get(f"/m/{path}/next").status_code == 404


def test_tally_of_evening_counts_people_not_seats(api, over):
    second = ask(api, over, over.host, swap=True).json()["match"]
    api.play(second, over.host, "1:resign")
    third = api.post(f"/matches/{second}/rematch", json={}, headers=over.host).json()["match"]
    api.play(third, over.host, "2:resign")
    tally = {each: api.get(f"/m/{each}/ending").text for each in (over.id, second, third)}
    assert "So far" not in tally[over.id]
    assert "Ben 0, Ann 2" in re.sub("<[^>]*>", "", tally[second])
    assert "Ben 1, Ann 2" in re.sub("<[^>]*>", "", tally[third])
