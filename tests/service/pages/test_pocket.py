"""A server offers the site of `plybook site`, and says what is missing otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from replay.errors import Usage
from service.pages.pocket import checked_site
from service.settings import Settings
from tests.service.conftest import serve

FILES = {
    "site.json": b"{}",
    "index.html": b"<!doctype html>shell",
    "service-worker.js": b"const VERSION = 1;",
    "parts/libraries-1f2e3d4c5b6a.tar": b"x" * 10_000,
}


@pytest.fixture
def offering(tmp_path: Path):
    for name, content in FILES.items():
        file = tmp_path / "site" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (tmp_path / "secret.json").write_text("secret")
    with serve(Settings(site=str(tmp_path / "site"))) as api:
        yield api


@pytest.mark.parametrize("name", FILES)
def test_files_of_the_site_are_served(offering, name):
    answer = offering.get(f"/offline/pocket/{name}", headers={"Accept-Encoding": "gzip"})
    assert (answer.status_code, answer.content) == (200, FILES[name])
    assert answer.headers["content-encoding"] == "gzip"
    assert "wasm-unsafe-eval" in answer.headers["content-security-policy"]
    assert ("immutable" in answer.headers["cache-control"]) == name.startswith("parts/")
    plain = offering.get(f"/offline/pocket/{name}", headers={"Accept-Encoding": "identity"})
    assert (plain.content, "content-encoding" in plain.headers) == (FILES[name], False)


def test_shell_has_an_address_with_a_slash(offering):
    assert offering.get("/offline/pocket/").content == FILES["index.html"]
    moved = offering.get("/offline/pocket", follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (302, "/offline/pocket/")


@pytest.mark.parametrize("path", ["none.js", "../secret.json", "%2e%2e/secret.json", "parts"])
def test_files_outside_the_site_are_not_served(offering, path):
    answer = offering.get(f"/offline/pocket/{path}")
    assert (answer.status_code, answer.text == "secret") == (404, False)


def test_changed_file_is_served_at_once(offering, tmp_path):
    assert offering.get("/offline/pocket/site.json").content == b"{}"
    (tmp_path / "site/site.json").write_bytes(b"{ }")
    assert offering.get("/offline/pocket/site.json").content == b"{ }"


def test_home_page_offers_the_site(offering, api):
    assert "Keep Plybook on this phone" in offering.get("/").text
    assert "Keep Plybook on this phone" not in api.get("/").text


def test_server_without_a_site_names_the_option(api):
    answer = api.get("/offline/pocket/")
    assert (answer.status_code, "--site FOLDER" in answer.json()["detail"]) == (404, True)


def test_folder_without_a_site_is_refused(tmp_path):
    with pytest.raises(Usage, match="is not the folder of a site; `plybook site"):
        checked_site(str(tmp_path))
