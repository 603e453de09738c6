"""Build the site that runs Plybook in a tab: static files for any host, under any path.

Archives are not compressed, so that the host can compress them as a whole, which halves them.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import shutil
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from msgspec import Struct

from replay.errors import Usage
from service.http import static_files
from service.http.static_files import short_digest
from service.tab import downloads
from service.tab.packing import (
    WEB,
    Contents,
    compiled,
    libraries,
    licences,
    packed,
    place,
    plybook,
)

PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json")
STDLIB: Final = "python_stdlib.zip"
UNUSED: Final = re.compile(
    r"(_py(datetime|decimal|io)|cProfile|compileall|ctypes|doctest|ftplib|imaplib|mailbox"
    r"|modulefinder|multiprocessing|optparse|pickletools|poplib|profile|pstats|pyclbr|pydoc"
    r"|shelve|smtplib|symtable|tabnanny|trace|unittest|wave|xml/dom|xmlrpc|zipapp)\b"
    r"|encodings/(?!__init__|aliases|ascii|cp437|idna|latin_1|punycode|raw|unicode|utf)"
)
"""Modules of the standard library for other programs, and encodings that Plybook does not read."""
SHELL: Final = ("index.html", "404.html", "shell.css", "shell.js")
WORKER: Final = ("boot.js", "files.js", "worker.js")
SITE: Final = "site.json"


class ServedFile(Struct):
    """The digest of a file, as the browser checks it, and its size."""

    integrity: str
    bytes: int


class Parts(Struct):
    """The addresses of the parts of a version; Pyodide is a folder."""

    worker: str
    pyodide: str
    libraries: str
    plybook: str


def build(folder: Path, cache: Path) -> dict[str, ServedFile]:
    """Write the site into a folder and return its files. The folder may hold an earlier site.

    Raises `Usage` for a folder with other files, and if a part cannot be fetched.
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
        _put(site, "libraries", packed(compiled(libraries(cache), pyodide))),
        _put(site, "plybook", packed(_compiled_plybook(pyodide))),
    )
    for name in SHELL:
        shutil.copy(WEB / name, site)
    for name in static_files.names():
        if name.startswith("pictures/"):
            place(site / name, static_files.read(name))
    place(site / "plybook.webmanifest", _manifest())
    place(site / "licences.txt", licences().encode())
    place(site / SITE, msgspec.json.encode(parts))
    files = files_of(site)
    place(site / "service-worker.js", service_worker(files))
    return files


def _compiled_plybook(pyodide: Path) -> Contents:
    """Return Plybook as bytecode; only the docstrings of `service` are read, for its schema."""
    described, rest = Contents(), Contents()
    for name, content in plybook().items():
        (described if name.startswith("service/") else rest)[name] = content
    return compiled(rest, pyodide) | compiled(described, pyodide, level=0)


def files_of(site: Path) -> dict[str, ServedFile]:
    """Return the files of a site by their names."""
    paths = sorted(path for path in site.rglob("*") if path.is_file())
    return {path.relative_to(site).as_posix(): _described(path) for path in paths}


def _put(site: Path, name: str, content: bytes) -> str:
    """Write an archive under a name with its digest, and return the name."""
    address = f"parts/{name}-{short_digest(content)}.tar"
    place(site / address, content)
    return address


def _put_folder(site: Path, name: str, files: dict[str, bytes]) -> str:
    """Write files into a folder with their digest in its name, and return the name with a slash."""
    address = f"parts/{name}-{short_digest(b''.join(files.values()))}/"
    for file, content in files.items():
        place(site / address / file, content)
    return address


def _described(path: Path) -> ServedFile:
    content = path.read_bytes()
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    return ServedFile(f"sha256-{digest}", len(content))


def service_worker(files: dict[str, ServedFile]) -> bytes:
    """Return the service worker for these files; for other files it would differ."""
    told = msgspec.json.encode(files)
    constants = f'const VERSION = "{short_digest(told)}";\nconst SITE_FILES = {told.decode()};\n'
    return constants.encode() + (WEB / "service_worker.js").read_bytes()


def _manifest() -> bytes:
    manifest = msgspec.json.decode(static_files.read("plybook.webmanifest"))
    return msgspec.json.encode(manifest | {"start_url": "./", "id": "./"})


def _pyodide_files(folder: Path) -> dict[str, bytes]:
    """Return the files of Pyodide, with the standard library as bytecode, uncompressed.

    Otherwise Python would compile its sources at each start, which takes a third of the start.
    """
    files = {name: (folder / name).read_bytes() for name in PYODIDE}
    stored = io.BytesIO()
    with zipfile.ZipFile(folder / STDLIB) as library:
        names = [name for name in library.namelist() if not (name[-1] == "/" or UNUSED.match(name))]
        sources = {name: library.read(name) for name in names}
    with zipfile.ZipFile(stored, "w") as unpacked:
        for name, content in compiled(sources, folder).items():
            unpacked.writestr(zipfile.ZipInfo(name), content)
    # Its list of 300 other packages is not needed: the wheel of msgspec is in the libraries.
    lock = msgspec.json.decode(files["pyodide-lock.json"]) | {"packages": {}}
    return files | {STDLIB: stored.getvalue(), "pyodide-lock.json": msgspec.json.encode(lock)}
