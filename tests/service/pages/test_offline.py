"""The service worker names the files of its version; forgetting takes a match from a browser."""

from __future__ import annotations

import json
import re

import pytest

from service.http.static_files import paths


def test_worker_lists_every_file_of_its_version(api):
    answer = api.get("/service-worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    digest, files, fallback = (
        json.loads(re.search(rf"^const {name} = (.*);$", answer.text, re.MULTILINE)[1])
        for name in ("DIGEST", "FILES", "FALLBACK")
    )
    assert f"/static/{digest}/css/plybook.css" in api.get("/").text
    assert {name for name in paths() if name.endswith(".js")} - set(files) == {
        "js/service_worker.js"
    }
    for name in files:
        assert "immutable" in api.get(f"/static/{digest}/{name}").headers["cache-control"]
    assert "No network" in api.get(fallback).text


def test_icons_have_the_sizes_in_manifest(api):
    there = re.search(r'rel="manifest" href="([^"]+)"', api.get("/").text)[1]
    for icon in api.get(there).json()["icons"]:
        picture = api.get(there.rpartition("/")[0] + "/" + icon["src"])
        assert picture.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = (int.from_bytes(picture.content[at : at + 4]) for at in (16, 20))
            assert icon["sizes"] == f"{width}x{height}"
            assert len(picture.content) < 6000


def test_forgetting_removes_tokens_of_deleted_match(api):
    match = api.open(visibility="private")
    token = match.host["Authorization"].split()[1]
    api.get(f"/join/{match.id}/{token}")
    assert api.get(f"/m/{match.id}").status_code == 200
    assert api.client.delete(f"/matches/{match.id}", headers=match.host).status_code == 200
    forgotten = api.post(f"/m/{match.id}/forget")
    assert forgotten.status_code == 200
    assert forgotten.headers["clear-site-data"] == '"cache"'
    assert f"plybook-{match.id}" not in api.client.cookies


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null"])
def test_other_site_cannot_make_a_browser_forget(api, origin):
    match = api.open()
    answer = api.post(f"/m/{match.id}/forget", headers={"Origin": origin})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_forgetting_needs_a_valid_match_id(api):
    assert api.post("/m/none;x=1/forget").status_code == 404


def test_pages_of_a_match_name_their_viewer(api):
    match = api.open()
    for who, viewer in (({}, "spectator"), (match.host, "host"), (match.seats["2"], "seat 2")):
        for page in (
            "",
            "/frame",
            "/frame?ply=0&version=0",
            "/replay",
            "/replay/moves",
            "/unspoiled",
        ):
            answer = api.get(f"/m/{match.id}{page}", headers=who)
            assert (answer.status_code, answer.headers["plybook-viewer"]) == (200, viewer), page
    assert "plybook-viewer" not in api.get(f"/matches/{match.id}", headers=match.host).headers
