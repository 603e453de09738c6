"""`If-Match` and `expected`: a write needs the current version."""

from __future__ import annotations

import pytest


@pytest.fixture
def match(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    return match


def enter(api, match, header, **body):
    path, headers = f"/matches/{match.id}/events", match.host | {"If-Match": header}
    return api.post(path, json={"events": [{"token": "c1>L@c3"}], **body}, headers=headers)


@pytest.mark.parametrize(
    "header", ['"2"', 'W/"2"', '"2.00ff"', 'W/"2.00ff"', "*", '"1", "2"', '"2.a",W/"1.b"', ' "2" ']
)
def test_current_version_is_accepted(api, match, header):
    assert enter(api, match, header).status_code == 200


@pytest.mark.parametrize("header", ['"1"', 'W/"1.00ff"', '"0", "1"', '"3"'])
def test_different_version_is_412(api, match, header):
    answer = enter(api, match, header)
    assert answer.status_code == 412
    assert answer.json()["version"] == 2


@pytest.mark.parametrize("path", ["", "/events", "/legal"])
def test_tag_of_an_answer_is_an_expected_version(api, match, path):
    tag = api.get(f"/matches/{match.id}{path}").headers["etag"]
    assert enter(api, match, tag).status_code == 200
    assert enter(api, match, tag).status_code == 412


@pytest.mark.parametrize("header", ["2", '"x"', '"2.xyz"', '"2",', '*, "2"', '"", "2"', '"02"'])
def test_invalid_header_is_400_with_its_path(api, match, header):
    answer = enter(api, match, header)
    assert (answer.status_code, answer.json()["path"]) == (400, "If-Match")


def test_header_and_body_name_the_same_version(api, match):
    assert enter(api, match, '"1"', expected=2).status_code == 400
    assert enter(api, match, '"1", "2"', expected=2).status_code == 200


def test_if_match_star_leaves_version_to_the_body(api, match):
    assert enter(api, match, "*", expected=1).status_code == 412


def test_corrections_accept_tags(api, match):
    path, tag = f"/matches/{match.id}", api.get(f"/matches/{match.id}").headers["etag"]
    for status in (200, 412):
        headers = match.host | {"If-Match": tag}
        answer = api.post(f"{path}/takeback", json={"ply": 1}, headers=headers)
        assert answer.status_code == status, answer.text
