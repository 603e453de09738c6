"""Fetch the parts of a site that no installation of Plybook has, once, pinned by digest.

npm brings Pyodide, which is Python for browsers. pip brings msgspec for it, the only library of the
application that is not pure Python.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from replay.errors import Usage

PYODIDE: Final = "314.0.7"
PYODIDE_SHA512: Final = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
MSGSPEC: Final = (
    "msgspec==0.22.0 --hash=sha256:a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022"
)
PLATFORM: Final = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14")


def pyodide(cache: Path) -> Path:
    """Return the folder of Pyodide in a cache, fetching it if it is missing. Raises `Usage`."""
    there = cache / f"pyodide-{PYODIDE}"
    if not there.is_dir():
        with TemporaryDirectory(dir=cache) as folder:
            run("npm", "pack", f"pyodide@{PYODIDE}", "--silent", "--pack-destination", folder)
            (packed,) = Path(folder).glob("*.tgz")
            digest = hashlib.sha512(packed.read_bytes()).digest()
            if base64.b64encode(digest).decode() != PYODIDE_SHA512:
                raise Usage(f"{packed.name} is not the Pyodide that this Plybook knows")
            with tarfile.open(packed) as archive:
                archive.extractall(folder, filter="data")
            Path(folder, "package").rename(there)
    return there


def wheel(cache: Path) -> Path:
    """Return the wheel of msgspec for Pyodide in a cache, fetching it if it is missing.

    Raises `Usage`.
    """
    there = cache / f"wheel-{MSGSPEC[-12:]}"
    if not there.is_dir():
        with TemporaryDirectory(dir=cache) as folder:
            asked, loaded = Path(folder, "requirements.txt"), Path(folder, "wheel")
            asked.write_text(MSGSPEC)
            pip = (sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes")
            only = "--only-binary=:all:"
            run(*pip, only, *PLATFORM, "-r", str(asked), "-d", str(loaded))
            loaded.rename(there)
    return next(there.glob("*.whl"))


def run(program: str, *arguments: str) -> None:
    """Run a program that downloads or builds a part of the site.

    Raises `Usage` if it is missing or fails.
    """
    found = shutil.which(program)
    if found is None:
        raise Usage(f"{program} is not installed; a site is built with Node.js and npm")
    ended = subprocess.run([found, *arguments], capture_output=True, text=True)
    if ended.returncode:
        said = (ended.stderr or ended.stdout).strip().splitlines()[-1:] or ["it says nothing"]
        raise Usage(f"{program} {arguments[0]} failed: {said[0]}")
