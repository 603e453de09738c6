"""Moves of a page are entered as over the API, and get the next board as their answer."""

from __future__ import annotations

import re

import pytest


@pytest.fixture
def match(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    return match


def enter(api, match, who, *tokens, **body):
    events = [{"text": token, "id": f"{at:032x}"} for at, token in enumerate(tokens, 1)]
    return api.post(f"/m/{match.id}/events", json={"events": events, **body}, headers=who)


def test_answer_to_a_move_is_the_next_board(api, match):
    for who, tokens in ((match.host, ["c1>L@a1"]), (match.seats["2"], ["c6>M@a6"])):
        answer = enter(api, match, who, *tokens)
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert answer.text == api.get(f"/m/{match.id}/frame", headers=who).text
        assert enter(api, match, who, *tokens).text == answer.text
    log = api.get(f"/matches/{match.id}/events").json()["events"]
    assert [each["text"] for each in log] == ["M@c1", "S@c6", "c1>L@a1", "c6>M@a6"]


def test_page_of_another_version_is_told_to_reload(api, match):
    """Its move is refused for now, so that the page keeps it and the next one sends it."""
    body = {"events": [{"token": "c1>L@a1", "id": "1" * 32}], "expected": 2}
    answer = api.post(f"/m/{match.id}/events", json=body, headers=match.host)
    assert (answer.status_code, answer.json()["code"]) == (503, "page-outdated")
    assert answer.headers["retry-after"]
    assert "reload it" in answer.json()["detail"]
    body["events"][0]["text"] = body["events"][0].pop("token")
    assert api.post(f"/m/{match.id}/events", json=body, headers=match.host).status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("events", {"events": [{"text": "c1>L@a1"}, {"token": "x"}]}, "'token' is now 'text'"),
        ("amendments", {"ply": 1, "how": "replaced", "tokens": []}, "'tokens' is now 'texts'"),
    ],
)
def test_programs_are_told_the_present_name(api, match, path, body, told):
    answer = api.client.post(f"/matches/{match.id}/{path}", json=body, headers=match.host)
    assert answer.status_code == 400
    assert told in answer.json()["detail"]


def test_retry_gets_the_board_after_its_move(api, match):
    enter(api, match, match.host, "c1>L@a1")
    api.play(match.id, match.host, "c6>M@a6")
    again = enter(api, match, match.host, "c1>L@a1")
    assert re.search('data-version="(.*?)"', again.text)[1] == "3"


@pytest.mark.parametrize(
    ("token", "body", "status"), [("c1>M@c3", {}, 409), ("c1>L@a1", {"expected": 1}, 412)]
)
def test_refusal_equals_that_of_the_api(api, match, token, body, status):
    answer = enter(api, match, match.host, token, **body)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    events = {"events": [{"text": token}], **body}
    same = api.post(f"/matches/{match.id}/events", json=events, headers=match.host)
    assert answer.json() == same.json()


def test_only_a_writer_enters_moves(api, match):
    assert enter(api, match, {}, "c1>L@a1").status_code == 401
    assert enter(api, match, match.seats["2"], "1:c1>L@a1").status_code == 403


def test_page_one_version_behind_gets_changed_places(api, match):
    answer = enter(api, match, match.host, "c1>L@a1", expected=2)
    assert 'data-since="2"' in answer.text
    same = set(re.findall('data-same="(.*?)"', answer.text))
    assert len(same) > 20
    assert not same & {"a1", "c6"}  # the places with marks, now and before
    whole = enter(api, match, match.host, "c1>L@a1")
    assert "data-same" not in whole.text


def test_changed_page_content_gets_the_whole_board(api):
    timed = api.open(clock={"total": 300})
    answer = enter(api, timed, timed.host, "M@c1", expected=0)
    assert answer.status_code == 200, answer.text
    assert "data-same" not in answer.text
