"""The service under a path of its host: every address in an answer begins with the prefix."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

import service
from replay.book import Book
from replay.errors import Usage
from service.app import create_app
from service.http.addresses import OWN, checked_prefix
from service.http.connections import ForwardedPrefix
from service.settings import Settings
from tests.service.conftest import Api, serve
from tests.service.stores import empty_store

PLACE = "/plybook"
FORWARDED = {"X-Forwarded-Prefix": PLACE}
STATIC = Path(service.__file__).parent / "static"


@pytest.fixture(scope="module")
def under() -> Iterator[Api]:
    with serve(Settings(root_path=f"{PLACE}/")) as api:
        yield api


@pytest.fixture(scope="module")
def proxied() -> Iterator[Any]:
    """A client on the trusted machine of the proxy, and one elsewhere."""
    store = empty_store()
    app = create_app(Book(store))
    with TestClient(app):
        yield lambda trusted: TestClient(
            ForwardedPrefix(app, trusted),  # type: ignore[arg-type]
            raise_server_exceptions=False,
        )
    store.close()


@pytest.mark.parametrize("front", ["", PLACE], ids=["removed", "left"])
def test_proxy_may_leave_or_remove_the_prefix(under, front):
    opened = under.post(f"{front}/matches", json={"game": "poptrix"})
    assert opened.headers["location"] == f"{PLACE}/matches/{opened.json()['match']}"
    assert under.get(opened.headers["location"]).status_code == 200
    assert f'href="{PLACE}/new"' in under.get(f"{front}/").text


def test_rematch_is_at_the_prefix(under):
    match = under.open()
    under.play(match.id, match.host, "2:resign")
    made = under.post(f"{PLACE}/matches/{match.id}/rematch", json={}, headers=match.seats["1"])
    assert made.headers["location"] == f"{PLACE}/matches/{made.json()['match']}"


def test_retry_through_another_proxy_is_same_request(under):
    key = {"Idempotency-Key": "the-first-match-of-the-evening"}
    made = [
        under.post(f"{front}/matches", json={"game": "poptrix"}, headers=key).json()["match"]
        for front in ("", PLACE)
    ]
    assert made[0] == made[1]


def test_page_of_unknown_invitation_explains_it(under):
    match = under.open()
    page = under.get(f"{PLACE}/join/{match.id}/nonsense", headers={"Accept": "text/html"})
    assert "This invitation is no longer valid" in page.text


@pytest.mark.parametrize("path", [PLACE, f"{PLACE}/"])
def test_home_page_is_at_the_prefix(under, path):
    assert f'data-prefix="{PLACE}"' in under.get(path).text


@pytest.mark.parametrize("path", ["/plybooks/games", f"{PLACE}{PLACE}/games", "/games/plybook"])
def test_path_without_whole_prefix_is_404(under, path):
    assert under.get(path).status_code == 404


def test_invitation_sets_cookie_for_the_prefix(under):
    match = under.open()
    invited = under.post(
        f"{PLACE}/matches/{match.id}/invitations",
        json={"role": "seat", "seat": 1},
        headers=match.host,
    )
    link = invited.json()["link"]
    assert link.startswith(f"http://testserver.local{PLACE}/join/{match.id}/")
    joined = under.get(link, follow_redirects=False)
    assert joined.headers["location"] == f"{PLACE}/m/{match.id}"
    assert f"Path={PLACE};" in joined.headers["set-cookie"]
    assert 'data-seat="1"' in under.get(joined.headers["location"]).text
    under.client.cookies.clear()


def test_cookies_of_root_and_prefix_both_count(under):
    match = under.open(visibility="private")
    host, seat = (
        each["Authorization"].removeprefix("Bearer ") for each in (match.host, match.seats["2"])
    )
    name = f"plybook-{match.id}"
    for cookies in (f"{name}={seat}; {name}={host}", f"{name}={host}; {name}={seat}"):
        page = under.get(f"{PLACE}/m/{match.id}", headers={"Cookie": cookies}).text
        assert 'data-role="host"' in page
        assert f"/m/{match.id}" in under.get("/", headers={"Cookie": cookies}).text


def test_location_header_leads_to_the_hook(under):
    match = under.open()
    url = f"{PLACE}/matches/{match.id}/hooks"
    made = under.post(url, json={"url": "https://hook.example/"}, headers=match.host)
    assert made.headers["location"].startswith(f"{url}/")
    assert under.get(made.headers["location"], headers=match.host).status_code == 200


def test_schema_names_the_server_at_the_prefix(under):
    schema = under.get(f"{PLACE}/schema/openapi.json").json()
    assert [server["url"] for server in schema["servers"]] == [PLACE]
    assert f'href="{PLACE}/schema/openapi.json"' in under.get("/schema").text


def test_static_files_have_the_prefix(under):
    page = under.get("/library/import").text
    files = re.findall(r'(?:href|src)="(/[^"]+\.(?:js|css|svg|webmanifest))"', page)
    assert len(files) > 5
    for file in files:
        assert file.startswith(f"{PLACE}/static/")
        assert "immutable" in under.get(file).headers["cache-control"]


@pytest.mark.parametrize(
    ("trusted", "link"), [("testclient", f"{PLACE}/new"), ("192.0.2.1", "/new")]
)
def test_only_a_trusted_proxys_header_sets_prefix(proxied, trusted, link):
    client = proxied(trusted)
    for path in ("/", f"{PLACE}/")[: 1 + (trusted == "testclient")]:
        assert f'href="{link}"' in client.get(path, headers=FORWARDED).text
    assert 'href="/new"' in client.get("/").text


@pytest.mark.parametrize("written", ["plybook", "//elsewhere.test", "/a b", "/../up", "/m"])
def test_invalid_prefix_header_is_400_with_example(proxied, written):
    answer = proxied("testclient").get("/", headers={"X-Forwarded-Prefix": written})
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"].endswith("like /plybook")


@pytest.mark.parametrize("setting", ["/table", "/"])
def test_setting_comes_before_the_header(setting):
    store = empty_store()
    app = create_app(Book(store), Settings(root_path=setting))
    with TestClient(app):
        client = TestClient(ForwardedPrefix(app, "*"))  # type: ignore[arg-type]
        page = client.get("/", headers=FORWARDED).text
    assert f'href="{setting.rstrip("/")}/new"' in page
    store.close()


@pytest.mark.parametrize("written", ["plybook", "/ply book", "//", "/a//b", "/..", "/" + 200 * "a"])
def test_prefix_that_is_not_a_path_is_refused(written):
    with pytest.raises(Usage, match="like /plybook"):
        checked_prefix(written)


@pytest.mark.parametrize("written", ["/games", "/m/", "/static"])
def test_prefix_that_is_path_of_plybook_is_refused(written):
    with pytest.raises(Usage, match="Plybook itself has"):
        checked_prefix(written)


def test_every_first_part_of_a_route_is_listed(api):
    parts = {route.path.split("/")[1] for route in api.client.app.routes}
    assert parts - {""} == OWN


@pytest.mark.parametrize("written", ["/plybook", "/club/plybook/", "/~me", "/"])
def test_prefix_loses_the_slash_at_its_end(written):
    assert checked_prefix(written) == written.rstrip("/")


def test_templates_and_scripts_write_no_bare_address():
    pages = STATIC.parent / "pages" / "templates"
    bare = re.compile(r'\b(?:href|src|srcset|action|formaction|poster)="/|url\(["\']?/')
    written = re.compile(r"""(?:href|src|action)\s*[:=]\s*["'`]/|(?:assign|Source|open)\(["'`]/""")
    for path in (*pages.rglob("*.html"), *STATIC.rglob("*.css")):
        assert not bare.search(path.read_text(encoding="utf-8")), path
    for path in STATIC.rglob("*.js"):
        assert not written.search(path.read_text(encoding="utf-8")), path
