"""HEAD is answered like GET without a body, and is not listed as an operation."""

from __future__ import annotations

import re

import pytest
from litestar.routes import HTTPRoute

from service.live.event_stream import EVENT_STREAM
from tests.service.conftest import serve

CHANGING = {"/metrics"}
"""Headers that differ in each answer."""

PARTS = {
    "version": "2",
    "ply": "1",
    "picture": "1.svg",
    "game": "poptrix",
    "slug": "poptrix",
    "clause": "POP-2.1",
    "number": "1",
    "path": "css/plybook.css",
}
"""Values of path parameters; others do not exist."""


def paths(api, method="GET"):
    """Return the templates of all paths with the method."""
    routes = api.client.app.routes
    return sorted(
        route.path_format
        for route in routes
        if isinstance(route, HTTPRoute) and method in route.methods
    )


def filled(template, match):
    parts = PARTS | {"match": match}
    return re.sub(r"{(\w+)}", lambda part: parts.get(part[1], "none"), template)


@pytest.mark.parametrize("accept", ["application/json", "text/html"])
def test_head_is_answered_like_get_without_body(api, accept):
    match, host, _ = api.open()
    api.play(match, host, "M@c1", "S@c6")
    sent = host | {"Accept": accept}
    statuses = set()
    for template in paths(api):
        if template in CHANGING or template.endswith("/stream"):
            continue
        path = filled(template, match)
        get = api.client.get(path, headers=sent, follow_redirects=False)
        head = api.client.head(path, headers=sent, follow_redirects=False)
        answered = (head.status_code, head.headers, head.content)
        if answered != (get.status_code, get.headers, b""):
            # The indexer may have written meanwhile, which changes the tag of a file.
            again = api.client.get(path, headers=sent, follow_redirects=False)
            assert answered == (again.status_code, again.headers, b""), path
        statuses.add(get.status_code)
    assert {200, 400, 404} <= statuses


def test_head_has_length_and_version_of_get(api):
    match, host, _ = api.open()
    api.play(match, host, "M@c1")
    plain = {"Accept-Encoding": "identity"}
    head = api.client.head(f"/matches/{match}", headers=plain)
    get = api.client.get(f"/matches/{match}", headers=plain)
    assert int(head.headers["content-length"]) == len(get.content)
    assert head.headers["etag"] == get.headers["etag"]
    assert head.headers["etag"].startswith('W/"1.')


def test_head_of_private_match_needs_a_token(api):
    match, host, _ = api.open(visibility="private")
    assert api.client.head(f"/matches/{match}").status_code == 401
    assert api.client.head(f"/matches/{match}", headers=host).status_code == 200


@pytest.mark.parametrize("path", ["/stream", "/matches/{match}/stream"])
def test_head_of_stream_ends_after_its_headers(api, path):
    match = api.open().id
    for _ in range(3):
        head = api.client.head(path.format(match=match))
        assert head.status_code == 200
        assert head.headers["content-type"].startswith(EVENT_STREAM)
        assert head.content == b""
    assert "plybook_open_streams 0.0" in api.get("/metrics").text


def test_post_route_refuses_head_and_names_methods(api):
    head = api.client.head("/records/check")
    assert (head.status_code, head.content) == (405, b"")
    assert set(head.headers["allow"].split(", ")) == {"POST", "OPTIONS"}


def test_head_is_named_wherever_get_is_allowed(api):
    match = api.open().id
    for template in paths(api):
        path = filled(template, match)
        for answer in (api.client.options(path), api.client.request("PROPFIND", path)):
            assert {"GET", "HEAD"} <= set(answer.headers["allow"].split(", ")), path


def test_schema_does_not_list_head(api):
    schema = api.get("/schema/openapi.json").json()
    assert not [path for path, methods in schema["paths"].items() if "head" in methods]


def test_head_is_counted_as_head():
    with serve() as api:
        api.client.head("/healthz")
        counted = 'plybook_requests_total{method="HEAD",operation="healthz",status="200"} 1.0'
        assert counted in api.get("/metrics").text
