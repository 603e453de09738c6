"""Shared links: their preview on other sites, and the page for frames."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

EVIL = '"><script>alert(1)</script>&'
PROPERTY = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">')


def tags(page: str) -> dict[str, str]:
    return {name: unescape(text) for name, text in PROPERTY.findall(page)}


@pytest.fixture
def extra():
    """Skip the test without the extra for pictures."""
    pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")
    pytest.importorskip("PIL", reason="the extra `pictures` is not installed")


@pytest.fixture
def match(api):
    opened = api.open(players={"1": "Jet", "2": "Red"})
    api.play(opened.id, opened.host, "M@c1", "S@c6", "c1>L@c3")
    return opened


@pytest.mark.usefixtures("extra")
@pytest.mark.parametrize("page", ["", "/replay"])
def test_link_has_title_description_and_picture(api, match, page):
    found = tags(api.get(f"/m/{match.id}{page}?ply=2").text)
    assert "Jet" in found["og:title"]
    assert "Poptrix" in found["og:title"]
    assert found["og:description"] == "Jet is to launch. Red places a small on c6"
    assert found["og:url"] == f"http://testserver.local/m/{match.id}/replay?ply=2"
    assert found["twitter:card"] == "summary_large_image"
    assert found["twitter:image"] == found["og:image"]
    assert parse_qs(urlsplit(found["og:image"]).query) == {"format": ["card"], "ply": ["2"]}
    drawn = api.get(found["og:image"])
    assert drawn.status_code == 200
    assert drawn.headers["content-type"] == "image/png"
    assert drawn.content.startswith(b"\x89PNG")


def test_preview_without_extra_has_no_picture(api, match, monkeypatch):
    monkeypatch.setattr("replay.formats.pictures.stills._missing", lambda modules: ["PIL"])
    found = tags(api.get(f"/m/{match.id}").text)
    assert found["og:title"]
    assert not [name for name in found if "image" in name]
    assert found["twitter:card"] == "summary"
    assert "format=card" not in api.get(f"/m/{match.id}/share").text


def test_private_match_has_no_preview(api):
    match = api.open(players={"1": "Jet"}, visibility="private")
    for page in ("", "/replay", "/embed", "/tv"):
        answer = api.get(f"/m/{match.id}{page}", headers={"Accept": "text/html"})
        assert answer.status_code == 401
        assert "Jet" not in answer.text
        assert "og:" not in answer.text
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert api.get(f"/matches/{match.id}/record?format=card").status_code == 401
    for page in ("", "/replay"):
        shown = api.get(f"/m/{match.id}{page}", headers=match.host)
        assert shown.status_code == 200
        assert "og:" not in shown.text
    assert api.get(f"/m/{match.id}/embed", headers=match.host).status_code == 401


def test_sealed_program_is_in_no_preview(api):
    match = api.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    api.play(match.id, match.seats["1"], "1:S=FLR,M=RRB,L=LBF,pass=2S")
    for address in (f"/m/{match.id}", f"/m/{match.id}/embed"):
        assert "FLR" not in api.get(address, headers=match.seats["1"]).text


def test_names_cannot_break_out_of_the_tags(api):
    match = api.open(players={"1": EVIL, "2": "Red"})
    page = api.get(f"/m/{match.id}").text
    assert EVIL not in page
    assert EVIL in tags(page)["og:title"]


def test_unknown_ply_is_not_found(api, match):
    assert api.get(f"/m/{match.id}/embed?ply=99").status_code == 404


def test_other_sites_may_frame_only_embedded_page(api, match):
    policies = {
        page: api.get(page).headers["content-security-policy"]
        for page in ("/", f"/m/{match.id}", f"/m/{match.id}/replay", f"/m/{match.id}/tv")
    }
    assert all("frame-ancestors 'none'" in policy for policy in policies.values())
    embedded = api.get(f"/m/{match.id}/embed")
    assert "frame-ancestors *" in embedded.headers["content-security-policy"]
    assert embedded.headers.get_list("content-security-policy") == [
        embedded.headers["content-security-policy"]
    ]


def test_embedded_page_has_no_controls_for_host(api, match):
    page = api.get(f"/m/{match.id}/embed", headers=match.host)
    assert page.status_code == 200
    assert "record-controls" not in page.text
    assert "<button" not in page.text.partition('class="beside"')[0]
    assert "<form" not in page.text
