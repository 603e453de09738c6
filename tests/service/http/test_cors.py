"""Pages of other sites use the API with a token, and read nothing without one."""

from __future__ import annotations

from typing import Any

import pytest

from replay.access import capability_tokens
from tests.service.conftest import bearer
from tests.service.live_service import live_match

PAGE = {"Origin": "https://page.example"}


def crossing(answer: Any) -> dict[str, str]:
    """Return the headers of the answer that concern pages of other sites."""
    return {
        name: value for name, value in answer.headers.items() if name.startswith("access-control")
    }


def preflight(api: Any, path: str, method: str, headers: str) -> Any:
    asked = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": headers}
    return api.client.options(path, headers=PAGE | asked)


@pytest.mark.parametrize("path", ["/matches/{match}", "/matches/{match}/events", "/matches"])
def test_preflight_allows_any_page_a_token(api, path):
    match = api.open()
    answer = preflight(api, path.format(match=match.id), "GET", "authorization,content-type")
    assert answer.status_code == 204
    told = crossing(answer)
    assert told["access-control-allow-origin"] == "*"
    assert "GET" in told["access-control-allow-methods"].split(", ")
    sent = told["access-control-allow-headers"].lower().split(", ")
    assert {"authorization", "content-type", "if-match", "idempotency-key"} <= set(sent)
    assert "access-control-allow-credentials" not in told


@pytest.mark.parametrize("headers", ["", "content-type", "x-authorization"])
def test_preflight_allows_no_other_header(api, headers):
    answer = preflight(api, "/matches", "POST", headers)
    assert (answer.status_code, crossing(answer)) == (204, {})


def test_answers_to_a_token_expose_client_headers(api):
    match = api.open()
    told = [
        api.get(f"/matches/{match.id}", headers=PAGE | match.host),
        api.play(match.id, PAGE | match.seats["1"], "M@c1"),
        api.get("/matches", headers=PAGE | match.seats["1"]),
        api.client.head("/games", headers=PAGE | match.host),
    ]
    for answer in told:
        assert answer.status_code == 200, answer.text
        assert answer.headers["access-control-allow-origin"] == "*"
        assert {"ETag", "Location", "Retry-After", "RateLimit"} <= set(
            answer.headers["access-control-expose-headers"].split(", ")
        )
        assert "access-control-allow-credentials" not in answer.headers


def test_problems_are_readable_for_pages_with_token(api):
    match = api.open()
    path = f"/matches/{match.id}"
    for answer, status in (
        (api.play(match.id, PAGE | match.host, "c1>M@c3"), 409),
        (api.get(path, headers=PAGE | bearer("x")), 401),
        (api.get("/nowhere", headers=PAGE | match.host), 404),
        (api.client.put(path, headers=PAGE | match.host), 405),
        (api.get(f"{path}?x=1", headers=PAGE | match.host), 400),
    ):
        assert answer.status_code == status
        assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    "path", ["/matches", "/search?q=a", "/games", "/stats", "/metrics", "/healthz", "/"]
)
def test_page_with_invalid_token_reads_nothing(api, path):
    for token in (b"Bearer x", b"bearer \xff\xfe", b"Bearer "):
        answer = api.get(path, headers=PAGE | {"Authorization": token})
        assert (answer.status_code, crossing(answer)) == (200, {})


def test_page_with_a_revoked_token_reads_nothing(api):
    match = api.open()
    key = capability_tokens.token_name(match.seats["1"]["Authorization"].partition(" ")[2])
    api.client.delete(f"/matches/{match.id}/invitations/{key}", headers=match.host)
    assert crossing(api.get("/matches", headers=PAGE | match.seats["1"])) == {}


def test_page_without_token_reads_nothing(api):
    match = api.open()
    token = match.host["Authorization"].partition(" ")[2]
    cookie = {"Cookie": f"plybook-{match.id}={token}"}
    for path in (f"/matches/{match.id}", "/matches", "/nowhere", "/static/css/plybook.css"):
        for sent in ({}, cookie, {"Authorization": "Basic eDp5"}):
            assert crossing(api.get(path, headers=PAGE | sent)) == {}, (path, sent)


def test_page_of_another_site_opens_no_match(api):
    match = api.open()
    for token in (bearer("x"), match.host):
        answer = api.post("/matches", json={"game": "poptrix"}, headers=PAGE | token)
        assert answer.status_code == 403
        assert "another site" in answer.json()["detail"]
    own = api.post("/matches", json={"game": "poptrix"}, headers=match.host)
    assert own.status_code == 201


async def test_page_with_a_token_follows_a_stream():
    async with live_match() as (at, match, host, _):
        url = f"/matches/{match}/stream"
        followed = await at.listen(url, PAGE | host)
        assert followed.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-origin" not in (await at.listen(url, PAGE)).headers
