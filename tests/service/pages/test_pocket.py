"""A server offers the site of `plybook site`, and says what is missing otherwise."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest

from replay.errors import Usage
from service.pages.pocket import checked_site
from service.settings import Settings
from tests.service.conftest import serve
from tests.service.live_service import live_service

FILES = {
    "site.json": b"{}",
    "index.html": b"<!doctype html>shell",
    "service-worker.js": b"const VERSION = 1;",
    "parts/libraries-1f2e3d4c5b6a.tar": b"x" * 10_000,
}
HIDDEN = (".hidden.json", "parts/.hidden.json", ".git/config.json")
"""Files that a folder may have and a site has not."""


def make_site(folder: Path) -> str:
    for name, content in (FILES | dict.fromkeys(HIDDEN, b"secret")).items():
        file = folder / "site" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (folder / "secret.json").write_text("secret")
    return str(folder / "site")


@pytest.fixture
def offering(tmp_path: Path):
    with serve(Settings(site=make_site(tmp_path))) as api:
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


OTHER_ADDRESSES = (
    *("parts/../index.html", "parts/%2e%2e/index.html"),
    *("parts/../.hidden.json", *HIDDEN),
    *("%00", "index%00.html", "n" * 300 + ".html", "n/" * 3000 + "n.html", "%ff.html", "%0a.html"),
)


@pytest.mark.parametrize("path", OTHER_ADDRESSES)
async def test_only_plain_addresses_name_a_file(tmp_path, path):
    """A browser never sends `..`, but others do: the address goes as it is."""
    async with live_service(site=make_site(tmp_path)) as at:
        answer = await at.listen(f"/offline/pocket/{unquote(path)}")
        assert answer.status == 404


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
