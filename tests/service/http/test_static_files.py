"""Style sheets, modules and pictures are cached for ever; a changed file has a new address."""

from __future__ import annotations

import re

import pytest

from service.http.static_files import FOLDER, address


def test_linked_files_are_cached_for_ever(api):
    there = re.search(r'href="(/static/[0-9a-f]{12}/plybook\.css)"', api.get("/").text)[1]
    answer = api.get(there)
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"] == "text/css; charset=utf-8"


@pytest.mark.parametrize("path", ["/static/plybook.css", "/static/000000000000/plybook.css"])
def test_without_the_digest_of_now_a_file_is_asked_for_again(api, path):
    answer = api.get(path)
    assert answer.headers["cache-control"] == "no-cache"
    again = api.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""
    assert api.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/static/nothing.css", "/static/..%2fapp.py", "/static/x/y/plybook.css", "/static/../app.py"],
)
def test_only_files_of_the_folder_are_served(api, path):
    assert api.get(path).status_code == 404


def test_files_are_compressed(api):
    answer = api.get("/static/plybook.css", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"


def test_a_module_finds_the_modules_it_imports_beside_it():
    for module in FOLDER.rglob("*.js"):
        for name in re.findall(r'from "\./([^"]+)"', module.read_text(encoding="utf-8")):
            assert (module.parent / name).is_file(), f"{module.name} imports {name}"


def test_icons_of_the_manifest_are_there(api):
    manifest = api.get(address("plybook.webmanifest"))
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    folder = address("plybook.webmanifest").rpartition("/")[0]
    for icon in manifest.json()["icons"]:
        assert api.get(f"{folder}/{icon['src']}").status_code == 200
