"""`ETag` and `If-None-Match`: an answer is sent again only if it has changed."""

from __future__ import annotations

import pytest

from service.http.caching import is_known

PATHS = ("", "/events", "/legal", "/hints", "/judgement", "/tags", "/annotations", "/tree")
OF_A_MATCH = [f"/matches/{{match}}{path}" for path in PATHS]
OTHERS = (
    *("/matches", "/games", "/games/poptrix", "/search?q=red", "/stats", "/explore/poptrix"),
    *("/matches/{match}/board/0/0.svg", "/matches/{match}/record", "/m/{match}", "/"),
)


def tag_of(api, path, **headers):
    answer = api.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.headers["etag"]


@pytest.fixture
def match(api):
    match = api.open(visibility="public")
    api.play(match.id, match.host, "M@c1", "S@c6")
    return match


@pytest.mark.parametrize("path", [*OF_A_MATCH, *OTHERS])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_known_tag_is_answered_304(api, match, method, path):
    path = path.format(match=match.id)
    tag = tag_of(api, path)
    again = api.client.request(method, path, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert "content-length" not in again.headers
    assert again.headers["cache-control"]
    other = api.client.request(method, path, headers={"If-None-Match": '"other"'})
    assert other.status_code == 200


@pytest.mark.parametrize("path", OF_A_MATCH[:5])
def test_tag_begins_with_the_version(api, match, path):
    assert tag_of(api, path.format(match=match.id)).startswith('W/"2.')


@pytest.mark.parametrize(
    ("method", "what", "body"),
    [
        ("PATCH", "people", {"players": {"1": "Jet"}}),
        ("PUT", "visibility", {"visibility": "unlisted"}),
    ],
)
def test_tag_changes_with_names_and_visibility(api, match, method, what, body):
    path = f"/matches/{match.id}"
    before = tag_of(api, path)
    answer = api.client.request(method, f"{path}/{what}", json=body, headers=match.host)
    assert (answer.status_code, tag_of(api, path) == before) == (200, False)


def test_tag_changes_with_annotations(api, match):
    path = f"/matches/{match.id}/annotations"
    before = tag_of(api, path)
    api.post(path, json={"ply": 1, "comment": "calm"}, headers=match.host)
    assert tag_of(api, path) != before


def test_tag_differs_by_viewer(api, match):
    path = f"/matches/{match.id}"
    tags = {tag_of(api, path, **who) for who in ({}, match.host, match.seats["1"])}
    assert len(tags) == 3


def test_match_made_private_answers_no_304(api, match):
    path = f"/matches/{match.id}"
    tag = tag_of(api, path)
    api.client.put(f"{path}/visibility", json={"visibility": "private"}, headers=match.host)
    assert api.get(path, headers={"If-None-Match": tag}).status_code == 401


def test_compressed_answer_has_the_same_tag(api, match):
    path = f"/matches/{match.id}"
    plain = api.get(path, headers={"Accept-Encoding": "identity"})
    packed = api.get(path, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["etag"] == plain.headers["etag"]
    sent = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["etag"]}
    again = api.get(path, headers=sent)
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/matches/{match}/hooks"])
def test_uncacheable_answer_has_no_tag(api, match, path):
    answer = api.get(path.format(match=match.id), headers=match.host)
    assert "etag" not in answer.headers


def test_pages_of_other_sites_may_use_tags(api, match):
    path, page = f"/matches/{match.id}", {"Origin": "https://club.example", **match.host}
    tag = tag_of(api, path, **page)
    again = api.get(path, headers=page | {"If-None-Match": tag})
    assert again.status_code == 304
    assert "ETag" in again.headers["access-control-expose-headers"]


@pytest.mark.parametrize(
    ("sent", "known"),
    [
        ('W/"2.ab"', True),
        ('"2.ab"', True),
        ('"x", W/"2.ab"', True),
        ('"x,y","2.ab"', True),
        ("*", True),
        ('"2"', False),
        ("2.ab", False),
        ("", False),
        ('"x,2.ab"', False),
    ],
)
def test_if_none_match_is_compared_weakly(sent, known):
    assert is_known('W/"2.ab"', sent) == known
