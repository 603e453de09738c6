"""Rules for every page: links work, nothing is inline, user texts are escaped."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urldefrag, urljoin

import pytest

from replay.book import Book
from replay.upkeep import demo_matches
from service.settings import Settings
from tests.service.conftest import bearer, serve
from tests.service.stores import empty_store

EVIL = '"><script>alert(1)</script>&'
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
LINK = re.compile(r'(?:href|src)="([^"]*)"')
INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*(?:src=|application/json))")


@pytest.fixture(scope="module", params=["", "/plybook"], ids=["at-the-root", "under-a-prefix"])
def prefix(request):
    return request.param


@pytest.fixture(scope="module")
def site(prefix):
    """A service with the demonstrations and a match with malicious names and comments."""
    book = Book(empty_store())
    list(demo_matches.demo_matches(book))
    with serve(Settings(root_path=prefix or None, requests_per_minute=0), book) as api:
        match = api.open(players={"1": EVIL, "2": "Red"}, visibility="public")
        api.play(match.id, match.host, "M@c1", "S@c6")
        token = match.host["Authorization"].removeprefix("Bearer ")
        api.get(f"{prefix}/join/{match.id}/{token}", follow_redirects=False)
        club = api.post(f"{prefix}/evenings", json={"title": EVIL, "date": "2026-11-24"}).json()
        table = {"game": "poptrix", "players": {"1": EVIL}}
        api.post(f"{prefix}/matches", json=table, headers=bearer(club["token"]))
        api.get(f"{prefix}/join/{club['evening']}/{club['token']}", follow_redirects=False)
        yield api, (match.id, club["evening"]), prefix


def pages(match: str, evening: str) -> list[str]:
    return [
        "/",
        "/new",
        "/new/power-play",
        "/library",
        "/library?q=%22%3E%3Cscript%3E&game=poptrix&status=open",
        "/library?q=dark",
        "/library/import",
        "/library/explore/poptrix?after=M@c1",
        "/library/stats",
        "/library/take-away",
        "/new/evening",
        "/new/result",
        f"/evenings/{evening}",
        "/mine",
        "/rules/pyramid-ball",
        "/rules/poptrix/which?number=3&answer=POP-1.4",
        "/how-to-play/pyramid-ball",
        f"/m/{match}",
        f"/m/{match}/replay",
        f"/m/{match}/unspoiled?ply=3",
        f"/m/{match}/tv",
        f"/m/{match}/embed",
        f"/m/{match}/adjust",
        f"/m/{match}/invite",
        f"/m/{match}/share",
        "/m/nonsense",
    ]


NAMES = [re.sub(r"\W+", " ", path).strip() or "home" for path in pages("match", "evening")]


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_every_link_and_file_of_page_exists(site, number):
    api, there, prefix = site
    path = prefix + pages(*there)[number]
    page = api.get(path, headers=BROWSER).text
    here = {unescape(link) for link in LINK.findall(page)}
    assert here
    for link in here:
        if link.startswith("#"):
            assert f'id="{link[1:]}"' in page, link
            continue
        address, fragment = urldefrag(urljoin(path, link))
        assert address.startswith(f"{prefix}/"), link
        answer = api.get(address, headers=BROWSER)
        assert answer.status_code == 200, link
        if fragment and not fragment.isdecimal():
            assert f'id="{fragment}"' in answer.text, link


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_page_is_escaped_and_without_inline_code(site, number):
    api, there, prefix = site
    page = api.get(prefix + pages(*there)[number], headers=BROWSER).text
    assert page.startswith("<!doctype html>")
    assert INLINE.findall(page) == []
    assert "<script>alert" not in page
    assert page.count("<main") == 1
    assert page.count("<h1") == 1
