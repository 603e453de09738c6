"""`If-Match` and `expected`: a write needs the current version."""

from __future__ import annotations

import asyncio

import pytest

from replay.access import visibility
from service.http import conditions


@pytest.fixture
def match(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    return match


def enter(api, match, header, **body):
    path, headers = f"/matches/{match.id}/events", match.host | {"If-Match": header}
    return api.post(path, json={"events": [{"text": "c1>L@c3"}], **body}, headers=headers)


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


@pytest.fixture
def put(api, match):
    def put(part, body, tag, method="PUT"):
        path, headers = f"/matches/{match.id}/{part}", match.host | {"If-Match": tag}
        return api.client.request(method, path, json=body, headers=headers)

    return put


def tag_of(api, match, part=""):
    return api.get(f"/matches/{match.id}{part}", headers=match.host).headers["etag"]


BODIES = {"tags": {"tags": {"Event": "Cup"}}, "people": {"players": {"1": "Jet"}}}


@pytest.mark.parametrize("part", BODIES)
def test_write_of_names_and_tags_compares_their_own_tag(api, match, put, part):
    body, tag = BODIES[part], tag_of(api, match, f"/{part}")
    assert put(part, body, tag_of(api, match), "PATCH").status_code == 412
    assert put(part, body, tag.removeprefix("W/"), "PATCH").status_code == 200
    late = put(part, body, tag, "PATCH")
    assert (late.status_code, late.json()["code"]) == (412, "precondition-failed")
    assert late.headers["etag"] == tag_of(api, match, f"/{part}") != tag


def test_write_without_a_tag_of_its_own_compares_the_tag_of_the_match(api, match, put):
    tag = tag_of(api, match)
    assert put("visibility", {"visibility": "public"}, f'"77", {tag}').status_code == 200
    late = put("visibility", {"visibility": "private"}, tag)
    assert (late.status_code, late.headers["etag"]) == (412, tag_of(api, match))
    assert api.get(f"/matches/{match.id}").json()["visibility"] == "public"


def test_tag_without_digest_compares_the_version(api, match, put):
    assert put("tags", {"tags": {"Event": "Cup"}}, '"2"').status_code == 200
    assert put("visibility", {"visibility": "public"}, '"1"').status_code == 412
    headers = match.host | {"If-Match": '"1"'}
    assert api.client.delete(f"/matches/{match.id}", headers=headers).status_code == 412
    headers = match.host | {"If-Match": 'W/"2"'}
    assert api.client.delete(f"/matches/{match.id}", headers=headers).status_code == 200


def test_refusal_of_a_caller_comes_before_the_condition(api, match):
    sent = {"json": {"visibility": "public"}, "headers": {"If-Match": '"1"'}}
    assert api.client.put(f"/matches/{match.id}/visibility", **sent).status_code == 401


def test_invalid_list_of_tags_has_no_present_tag(put):
    for tag in ("2", '"2",', '*, "2"', "x"):
        assert put("tags", {"tags": {}}, tag).status_code == 412, tag


@pytest.fixture
def meanwhile(api, match, monkeypatch):
    """Let somebody else set a fact once, between the look at the tag and the write."""
    present = conditions._present

    def meanwhile(name, value):
        async def look(scope, sent):
            monkeypatch.setattr(conditions, "_present", present)
            found = await present(scope, sent)
            stream = api.book.find_by_id(match.id).id
            await asyncio.to_thread(
                api.book.store.change_metadata(stream, lambda _: {name: value}).result
            )
            return found

        monkeypatch.setattr(conditions, "_present", look)

    return meanwhile


def test_write_in_between_is_seen_in_the_transaction(api, match, put, meanwhile):
    tag = tag_of(api, match, "/tags")
    meanwhile("Event", "other")
    late = put("tags", {"tags": {"Event": "Cup"}}, tag)
    assert (late.status_code, late.headers["etag"]) == (412, tag_of(api, match, "/tags"))
    assert api.get(f"/matches/{match.id}/tags").json()["tags"]["Event"] == "other"


def test_write_in_between_that_leaves_the_tag_alone_is_no_fault(api, match, put, meanwhile):
    tag = tag_of(api, match, "/tags")
    meanwhile(visibility.FACT, "public")
    assert put("tags", {"tags": {"Event": "Cup"}}, tag).status_code == 200


def test_annotation_is_appended_under_its_condition(api, match):
    path, tag = f"/matches/{match.id}/annotations", tag_of(api, match, "/annotations")
    for status, comment in ((201, "one"), (412, "two")):
        headers = match.host | {"If-Match": tag}
        body = {"ply": 1, "comment": comment}
        assert api.post(path, json=body, headers=headers).status_code == status


def test_stale_version_has_the_present_tag(api, match):
    assert enter(api, match, '"1"').headers["etag"] == '"2"'
