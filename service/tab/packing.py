"""Pack Plybook and its libraries as bytecode for a tab, with their licences."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final

from replay import registry
from replay.formats.html import jinja
from service.http import static_files
from service.pages import layout
from service.tab import downloads

ROOT: Final = Path(__file__).parents[2]
WEB: Final = Path(__file__).with_name("web")
PACKAGES: Final = ("domain", "replay", "seeds", "service")
LIBRARIES: Final = (
    *("anyio", "click", "click-default-group", "idna", "jinja2", "linkify-it-py", "litestar"),
    *("litestar-htmx", "markdown-it-py", "markupsafe", "mdurl", "multidict", "multipart"),
    *("platformdirs", "pluggy", "python-dateutil", "pyyaml", "segno"),
    *("sniffio", "sqlite-fts4", "sqlite-utils", "tabulate", "typing-extensions"),
)
"""The packages that the application needs; msgspec comes for this platform."""
BY_SOURCE: Final = "anyio/**/__init__.py"
"""Modules that read their own source code when they are imported."""
UNNEEDED: Final = (
    *("replay/programs/referee_lines.py", "replay/sampling/dataset.py"),
    *(f"replay/upkeep/{each}.py" for each in ("backup", "copying", "doctor", "publishing")),
    "replay/upkeep/reindex.py",
    "replay/store/postgres/",
    *("service/http/connections.py", "service/http/orderly_server.py"),
    *("service/mcp/", "service/telemetry/"),
    *(f"service/tab/{name}" for name in ("building.py", "downloads.py", "packing.py", "web/")),
)
"""Files for building a site, for commands, books on other machines, sockets, and MCP."""
TEMPLATES: Final = {
    "service/pages/templates": layout.ENVIRONMENT,
    "replay/formats/html/templates": jinja.exports(),
}
"""The folders of templates, and the environments that render them."""
NOT_CODE: Final = re.compile(
    r"(^|/)(tests?|testing|cli|__pycache__|bin)(/|$)"
    r"|(^|/)(cli|testing|pytest_plugin|_trio)\.py$|\.(so|pyd|pyi|pyc|c|h|d\.ts)$"
)
LICENCE: Final = re.compile(
    r"(^|/)(licen[cs]e|copying|notice)[^/]*(?<!\.py)(?<!\.pyc)$", re.IGNORECASE
)

Contents = dict[str, bytes]
"""The contents of files by their names in an archive."""


def plybook() -> Contents:
    """Return the files that the tab needs, and the seeds; scripts and styles in served form."""
    found = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*"))
        if path.is_file() and not NOT_CODE.search(path.relative_to(ROOT).as_posix())
    }
    unneeded = (*UNNEEDED, *TEMPLATES)
    kept = {name: each for name, each in found.items() if not name.startswith(unneeded)}
    served = {f"service/static/{name}": name for name in static_files.names()}
    kept |= {path: static_files.read(served[path]) for path in kept if path in served}
    installed = distribution("plybook")
    return kept | _templates() | _metadata(installed) | _entry_points(installed)


def _templates() -> Contents:
    """Return the templates as modules: in a tab, compiling one takes as long as making a page."""
    modules = Contents()
    for folder, environment in TEMPLATES.items():
        own = {path.name for path in (ROOT / folder).iterdir()}
        with TemporaryDirectory(prefix="plybook-") as work:
            environment.compile_templates(
                work, filter_func=own.__contains__, zip=None, ignore_errors=False
            )
            for path in sorted(Path(work).iterdir()):
                modules[f"{folder}/{jinja.COMPILED}/{path.name}"] = path.read_bytes()
    return modules


def libraries(cache: Path) -> Contents:
    """Return the libraries of this installation, and msgspec for the tab. Raises `Usage`."""
    found = Contents()
    for name in LIBRARIES:
        library = distribution(name)
        found |= _metadata(library) | dict(_modules(library))
    with zipfile.ZipFile(downloads.wheel(cache)) as wheel:
        names = [name for name in wheel.namelist() if name.endswith((".py", ".so", "METADATA"))]
        found |= {name: wheel.read(name) for name in names}
    return found


def _modules(library: Distribution) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a library that can be imported or read, without compiled ones."""
    for file in library.files or ():
        name = file.as_posix()
        if not (name.startswith("..") or ".dist-info/" in name or NOT_CODE.search(name)):
            yield name, Path(str(file.locate())).read_bytes()


def _metadata(found: Distribution) -> Contents:
    """Return the name and the version of a distribution, for programs that ask for them."""
    text = f"Metadata-Version: 2.1\nName: {found.name}\nVersion: {found.version}\n"
    return {f"{_folder(found)}/METADATA": text.encode()}


def _entry_points(found: Distribution) -> Contents:
    """Return the games that a distribution adds: Plybook's own need no installed plug-in."""
    games = found.entry_points.select(group=registry.GROUP)
    lines = (f"{each.name} = {each.value}\n" for each in games)
    text = f"[{registry.GROUP}]\n{''.join(lines)}"
    return {f"{_folder(found)}/entry_points.txt": text.encode()}


def _folder(found: Distribution) -> str:
    return f"{found.name.replace('-', '_')}-{found.version}.dist-info"


def compiled(contents: Contents, pyodide: Path, level: int = 2) -> Contents:
    """Return contents with bytecode in place of sources, except where sources are read.

    Bytecode of level 2 has no docstrings and no assertions.
    """
    with TemporaryDirectory(prefix="plybook-") as work:
        stage = Path(work)
        for name, content in contents.items():
            place(stage / name, content)
        downloads.run("node", str(WEB / "compile.mjs"), str(pyodide), work, str(level))
        by_source = set(stage.glob(BY_SOURCE))
        for source in stage.rglob("*.py"):
            (source.with_suffix(".pyc") if source in by_source else source).unlink()
        paths = sorted(path for path in stage.rglob("*") if path.is_file())
        return {path.relative_to(stage).as_posix(): path.read_bytes() for path in paths}


def packed(contents: Contents) -> bytes:
    """Pack contents into an archive that is the same whenever the contents are."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in contents.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def licences() -> str:
    """Return the licences of all parts of the site."""
    own = [
        "Plybook and the libraries that are in this site, with their licences.\n",
        f"Pyodide {downloads.PYODIDE}: Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/\n"
        "It contains CPython (PSF License Agreement, https://docs.python.org/3/license.html),\n"
        "SQLite (public domain) and parts of Emscripten (MIT) and musl (MIT).\n",
    ]
    libraries = ("plybook", "msgspec", *LIBRARIES)
    return "\n".join((*own, *(_licence(distribution(name)) for name in libraries)))


def _licence(library: Distribution) -> str:
    said: Any = library.metadata
    kind = (
        said.get("License-Expression")
        or said.get("License")
        or _classified(said.get_all("Classifier"))
    )
    texts = _licence_texts(library)
    return f"== {library.name} {library.version}: {kind.splitlines()[0]}\n\n" + "\n".join(texts)


def _classified(classifiers: Iterable[str] | None) -> str:
    found = (each.rpartition(" :: ")[2] for each in classifiers or () if each.startswith("License"))
    return next(found, "see its home page")


def _licence_texts(library: Distribution) -> list[str]:
    files = [file for file in library.files or () if LICENCE.search(PurePosixPath(file).as_posix())]
    return [Path(str(file.locate())).read_text(encoding="utf-8") for file in files]


def place(path: Path, content: bytes) -> None:
    """Write a file, and create the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
