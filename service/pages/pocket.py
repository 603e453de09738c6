"""The site of `plybook site`, offered by a server: Plybook for browsers, to keep on a phone."""

from __future__ import annotations

import asyncio
import functools
import gzip
import os
from pathlib import Path
from typing import Final

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect

from replay.errors import Usage
from service.http.access import AnyRequest, TheSettings
from service.http.addresses import prefix
from service.http.caching import FOR_EVER
from service.http.problems import Problem
from service.http.rights import ANYBODY

SITE: Final = "site.json"
"""The file that every site has."""
PARTS: Final = "parts/"
"""The folder of files that have their digest in their name."""
TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".tar": "application/x-tar",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".zip": "application/zip",
}
"""The media types of the files by their endings."""
POLICY: Final = (
    "default-src 'self' 'wasm-unsafe-eval'; base-uri 'self'; form-action 'none';"
    " frame-ancestors 'none'"
)
"""The policy of its pages and of its worker, which compiles Python."""
MISSING: Final = (
    "this server does not offer Plybook for phones; its operator can: plybook site FOLDER,"
    " then plybook serve --site FOLDER"
)


def checked_site(folder: str) -> str:
    """Return the folder of a site. Raises `Usage`."""
    if not Path(folder, SITE).is_file():
        raise Usage(f"{folder} is not the folder of a site; `plybook site {folder}` writes one")
    return folder


@get(["/offline/pocket", "/offline/pocket/{path:path}"], guards=[ANYBODY], include_in_schema=False)
async def site_file(
    request: AnyRequest, settings: TheSettings, path: FromPath[Path] = Path()
) -> Response[bytes]:
    """Send a file of the site, and compress a large one once. Raises `Problem` 404."""
    if settings.site is None:
        raise Problem(404, MISSING)
    name = path.as_posix().lstrip("/")
    name = "" if name == "." else name
    if not name and not request.scope["raw_path"].endswith(b"/"):
        return Redirect(f"{prefix()}/offline/pocket/")  # the addresses of the site begin there
    name = name or "index.html"
    file = _find(Path(settings.site).resolve(), name)
    headers = {
        "Cache-Control": FOR_EVER if name.startswith(PARTS) else "no-cache",
        "Content-Security-Policy": POLICY,
        "Vary": "Accept-Encoding",
    }
    stamp = file.stat().st_mtime_ns
    if "gzip" in request.headers.get("accept-encoding", ""):
        content = await asyncio.to_thread(_compressed, file, stamp)
        headers["Content-Encoding"] = "gzip"
    else:
        content = await asyncio.to_thread(file.read_bytes)
    return Response(content, media_type=TYPES[file.suffix], headers=headers)


def _find(root: Path, name: str) -> Path:
    """Return a file of the site, as its plain name says. Raises `Problem` 404.

    A name with `..` would reach a file by a second address, and a site has no hidden files.
    """
    file, plain = root / name, not name.startswith(".") and "/." not in name
    # `os.path.isfile` is false for names that no file can have, and `Path.is_file` raises.
    there = plain and file.suffix in TYPES and os.path.isfile(file)
    if there and file.resolve().is_relative_to(root):
        return file
    raise Problem(404, f"there is no file {name!r} in the site")


@functools.lru_cache(maxsize=64)
def _compressed(file: Path, _stamp: int) -> bytes:
    return gzip.compress(file.read_bytes(), 6)
