"""Every problem has a code, which stays the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from replay import errors
from service.http.problems import CODES, Problem
from tests.paths import ROOT

SECRET = "S=FR.,M=..F,L=LLF"


def test_docs_list_every_code():
    page = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    table = page.partition("<!-- codes -->")[2].partition("<!-- end of codes -->")[0]
    rows = re.findall(r"^\| (\d+) \| `([a-z-]+)` \| (.*) \|$", table, re.MULTILINE)
    assert rows == [(str(kind.status), code, kind.meaning) for code, kind in CODES.items()]


def test_errors_have_known_codes():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    codes = {kind.code for kind in kinds if isinstance(getattr(kind, "code", None), str)}
    assert codes | set(errors.BY_CLAUSE.values()) <= set(CODES)


def test_code_fits_its_status():
    """Each code that a module names is one of the status that it is raised with."""
    named = re.compile(r"Problem\(\s*(\d{3}),[^()]*(?:\([^()]*\)[^()]*)*?\"([a-z]+(?:-[a-z]+)+)\"")
    found = [
        pair
        for path in Path(ROOT, "service").rglob("*.py")
        for pair in named.findall(path.read_text(encoding="utf-8"))
    ]
    assert found
    for status, code in found:
        assert CODES[code].status == int(status), code


def test_status_has_a_usual_code():
    assert Problem(404, "no").code == "not-found"
    assert Problem(409, "no").code == "conflict"


@pytest.mark.parametrize(
    ("token", "code"),
    [
        ("c1>M@c2", "rule-broken"),
        ("nonsense", "malformed-event"),
        ("2:c6>M@c5", "out-of-turn"),
        ("draw", "malformed-event"),
        ("1:resign M@c1", "match-over"),
    ],
)
def test_refusals_have_different_codes(api, token, code):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    answer = api.play(match.id, match.host, *token.split())
    assert answer.status_code == 409
    assert (answer.json()["code"], bool(answer.json()["clause"])) == (code, True)


def test_sealed_state_has_its_code(api):
    match = api.open("pyramid-ball")
    api.play(match.id, match.host, f"1:{SECRET}")
    body = {"ply": 1, "how": "deleted"}
    answer = api.post(f"/matches/{match.id}/amendments", json=body, headers=match.host)
    assert answer.json()["code"] == "sealed", answer.text


def test_stale_version_has_its_code(api):
    match = api.open()
    answer = api.play(match.id, match.host, "M@c1", expected=3)
    assert (answer.status_code, answer.json()["code"]) == (412, "stale-version")


def test_reused_key_has_its_code(api):
    match = api.open()
    headers = match.host | {"Idempotency-Key": "0123456789012345678901"}
    codes = []
    for token in ("M@c1", "S@c1"):
        body = {"events": [{"text": token}]}
        answer = api.post(f"/matches/{match.id}/events", json=body, headers=headers)
        codes.append(answer.json().get("code"))
    assert codes == [None, "key-reused"]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/matches/000000000000", 404, "unknown-match"),
        ("GET", "/nothing", 404, "not-found"),
        ("PATCH", "/games", 405, "method-not-allowed"),
        ("GET", "/matches/{match}?ply=9", 404, "unknown-address"),
        ("DELETE", "/matches/{match}", 401, "token-required"),
        ("GET", "/matches?trashed=true", 403, "forbidden"),
        ("POST", "/matches", 415, "unsupported-media-type"),
        ("GET", "/matches/{match}/record?ply=2", 400, "invalid-request"),
    ],
)
def test_problems_of_any_status_have_codes(api, method, path, status, code):
    match = api.open()
    answer = api.client.request(method, path.format(match=match.id))
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
