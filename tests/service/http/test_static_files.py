"""Style sheets, modules and pictures are cached for ever; a changed file has a new address."""

from __future__ import annotations

import posixpath
import re

import pytest

from service.http.static_files import address, imported_modules, path_of, paths
from tests.paths import ROOT

MODULES = {
    name: path.read_text(encoding="utf-8") for name, path in paths().items() if name.endswith(".js")
}


def test_linked_files_are_cached_for_ever(api):
    there = re.search(r'href="(/static/[0-9a-f]{12}/css/plybook\.css)"', api.get("/").text)[1]
    answer = api.get(there)
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"] == "text/css; charset=utf-8"


@pytest.mark.parametrize("digest", ["", "000000000000/"])
def test_file_without_current_digest_is_revalidated(api, digest):
    path = f"/static/{digest}css/plybook.css"
    answer = api.get(path)
    assert answer.headers["cache-control"] == "no-cache"
    again = api.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    assert again.content == b""
    assert api.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/nothing.css",
        "/static/..%2fapp.py",
        "/static/x/y/css/plybook.css",
        "/static/../app.py",
    ],
)
def test_only_files_of_the_folder_are_served(api, path):
    assert api.get(path).status_code == 404


def test_files_are_compressed(api):
    answer = api.get("/static/css/plybook.css", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"


def test_module_finds_the_modules_it_imports():
    for module, code in MODULES.items():
        for name in re.findall(r'(?:from |import\()"(\.[^"]+)"', code):
            found = posixpath.normpath(posixpath.join(posixpath.dirname(module), name))
            assert found in MODULES, f"{module} imports {name}"


def test_page_preloads_imported_modules(api):
    page = api.get("/new/poptrix").text
    assert re.findall(r'<script type="module" src="[^"]*/js/(.*?)"', page) == [
        "start.js",
        "offline.js",
        "own_device.js",
    ]
    preloaded = set(re.findall(r'<link rel="modulepreload" href="[^"]*/js/(.*?)"', page))
    names = ("device_memory", "elements", "http", "prefix")
    assert preloaded == {f"shared/{name}.js" for name in names}


def test_modules_on_demand_are_not_preloaded():
    modules = imported_modules(["record.js"])
    assert "match/control_panel.js" in modules
    assert "shared/http.js" in modules
    assert "match/more_dialog.js" not in modules
    assert len(modules) == len(set(modules))


def test_only_one_module_makes_requests():
    fetching = [
        posixpath.basename(name)
        for name, code in MODULES.items()
        if re.search(r"(?<!#)\bfetch\(", code)
    ]
    # The service worker answers between a page and the network.
    assert sorted(fetching) == ["http.js", "service_worker.js"]


def test_modules_are_served_without_their_comments(api):
    served = api.get("/static/js/shared/http.js").text
    assert "Requests to the server" not in served
    assert served.startswith('import { prefix } from "./prefix.js";')


def test_served_style_sheet_loses_only_comments(api):
    for name, path in paths().items():
        if name.endswith(".css"):
            served = api.get(f"/static/{name}").text
            whole = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            assert "".join(served.split()) == "".join(whole.split()), path
            words = r"[\w.#%*\"()\[\]+~=-]+"  # what white space may hold apart
            assert re.findall(words, served) == re.findall(words, whole), path


def test_served_module_loses_only_comments(api):
    for name, path in paths().items():
        if not name.endswith(".js"):
            continue
        served = api.get(f"/static/{name}").text
        assert "@type" not in served
        assert not re.search(r"^\s*(//|/\*)", served, re.MULTILINE), path
        whole = re.sub(r"/\*\* @type .*?\*/ ?", "", path.read_text(encoding="utf-8"))
        lines = [line.strip() for line in whole.splitlines()]
        code = [line for line in lines if not line.startswith(("//", "/*", "*"))]
        assert served.replace("\n", "") == "".join(code), path
        assert re.findall("[^{;,(\\[]\n", served) == [
            f"{line[-1]}\n" for line in code if line and line[-1] not in "{;,(["
        ], path


def test_no_comment_follows_code_that_the_next_line_joins():
    for path, code in MODULES.items():
        assert not re.search(r"^[^/\n]*\S\s+// .*[{;,(\[]$", code, re.MULTILINE), path


def test_modules_have_no_multiline_template_literals():
    for path, code in MODULES.items():
        assert not [text for text in re.findall(r"`[^`]*`", code) if "\n" in text], path


COLOUR = re.compile(r"#[0-9a-f]{3,8}\b|\brgb\([^v]|\bhsl\(")


def test_colours_are_in_one_style_sheet():
    for sheet in (path for name, path in paths().items() if name.endswith(".css")):
        literals = COLOUR.findall(sheet.read_text(encoding="utf-8"))
        assert len(literals) == len(set(literals)), sheet.name
        assert not literals or sheet.name == "colours.css"


SIZE = re.compile(r"(?<![\w-])font(?:-size)?\s*:\s*([^;}\"`]+)")
"""A declaration of a size of type, in a style sheet, a template or a script."""

STEP = re.compile(r"(\d+ )?var\(--(?P<step>[a-z-]+)\)(/[\d.]+)?( [^\d]*)?|inherit")
"""A step of the scale; those of a TV and of a drawing are in the units of its screen or board."""


def _with_styles() -> dict[str, str]:
    """Return the texts that may have styles: sheets, scripts and templates of pages and exports."""
    folders = (ROOT / name for name in ("service", "replay", "plybook"))
    kinds = (".css", ".html", ".js")
    files = (path for each in folders for path in each.rglob("*") if path.suffix in kinds)
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in files}


def test_every_size_of_type_is_a_step_of_the_scale():
    sheet = path_of("css/colours.css").read_text(encoding="utf-8")
    scale = set(re.findall(r"--([a-z-]+): \S", sheet.partition("Colours:")[0]))
    assert len(scale) == 10
    raw, used = [], {None}
    for name, text in _with_styles().items():
        for size in SIZE.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)):
            step = STEP.fullmatch(size.strip())
            used |= {step and step["step"]}
            raw += [] if step else [f"{name}: {size}"]
    assert raw == []
    own = {step for step in used if step and step.startswith(("tv-", "pb-"))}
    assert used - own - {None} == scale


SPACE = re.compile(
    r"(?<![\w-])(?:margin|padding|inset|gap|(?:row|column)-gap)[a-z-]*\s*:([^;}\"`]+)"
)
"""A declaration of a margin, a padding or a gap; what a page scrolls past is measured otherwise."""

ROOM = 3
"""The `rem` from which on a margin is not spacing, but the room that another part takes."""


def test_every_spacing_is_a_step_of_the_scale():
    sheet = path_of("css/colours.css").read_text(encoding="utf-8")
    scale = re.findall(r"(--gap-\d): [.\d]+rem;", sheet.partition("Colours:")[0])
    assert len(scale) == 7
    raw, used = [], set()
    for name, text in _with_styles().items():
        used |= set(re.findall(r"var\((--gap-\d)\)", text))
        for space in SPACE.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)):
            sizes = re.findall(r"([\d.]+)(rem|px)", space)
            plain = [size for size, unit in sizes if float(size) < ROOM and unit == "rem"]
            plain += [size for size, unit in sizes if float(size) > ROOM and unit == "px"]
            raw += [f"{name}: {size} in {space.strip()}" for size in plain]
    assert raw == []
    assert used == set(scale)


def test_theme_colour_equals_the_page_colour(api):
    papers = re.findall(r"--paper: (#\w+);", path_of("css/colours.css").read_text())
    assert re.findall(r'name="theme-color" content="(.*?)"', api.get("/").text) == papers


def test_icons_of_the_manifest_exist(api):
    manifest = api.get(address("plybook.webmanifest"))
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    folder = address("plybook.webmanifest").rpartition("/")[0]
    for icon in manifest.json()["icons"]:
        assert api.get(f"{folder}/{icon['src']}").status_code == 200


def test_picture_opened_directly_has_a_security_policy(api):
    for name in ("css/plybook.css", "js/record.js"):
        headers = api.get(f"/static/{name}").headers
        assert "content-security-policy" not in headers
        assert headers["x-content-type-options"] == "nosniff"
    for path in ("/static/pictures/plybook.svg", "/service-worker.js", "/"):
        assert "default-src 'self'" in api.get(path).headers["content-security-policy"]
