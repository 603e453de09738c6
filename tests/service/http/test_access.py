"""Pages of other sites may not write, with or without a cookie."""

from __future__ import annotations

import pytest

from replay.access import visibility

RECORD = '[Game "poptrix"]\n\nM@c1 *\n'
SIMPLE = [
    "text/plain",
    "text/plain;charset=UTF-8",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "application/x-plybook",
    "application/x-plybook-archive",
    "application/json",
]
FOREIGN = [
    {"Origin": "http://elsewhere.test"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


@pytest.mark.parametrize("path", ["/records", "/records?dry_run=true", "/records/check"])
@pytest.mark.parametrize("foreign", FOREIGN, ids=str)
@pytest.mark.parametrize("kind", SIMPLE)
def test_page_of_another_site_imports_no_records(api, path, foreign, kind):
    answer = api.post(path, content=RECORD, headers={"Content-Type": kind, **foreign})
    assert answer.status_code == 403
    assert "another site" in answer.json()["detail"]


def test_programs_and_our_pages_may_import_records(api):
    ours = str(api.client.base_url).rstrip("/")
    for own in ({}, {"Origin": ours}, {"Origin": ours, "Sec-Fetch-Site": "same-origin"}):
        answer = api.post("/records", content=RECORD, headers={"Content-Type": "text/plain", **own})
        assert answer.status_code == 201, answer.text


PUBLIC = {"Origin": "https://play.example.org"}
LOST = {**PUBLIC, "Host": "127.0.0.1:8000"}


@pytest.mark.parametrize("said", [{}, {"Sec-Fetch-Site": "same-origin"}], ids=str)
def test_proxy_that_forgets_the_host_is_named(served, said):
    api = served(host_names=("play.example.org",))
    match = api.open()
    token = match.host["Authorization"].removeprefix("Bearer ")
    for headers, body, path in (
        ({"Content-Type": "text/plain"}, RECORD, "/records/check"),
        ({"Cookie": f"plybook-{match.id}={token}"}, "{}", f"/matches/{match.id}/takeback"),
    ):
        answer = api.post(path, content=body, headers=headers | LOST | said)
        assert answer.status_code == 403
        detail = answer.json()["detail"]
        assert "the proxy sends Host '127.0.0.1:8000' for pages of 'https://play.example" in detail
        assert ("another site" in detail) == (said == {})
        passed_on = headers | PUBLIC | said | {"Host": "play.example.org"}
        assert api.post(path, content=body, headers=passed_on).status_code != 403


def test_match_with_unreadable_visibility_is_private(fresh):
    match = fresh.open(visibility="public")
    book = fresh.client.app.state.book
    stream = book.open(match.id).stream
    book.store.set_metadata(stream.id, {visibility.FACT: "publik"}).result()
    assert fresh.get(f"/matches/{match.id}").status_code == 401
    assert fresh.get(f"/matches/{match.id}", headers=match.host).json()["visibility"] == "private"
    assert fresh.get("/matches").json()["matches"] == []
