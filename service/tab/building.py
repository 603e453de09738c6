"""Build the site that brings Plybook into a tab: static files for any host, under any path.

Archives are not compressed, so that the host can compress them as a whole, which halves them.
"""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from msgspec import Struct

from replay.errors import Usage
from service.http import static_files
from service.tab import downloads

WEB: Final = Path(__file__).with_name("web")
PACKAGES: Final = ("domain", "replay", "seeds", "service")
LIBRARIES: Final = (
    *("anyio", "click", "click-default-group", "idna", "jinja2", "linkify-it-py", "litestar"),
    *("litestar-htmx", "markdown-it-py", "markupsafe", "mdurl", "multidict", "multipart"),
    *("platformdirs", "pluggy", "prometheus-client", "python-dateutil", "pyyaml", "segno"),
    *("sniffio", "sqlite-fts4", "sqlite-utils", "tabulate", "typing-extensions"),
)
"""What the application imports, and what those import; msgspec comes for this platform."""
BY_SOURCE: Final = "anyio"
"""A library that reads its own source when it is imported."""
PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")
STDLIB: Final = "python_stdlib.zip"
SHELL: Final = ("index.html", "shell.css", "shell.js")
WORKER: Final = ("boot.js", "files.js", "worker.js")
BUILDS: Final = {"building.py", "downloads.py"}
SITE: Final = "site.json"
DIGITS: Final = 12
NOT_CODE: Final = re.compile(r"(^|/)(tests?|testing|__pycache__|bin)(/|$)|\.(so|pyd|pyi|pyc|c|h)$")
LICENCE: Final = re.compile(
    r"(^|/)(licen[cs]e|copying|notice)[^/]*(?<!\.py)(?<!\.pyc)$", re.IGNORECASE
)


class ServedFile(Struct):
    """The digest and the size of a file, which the service worker checks."""

    sha256: str
    bytes: int


class Parts(Struct):
    """Where the shell finds the parts of a version; Pyodide is a folder."""

    worker: str
    pyodide: str
    libraries: str
    plybook: str


def build(folder: Path, cache: Path) -> dict[str, ServedFile]:
    """Write the site into a folder and return its files. The folder may hold an earlier site.

    Raises `Usage` for another folder, and if a part cannot be fetched.
    """
    if folder.exists() and not (folder / SITE).is_file() and any(folder.iterdir()):
        raise Usage(f"{folder} has other files; name a new folder, or one with an earlier site")
    if not folder.absolute().parent.is_dir():
        raise Usage(f"{folder.absolute().parent} is not a folder; make it first")
    cache.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.absolute().parent, prefix=".plybook-site-") as work:
        made = Path(work, "site")
        files = _write(made, cache)
        if folder.exists():
            folder.rename(Path(work, "before"))
        made.rename(folder)
    return files


def _write(site: Path, cache: Path) -> dict[str, ServedFile]:
    site.mkdir()
    pyodide = downloads.pyodide(cache)
    parts = Parts(
        _put_folder(site, "worker", {name: (WEB / name).read_bytes() for name in WORKER})
        + WORKER[-1],
        _put_folder(site, "pyodide", _pyodide_files(pyodide)),
        _put(site, "libraries", _packed(_compiled(_libraries(cache), pyodide))),
        _put(site, "plybook", _packed(_compiled(_plybook(), pyodide))),
    )
    for name in SHELL:
        shutil.copy(WEB / name, site)
    for name in static_files.names():
        if name.startswith("pictures/"):
            _place(site / name, static_files.read(name))
    _place(site / "plybook.webmanifest", _manifest())
    _place(site / "licences.txt", _licences().encode())
    _place(site / SITE, msgspec.json.encode(parts))
    files = files_of(site)
    _place(site / "service-worker.js", service_worker(files))
    return files


def files_of(site: Path) -> dict[str, ServedFile]:
    """Return the files of a site by their names."""
    paths = sorted(path for path in site.rglob("*") if path.is_file())
    return {path.relative_to(site).as_posix(): _described(path) for path in paths}


def _place(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _put(site: Path, name: str, content: bytes) -> str:
    """Write an archive under a name with its digest, and return that."""
    address = f"parts/{name}-{_short(content)}.tar"
    _place(site / address, content)
    return address


def _put_folder(site: Path, name: str, files: dict[str, bytes]) -> str:
    """Write files into a folder with their digest in its name, and return that with a slash."""
    address = f"parts/{name}-{_short(b''.join(files.values()))}/"
    for file, content in files.items():
        _place(site / address / file, content)
    return address


def _short(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:DIGITS]


def _described(path: Path) -> ServedFile:
    content = path.read_bytes()
    return ServedFile(hashlib.sha256(content).hexdigest(), len(content))


def service_worker(files: dict[str, ServedFile]) -> bytes:
    """Return the service worker of these files: another one for other files."""
    told = msgspec.json.encode(files)
    constants = f'const VERSION = "{_short(told)}";\nconst SITE_FILES = {told.decode()};\n'
    return constants.encode() + (WEB / "service_worker.js").read_bytes()


def _manifest() -> bytes:
    manifest = msgspec.json.decode(static_files.read("plybook.webmanifest"))
    return msgspec.json.encode(manifest | {"start_url": "./", "id": "./"})


def _pyodide_files(folder: Path) -> dict[str, bytes]:
    """Return the files of Pyodide, with the standard library stored uncompressed."""
    files = {name: (folder / name).read_bytes() for name in PYODIDE}
    stored = io.BytesIO()
    with zipfile.ZipFile(folder / STDLIB) as packed, zipfile.ZipFile(stored, "w") as unpacked:
        for info in packed.infolist():
            unpacked.writestr(zipfile.ZipInfo(info.filename), packed.read(info))
    # Its list of 300 other packages is not needed: the wheel of msgspec is in the libraries.
    lock = msgspec.json.decode(files["pyodide-lock.json"]) | {"packages": {}}
    return files | {STDLIB: stored.getvalue(), "pyodide-lock.json": msgspec.json.encode(lock)}


Contents = dict[str, bytes]
"""The contents of files by their names in an archive."""


def _plybook() -> Contents:
    root = Path(__file__).parents[2]
    found = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for package in PACKAGES
        for path in sorted((root / package).rglob("*"))
        if path.is_file() and not NOT_CODE.search(path.relative_to(root).as_posix())
    }
    unneeded = ("service/tab/web/", *(f"service/tab/{name}" for name in BUILDS))
    kept = {name: each for name, each in found.items() if not name.startswith(unneeded)}
    return kept | _metadata(distribution("plybook"))


def _libraries(cache: Path) -> Contents:
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
    folder = f"{found.name.replace('-', '_')}-{found.version}.dist-info"
    text = f"Metadata-Version: 2.1\nName: {found.name}\nVersion: {found.version}\n"
    return {f"{folder}/METADATA": text.encode()}


def _compiled(contents: Contents, pyodide: Path) -> Contents:
    """Return contents with bytecode in place of sources, except where sources are read."""
    with TemporaryDirectory(prefix="plybook-") as work:
        stage = Path(work)
        for name, content in contents.items():
            _place(stage / name, content)
        downloads.run("node", str(WEB / "compile.mjs"), str(pyodide), work)
        for source in stage.rglob("*.py"):
            if BY_SOURCE not in source.relative_to(stage).parts:
                source.unlink()
        paths = sorted(path for path in stage.rglob("*") if path.is_file())
        return {path.relative_to(stage).as_posix(): path.read_bytes() for path in paths}


def _packed(contents: Contents) -> bytes:
    """Return an archive that is the same whenever its contents are."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in contents.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def _licences() -> str:
    """Return the licences of everything in the site."""
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
